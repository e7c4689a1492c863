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
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.framing.EnvelopeFlags;
import io.sluice.framing.Opcode;
import io.sluice.framing.request.Cells;
import io.sluice.framing.request.QueryRequest;
import io.sluice.framing.request.Request;
import io.sluice.transport.testkit.Await;
import io.sluice.transport.testkit.PasswordAuthenticator;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.Segments;
import io.sluice.transport.testkit.TestServer;
import io.sluice.transport.testkit.Way;
import io.sluice.transport.testkit.WireBytes;
import io.sluice.transport.testkit.WireClient;
import io.sluice.transport.testkit.WireEnvelope;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is of the same kind as the reports in {@link FieldCasesIT}, in every version, compression and with TLS. */
final class FieldCaseNeighboursIT extends FieldCaseTest
{
    private static final byte[] SECRET = "secret".getBytes(StandardCharsets.US_ASCII);

    @ParameterizedTest
    @EnumSource(Way.class)
    void case01LargeMessagesInPiecesOfAnySize(final Way way) throws Exception
    {
        start(way);
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        try (WireClient client = ready(way))
        {
            for (final int length : new int[]{131_071, 131_072, 300_001})
            {
                final byte[] value = noise(length);
                final byte[] query = client.squeezed(Requests.query(way.version(), 1, "void", value));
                final WireBytes all = new WireBytes();
                if (way.inSegments())
                {
                    // Pieces need not be full, and the first needs no more than the header.
                    int at = 0;
                    while (at < query.length)
                    {
                        final int bytes = Math.min(query.length - at, 9 + random.nextInt(131_063));
                        all.raw(payload(client, false, Arrays.copyOfRange(query, at, at + bytes)));
                        at += bytes;
                    }
                }
                else
                {
                    all.raw(query);
                }
                all.raw(payload(client, true, Requests.options(way.version(), 2)));
                sendCut(client, all.toArray(), random);
                final List<Integer> streams = client.readEnvelopes(2)
                    .stream()
                    .map(WireEnvelope::streamId)
                    .sorted()
                    .toList();
                assertEquals(List.of(1, 2), streams, "seed " + seed);
                assertArrayEquals(value, lastValues()[0], "seed " + seed);
            }
            expectServes(client);
        }
    }

    private static void sendCut(final WireClient client, final byte[] all, final Random random) throws IOException
    {
        int at = 0;
        while (at < all.length)
        {
            final int bytes = Math.min(all.length - at, 1 + random.nextInt(random.nextBoolean() ? 7 : 60_000));
            client.send(Arrays.copyOfRange(all, at, at + bytes));
            at += bytes;
        }
    }

    private byte[][] lastValues()
    {
        return ((QueryRequest)lastRequest()).parameters().values();
    }

