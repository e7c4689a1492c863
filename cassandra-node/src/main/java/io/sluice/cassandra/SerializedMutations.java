/*
 * Copyright 2026 The Sluice Authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.sluice.cassandra;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIteratorSerializer;
import org.apache.cassandra.io.util.DataOutputBuffer;
import org.apache.cassandra.net.MessagingService;

/**
 * Serializes mutations once. The commit log wants the size and then the bytes, and Cassandra goes through all rows for
 * each of the two; here the bytes are made first and kept where Cassandra keeps its own, and their number is the size.
 * Has no state, any thread.
 */
final class SerializedMutations
{
    /**
     * The most bytes of values of a mutation that is serialized here. Far below the size from which on Cassandra keeps
     * no bytes (a megabyte by default): what is close to that is Cassandra's to measure.
     */
    static final int MOST_VALUE_BYTES = 1 << 16;

    private static final int VERSION = MessagingService.current_version;
    private static final int ORDINAL = MessagingService.getVersionOrdinal(VERSION);
    /** What Cassandra keeps for each version. */
    private static final VarHandle KEPT;
    private static final MethodHandle KEEP;
    static
    {
        try
        {
            final MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(Mutation.class, MethodHandles.lookup());
            final Class<?> kept = lookup.findClass(Mutation.class.getName() + "$Serialization");
            KEPT = lookup.findVarHandle(Mutation.class, "cachedSerializations", kept.arrayType());
            KEEP = lookup.findConstructor(lookup.findClass(Mutation.class.getName() + "$CachedSerialization"),
                MethodType.methodType(void.class, byte[].class))
                .asType(MethodType.methodType(Object.class,
                    byte[].class));
        }
        catch (final ReflectiveOperationException e)
        {
            throw new ExceptionInInitializerError(e);
        }
    }

    private SerializedMutations()
    {
    }

    /**
     * A mutation of one update.
     *
     * @param valueBytes about how long its values are, in bytes; beyond {@link #MOST_VALUE_BYTES} it is left as it is
     */
    static Mutation of(final PartitionUpdate update, final long valueBytes)
    {
        return of(update, update.unfilteredIterator(), valueBytes);
    }

    /**
     * The same.
     *
     * @param contents of the update; used up
     */
    static Mutation of(final PartitionUpdate update, final UnfilteredRowIterator contents, final long valueBytes)
    {
        final Mutation mutation = new Mutation(update);
        if (valueBytes <= MOST_VALUE_BYTES)
        {
            ((Object[])KEPT.get(mutation))[ORDINAL] = serialize(update, contents);
        }
        return mutation;
    }

    /** What MutationSerializer and PartitionUpdateSerializer write for one update. */
    private static Object serialize(final PartitionUpdate update, final UnfilteredRowIterator contents)
    {
        try (DataOutputBuffer out = DataOutputBuffer.scratchBuffer.get())
        {
            out.writeUnsignedVInt32(1);
            update.metadata().id.serialize(out);
            UnfilteredRowIteratorSerializer.serializer.serialize(contents, null, out, VERSION, update.rowCount());
            return KEEP.invokeExact(out.toByteArray());
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
        catch (final Throwable t)
        {
            throw CassandraInternals.unexpected(t);
        }
    }
}
