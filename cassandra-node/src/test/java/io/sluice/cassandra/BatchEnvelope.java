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

import io.sluice.framing.Opcode;
import io.sluice.framing.request.Cells;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.WireBytes;
import java.util.function.Consumer;

/** A BATCH in the making, of any statements. Not thread safe. */
public final class BatchEnvelope
{
    private final int type;
    private final Consumer<WireBytes> times;
    private final WireBytes statements = new WireBytes();
    private int size;

    /** @param times writes what the request says about time, behind flags that announce it */
    BatchEnvelope(final int type, final Consumer<WireBytes> times)
    {
        this.type = type;
        this.times = times;
    }

    /** A prepared statement. */
    public BatchEnvelope add(final byte[] id, final byte[]... values)
    {
        statements.u8(1).shortBytes(id);
        return values(values);
    }

    /** One that comes as text. */
    public BatchEnvelope add(final String cql, final byte[]... values)
    {
        statements.u8(0).longString(cql);
        return values(values);
    }

    private BatchEnvelope values(final byte[]... values)
    {
        size++;
        statements.u16(values.length);
        for (final byte[] value : values)
        {
            value(statements, value);
        }
        return this;
    }

    /** A value, null or unset. */
    static void value(final WireBytes body, final byte[] value)
    {
        if (Cells.isUnset(value))
        {
            body.i32(-2);
        }
        else
        {
            body.value(value);
        }
    }

    /** The request. */
    public byte[] at(final int consistency)
    {
        final WireBytes body = new WireBytes().u8(type).u16(size).raw(statements.toArray()).u16(consistency);
        times.accept(body);
        return Requests.envelope(TwoRoads.VERSION, 0, 1, Opcode.BATCH.code(), body.toArray());
    }
}
