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
package io.sluice.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.sluice.framing.EnvelopeFlags;
import io.sluice.framing.Opcode;
import io.sluice.framing.request.Cells;
import io.sluice.framing.request.QueryRequest;
import io.sluice.transport.testkit.LogWatch;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.WireBytes;
import io.sluice.transport.testkit.WireClient;
import io.sluice.transport.testkit.WireEnvelope;
import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Section 5 of the wire facts over a socket: errors in bodies on the request's stream, and the connection goes on. */
final class BodiesIT extends SocketTest
{
    @BeforeEach
    void begin()
    {
        start();
    }

    private static byte[] query(final int version, final int streamId, final int flags, final byte... tail)
    {
        final WireBytes body = new WireBytes().longString("void").u16(1);
        Requests.flags(version, body, flags).raw(tail);
        return Requests.envelope(version, 0, streamId, Opcode.QUERY.code(), body.toArray());
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void everyCutOfARequestIsAnErrorOnItsStreamAndTheConnectionGoesOn(final int version) throws IOException
    {
        final byte[][] requests = {
            Requests.query(version, 5, "void", new byte[10]),
            Requests.prepare(version, 5, "void"),
            Requests.execute(version, 5, "void", new byte[10]),
            Requests.batch(version, 5, "void", "void"),
            Requests.register(version, 5, "STATUS_CHANGE")};
        try (WireClient client = server.ready(version))
        {
            for (final byte[] whole : requests)
            {
                for (int length = 9; length < whole.length; length++)
                {
                    final byte[] body = java.util.Arrays.copyOfRange(whole, 9, length);
                    expectError(client.ask(Requests.envelope(version, 0, 5, whole[4], body)), 5, PROTOCOL_ERROR);
                }
            }
            expectServes(client);
            assertEquals(1, server.engine().served());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void nonsenseInParametersIsAnError(final int version) throws IOException
    {
        try (WireClient client = server.ready(version))
        {
            final WireEnvelope consistency = client.ask(Requests.envelope(version, 0, 6, Opcode.QUERY.code(),
                Requests.flags(version, new WireBytes().longString("void").u16(99), 0).toArray()));
            assertEquals("Unknown code 99 for a consistency level", expectError(consistency, 6, PROTOCOL_ERROR)
                .errorMessage());
            final WireEnvelope page = client.ask(query(version, 7, 4, new WireBytes().i32(0).toArray()));
            assertEquals("The page size cannot be 0", expectError(page, 7, PROTOCOL_ERROR).errorMessage());
            expectError(client.ask(query(version, 8, 0x20, new WireBytes().i32(0x80000000).i32(0).toArray())), 8,
                PROTOCOL_ERROR);
            expectError(client.ask(query(version, 9, 1, new WireBytes().u16(65_535).toArray())), 9, PROTOCOL_ERROR);
            assertEquals(Opcode.RESULT, client.ask(query(version, 9, 0, new byte[100])).type());
            assertEquals(Opcode.RESULT, client.ask(query(version, 9, version < 5 ? 0x40 : 0x40000040)).type());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void batchTypesAndKindsAreChecked(final int version) throws IOException
    {
        try (WireClient client = server.ready(version))
        {
            final byte[] batch = Requests.batch(version, 10, "void");
            final byte[] type = batch.clone();
            type[9] = 3;
            assertEquals("Invalid BATCH message type 3", expectError(client.ask(type), 10, PROTOCOL_ERROR)
                .errorMessage());
            final byte[] kind = batch.clone();
            kind[12] = 2;
            assertEquals("Invalid query kind in BATCH messages. Must be 0 or 1 but got 2",
                expectError(client.ask(kind), 10, PROTOCOL_ERROR).errorMessage());
            assertEquals(Opcode.RESULT, client.ask(batch).type());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void unknownEventTypeIsAnErrorAndNothingIsRegistered(final int version) throws IOException
    {
        try (WireClient client = server.ready(version))
        {
            expectError(client.ask(Requests.register(version, 11, "SCHEMA_CHANGE", "NONSENSE")), 11, PROTOCOL_ERROR);
            assertEquals(Opcode.READY, client.ask(Requests.register(version, 12, "schema_change")).type());
        }
    }

    @Test
    void credentialsAreUnsupported() throws IOException
    {
        try (WireClient client = server.ready(4))
        {
            assertEquals("Unsupported message", expectError(client.ask(Requests.envelope(4, 0, 13, 4)), 13,
                PROTOCOL_ERROR).errorMessage());
            expectServes(client);
        }
    }

    @Test
    void tracingAndCustomPayloadReachTheHandlerAndComeBack() throws IOException
    {
        try (WireClient client = server.ready(5))
        {
            final byte[] body = new WireBytes().u16(1)
                .string("k")
                .value(new byte[]{7})
                .raw(Requests.queryBody(5, "payload"))
                .toArray();
            final WireEnvelope answer = client.ask(Requests.envelope(5, EnvelopeFlags.CUSTOM_PAYLOAD |
                EnvelopeFlags.TRACING, 14, Opcode.QUERY.code(), body));
            assertEquals(EnvelopeFlags.CUSTOM_PAYLOAD, answer.flags());
            assertArrayEquals(new WireBytes().u16(1).string("k").value(new byte[]{1}).i32(1).toArray(), answer.body());
            final QueryRequest request = (QueryRequest)server.engine().requests().get(0);
            assertEquals(true, request.isTraced());
            assertArrayEquals(new byte[]{7}, request.customPayload().get("k"));
        }
    }

    @Test
    void nullUnsetAndEmptyValuesArriveAsSuch() throws IOException
    {
        try (WireClient client = server.ready(5))
        {
            client.ask(query(5, 15, 1, new WireBytes().u16(3).i32(-1).i32(-2).i32(0).toArray()));
            final byte[][] values = ((QueryRequest)server.engine().requests().get(0)).parameters().values();
            assertNull(values[0]);
            assertSame(Cells.UNSET, values[1]);
            assertEquals(0, values[2].length);
        }
    }

    @LogWatch.Warns
    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void failuresOfTheHandlerTellTheClientNothingOfTheServer(final int version) throws IOException
    {
        try (WireClient client = server.ready(version))
        {
            final WireEnvelope thrown = client.ask(Requests.query(version, 16, "throw"));
            assertEquals(false, expectError(thrown, 16, SERVER_ERROR).errorMessage().contains("secret"));
            assertEquals("no such table", expectError(client.ask(Requests.query(version, 17, "fail")), 17, INVALID)
                .errorMessage());
            expectServes(client);
            assertEquals(1, server.takeInspected());
        }
    }
}
