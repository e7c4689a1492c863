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
package io.sluice.cassandra.open;

import java.nio.ByteBuffer;
import org.apache.cassandra.cql3.Term;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.BytesType;
import org.apache.cassandra.serializers.BytesSerializer;
import org.apache.cassandra.serializers.TypeSerializer;

/** A type of somebody's own, with a failure that shows where Cassandra does not look. */
public final class OwnType extends AbstractType<ByteBuffer>
{
    /** Cassandra finds it by this name. */
    public static final OwnType instance = new OwnType();
    private static volatile boolean failing;

    private OwnType()
    {
        super(ComparisonType.BYTE_ORDER);
    }

    /** From now on. */
    static void fail(final boolean fails)
    {
        failing = fails;
    }

    @Override
    public AbstractType<ByteBuffer> unwrap()
    {
        if (failing)
        {
            throw new UnsupportedOperationException("nobody ever asked for this");
        }
        return super.unwrap();
    }

    @Override
    public ByteBuffer fromString(final String source)
    {
        return BytesType.instance.fromString(source);
    }

    @Override
    public Term fromJSONObject(final Object parsed)
    {
        return BytesType.instance.fromJSONObject(parsed);
    }

    @Override
    public TypeSerializer<ByteBuffer> getSerializer()
    {
        return BytesSerializer.instance;
    }
}
