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

import io.netty.buffer.ByteBuf;
import io.sluice.framing.EnvelopeFlags;
import io.sluice.framing.Opcode;
import io.sluice.framing.ProtocolVersion;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.service.pager.PagingState;
import org.apache.cassandra.transport.CBUtil;
import org.apache.cassandra.transport.Message;
import org.apache.cassandra.transport.messages.BatchMessage;
import org.apache.cassandra.transport.messages.ExecuteMessage;
import org.apache.cassandra.transport.messages.PrepareMessage;
import org.apache.cassandra.transport.messages.QueryMessage;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.MD5Digest;

/** What the decoder of Cassandra's own transport finds in a body, a line for each field. */
final class StockFields
{
    /** What has no public accessor. */
    private static final Method SPECIFIC = method(QueryOptions.class, "getSpecificOptions");
    private static final Field TIMESTAMP = field("org.apache.cassandra.cql3.QueryOptions$SpecificOptions", "timestamp");
    private static final Field NAMES = field("org.apache.cassandra.cql3.QueryOptions$OptionsWithNames", "names");
    private static final Field WRAPPED = field("org.apache.cassandra.cql3.QueryOptions$QueryOptionsWrapper", "wrapped");
    private static final Field PREPARE_KEYSPACE = field(PrepareMessage.class.getName(), "keyspace");

    private final List<String> lines = new ArrayList<>();

    private StockFields()
    {
    }

    private static Method method(final Class<?> owner, final String name)
    {
        try
        {
            final Method method = owner.getDeclaredMethod(name);
            method.setAccessible(true);
            return method;
        }
        catch (final ReflectiveOperationException e)
        {
            throw new LinkageError("another Cassandra than this test was written for", e);
        }
    }

    private static Field field(final String owner, final String name)
    {
        try
        {
            final Field field = Class.forName(owner).getDeclaredField(name);
            field.setAccessible(true);
            return field;
        }
        catch (final ReflectiveOperationException e)
        {
            throw new LinkageError("another Cassandra than this test was written for", e);
        }
    }

    /** Decodes as {@code Message.Decoder} does; throws whatever that throws. */
    static List<String> decode(final Opcode opcode,
        final ProtocolVersion version,
        final int envelopeFlags,
        final byte[] body)
    {
        final org.apache.cassandra.transport.ProtocolVersion spoken = Translation.version(version);
        final ByteBuf buffer = new ClaimCheckedBuf(body);
        final StockFields fields = new StockFields();
        if ((envelopeFlags & EnvelopeFlags.CUSTOM_PAYLOAD) != 0)
        {
            final Map<String, ByteBuffer> payload = CBUtil.readBytesMap(buffer);
            if (spoken.isSmallerThan(org.apache.cassandra.transport.ProtocolVersion.V4))
            {
                throw new org.apache.cassandra.transport.ProtocolException("payload");
            }
            final Map<String, String> sorted = new TreeMap<>();
            payload.forEach((key, value) -> sorted.put(key, hex(value)));
            fields.add("payload", sorted);
        }
        final Message message = Message.Type.fromOpcode(opcode.code(), Message.Direction.REQUEST).codec
            .decode(buffer, spoken);
        fields.addMessage(message);
        return fields.lines;
    }

    private void add(final String name, final Object value)
    {
        lines.add(name + "=" + value);
    }

    private void addMessage(final Message message)
    {
        if (message instanceof QueryMessage query)
        {
            add("query", query.query);
            addOptions(query.options);
        }
        else if (message instanceof PrepareMessage prepare)
        {
            // It keeps its fields to itself, and shows the text alone.
            add("query", prepare.toString().substring("PREPARE ".length()));
            add("keyspace", read(PREPARE_KEYSPACE, prepare));
        }
        else if (message instanceof ExecuteMessage execute)
        {
            add("id", hex(execute.statementId.bytes));
            add("metadata id", execute.resultMetadataId == null ? null : hex(execute.resultMetadataId.bytes));
            addOptions(execute.options);
        }
        else
        {
            final BatchMessage batch = (BatchMessage)message;
            add("type", batch.batchType);
            for (int i = 0; i < batch.queryOrIdList.size(); i++)
            {
                final Object statement = batch.queryOrIdList.get(i);
                add("statement", statement instanceof MD5Digest id ? "id " + hex(id.bytes) : "text " + statement);
                add("values", values(batch.values.get(i)));
            }
            addOptions(batch.options);
        }
    }

    private void addOptions(final QueryOptions options)
    {
        final boolean named = NAMES.getDeclaringClass().isInstance(options);
        add("consistency", options.getConsistency());
        add("values", values(named ? ((QueryOptions)read(WRAPPED, options)).getValues() : options.getValues()));
        add("names", named ? read(NAMES, options) : null);
        add("skips metadata", options.skipMetadata());
        add("page size", Math.max(0, options.getPageSize()));
        add("paging state", options.getPagingState());
        add("serial consistency", options.getSerialConsistency());
        add("timestamp", timestamp(options));
        add("keyspace", options.getKeyspace());
        add("now in seconds", options.getNowInSec(Long.MIN_VALUE));
    }

    private static Object timestamp(final QueryOptions options)
    {
        try
        {
            return TIMESTAMP.get(SPECIFIC.invoke(options));
        }
        catch (final ReflectiveOperationException e)
        {
            throw new LinkageError("another Cassandra than this test was written for", e);
        }
    }

    private static Object read(final Field field, final Object owner)
    {
        try
        {
            return field.get(owner);
        }
        catch (final IllegalAccessException e)
        {
            throw new AssertionError(e);
        }
    }

    private static List<String> values(final List<ByteBuffer> values)
    {
        final List<String> texts = new ArrayList<>();
        for (final ByteBuffer value : values)
        {
            // Identity: an empty value equals the mark for an unset one.
            texts.add(isUnset(value) ? "unset" : hex(value));
        }
        return texts;
    }

    @SuppressWarnings("ReferenceEquality")
    private static boolean isUnset(final ByteBuffer value)
    {
        return value == ByteBufferUtil.UNSET_BYTE_BUFFER;
    }

    private static String hex(final ByteBuffer value)
    {
        return value == null ? "null" : hex(ByteBufferUtil.getArray(value));
    }

    static String hex(final byte[] value)
    {
        return value == null ? "null" : "0x" + HexFormat.of().formatHex(value);
    }

    /** As Cassandra shows it, or null if Cassandra refuses it. */
    static String pagingState(final byte[] state, final ProtocolVersion version)
    {
        try
        {
            return PagingState.deserialize(ByteBuffer.wrap(state), Translation.version(version)).toString();
        }
        catch (final RuntimeException e)
        {
            return null;
        }
    }

    /** One that Cassandra could have given out. */
    static byte[] pagingState(final Random random, final ProtocolVersion version)
    {
        final byte[] key = new byte[random.nextInt(5)];
        random.nextBytes(key);
        return ByteBufferUtil.getArray(
            new PagingState(ByteBuffer.wrap(key), null, random.nextInt(100), random.nextInt(100))
                .serialize(Translation.version(version)));
    }
}
