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
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.framing.EnvelopeFlags;
import io.sluice.framing.Opcode;
import io.sluice.framing.request.BatchRequest;
import io.sluice.framing.request.Cells;
import io.sluice.framing.request.QueryRequest;
import io.sluice.framing.request.Request;
import io.sluice.framing.segment.SegmentFormat;
import io.sluice.transport.testkit.PasswordAuthenticator;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.Segments;
import io.sluice.transport.testkit.WireBytes;
import io.sluice.transport.testkit.WireClient;
import io.sluice.transport.testkit.WireEnvelope;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Field reports of other servers and drivers about what clients send, replayed over sockets; the number is the report's.
 * Their neighbours are in {@link FieldCaseNeighboursIT}, those about load in {@link FieldCasesLoadIT}.
 */
final class FieldCasesIT extends FieldCaseTest
{
    private static final byte[] W1 = WireBytes.ofHex("090002a4c8c1050000010500000000b5557486");
    private static final byte[] W2 = WireBytes.ofHex(
        "120002f6cbcf05000001050000000005000002050000000017044de6");
    private static final byte[] W3 = WireBytes.ofHex("0c0002d7679f050000010500000000050000b03bbbaa");
    private static final byte[] W6 = WireBytes.ofHex(
        "120002f6cbcf050000077f000000000500000805000000005d9a745d");
    private static final byte[] W7 = WireBytes.ofHex("090002a5c8c1050000010500000000b5557486");
    private static final byte[] W8 = WireBytes.ofHex("090002a4c8c1050000010500000000b4557486");
    private static final byte[] W9 = WireBytes.ofHex("0000026a36c4d37e7744");
    private static final byte[] W10 = WireBytes.ofHex("0900000004c2b895050000010500000000b5557486");
    private static final byte[] W11 = WireBytes.ofHex("0a0012000412265390050000010500000000eb1c9cf1");
    private static final byte[] W13 = WireBytes.ofHex("0a000a00046885e590050000010500000000eb1c9cf1");
    private static final byte[] X1 = WireBytes.ofHex("040000077f00000000040000080500000000");
    private static final byte[] X4 = WireBytes.ofHex("040000060509000000");
    private static final byte[] X5 = WireBytes.ofHex("04000009070000000e000000017800010100017fffffff");
    private static final byte[] X11 = WireBytes.ofHex("0404000f070000002e000100016b00000002cafe" +
        "0000001c53454c454354206b65792046524f4d2073797374656d2e6c6f63616c000100");
    private static final byte[] X12 = WireBytes.ofHex("04000015070000000f0000000853454c4543542031000100");
    private static final byte[] X13 = WireBytes.ofHex("04000010070000000e00000001780001010001fffffffd");

