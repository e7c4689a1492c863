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

import io.sluice.framing.EnvelopeFlags;
import io.sluice.framing.Opcode;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every kind of lie at every place of one kind: opcodes, counts, text, lengths and pieces. */
final class HostileSweepIT extends FieldCaseTest
{
    private static final byte[] SECRET = "secret".getBytes(StandardCharsets.US_ASCII);
    private static final int HUGE = 0x7FFFFFFF;

    private static boolean isServedEmpty(final int opcode)
    {
        return opcode == Opcode.OPTIONS.code();
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void everyOpcodeBeforeStartup(final int version) throws IOException
    {
        start();
        for (int opcode = 0; opcode <= 0xFF; opcode++)
        {
            try (WireClient client = server.connect())
            {
                client.send(Requests.envelope(version, 0, 12, opcode), Requests.options(version, 13));
                final WireEnvelope answer = client.readBare();
                assertEquals(12, answer.streamId());
                assertEquals(version, answer.version());
                if (isServedEmpty(opcode))
                {
                    assertEquals(Opcode.SUPPORTED, answer.type());
                }
                else
                {
                    expectError(answer, 12, PROTOCOL_ERROR);
                }
                final Opcode known = Opcode.of(opcode);
                if (known != null && known.isRequest() && known != Opcode.OPTIONS && known != Opcode.STARTUP)
                {
                    client.expectEnd();
                }
                else
                {
                    assertEquals(13, client.readBare().streamId(), "opcode " + opcode);
                }
            }
        }
        assertEquals(0, server.engine().served());
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void everyOpcodeWhileAuthenticating(final Way way) throws Exception
    {
        // More messages than a client may send before it has logged in.
        start(way, TestServer.limits(limits -> limits.preLoginMessages(1_000))
            .andThen(builder -> builder.authenticator(new PasswordAuthenticator())));
        try (WireClient client = authenticating(way))
        {
            for (int opcode = 0; opcode <= 0xFF; opcode++)
            {
                expectError(client.ask(Requests.envelope(way.version(), 0, opcode, opcode)), opcode, PROTOCOL_ERROR);
            }
            assertEquals(Opcode.AUTH_SUCCESS, client.ask(Requests.authResponse(way.version(), 3, SECRET)).type());
            expectServes(client);
        }
        assertEquals(1, server.engine().served());
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void everyOpcodeWhenReady(final Way way) throws Exception
    {
        start(way);
        try (WireClient client = ready(way))
        {
            for (int opcode = 0; opcode <= 0xFF; opcode++)
            {
                final WireEnvelope answer = client.ask(Requests.envelope(way.version(), 0, opcode, opcode));
                if (isServedEmpty(opcode))
                {
                    assertEquals(Opcode.SUPPORTED, answer.type());
                }
                else
                {
                    expectError(answer, opcode, PROTOCOL_ERROR);
                }
            }
            expectServes(client);
        }
        assertEquals(1, server.engine().served());
    }

    private static byte[] request(final int version, final int flags, final Opcode opcode, final WireBytes body)
    {
        return Requests.envelope(version, flags, 9, opcode.code(), body.toArray());
    }

    private static WireBytes parameters(final int version, final int flags)
    {
        return Requests.flags(version, new WireBytes().longString("void").u16(1), flags);
    }

    /** Requests that promise 65,535 of something and have none. */
    private static List<byte[]> counts(final int version)
    {
        final List<byte[]> all = new ArrayList<>();
        all.add(request(version, 0, Opcode.QUERY, parameters(version, 0x01).u16(65_535)));
        all.add(request(version, 0, Opcode.QUERY, parameters(version, 0x41).u16(65_535)));
        final WireBytes execute = new WireBytes().shortBytes(new byte[16]);
        if (version >= 5)
        {
            execute.shortBytes(new byte[16]);
        }
        all.add(request(version, 0, Opcode.EXECUTE, Requests.flags(version, execute.u16(1), 0x01).u16(65_535)));
        all.add(request(version, 0, Opcode.EXECUTE, new WireBytes().u16(65_535)));
        all.add(request(version, 0, Opcode.BATCH, new WireBytes().u8(0).u16(65_535)));
        all.add(request(version, 0, Opcode.BATCH, new WireBytes().u8(0).u16(1).u8(0).longString("void").u16(65_535)));
        all.add(request(version, 0, Opcode.BATCH, new WireBytes().u8(0).u16(1).u8(1).u16(65_535)));
        all.add(request(version, 0, Opcode.REGISTER, new WireBytes().u16(65_535)));
        all.add(request(version, 0, Opcode.REGISTER, new WireBytes().u16(1).u16(65_535)));
        if (version >= 4)
        {
            all.add(request(version, EnvelopeFlags.CUSTOM_PAYLOAD, Opcode.QUERY, new WireBytes().u16(65_535)));
            all.add(request(version, EnvelopeFlags.CUSTOM_PAYLOAD, Opcode.QUERY, new WireBytes().u16(1).u16(65_535)));
        }
        if (version >= 5)
        {
            all.add(request(version, 0, Opcode.QUERY, parameters(version, 0x80).u16(65_535)));
            all.add(request(version, 0, Opcode.PREPARE, new WireBytes().longString("void").i32(1).u16(65_535)));
            all.add(request(version, 0, Opcode.EXECUTE, new WireBytes().shortBytes(new byte[16]).u16(65_535)));
        }
        return all;
    }

    /** Requests with a length of this many bytes wherever a length has four bytes. */
    private static List<byte[]> lengths(final int version, final int length)
    {
        final List<byte[]> all = new ArrayList<>();
        final WireBytes statement = new WireBytes().i32(length).raw(new byte[40]);
        all.add(request(version, 0, Opcode.QUERY, statement));
        all.add(request(version, 0, Opcode.PREPARE, statement));
        all.add(request(version, 0, Opcode.QUERY, parameters(version, 0x01).u16(1).i32(length)));
        all.add(request(version, 0, Opcode.QUERY, parameters(version, 0x41).u16(1).string("a").i32(length)));
        all.add(request(version, 0, Opcode.QUERY, parameters(version, 0x08).i32(length)));
        all.add(request(version, 0, Opcode.BATCH, new WireBytes().u8(0).u16(1).u8(0).i32(length)));
        all.add(request(version, 0, Opcode.BATCH, new WireBytes().u8(0)
            .u16(1)
            .u8(0)
            .longString("void")
            .u16(1)
            .i32(length)));
        if (version >= 4)
        {
            all.add(request(version, EnvelopeFlags.CUSTOM_PAYLOAD, Opcode.QUERY, new WireBytes().u16(1)
                .string("k")
                .i32(length)));
        }
        return all;
    }

    private void expectRefused(final Way way, final List<byte[]> requests) throws Exception
    {
        try (WireClient client = ready(way))
        {
            for (final byte[] request : requests)
            {
                expectError(client.ask(client.squeezed(request)), 9, PROTOCOL_ERROR);
            }
            expectServes(client);
        }
        assertEquals(1, server.engine().served());
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void countsWithNothingBehind(final Way way) throws Exception
    {
        start(way);
        expectRefused(way, counts(way.version()));
        try (WireClient client = connect(way))
        {
            for (final WireBytes body : List.of(new WireBytes().u16(65_535), new WireBytes().u16(1).u16(65_535),
                new WireBytes().u16(1).string("CQL_VERSION").u16(65_535)))
            {
                client.send(request(way.version(), 0, Opcode.STARTUP, body));
                expectError(client.readBare(), 9, PROTOCOL_ERROR);
            }
            client.startUp(way.version(), way.compression());
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void lengthsOfTwoGibibytesWhenReady(final Way way) throws Exception
    {
        start(way);
        final List<byte[]> all = new ArrayList<>(lengths(way.version(), HUGE));
        all.addAll(lengths(way.version(), HUGE - 8));
        final long before = Allocations.ofOtherThreads();
        expectRefused(way, all);
        assertTrue(Allocations.ofOtherThreads() - before < 64 * MIB, "something was allocated for a lie");
        assertTrue(server.transport().buffers().madeBytes() < 64 * MIB);
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void lengthsOfTwoGibibytesBeforeLogin(final Way way) throws Exception
    {
        start(way, builder -> builder.authenticator(new PasswordAuthenticator()));
        final List<byte[]> all = lengths(way.version(), HUGE);
        all.add(request(way.version(), 0, Opcode.AUTH_RESPONSE, new WireBytes().i32(HUGE)));
        try (WireClient client = authenticating(way))
        {
            for (final byte[] request : all)
            {
                expectError(client.ask(client.squeezed(request)), 9, PROTOCOL_ERROR);
            }
            assertEquals(Opcode.AUTH_SUCCESS, client.ask(Requests.authResponse(way.version(), 3, SECRET)).type());
        }
        assertTrue(server.transport().buffers().madeBytes() < 64 * MIB);
    }

    /** Requests with these bytes as the text at each place that has text. */
    private static List<byte[]> texts(final int version, final byte... text)
    {
        final List<byte[]> all = new ArrayList<>();
        final WireBytes query = Requests.flags(version, new WireBytes().value(text).u16(1), 0);
        all.add(request(version, 0, Opcode.QUERY, query));
        all.add(request(version, 0, Opcode.PREPARE, new WireBytes().value(text).i32(0)));
        all.add(request(version, 0, Opcode.QUERY, parameters(version, 0x41).u16(1).shortBytes(text).i32(-1)));
        all.add(request(version, 0, Opcode.BATCH, Requests.flags(version, new WireBytes().u8(0)
            .u16(1)
            .u8(0)
            .value(text)
            .u16(0)
            .u16(1), 0)));
        all.add(request(version, 0, Opcode.REGISTER, new WireBytes().u16(1).shortBytes(text)));
        if (version >= 4)
        {
            all.add(request(version, EnvelopeFlags.CUSTOM_PAYLOAD, Opcode.QUERY, new WireBytes().u16(1)
                .shortBytes(text)
                .i32(-1)
                .raw(Requests.queryBody(version, "void"))));
        }
        if (version >= 5)
        {
            all.add(request(version, 0, Opcode.QUERY, parameters(version, 0x80).shortBytes(text)));
            all.add(request(version, 0, Opcode.PREPARE, new WireBytes().longString("void").i32(1).shortBytes(text)));
        }
        return all;
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void textThatIsNotUtf8(final Way way) throws Exception
    {
        start(way);
        final List<byte[]> all = new ArrayList<>();
        // A lone byte, cut short, overlong, a surrogate, beyond the last, and behind good text.
        for (final String bad : new String[]{"ff", "c3", "c080", "eda080", "f4908080", "766f6964206162636465e282"})
        {
            all.addAll(texts(way.version(), WireBytes.ofHex(bad)));
        }
        expectRefused(way, all);
        try (WireClient client = connect(way))
        {
            for (final WireBytes body : List.of(new WireBytes().u16(1).shortBytes(new byte[]{-1}).string("x"),
                new WireBytes().u16(1).string("CQL_VERSION").shortBytes(new byte[]{-1})))
            {
                client.send(request(way.version(), 0, Opcode.STARTUP, body));
                expectError(client.readBare(), 9, PROTOCOL_ERROR);
            }
            client.startUp(way.version(), way.compression());
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void scrapsBehindABodyMeanNothing(final Way way) throws Exception
    {
        start(way);
        try (WireClient client = ready(way))
        {
            for (final byte[] good : List.of(Requests.query(way.version(), 9, "void"),
                Requests.execute(way.version(), 9,
                    "void"),
                Requests.batch(way.version(), 9, "void"), Requests.prepare(way.version(), 9, "void"), Requests
                    .options(way.version(), 9),
                Requests.register(way.version(), 9, "STATUS_CHANGE")))
            {
                for (int scrap = 1; scrap < 9; scrap++)
                {
                    final byte[] longer = Arrays.copyOf(good, good.length + scrap);
                    longer[8] += (byte)scrap;
                    final WireEnvelope answer = client.ask(client.squeezed(longer));
                    assertTrue(answer.type() != Opcode.ERROR, answer::toString);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(value = Way.class, names = {"V5", "V5_LZ4", "V5_TLS", "V5_LZ4_TLS"})
    void piecesOfAnotherVersionAreAnErrorOnItsStreamAndTheConnectionGoesOn(final Way way) throws Exception
    {
        start(way);
        try (WireClient client = ready(way))
        {
            for (final int other : new int[]{3, 4, 6, 7})
            {
                client.send(Segments.pieces(client.format(), Segments.MAX_PAYLOAD, Requests.query(other, 7, "void",
                    noise(300_000))));
                expectError(client, 7, PROTOCOL_ERROR);
                expectServes(client);
            }
            client.send(Segments.pieces(client.format(), Segments.MAX_PAYLOAD, Requests.envelope(5, 0, 8, 0x7F, noise(
                300_000))));
            expectError(client, 8, PROTOCOL_ERROR);
            expectServes(client);
        }
    }

    @ParameterizedTest
    @EnumSource(value = Way.class, names = {"V5", "V5_LZ4", "V5_TLS", "V5_LZ4_TLS"})
    void piecesInTheWrongOrderEndTheConnection(final Way way) throws Exception
    {
        start(way);
        final byte[] query = Requests.query(5, 7, "void", noise(300_000));
        final byte[] first = Arrays.copyOf(query, 131_071);
        final byte[] second = Arrays.copyOfRange(query, 131_071, 262_142);
        try (WireClient client = ready(way))
        {
            client.send(payload(client, false, second), payload(client, false, first));
            assertEquals(PROTOCOL_ERROR, client.readEnvelope().errorCode());
            client.expectEnd();
        }
        try (WireClient client = ready(way))
        {
            // The beginning of another message is taken for the second piece, as the lengths say; then it overruns.
            client.send(payload(client, false, first), payload(client, false, first), payload(client, false, first));
            expectFatal(client, 7);
        }
        assertEquals(0, server.engine().served());
    }

    /** The server shuts its output at the first piece; what the client writes behind it must not cost it the error. */
    @ParameterizedTest
    @EnumSource(value = Way.class)
    void whatFollowsAFatalErrorIsReadAndTheErrorArrives(final Way way) throws Exception
    {
        start(way);
        final byte[] bad = way.inSegments()
            ? WireBytes.concat(new byte[64], noise(4_000_000))
            : WireBytes.concat(WireBytes.ofHex("7f000007"), noise(4_000_000));
        for (int round = 0; round < 20; round++)
        {
            try (WireClient client = ready(way))
            {
                client.send(bad);
                assertEquals(PROTOCOL_ERROR, client.readEnvelope().errorCode());
                client.expectEnd();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(value = Way.class, names = {"V5", "V5_LZ4", "V5_TLS", "V5_LZ4_TLS"})
    void flagsThatContradictTheBytes(final Way way) throws Exception
    {
        start(way);
        final byte[] query = Requests.query(5, 7, "void", noise(200_000));
        final byte[] first = Arrays.copyOf(query, 131_071);
        final byte[] second = Arrays.copyOfRange(query, 131_071, query.length);
        try (WireClient client = ready(way))
        {
            // Said to be whole, and is only the beginning.
            client.send(payload(client, true, first), payload(client, true, second));
            expectFatal(client, 7);
        }
        try (WireClient client = ready(way))
        {
            // The end of a large message, said to be an envelope of its own.
            client.send(payload(client, false, first), payload(client, true, second));
            assertEquals(PROTOCOL_ERROR, client.readEnvelope().errorCode());
            client.expectEnd();
        }
        try (WireClient client = ready(way))
        {
            // Two whole envelopes, said to be a piece of one.
            client.send(payload(client, false, WireBytes.concat(Requests.options(5, 7), Requests.options(5, 8))));
            expectFatal(client, 7);
        }
        assertEquals(0, server.engine().served());
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void messagesNeverFinishedAreGivenUp(final Way way) throws Exception
    {
        final AtomicLong now = new AtomicLong();
        start(way, builder ->
        {
            TestServer.limits(limits -> limits.stallTimeout(Duration.ofSeconds(5))).accept(builder);
            builder.clock(now::get);
        });
        final byte[] begun = Arrays.copyOf(Requests.query(way.version(), 7, "void", noise(500_000)), 100_000);
        try (WireClient client = ready(way); WireClient other = ready(way))
        {
            client.send(payload(client, false, begun));
            Await.until("charged by its header", () -> server.transport().inFlightBytes() > 500_000);
            Await.until("given up", () ->
            {
                now.addAndGet(100_000_000L);
                return server.listener().closed().contains(CloseReason.STALLED);
            });
            expectServes(other);
            server.awaitIdle();
        }
        // Or the client leaves in the middle.
        for (int i = 0; i < 20; i++)
        {
            final WireClient client = ready(way);
            client.send(payload(client, false, begun));
            if (i % 2 == 0)
            {
                client.socket().close();
            }
            else
            {
                client.reset();
            }
        }
        server.awaitQuiet();
    }

    @Test
    void largeMessagesOfManyClientsDoNotMix() throws IOException
    {
        start();
        final List<WireClient> clients = new ArrayList<>();
        for (int i = 0; i < 10; i++)
        {
            clients.add(server.ready(5));
        }
        for (int round = 0; round < 4; round++)
        {
            for (int i = 0; i < clients.size(); i++)
            {
                final byte[] query = Requests.query(5, i, "void", noise(400_000 + i));
                clients.get(i)
                    .send(Segments.plain(false, Arrays.copyOfRange(query, round * 110_000, Math.min(
                        query.length, (round + 1) * 110_000))));
            }
        }
        for (int i = 0; i < clients.size(); i++)
        {
            assertEquals(i, clients.get(i).readEnvelope().streamId());
            expectServes(clients.get(i));
            clients.get(i).close();
        }
    }
}
