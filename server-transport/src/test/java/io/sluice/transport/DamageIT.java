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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.framing.Opcode;
import io.sluice.framing.segment.SegmentFormat;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.Segments;
import io.sluice.transport.testkit.WireBytes;
import io.sluice.transport.testkit.WireClient;
import io.sluice.transport.testkit.WireEnvelope;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Section 3.5 and 4 of the wire facts: segments and envelopes that lie. */
final class DamageIT extends SocketTest
{
    @BeforeEach
    void begin()
    {
        start();
    }

    private static byte[] flipped(final byte[] bytes, final int at)
    {
        final byte[] damaged = bytes.clone();
        damaged[at] ^= 1;
        return damaged;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void corruptHeaderOrPayloadIsAnErrorOfTheConnectionThenTheEnd(final boolean lz4) throws IOException
    {
        final byte[] segment = lz4
            ? Segments.lz4(true, true, Requests.options(5, 1))
            : Segments.plain(true, Requests.options(5, 1));
        for (int at = 0; at < segment.length; at++)
        {
            try (WireClient client = server.ready(5, lz4 ? "lz4" : null))
            {
                client.send(flipped(segment, at));
                final WireEnvelope error = expectError(client, 0, PROTOCOL_ERROR);
                final boolean inHeader = at < (lz4 ? 8 : 6);
                assertTrue(error.errorMessage().contains(inHeader ? "frame header" : "frame body"), error::toString);
                client.expectEnd();
            }
        }
    }

    @Test
    void goodRequestsBeforeACorruptSegmentAreAnswered() throws IOException
    {
        try (WireClient client = server.ready(5))
        {
            client.send(Segments.plain(true, Requests.query(5, 1, "park")),
                Segments.plain(true, Requests.query(5, 2, "void")),
                flipped(Segments.plain(true, Requests.query(5, 3, "void")), 20));
            final Exchange parked = server.engine().nextParked();
            assertEquals(2, client.readEnvelope().streamId());
            parked.respond(io.sluice.transport.testkit.ScriptedEngine.rows(500_000));
            assertEquals(1, client.readEnvelope().streamId());
            expectFatal(client, 0);
        }
    }

    @Test
    void unknownOpcodeIsAnErrorOnItsStreamAndTheConnectionGoesOn() throws IOException
    {
        try (WireClient client = server.ready(5))
        {
            for (final int opcode : new int[]{0x00, 0x02, 0x04, 0x06, 0x08, 0x0C, 0x11, 0x7F, 0x80, 0xFF})
            {
                client.send(Segments.plain(true, Requests.envelope(5, 0, 70, opcode)));
                expectError(client, 70, PROTOCOL_ERROR);
                expectServes(client);
            }
            client.send(Segments.plain(true, Requests.envelope(0x85, 0, 71, Opcode.OPTIONS.code())));
            expectError(client, 71, PROTOCOL_ERROR);
            expectServes(client);
        }
    }

    @Test
    void otherVersionsInASegmentAreErrorsOnTheirStream() throws IOException
    {
        try (WireClient client = server.ready(5))
        {
            for (final int version : new int[]{3, 4, 6, 7, 65})
            {
                client.send(Segments.plain(true, Requests.options(version, 72)));
                assertEquals(5, expectError(client, 72, PROTOCOL_ERROR).version());
                expectServes(client);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void legacyVersionInASegmentEndsTheConnection(final int version) throws IOException
    {
        try (WireClient client = server.ready(5))
        {
            client.send(Segments.plain(true, Requests.options(version, 72)));
            assertEquals(5, expectError(client, 0, PROTOCOL_ERROR).version());
            client.expectEnd();
        }
    }

    @Test
    void negativeBodyLengthIsAnErrorOnItsStreamThenTheEnd() throws IOException
    {
        try (WireClient client = server.ready(5))
        {
            client.send(Segments.plain(true, Requests.header(5, 73, Opcode.QUERY, -1)));
            expectFatal(client, 73);
        }
    }

    @Test
    void secondErrorInARowInOneSegmentEndsTheConnection() throws IOException
    {
        try (WireClient client = server.ready(5))
        {
            final byte[] bad = Requests.envelope(5, 0, 74, 0x7F);
            client.send(Segments.plain(true, WireBytes.concat(bad, Requests.query(5, 75, "void"), bad)));
            assertEquals(3, client.readEnvelopes(3).size());
            client.send(Segments.plain(true, bad));
            expectError(client, 74, PROTOCOL_ERROR);
            client.send(Segments.plain(true, WireBytes.concat(bad, bad, Requests.query(5, 75, "void"))));
            expectError(client, 74, PROTOCOL_ERROR);
            expectFatal(client, 74);
        }
    }

    @Test
    void bodyLengthPastTheSegmentEndsTheConnection() throws IOException
    {
        try (WireClient client = server.ready(5))
        {
            client.send(Segments.plain(true, Requests.header(5, 76, Opcode.QUERY, 10)));
            expectFatal(client, 76);
        }
    }

    @Test
    void emptyPieceEndsTheConnection() throws IOException
    {
        try (WireClient client = server.ready(5))
        {
            client.send(Segments.plain(false));
            expectFatal(client, 0);
        }
    }

    @Test
    void emptySelfContainedSegmentIsIgnored() throws IOException
    {
        try (WireClient client = server.ready(5))
        {
            client.send(Segments.plain(true), Segments.plain(true));
            expectServes(client);
        }
    }

    @Test
    void runThatOverrunsItsLengthEndsTheConnection() throws IOException
    {
        try (WireClient client = server.ready(5))
        {
            final byte[] query = Requests.queryOfLength(5, 77, 200_000);
            client.send(Segments.plain(false, Arrays.copyOf(query, 131_071)),
                Segments.plain(false, new byte[200_000 - 131_071 + 1]));
            expectFatal(client, 77);
        }
    }

    @Test
    void paddingBitsAreIgnored() throws IOException
    {
        try (WireClient client = server.ready(5))
        {
            client.send(WireBytes.ofHex("0900fe7e0efc050000010500000000b5557486"));
            assertEquals(Opcode.SUPPORTED, client.readEnvelope().type());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 40, 42, 131_071})
    void blockThatYieldsMoreOrLessThanDeclaredEndsTheConnection(final int declared) throws IOException
    {
        try (WireClient client = server.ready(5, "lz4"))
        {
            // 41 bytes of text.
            client.send(Segments.lz4Block(true, declared, WireBytes.ofHex("7f736c756963652007000a506c75696365")));
            expectFatal(client, 0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "lz4"})
    void messageOverTheLimitIsRefusedOnItsStreamAndTheConnectionGoesOn(final String compression) throws IOException
    {
        try (WireClient client = server.ready(5, compression.equals("none") ? null : compression))
        {
            client.request(Requests.queryOfLength(5, 78, 16 * MIB + 1));
            final WireEnvelope error = expectError(client, 78, INVALID);
            assertEquals("CQL Message of size 16777217 bytes exceeds allowed maximum of 16777216 bytes",
                error.errorMessage());
            expectServes(client);
            assertEquals(Opcode.RESULT, client.ask(Requests.queryOfLength(5, 79, 16 * MIB)).type());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4})
    void envelopeOverTheLimitIsRefusedOnItsStreamAndTheConnectionGoesOn(final int version) throws IOException
    {
        try (WireClient client = server.ready(version))
        {
            client.request(Requests.queryOfLength(version, 78, 16 * MIB + 1));
            final WireEnvelope error = expectError(client, 78, INVALID);
            assertEquals("Request is too big: length 16777217 exceeds maximum allowed length 16777216.",
                error.errorMessage());
            expectServes(client);
            assertEquals(Opcode.RESULT, client.ask(Requests.queryOfLength(version, 79, 16 * MIB)).type());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 64 * MIB + 1})
    void absurdLengthIsAnErrorAtOnceOnItsStreamThenTheEnd(final int claimed) throws IOException
    {
        for (final int version : new int[]{3, 4, 5})
        {
            try (WireClient client = server.ready(version))
            {
                final byte[] header = Requests.header(version, 6, Opcode.QUERY, claimed);
                client.send(version == 5 ? Segments.plain(false, header) : header);
                expectFatal(client, 6);
            }
        }
    }

    @Test
    void bodyThatClaimsTwoGibibytesUncompressedIsRefused() throws IOException
    {
        try (WireClient client = server.ready(4, "lz4"))
        {
            client.send(Requests.compressed(4, 80, Opcode.QUERY, new WireBytes().i32(0x7FFFFFFF).u16(0).toArray()));
            expectError(client, 80, PROTOCOL_ERROR);
            client.send(Requests.compressed(4, 81, Opcode.QUERY, new WireBytes().i32(-1).u16(0).toArray()));
            expectError(client, 81, PROTOCOL_ERROR);
            client.send(Requests.compressed(4, 82, Opcode.QUERY));
            expectError(client, 82, PROTOCOL_ERROR);
            expectServes(client);
        }
        try (WireClient client = server.ready(4, "snappy"))
        {
            client.send(Requests.compressed(4, 83, Opcode.QUERY, WireBytes.ofHex("ffffffff07")));
            expectError(client, 83, PROTOCOL_ERROR);
            expectServes(client);
        }
    }

    @Test
    void compressedFlagWithoutAgreementIsTakenAsPlain() throws IOException
    {
        try (WireClient client = server.ready(4))
        {
            final byte[] query = Requests.query(4, 84, "void");
            query[1] = 1;
            assertEquals(Opcode.RESULT, client.ask(query).type());
        }
        try (WireClient client = server.ready(5))
        {
            final byte[] query = Requests.query(5, 84, "void");
            query[1] = 1;
            assertEquals(Opcode.RESULT, client.ask(query).type());
        }
    }

    @Test
    void wholeEnvelopeInOnePieceAndTheNextLargeOneAreBothAnswered() throws IOException
    {
        try (WireClient client = server.ready(5))
        {
            client.send(Segments.plain(false, Requests.queryOfLength(5, 85, 131_065)));
            assertEquals(85, client.readEnvelope().streamId());
            assertEquals(86, client.ask(Requests.queryOfLength(5, 86, 400_000)).streamId());
        }
    }

    @Test
    void selfContainedSegmentBetweenThePiecesOfALargeMessageIsAnsweredAtOnce() throws IOException
    {
        try (WireClient client = server.ready(5))
        {
            final byte[] query = Requests.queryOfLength(5, 87, 200_000);
            client.send(Segments.plain(false, Arrays.copyOf(query, 131_071)),
                Segments.plain(true, Requests.options(5, 88)));
            assertEquals(88, client.readEnvelope().streamId());
            client.send(Segments.plain(false, Arrays.copyOfRange(query, 131_071, query.length)));
            assertEquals(87, client.readEnvelope().streamId());
        }
    }

    @Test
    void firstPieceWithoutAWholeHeaderEndsTheConnection() throws IOException
    {
        try (WireClient client = server.ready(5))
        {
            client.send(Segments.pieces(SegmentFormat.PLAIN, 8, Requests.options(5, 1)));
            expectFatal(client, 0);
        }
    }

    @Test
    void clientThatSendsOnAfterAFatalErrorStillReadsItAndTheEnd() throws IOException
    {
        try (WireClient client = server.ready(4))
        {
            client.send(Requests.header(4, 6, Opcode.QUERY, 0x7FFFFFFF));
            final byte[] junk = new byte[64 * 1024];
            for (int i = 0; i < 64; i++)
            {
                client.send(junk);
            }
            expectFatal(client, 6);
        }
    }
}