    @ParameterizedTest
    @CsvSource({"false,131072", "false,262142", "false,1000003", "true,131072", "true,262142", "true,1000003",
        "false,5000", "true,5000"})
    void case01MessageSplitOverSegmentsAndReads(final boolean lz4, final int length) throws IOException
    {
        start();
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        try (WireClient client = started(lz4 ? ST5L : ST5))
        {
            final byte[] query = Requests.queryOfLength(5, 1, length);
            final byte[] small = Requests.options(5, 2);
            final byte[] all = WireBytes.concat(Segments.pieces(lz4 ? SegmentFormat.LZ4 : SegmentFormat.PLAIN,
                Segments.MAX_PAYLOAD, query), lz4 ? Segments.lz4(true, false, small) : Segments.plain(true, small));
            int at = 0;
            while (at < all.length)
            {
                final int bytes = Math.min(all.length - at, 1 + random.nextInt(random.nextBoolean() ? 7 : 60_000));
                client.send(Arrays.copyOfRange(all, at, at + bytes));
                at += bytes;
            }
            final BitSet streams = new BitSet();
            client.readEnvelopes(2).forEach(answer -> streams.set(answer.streamId()));
            assertEquals(2, streams.cardinality(), "seed " + seed);
            expectServes(client);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void case01CutAtEachByteOfHeadersAndTrailers(final boolean lz4) throws IOException
    {
        start();
        final SegmentFormat format = lz4 ? SegmentFormat.LZ4 : SegmentFormat.PLAIN;
        final byte[] query = Requests.query(5, 1, "void", noise(131_071));
        final byte[] first = Segments.pieces(format, Segments.MAX_PAYLOAD, Arrays.copyOf(query, Segments.MAX_PAYLOAD));
        final byte[] all = WireBytes.concat(first, Segments.pieces(format, Segments.MAX_PAYLOAD,
            Arrays.copyOfRange(query, Segments.MAX_PAYLOAD, query.length)));
        try (WireClient client = started(lz4 ? ST5L : ST5))
        {
            for (int cut = 1; cut < 16; cut++)
            {
                for (final int at : new int[]{cut, first.length - 8 + cut, all.length - cut})
                {
                    client.send(Arrays.copyOf(all, at));
                    client.send(Arrays.copyOfRange(all, at, all.length));
                    assertEquals(Opcode.RESULT, client.readEnvelope().type());
                }
            }
        }
    }

    @Test
    void case03SeveralEnvelopesInOneSegment() throws IOException
    {
        start();
        try (WireClient client = started(ST5))
        {
            client.send(W2);
            assertEquals(1, client.readEnvelope().streamId());
            assertEquals(2, client.readEnvelope().streamId());
            final WireBytes hundred = new WireBytes();
            for (int stream = 0; stream < 100; stream++)
            {
                hundred.raw(Requests.query(5, stream, "void"));
            }
            client.send(Segments.plain(true, hundred.toArray()));
            assertEquals(100, client.readEnvelopes(100).stream().map(WireEnvelope::streamId).distinct().count());
            final WireBytes full = new WireBytes();
            for (int stream = 0; stream < 130; stream++)
            {
                full.raw(Requests.queryOfLength(5, stream, 1000));
            }
            full.raw(Requests.queryOfLength(5, 130, 1071));
            assertEquals(Segments.MAX_PAYLOAD, full.toArray().length);
            client.send(Segments.plain(true, full.toArray()));
            assertEquals(131, client.readEnvelopes(131).stream().map(WireEnvelope::streamId).distinct().count());
        }
    }

    @Test
    void case05StoredSegmentsUnderLz4() throws IOException
    {
        start();
        try (WireClient client = started(ST5L))
        {
            client.send(W10);
            assertEquals(Opcode.SUPPORTED, client.readEnvelope().type());
            final byte[] noise = new byte[100_000];
            new Random(5).nextBytes(noise);
            client.send(Segments.lz4(true, true, Requests.query(5, 3, "void", noise)));
            assertEquals(3, client.readEnvelope().streamId());
            assertArrayEquals(noise, ((QueryRequest)server.engine().requests().get(0)).parameters().values()[0]);
            final int before = client.segmentsRead();
            final int storedBefore = client.storedSegmentsRead();
            assertTrue(client.ask(Requests.query(5, 4, "rows 300000")).body().length > 300_000);
            assertTrue(client.storedSegmentsRead() - storedBefore >= 2, "stored: " + client.storedSegmentsRead());
            // What is left of the last piece may compress: all zeros of the length of a null.
            assertTrue(client.segmentsRead() - before - (client.storedSegmentsRead() - storedBefore) <= 1);
        }
    }

    @Test
    void case08BlockThatYieldsMoreThanDeclared() throws IOException
    {
        start();
        try (WireClient client = started(ST5L))
        {
            client.send(W13, W11);
            expectFatal(client, 0);
        }
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        for (int i = 0; i < 30; i++)
        {
            final byte[] junk = new byte[40];
            random.nextBytes(junk);
            try (WireClient client = started(ST5L))
            {
                client.send(Segments.lz4Block(true, 1 + random.nextInt(131_071), junk));
                expectFatal(client, 0);
            }
        }
    }

    @Test
    void case09CorruptSegmentsOneErrorThenTheEnd() throws IOException
    {
        start();
        int errors = 0;
        for (final byte[] bad : List.of(W7, W8))
        {
            try (WireClient client = started(ST5))
            {
                client.send(bad);
                expectFatal(client, 0);
                errors++;
            }
        }
        final byte[] query = Requests.queryOfLength(5, 1, 300_000);
        try (WireClient client = started(ST5))
        {
            final byte[] second = Segments.plain(false, Arrays.copyOfRange(query, 131_071, 262_142));
            second[1000] ^= 4;
            client.send(Segments.plain(false, Arrays.copyOf(query, 131_071)), second,
                Segments.plain(false, Arrays.copyOfRange(query, 262_142, query.length)));
            expectFatal(client, 0);
            errors++;
        }
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        final long made = server.transport().buffers().madeBytes();
        for (int i = 0; i < 1000; i++)
        {
            final byte[] good = List.of(W1, W2, W11).get(i % 3);
            final byte[] flipped = good.clone();
            flipped[random.nextInt(good.length)] ^= (byte)(1 << random.nextInt(8));
            try (WireClient client = started(i % 3 == 2 ? ST5L : ST5))
            {
                client.send(flipped);
                expectFatal(client, 0);
                errors++;
            }
        }
        server.awaitQuiet();
        assertEquals(errors, server.listener().protocolErrors(), "seed " + seed);
        assertTrue(server.transport().buffers().madeBytes() <= made + MIB, "the pool grows");
    }

    @Test
    void case11StrayBytesAfterTheLastEnvelope() throws IOException
    {
        start();
        try (WireClient client = started(ST5))
        {
            client.send(W3, W1);
            assertEquals(1, client.readEnvelope().streamId());
            expectFatal(client, 0);
        }
        for (int bytes = 1; bytes < 9; bytes++)
        {
            try (WireClient client = started(ST5))
            {
                client.send(Segments.plain(true, new byte[bytes]));
                expectFatal(client, 0);
            }
        }
        try (WireClient client = started(ST5))
        {
            client.send(W9, W9, W1);
            assertEquals(1, client.readEnvelope().streamId());
        }
    }

    @Test
    void case13UnknownOpcodeIsOneErrorAndTheNextRequestRuns() throws IOException
    {
        start();
        try (WireClient client = server.ready(4))
        {
            client.send(X1);
            expectError(client, 7, PROTOCOL_ERROR);
            assertEquals(8, client.readEnvelope().streamId());
            assertEquals(9, client.ask(Requests.options(4, 9)).streamId());
            client.send(Requests.envelope(4, 0, 10, 0x08), Requests.envelope(0x84, 0, 11, 0x05),
                Requests.options(4, 12));
            expectError(client, 10, PROTOCOL_ERROR);
            expectError(client, 11, PROTOCOL_ERROR);
            assertEquals(12, client.readEnvelope().streamId());
        }
        try (WireClient client = started(ST5))
        {
            client.send(W6);
            expectError(client, 7, PROTOCOL_ERROR);
            assertEquals(8, client.readEnvelope().streamId());
        }
    }

    @ParameterizedTest
    @CsvSource({"01,1", "02,1", "07,1", "41,0", "42,0", "7f,1", "474554202f20485454502f312e310d0a0d0a,1"})
    void case15RefusedVersionIsCountedOnce(final String bytes, final int counted) throws IOException
    {
        start();
        try (ClientErrorLines lines = new ClientErrorLines(); WireClient client = server.connect())
        {
            client.send(WireBytes.ofHex(bytes.length() == 2 ? bytes + "0000000000000000000000000000" : bytes));
            final String answer = new String(client.readToEnd(), StandardCharsets.UTF_8);
            final String list = "supported versions are (3/v3, 4/v4, 5/v5, 6/v6-beta)";
            assertTrue(answer.contains(list), answer);
            assertEquals(answer.indexOf(list), answer.lastIndexOf(list), "told once");
            client.leave();
            server.awaitQuiet();
            assertEquals(counted, lines.seen().size());
        }
        assertEquals(counted, server.listener().protocolErrors());
        assertEquals(List.of(CloseReason.PROTOCOL_ERROR), server.listener().closed());
    }

    @Test
    void case17StreamIdsAreEchoedBeforeAndAroundStartup() throws IOException
    {
        start();
        try (WireClient client = server.connect())
        {
            client.send(Requests.options(4, 32_767), Requests.startup(4, 77, Map.of()));
            assertEquals(32_767, client.readBare().streamId());
            expectError(client.readBare(), 77, PROTOCOL_ERROR);
            client.startUp(4, null);
            expectError(client.ask(Requests.startup(4, 5, (String)null)), 5, PROTOCOL_ERROR);
            expectServes(client);
        }
        try (WireClient client = server.connect())
        {
            client.send(X12);
            expectError(client.readBare(), 21, PROTOCOL_ERROR);
            client.expectEnd();
        }
    }

    @Test
    void case19VersionChangesMidConnection() throws IOException
    {
        start();
        try (WireClient client = server.ready(4))
        {
            client.send(Requests.options(3, 1), Requests.options(4, 2));
            expectError(client, 1, PROTOCOL_ERROR);
            assertEquals(2, client.readEnvelope().streamId());
        }
        try (WireClient client = started(ST5))
        {
            client.send(Segments.plain(true, WireBytes.concat(Requests.options(4, 1), Requests.options(5, 2))));
            expectError(client, 1, PROTOCOL_ERROR);
            assertEquals(2, client.readEnvelope().streamId());
            client.send(Segments.plain(true, WireBytes.concat(Requests.options(4, 3), Requests.options(4, 4))));
            expectError(client, 3, PROTOCOL_ERROR);
            expectFatal(client, 4);
        }
    }

    @Test
    void case21LengthInTheWrongByteOrderIsRefusedAtOnce() throws IOException
    {
        startWithLimits(limits -> limits.lingerTimeout(Duration.ofMillis(1)));
        final List<WireClient> silent = new ArrayList<>();
        for (final byte[] header : List.of(X4, WireBytes.ofHex("0400000605ffffffff")))
        {
            final WireClient client = server.ready(4);
            client.send(header);
            expectFatal(client, 6);
            silent.add(client);
        }
        server.stop();
        for (final WireClient client : silent)
        {
            client.close();
        }
    }

    @Test
    void case23HugeClaimBeforeLoginIsRefusedAtItsHeader() throws IOException
    {
        start();
        final List<WireClient> clients = new ArrayList<>();
        for (int i = 0; i < 500; i++)
        {
            final WireClient client = server.connect();
            client.send(Requests.header(4, 3, Opcode.STARTUP, 15 * MIB), new byte[1024]);
            clients.add(client);
        }
        for (final WireClient client : clients)
        {
            expectError(client.readBare(), 3, PROTOCOL_ERROR);
            client.expectEnd();
            client.send(new byte[1024]);
        }
        assertEquals(0, server.transport().heldBytes());
        assertEquals(0, server.transport().inFlightBytes());
        assertTrue(server.transport().buffers().outstandingBytes() < MIB);
        for (final WireClient client : clients)
        {
            client.close();
        }
    }

    @Test
    void case23SlowHandshakeEndsByItsDeadline() throws IOException
    {
        startWithLimits(limits -> limits.handshakeTimeout(Duration.ofMillis(300)));
        try (WireClient client = server.connect())
        {
            client.send(Requests.header(4, 3, Opcode.STARTUP, 90_000));
            assertThrows(IOException.class, () ->
            {
                // Trickled, as a slow client does: the message must never be whole before the deadline.
                while (true)
                {
                    client.send(new byte[1]);
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
                }
            });
        }
        server.awaitQuiet();
        assertEquals(List.of(CloseReason.HANDSHAKE_TIMEOUT), server.listener().closed());
    }

    @Test
    void case25FramingStartsWithTheAnswerToStartup() throws IOException
    {
        start(builder -> builder.authenticator(new PasswordAuthenticator()));
        try (WireClient client = server.connect())
        {
            client.send(Requests.options(5, 1));
            assertEquals(Opcode.SUPPORTED, client.readBare().type());
            client.send(Requests.options(5, 2));
            assertEquals(Opcode.SUPPORTED, client.readBare().type());
            client.send(WireBytes.ofHex(ST5));
            assertEquals(Opcode.AUTHENTICATE, client.readBare().type());
            client.switchTo(5, null);
            expectError(client.ask(Requests.authResponse(5, 3, new byte[3])), 3, BAD_CREDENTIALS);
            assertEquals(Opcode.AUTH_SUCCESS, client.ask(Requests.authResponse(5, 4, "secret".getBytes(
                StandardCharsets.UTF_8))).type());
            expectServes(client);
        }
        try (WireClient client = server.connect())
        {
            client.send(Requests.startup(5, 6, Map.of()));
            expectError(client.readBare(), 6, PROTOCOL_ERROR);
        }
    }

    @Test
    void case25ReadyIsNotFramedAndWhatFollowsIs() throws IOException
    {
        start();
        try (WireClient client = started(ST5); WireClient compressed = started(ST5L))
        {
            expectServes(client);
            expectServes(compressed);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5})
    void case27HundredThousandLiesAllocateNothing(final int version) throws IOException
    {
        // In a row: so many in one read must not be what ends the connection here.
        startWithLimits(limits -> limits.consecutiveErrors(Integer.MAX_VALUE));
        final List<byte[]> lies = lies(version);
        final byte[][] some = new byte[500][];
        for (int i = 0; i < some.length; i++)
        {
            some[i] = lies.get(i % lies.size());
        }
        try (ClientErrorLines quiet = new ClientErrorLines(); WireClient client = server.ready(version))
        {
            client.request(some);
            client.readEnvelopes(some.length);
            final long before = Allocations.ofOtherThreads();
            final long made = server.transport().buffers().madeBytes();
            for (int round = 0; round < 200; round++)
            {
                client.request(some);
                for (int i = 0; i < some.length; i++)
                {
                    expectError(client, 9, PROTOCOL_ERROR);
                }
            }
            final long perLie = (Allocations.ofOtherThreads() - before) / 100_000;
            assertTrue(perLie < 16 * 1024, "allocated for each lie: " + perLie);
            assertTrue(server.transport().buffers().madeBytes() <= made + MIB, "the pool grows");
            expectServes(client);
            assertEquals(1, quiet.seen().size(), "one line for all of them");
        }
        assertEquals(1, server.engine().served());
    }

    @Test
    void case27ValueLengthLargerThanTheMessage() throws IOException
    {
        start();
        try (WireClient early = server.connect())
        {
            early.send(X5);
            expectError(early.readBare(), 9, PROTOCOL_ERROR);
            early.expectEnd();
        }
        for (final int version : new int[]{3, 4, 5})
        {
            try (WireClient client = server.ready(version))
            {
                for (final byte[] lie : lies(version))
                {
                    expectError(client.ask(lie), 9, PROTOCOL_ERROR);
                }
                expectServes(client);
            }
        }
    }

    private static List<byte[]> lies(final int version)
    {
        final List<byte[]> lies = new ArrayList<>();
        for (final int lie : new int[]{0x7FFFFFFF, 100_000_000})
        {
            final WireBytes value = new WireBytes().longString("x").u16(1);
            lies.add(query(version, 0, Requests.flags(version, value, 1).u16(1).i32(lie)));
            lies.add(query(version, 0, new WireBytes().i32(lie).raw(new byte[10])));
            final WireBytes page = new WireBytes().longString("x").u16(1);
            lies.add(query(version, 0, Requests.flags(version, page, 8).i32(lie)));
            lies.add(Requests.envelope(version, 0, 9, Opcode.BATCH.code(), new WireBytes().u8(0)
                .u16(1)
                .u8(0)
                .longString("x")
                .u16(1)
                .i32(lie)
                .toArray()));
            if (version >= 4)
            {
                lies.add(query(version, EnvelopeFlags.CUSTOM_PAYLOAD, new WireBytes().u16(1).string("k").i32(lie)));
            }
        }
        lies.add(query(version, 0, new WireBytes().i32(-5).raw(new byte[10])));
        lies.add(Requests.envelope(version, 0, 9, Opcode.EXECUTE.code(), new WireBytes().u16(65_535).toArray()));
        return lies;
    }

    private static byte[] query(final int version, final int flags, final WireBytes body)
    {
        return Requests.envelope(version, flags, 9, Opcode.QUERY.code(), body.toArray());
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void case29NullUnsetAndIllegalValueLengths(final int version) throws IOException
    {
        start();
        try (WireClient client = server.ready(version))
        {
            for (final int length : new int[]{-1, -3, Integer.MIN_VALUE, -2, 0})
            {
                for (final byte[] request : List.of(positional(version, length), named(version, length),
                    inBatch(version, length)))
                {
                    final WireEnvelope answer = client.ask(request);
                    if (version >= 4 && length < -2)
                    {
                        expectError(answer, 9, PROTOCOL_ERROR);
                        continue;
                    }
                    assertEquals(Opcode.RESULT, answer.type(), answer::toString);
                    final byte[][] values = lastValues();
                    assertNull(values[0]);
                    if (length == 0)
                    {
                        assertEquals(0, values[1].length);
                        assertNotSame(Cells.UNSET, values[1]);
                    }
                    else if (version >= 4 && length == -2)
                    {
                        assertSame(Cells.UNSET, values[1]);
                    }
                    else
                    {
                        assertNull(values[1]);
                    }
                    assertEquals(0, values[2].length);
                    assertNotSame(Cells.UNSET, values[2]);
                }
            }
            expectServes(client);
        }
        if (version == 4)
        {
            try (WireClient client = server.ready(4))
            {
                client.send(X13);
                expectError(client, 16, PROTOCOL_ERROR);
            }
        }
    }

    private static byte[] positional(final int version, final int length)
    {
        final WireBytes body = new WireBytes().longString("void").u16(1);
        return query(version, 0, Requests.flags(version, body, 1).u16(3).i32(-1).i32(length).i32(0));
    }

    private static byte[] named(final int version, final int length)
    {
        final WireBytes body = new WireBytes().longString("void").u16(1);
        return query(version, 0, Requests.flags(version, body, 0x41)
            .u16(3)
            .string("a")
            .i32(-1)
            .string("b")
            .i32(length)
            .string("c")
            .i32(0));
    }

    private static byte[] inBatch(final int version, final int length)
    {
        final WireBytes body = new WireBytes().u8(0)
            .u16(1)
            .u8(0)
            .longString("void")
            .u16(3)
            .i32(-1)
            .i32(length)
            .i32(0)
            .u16(1);
        return Requests.envelope(version, 0, 9, Opcode.BATCH.code(), Requests.flags(version, body, 0).toArray());
    }

    private byte[][] lastValues()
    {
        final List<Request> requests = server.engine().requests();
        final Request last = requests.get(requests.size() - 1);
        return last instanceof BatchRequest batch ? batch.values()[0] : ((QueryRequest)last).parameters().values();
    }

    @Test
    void case31RequestWithACustomPayload() throws IOException
    {
        start();
        try (WireClient client = server.ready(4))
        {
            client.send(X11);
            assertEquals(15, client.readEnvelope().streamId());
            assertArrayEquals(WireBytes.ofHex("cafe"), server.engine().requests().get(0).customPayload().get("k"));
        }
        for (final int version : new int[]{4, 5})
        {
            try (WireClient client = server.ready(version))
            {
                for (final byte[] plain : List.of(Requests.query(version, 1, "void"),
                    Requests.prepare(version, 1, "void"),
                    Requests.execute(version, 1, "void"), Requests.batch(version, 1, "void")))
                {
                    for (final byte[] payload : payloads())
                    {
                        final byte[] body = WireBytes.concat(payload, Arrays.copyOfRange(plain, 9, plain.length));
                        assertEquals(client.ask(plain), client.ask(Requests.envelope(version,
                            EnvelopeFlags.CUSTOM_PAYLOAD, 1, plain[4], body)), "the same as without a payload");
                        final List<Request> requests = server.engine().requests();
                        assertEquals(payload[0] << 8 | payload[1] & 0xFF, requests.get(requests.size() - 1)
                            .customPayload()
                            .size());
                    }
                }
            }
        }
        try (WireClient client = server.ready(3))
        {
            expectError(client.ask(Requests.envelope(3, EnvelopeFlags.CUSTOM_PAYLOAD, 2, Opcode.QUERY.code(), Requests
                .queryBody(3, "void"))), 2, PROTOCOL_ERROR);
            expectServes(client);
        }
    }

    private static List<byte[]> payloads()
    {
        final WireBytes hundred = new WireBytes().u16(100);
        for (int i = 0; i < 100; i++)
        {
            hundred.string("key" + i).value(new byte[]{(byte)i});
        }
        return List.of(new WireBytes().u16(0).toArray(), hundred.toArray(), new WireBytes().u16(1)
            .string("k")
            .value(new byte[MIB])
            .toArray(), new WireBytes().u16(1).string("k").value(null).toArray());
    }
}