    private Request lastRequest()
    {
        final List<Request> requests = server.engine().requests();
        return requests.get(requests.size() - 1);
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void case03ManyRequestsInOneWrite(final Way way) throws Exception
    {
        start(way);
        try (WireClient client = ready(way))
        {
            final WireBytes all = new WireBytes();
            for (int stream = 0; stream < 300; stream++)
            {
                all.raw(client.squeezed(stream % 3 == 0
                    ? Requests.options(way.version(), stream)
                    : Requests.execute(way.version(), stream, "rows 100", new byte[stream % 100])));
            }
            client.send(payload(client, true, all.toArray()));
            assertEquals(300, client.readEnvelopes(300).stream().map(WireEnvelope::streamId).distinct().count());
            expectServes(client);
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void case05AnswersAreCompressedOnlyIfThatPays(final Way way) throws Exception
    {
        start(way);
        try (WireClient client = ready(way))
        {
            final boolean bodies = way.compression() != null && !way.inSegments();
            final boolean segments = way.compression() != null && way.inSegments();
            final WireEnvelope noise = client.ask(Requests.query(way.version(), 1, "rows 100000"));
            assertEquals(0, noise.flags());
            final int stored = client.storedSegmentsRead();
            assertEquals(segments, stored > 0);
            final WireEnvelope zeros = client.ask(Requests.query(way.version(), 2, "zeros 100000"));
            assertEquals(bodies ? EnvelopeFlags.COMPRESSED : 0, zeros.flags());
            assertEquals(stored, client.storedSegmentsRead(), "zeros are compressed");
            assertEquals(noise.body().length, zeros.body().length);
        }
    }

    @ParameterizedTest
    @EnumSource(value = Way.class, names = {"V5_LZ4", "V5_LZ4_TLS"})
    void case05StoredAndCompressedPiecesOfOneMessage(final Way way) throws Exception
    {
        start(way);
        try (WireClient client = ready(way))
        {
            final byte[] value = noise(300_000);
            final byte[] query = Requests.query(5, 3, "void", value);
            client.send(Segments.lz4(false, true, Arrays.copyOf(query, 100_000)),
                Segments.lz4(false, false, Arrays.copyOfRange(query, 100_000, 200_000)),
                Segments.lz4(false, true, Arrays.copyOfRange(query, 200_000, query.length)));
            assertEquals(3, client.readEnvelope().streamId());
            assertArrayEquals(value, lastValues()[0]);
        }
    }

    @ParameterizedTest
    @EnumSource(value = Way.class, names = {"V3_LZ4", "V4_LZ4", "V4_SNAPPY", "V4_SNAPPY_TLS"})
    void case08JunkInACompressedBodyIsAnErrorOnItsStream(final Way way) throws Exception
    {
        start(way);
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        try (WireClient client = ready(way))
        {
            for (int i = 0; i < 200; i++)
            {
                final byte[] junk = new byte[random.nextInt(60)];
                random.nextBytes(junk);
                client.send(Requests.compressed(way.version(), i, Opcode.QUERY, junk),
                    client.squeezed(Requests.query(way.version(), 1000 + i, "void")));
                assertEquals(PROTOCOL_ERROR, expectError(client, i, PROTOCOL_ERROR).errorCode(), "seed " + seed);
                assertEquals(1000 + i, client.readEnvelope().streamId(), "seed " + seed);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(value = Way.class, names = {"V5_LZ4", "V5_LZ4_TLS"})
    void case08JunkInAnyPieceEndsTheConnection(final Way way) throws Exception
    {
        start(way);
        final byte[] query = Requests.query(5, 4, "void", noise(200_000));
        for (int bad = 0; bad < 3; bad++)
        {
            try (WireClient client = ready(way))
            {
                for (int piece = 0; piece <= bad; piece++)
                {
                    client.send(piece == bad
                        ? Segments.lz4Block(false, 70_000, noise(40))
                        : Segments.lz4(false, false, Arrays.copyOfRange(query, piece * 70_000, (piece + 1) * 70_000)));
                }
                expectFatal(client, 0);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(value = Way.class, names = {"V5", "V5_LZ4", "V5_TLS", "V5_LZ4_TLS"})
    void case09FlippedBitInAnyPiece(final Way way) throws Exception
    {
        start(way);
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        for (int i = 0; i < 30; i++)
        {
            try (WireClient client = ready(way))
            {
                final byte[] all = Segments.pieces(client.format(), 1_000, Requests.query(5, 4, "void", noise(3_000)));
                all[random.nextInt(all.length)] ^= (byte)(1 << random.nextInt(8));
                client.send(all);
                expectFatal(client, 0);
            }
        }
        server.awaitQuiet();
        assertEquals(30, server.listener().protocolErrors(), "seed " + seed);
        assertEquals(0, server.engine().served(), "seed " + seed);
    }

    @ParameterizedTest
    @EnumSource(value = Way.class, names = {"V5", "V5_LZ4", "V5_TLS", "V5_LZ4_TLS"})
    void case11ScrapsBehindGoodEnvelopesAndBeforeLogin(final Way way) throws Exception
    {
        start(way, builder -> builder.authenticator(new PasswordAuthenticator()));
        for (int bytes = 1; bytes < 9; bytes++)
        {
            // The beginning of a header is as much of a scrap as anything.
            final byte[] scrap = Arrays.copyOf(Requests.options(5, 9), bytes);
            try (WireClient client = authenticating(way))
            {
                client.send(payload(client, true, WireBytes.concat(Requests.authResponse(5, 2, SECRET), scrap)));
                assertEquals(Opcode.AUTH_SUCCESS, client.readEnvelope().type());
                expectFatal(client, 0);
            }
            try (WireClient client = authenticating(way))
            {
                client.send(payload(client, true, scrap), payload(client, true, Requests.authResponse(5, 2, SECRET)));
                expectFatal(client, 0);
            }
        }
        assertEquals(0, server.engine().served());
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void case13BadEnvelopesBetweenGoodOnes(final Way way) throws Exception
    {
        start(way);
        try (WireClient client = ready(way))
        {
            final byte[] bad = Requests.envelope(way.version(), 0, 2, 0x7F, new byte[100_000]);
            client.request(Requests.query(way.version(), 1, "park"), bad, Requests.options(way.version(), 3));
            expectError(client, 2, PROTOCOL_ERROR);
            assertEquals(3, client.readEnvelope().streamId());
            server.engine().nextParked().respond(io.sluice.framing.response.VoidResult.INSTANCE);
            assertEquals(1, client.readEnvelope().streamId());
            expectServes(client);
        }
    }

    /** Every first byte there is, but those of versions that are served. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void case15EveryOtherFirstByte(final boolean tls) throws Exception
    {
        start(tls ? Way.V5_TLS : Way.V5);
        for (int first = 0; first < (tls ? 16 : 256); first++)
        {
            final int version = first & 0x7F;
            if (version >= 3 && version <= 6)
            {
                continue;
            }
            final int before = server.listener().protocolErrors();
            try (WireClient client = connect(tls ? Way.V5_TLS : Way.V5))
            {
                final byte[] header = new byte[20];
                header[0] = (byte)first;
                client.send(header);
                final String answer = new String(client.readToEnd(), StandardCharsets.UTF_8);
                assertTrue(answer.contains("version (" + version + "); supported versions are (3/v3, 4/v4, 5/v5"),
                    () -> version + ": " + answer);
            }
            server.awaitQuiet();
            final boolean probe = version == 65 || version == 66;
            assertEquals(before + (probe ? 0 : 1), server.listener().protocolErrors(), "version " + version);
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void case17StreamIdsOfEverySignAreEchoed(final Way way) throws Exception
    {
        start(way);
        for (final int stream : new int[]{0, 1, 32_767, -1, -32_768})
        {
            try (WireClient client = connect(way))
            {
                client.send(Requests.options(way.version(), stream));
                assertEquals(stream, client.readBare().streamId());
                client.send(Requests.startup(way.version(), stream, Map.of()));
                expectError(client.readBare(), stream, PROTOCOL_ERROR);
                client.startUp(way.version(), way.compression());
                expectError(client.ask(Requests.startup(way.version(), stream, "")), stream, PROTOCOL_ERROR);
                assertEquals(Opcode.RESULT, client.ask(Requests.query(way.version(), stream, "void")).type());
            }
            try (WireClient client = connect(way))
            {
                client.send(Requests.query(way.version(), stream, "void"));
                expectError(client.readBare(), stream, PROTOCOL_ERROR);
                client.expectEnd();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void case19EveryOtherVersionInMidConnection(final Way way) throws Exception
    {
        start(way);
        try (WireClient client = ready(way))
        {
            for (final int other : new int[]{3, 4, 5, 6, 7, 65, 127})
            {
                if (other != way.version())
                {
                    client.request(Requests.query(other, 1, "void", new byte[20]), Requests.options(way.version(), 2));
                    assertEquals(way.version(), expectError(client, 1, PROTOCOL_ERROR).version());
                    assertEquals(2, client.readEnvelope().streamId());
                }
            }
        }
        assertEquals(0, server.engine().served());
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void case21AbsurdLengthsBeforeAndAfterReadyDoNotDelayTheStop(final Way way) throws Exception
    {
        start(way, TestServer.limits(limits -> limits.lingerTimeout(Duration.ofMillis(1))));
        for (final int length : new int[]{0x09000000, 0xFFFFFFFF})
        {
            for (final Opcode opcode : List.of(Opcode.OPTIONS, Opcode.QUERY, Opcode.STARTUP))
            {
                final byte[] header = Requests.header(way.version(), 6, opcode, length);
                try (WireClient client = ready(way); WireClient early = connect(way))
                {
                    client.send(payload(client, false, header));
                    expectFatal(client, 6);
                    early.send(header);
                    expectError(early.readBare(), 6, PROTOCOL_ERROR);
                    early.expectEnd();
                }
            }
        }
        try (WireClient client = ready(way))
        {
            client.send(payload(client, false, Requests.header(way.version(), 6, Opcode.QUERY, 0x09000000)));
            expectFatal(client, 6);
            // It stays, and sends nothing.
            final CompletableFuture<Boolean> drained = server.transport().drain(Await.HANG);
            assertTrue(drained.get(Await.HANG.toSeconds(), TimeUnit.SECONDS), "nobody had to be cut off");
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void case23HugeClaimsBeforeLoginAreRefusedInEveryState(final Way way) throws Exception
    {
        start(way, builder -> builder.authenticator(new PasswordAuthenticator()));
        for (final int claimed : new int[]{100_000, 15 * MIB})
        {
            for (final Opcode opcode : List.of(Opcode.STARTUP, Opcode.OPTIONS))
            {
                try (WireClient client = connect(way))
                {
                    client.send(Requests.header(way.version(), 3, opcode, claimed), new byte[1024]);
                    expectError(client.readBare(), 3, PROTOCOL_ERROR);
                    client.expectEnd();
                }
            }
            try (WireClient client = authenticating(way))
            {
                final byte[] begun = WireBytes.concat(Requests.header(way.version(), 4, Opcode.AUTH_RESPONSE, claimed),
                    new byte[1024]);
                client.send(payload(client, false, begun));
                expectFatal(client, 4);
            }
        }
        server.awaitQuiet();
        assertEquals(0, server.transport().buffers().outstandingBytes());
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void case25FramingStartsBehindTheAnswerToStartup(final Way way) throws Exception
    {
        start(way, builder -> builder.authenticator(new PasswordAuthenticator()));
        try (WireClient client = connect(way))
        {
            client.send(Requests.startup(way.version(), 1, "zstd"));
            expectError(client.readBare(), 1, PROTOCOL_ERROR);
            client.send(Requests.options(way.version(), 2));
            assertEquals(Opcode.SUPPORTED, client.readBare().type());
            client.send(Requests.startup(way.version(), 3, way.compression()));
            assertEquals(Opcode.AUTHENTICATE, client.readBare().type());
            client.switchTo(way.version(), way.compression());
            expectError(client.ask(Requests.query(way.version(), 4, "void")), 4, PROTOCOL_ERROR);
            expectError(client.ask(Requests.authResponse(way.version(), 5, new byte[3])), 5, BAD_CREDENTIALS);
            assertEquals(Opcode.AUTH_SUCCESS, client.ask(Requests.authResponse(way.version(), 6, SECRET)).type());
            expectServes(client);
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void case27LengthsThatLieInsideBodies(final Way way) throws Exception
    {
        start(way, builder -> builder.authenticator(new PasswordAuthenticator()));
        for (final int lie : new int[]{0x7FFFFFFF, 100_000_000, 0x80000000})
        {
            try (WireClient client = authenticating(way))
            {
                final byte[] token = Requests.envelope(way.version(), 0, 2, Opcode.AUTH_RESPONSE.code(),
                    new WireBytes().i32(lie).raw(SECRET).toArray());
                if (lie > 0)
                {
                    expectError(client.ask(client.squeezed(token)), 2, PROTOCOL_ERROR);
                }
                assertEquals(Opcode.AUTH_SUCCESS, client.ask(Requests.authResponse(way.version(), 3, SECRET)).type());
                for (final Opcode opcode : List.of(Opcode.QUERY, Opcode.PREPARE))
                {
                    expectError(client.ask(client.squeezed(Requests.envelope(way.version(), 0, 4, opcode.code(),
                        new WireBytes().i32(lie).raw(new byte[50]).toArray()))), 4, PROTOCOL_ERROR);
                }
                expectServes(client);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void case29NullUnsetAndEmptyStayApart(final Way way) throws Exception
    {
        start(way);
        try (WireClient client = ready(way))
        {
            final WireBytes body = new WireBytes().longString("void").u16(1);
            Requests.flags(way.version(), body, 1).u16(4).i32(-1).i32(-2).i32(0).value(new byte[1]);
            final byte[] query = Requests.envelope(way.version(), 0, 1, Opcode.QUERY.code(), body.toArray());
            assertEquals(Opcode.RESULT, client.ask(client.squeezed(query)).type());
            final byte[][] values = lastValues();
            assertNull(values[0]);
            assertSame(way.version() >= 4 ? Cells.UNSET : null, values[1]);
            assertEquals(0, values[2].length);
            assertArrayEquals(new byte[1], values[3]);
        }
    }

    @ParameterizedTest
    @EnumSource(value = Way.class, mode = EnumSource.Mode.MATCH_NONE, names = "V3.*")
    void case31CustomPayloadWithEverythingElse(final Way way) throws Exception
    {
        start(way);
        try (WireClient client = ready(way))
        {
            final int flags = EnvelopeFlags.CUSTOM_PAYLOAD | EnvelopeFlags.TRACING;
            for (final int bytes : new int[]{0, 10, 300_000})
            {
                final byte[] value = noise(bytes);
                final byte[] body = new WireBytes().u16(2)
                    .string("a")
                    .value(value)
                    .string("")
                    .value(null)
                    .raw(Requests.queryBody(way.version(), "payload", value))
                    .toArray();
                final WireEnvelope answer = client.ask(client.squeezed(Requests.envelope(way.version(), flags, 5,
                    Opcode.QUERY.code(), body)));
                assertEquals(EnvelopeFlags.CUSTOM_PAYLOAD, answer.flags() & EnvelopeFlags.CUSTOM_PAYLOAD);
                assertArrayEquals(value, lastRequest().customPayload().get("a"));
                assertNull(lastRequest().customPayload().get(""));
                assertArrayEquals(value, lastValues()[0]);
            }
            expectServes(client);
        }
    }
}
