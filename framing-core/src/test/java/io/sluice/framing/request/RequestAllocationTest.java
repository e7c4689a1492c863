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
package io.sluice.framing.request;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.framing.Opcode;
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.envelope.EnvelopeHeader;
import io.sluice.framing.testkit.WireBytes;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What decoding leaves on the heap: the cells, and little else. */
class RequestAllocationTest
{
    /** Request, parameters and the array of cells. */
    private static final int AROUND_THE_CELLS = 128;

    private static int arrayBytes(final int length)
    {
        return (16 + length + 7) / 8 * 8;
    }

    @ParameterizedTest
    @CsvSource({"V3,7,10", "V4,7,10", "V5,7,10", "V6,7,10", "V5,7,100", "V5,7,1000", "V5,7,8192", "V5,1,4"})
    void executeOfAKnownId(final ProtocolVersion version, final int values, final int valueBytes)
    {
        final StatementIdTable table = new StatementIdTable();
        table.learn(Bodies.ID);
        final RequestDecoder decoder = new RequestDecoder(table);
        final byte[] body = Bodies.executeOf(version, values, valueBytes);
        final EnvelopeHeader header = Bodies.header(version, 0, 1, Opcode.EXECUTE.code(), body.length);
        final UnsafeBuffer buffer = Bodies.direct(body);
        final Request[] last = new Request[1];
        final long allocated = Allocation
            .bytesPerRun(() -> last[0] = decoder.decode(header, version, buffer, Bodies.offset(), body.length));
        final int limit = AROUND_THE_CELLS + values * arrayBytes(valueBytes);
        assertTrue(allocated <= limit, allocated + " bytes (expected: 0.." + limit + ")");
        assertTrue(((ExecuteRequest)last[0]).parameters().values().length == values);
    }

    @ParameterizedTest
    @CsvSource({"V4,10", "V5,10", "V5,1000"})
    void batchOfTenKnownIds(final ProtocolVersion version, final int valueBytes)
    {
        final StatementIdTable table = new StatementIdTable();
        table.learn(Bodies.ID);
        final RequestDecoder decoder = new RequestDecoder(table);
        final WireBytes out = new WireBytes().int1(1).int2(10);
        for (int i = 0; i < 10; i++)
        {
            out.int1(1).shortBytes(Bodies.ID).int2(7);
            for (int j = 0; j < 7; j++)
            {
                out.bytes(new byte[valueBytes]);
            }
        }
        final byte[] body = Bodies.putFlags(out.int2(1), version, 0x20).int8(1).toArray();
        final EnvelopeHeader header = Bodies.header(version, 0, 1, Opcode.BATCH.code(), body.length);
        final UnsafeBuffer buffer = Bodies.direct(body);
        final long allocated = Allocation.bytesPerRun(
            () -> decoder.decode(header, version, buffer, Bodies.offset(), body.length));
        final int limit = 2 * AROUND_THE_CELLS + 10 * (48 + 7 * arrayBytes(valueBytes));
        assertTrue(allocated <= limit, allocated + " bytes (expected: 0.." + limit + ")");
    }
}
