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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.handler.ssl.SslProvider;
import io.sluice.framing.EnvelopeFlags;
import io.sluice.framing.ErrorCode;
import io.sluice.framing.Opcode;
import io.sluice.framing.response.VoidResult;
import io.sluice.transport.testkit.Await;
import io.sluice.transport.testkit.LogWatch;
import io.sluice.transport.testkit.PasswordAuthenticator;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.Segments;
import io.sluice.transport.testkit.TestCertificate;
import io.sluice.transport.testkit.TestServer;
import io.sluice.transport.testkit.TestServer.Sockets;
import io.sluice.transport.testkit.Way;
import io.sluice.transport.testkit.WireBytes;
import io.sluice.transport.testkit.WireClient;
import io.sluice.transport.testkit.WireEnvelope;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Field reports about load, limits, closing and time, replayed over sockets; the number is the report's. */
final class FieldCasesLoadIT extends FieldCaseTest
{
    private static final int KIB = 1024;

    @ParameterizedTest
    @ValueSource(strings = {"V4", "V5", "V4_LZ4", "V5_LZ4_TLS"})
    void case33WarningsStayWithTheirRequest(final Way way) throws Exception
    {
        final java.util.concurrent.ExecutorService one = java.util.concurrent.Executors.newSingleThreadExecutor();
        start(way, builder -> builder.requestExecutor(one));
        try (WireClient newer = ready(way); WireClient three = connect(way))
        {
            three.startUp(3, null);
            for (int round = 0; round < 20; round++)
            {
                final WireEnvelope failed = newer.ask(Requests.query(way.version(), 1, "warnfail"));
                assertEquals(Opcode.ERROR, failed.type());
                assertEquals(EnvelopeFlags.WARNING, failed.flags());
                assertEquals(0, three.ask(Requests.query(3, 2, "warn")).flags());
                assertEquals(0, newer.ask(Requests.query(way.version(), 3, "void")).flags());
                assertEquals(EnvelopeFlags.WARNING, newer.ask(Requests.query(way.version(), 4, "warn")).flags());
                assertEquals(0, three.ask(Requests.query(3, 5, "void")).flags());
                assertEquals(0, three.ask(Requests.query(3, 6, "warnfail")).flags());
            }
        }
        finally
        {
            one.shutdown();
        }
    }

    @LogWatch.Warns
    @ParameterizedTest
    @ValueSource(ints = {4, 5})
    void case33WarningsOfARequestThatThrowsAreSentWithItsError(final int version) throws IOException
    {
        start();
        try (WireClient client = server.ready(version))
        {
            final WireEnvelope failed = client.ask(Requests.query(version, 1, "warnthrow"));
            assertEquals(Opcode.ERROR, failed.type());
            assertEquals(EnvelopeFlags.WARNING, failed.flags());
            assertEquals(0, client.ask(Requests.query(version, 2, "void")).flags());
            assertEquals(1, server.takeInspected());
        }
    }

    /** Where a client dies on its way in. */
    private enum Death
    {
        IN_STARTUP, BEHIND_STARTUP, BEHIND_AUTHENTICATE, IN_ITS_TOKEN, BEHIND_ITS_TOKEN
    }

    private void die(final WireClient client, final Way way, final Death death) throws IOException
    {
        final byte[] startup = Requests.startup(way.version(), 1, way.compression());
        if (death == Death.IN_STARTUP)
        {
            client.send(java.util.Arrays.copyOf(startup, startup.length - 3));
            return;
        }
        client.send(startup);
        if (death == Death.BEHIND_STARTUP)
        {
            return;
        }
        assertEquals(Opcode.AUTHENTICATE, client.readBare().type());
        client.switchTo(way.version(), way.compression());
        final byte[] token = Requests.authResponse(way.version(), 2, "secret".getBytes(StandardCharsets.US_ASCII));
        if (death == Death.IN_ITS_TOKEN)
        {
            client.send(java.util.Arrays.copyOf(payload(client, true, token), 12));
        }
        else if (death == Death.BEHIND_ITS_TOKEN)
        {
            client.request(token);
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void case34ClientsThatDieAnywhereOnTheirWayInLeaveNothing(final Way way) throws Exception
    {
        start(way, builder -> builder.authenticator(new PasswordAuthenticator()));
        final SSLSocketFactory clients = TestCertificate.shared().clients();
        for (final Death death : Death.values())
        {
            for (int i = 0; i < 10; i++)
            {
                final Socket socket = new Socket(server.address().getAddress(), server.address().getPort());
                socket.setSoLinger(true, 0);
                die(WireClient.over(way.tls() == null
                    ? socket
                    : TestCertificate.over(clients, socket, "TLSv1.3")), way, death);
                socket.close();
            }
        }
        server.awaitQuiet();
        assertEquals(0, server.transport().clientAddresses());
        assertEquals(0, server.engine().served());
    }

    @Test
    void case34HandshakeThatDiesLeavesNothing() throws IOException
    {
        start();
        final ClientErrorLines quiet = new ClientErrorLines();
        final byte[][] startups = {WireBytes.ofHex(ST5), WireBytes.ofHex(ST5L)};
        for (int i = 0; i < 20_000; i++)
        {
            try (Socket socket = new Socket(server.address().getAddress(), server.address().getPort()))
            {
                socket.setSoLinger(true, 0);
                socket.getOutputStream().write(startups[i % 2]);
            }
        }
        server.awaitQuiet();
        assertEquals(0, server.transport().clientAddresses());
        quiet.close();
        assertEquals(List.of(), quiet.seen());
        assertEquals(Set.of(CloseReason.CLIENT), new HashSet<>(server.listener().closed()));
    }

    /** In full, 20,000 times, with {@code -Dsluice.cases.full=true}: a minute, for the sake of the handshakes. */
    @ParameterizedTest
    @EnumSource(value = SslProvider.class, names = {"JDK", "OPENSSL"})
    void case34HandshakeUnderTlsThatDiesLeavesNothing(final SslProvider provider) throws Exception
    {
        final Way way = provider == SslProvider.JDK ? Way.V5_TLS : Way.V5_LZ4_TLS;
        start(way);
        final SSLSocketFactory clients = TestCertificate.shared().clients();
        final byte[] startup = Requests.startup(5, 1, way.compression());
        for (int i = 0; i < count(20_000, 400); i++)
        {
            try (Socket socket = new Socket(server.address().getAddress(), server.address().getPort()))
            {
                socket.setSoLinger(true, 0);
                final SSLSocket tls = TestCertificate.over(clients, socket, "TLSv1.3");
                tls.getOutputStream().write(startup);
            }
        }
        server.awaitQuiet();
        assertEquals(0, server.transport().clientAddresses());
    }

    @ParameterizedTest
    @CsvSource({"V3,10", "V4,40", "V5,200", "V5_LZ4,5", "V5_TLS,5"})
    void case36RequestBytesNeverPassTheLimitBurstAfterBurst(final Way way, final int bursts) throws Exception
    {
        final int limit = 4 * MIB;
        start(way, TestServer.limits(limits -> limits.maxFrameBytes(MIB)
            .maxMessageBytes(MIB)
            .inFlightBytes(limit)
            .inFlightBytesPerAddress(limit)
            .inFlightBytesPerConnection(limit)));
        try (WireClient client = ready(way); WireClient other = ready(way))
        {
            final int bytes = Requests.query(way.version(), 0, "park", noise(256 * KIB)).length;
            final int most = limit / bytes;
            final byte[] burst = burst(client, 6 * MIB / bytes);
            for (int round = 0; round < bursts; round++)
            {
                serveBurst(client, burst, 6 * MIB / bytes, most, bytes);
            }
            serveBurst(client, burst(client, 16 * MIB / bytes), 16 * MIB / bytes, most, bytes);
            expectServes(other);
        }
    }

    private static byte[] burst(final WireClient client, final int requests)
    {
        final WireBytes all = new WireBytes();
        for (int stream = 0; stream < requests; stream++)
        {
            final byte[] query = Requests.query(client.version(), stream, "park", noise(256 * KIB));
            all.raw(client.format() == null
                ? query
                : Segments.pieces(client.format(), Segments.MAX_PAYLOAD, query));
        }
        return all.toArray();
    }

    private void serveBurst(final WireClient client,
        final byte[] burst,
        final int requests,
        final int most,
        final int bytes) throws IOException
    {
        final CompletableFuture<Void> sent = sending(() -> client.send(burst));
        // The limit is reached in every burst, and passed in none.
        Await.until("as many in service as there is room for", () -> server.engine().parked() == most);
        for (int done = 0; done < requests; done++)
        {
            final Exchange parked = server.engine().nextParked();
            assertTrue(server.engine().parked() < most, () -> "parked: " + server.engine().parked());
            assertTrue(server.transport().inFlightBytes() <= most * (long)bytes + 64 * KIB);
            parked.respond(VoidResult.INSTANCE);
            client.readEnvelope();
        }
        sent.join();
        server.awaitIdle();
    }

    /** Something that a client sends, and may have to wait while it does. */
    private interface Sending
    {
        void run() throws IOException;
    }

    private static CompletableFuture<Void> sending(final Sending sending)
    {
        return CompletableFuture.runAsync(() ->
        {
            try
            {
                sending.run();
            }
            catch (final IOException e)
            {
                throw new UncheckedIOException(e);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void case36WhatIsShedIsNotCounted(final int version) throws IOException
    {
        startWithLimits(limits -> limits.maxFrameBytes(MIB)
            .maxMessageBytes(MIB)
            .inFlightBytesPerConnection(MIB)
            .overloadAction(OverloadAction.SHED));
        try (WireClient client = server.ready(version))
        {
            for (int round = 0; round < 50; round++)
            {
                client.request(Requests.query(version, 0, "park", noise(900_000)));
                final Exchange parked = server.engine().nextParked();
                for (int stream = 1; stream < 5; stream++)
                {
                    expectError(client.ask(Requests.query(version, stream, "void", noise(200_000))), stream,
                        OVERLOADED);
                }
                assertTrue(server.transport().inFlightBytes() < MIB);
                parked.respond(VoidResult.INSTANCE);
                assertEquals(0, client.readEnvelope().streamId());
                server.awaitIdle();
            }
            assertEquals(200, server.listener().shed().size());
        }
    }

    @ParameterizedTest
    @CsvSource({"V4,100,100", "V5,1000,100", "V3,50,100", "V5_LZ4,50,100", "V4_SNAPPY,50,100", "V5_TLS,20,100"})
    void case38RequestsInWorkPinNoBuffers(final Way way, final int connections, final int requests) throws Exception
    {
        start(way, builder -> builder.requestExecutor(Runnable::run));
        final List<WireClient> clients = new ArrayList<>();
        for (int i = 0; i < connections; i++)
        {
            clients.add(ready(way));
        }
        server.awaitIdle();
        final byte[] execute = Requests.execute(way.version(), 0, "park", new byte[20]);
        clients.get(0).request(execute);
        final Exchange first = server.engine().nextParked();
        final long madeForOne = server.transport().buffers().madeBytes();
        for (final WireClient client : clients)
        {
            final byte[][] all = new byte[requests][];
            for (int stream = 0; stream < requests; stream++)
            {
                all[stream] = Requests.execute(way.version(), stream, "park", new byte[20]);
            }
            client.request(all);
        }
        final int parked = connections * requests;
        Await.until("all parked", () -> server.engine().parked() == parked);
        assertEquals(0, server.transport().buffers().outstandingLeases());
        assertEquals(0, server.transport().heldBytes());
        assertEquals((parked + 1L) * execute.length, server.transport().inFlightBytes());
        assertTrue(server.transport().buffers().madeBytes() <= madeForOne + MIB, () -> "buffers: " + server
            .transport()
            .buffers()
            .madeBytes());
        first.respond(VoidResult.INSTANCE);
        clients.get(0).readEnvelope();
        while (server.engine().parked() > 0)
        {
            server.engine().nextParked().respond(VoidResult.INSTANCE);
        }
        for (final WireClient client : clients)
        {
            assertEquals(requests, client.readEnvelopes(requests).size());
            client.close();
        }
    }

    @Test
    void case41CountsPerAddressSurvivePortScans() throws IOException
    {
        startWithLimits(limits -> limits.maxConnectionsPerAddress(5).maxConnections(7));
        for (int i = 0; i < 10_000; i++)
        {
            try (Socket socket = new Socket(server.address().getAddress(), server.address().getPort()))
            {
                socket.setSoLinger(true, 0);
            }
        }
        final List<WireClient> good = new ArrayList<>();
        Await.until("one gets in behind the scan", () -> getsIn(good));
        Await.until("the scan is forgotten", () -> server.transport().connections().size() == 1);
        for (int i = 1; i < 5; i++)
        {
            good.add(server.ready(4));
        }
        try (WireClient sixth = server.connect())
        {
            sixth.expectEnd();
        }
        // Two more of another address, and the transport is full for everybody.
        final InetAddress neighbour = InetAddress.getByName("127.0.0.2");
        for (int i = 0; i < 100; i++)
        {
            // One after the other: loops admit their connections side by side, whoever came first.
            try (WireClient sixthOfAll = from(neighbour, 5);
                WireClient seventhOfAll = from(neighbour, 3);
                WireClient refused = from(neighbour))
            {
                assertThrows(IOException.class, () -> refused.startUp(4, null));
                expectServes(sixthOfAll);
                expectServes(seventhOfAll);
            }
            Await.until("neighbours forgotten", () -> server.transport().connections().size() == 5);
        }
        assertEquals(1, server.transport().clientAddresses());
        for (final WireClient client : good)
        {
            expectServes(client);
            client.close();
        }
        server.awaitQuiet();
        assertTrue(server.listener().refused().contains(RefusalReason.CONNECTION_LIMIT));
    }

    private WireClient from(final InetAddress local) throws IOException
    {
        return WireClient.over(new Socket(server.address().getAddress(), server.address().getPort(), local, 0));
    }

    private WireClient from(final InetAddress local, final int version) throws IOException
    {
        final WireClient client = from(local);
        client.startUp(version, null);
        return client;
    }

    private boolean getsIn(final Way way)
    {
        try
        {
            ready(way).close();
            return true;
        }
        catch (final Exception e)
        {
            return false;
        }
    }

    private boolean getsIn(final List<WireClient> clients)
    {
        try
        {
            clients.add(server.ready(4));
            return true;
        }
        catch (final IOException e)
        {
            return false;
        }
    }

    @ParameterizedTest
    @EnumSource(value = Way.class, names = {"V3_TLS", "V5_TLS"})
    void case41ScansOfATlsPortAreForgotten(final Way way) throws Exception
    {
        start(way, TestServer.limits(limits -> limits.maxConnectionsPerAddress(2)));
        for (int i = 0; i < 1_000; i++)
        {
            try (Socket socket = new Socket(server.address().getAddress(), server.address().getPort()))
            {
                socket.setSoLinger(true, 0);
                if (i % 2 == 0)
                {
                    socket.getOutputStream().write(new byte[]{22, 3, 1});
                }
            }
        }
        // Those that the listener has still to take come before it.
        Await.until("one gets in behind the scan", () -> getsIn(way));
        server.awaitQuiet();
        try (WireClient one = ready(way); WireClient two = ready(way))
        {
            assertThrows(IOException.class, () -> ready(way).close());
            expectServes(one);
            expectServes(two);
        }
    }

    @ParameterizedTest
    @EnumSource(value = Way.class, names = {"V4", "V4_LZ4", "V5", "V5_TLS"})
    void case45ClientSendsAndNeverReads(final Way way) throws Exception
    {
        start(way, TestServer.limits(limits -> limits.answerBytesPerConnection(MIB)
            .stallTimeout(Duration.ofSeconds(1))));
        try (WireClient client = narrow(way, 4 * KIB); WireClient other = ready(way))
        {
            client.startUp(way.version(), way.compression());
            final CompletableFuture<Void> sender = sending(() ->
            {
                for (int i = 0; i < 10_000; i++)
                {
                    client.request(Requests.query(way.version(), i, "rows 100000"));
                }
            });
            long most = 0;
            int others = 0;
            final long begun = System.nanoTime();
            while (!server.listener().closed().contains(CloseReason.STALLED))
            {
                expectServes(other);
                others++;
                most = Math.max(most, server.transport().buffers().outstandingBytes());
                assertTrue(System.nanoTime() - begun < Await.HANG.toNanos(), "hangs: never closed");
            }
            assertTrue(most < 4 * MIB, "outstanding: " + most);
            // Not read from: of the 10,000 only those were begun whose answers fill the budget and the sockets.
            // What it is not read from for first depends: its answers, or requests that wait for those.
            assertFalse(server.listener().paused().isEmpty());
            final int begunOfSlow = server.engine().served() - others;
            assertTrue(begunOfSlow > 0 && begunOfSlow < 500, "served: " + begunOfSlow);
            client.socket().close();
            sender.handle((done, failure) -> null).join();
        }
    }

    private WireClient narrow(final Way way, final int receiveBytes) throws GeneralSecurityException, IOException
    {
        return way.tls() == null
            ? WireClient.connectNarrow(server.address(), receiveBytes)
            : WireClient.over(TestCertificate.shared().connect(server.address(), "TLSv1.3", receiveBytes));
    }

    @LogWatch.Warns
    @ParameterizedTest
    @EnumSource(value = Way.class, names = {"V3", "V4_SNAPPY", "V5", "V5_LZ4"})
    void case48EncodingTheAnswerFails(final Way way) throws Exception
    {
        start(way);
        final int version = way.version();
        try (WireClient client = ready(way))
        {
            final String[] statements = {"void", "tail", "payload", "huge", "second", "rows 1000", "second"};
            final WireBytes all = new WireBytes();
            for (int stream = 0; stream < statements.length; stream++)
            {
                all.raw(Requests.query(version, stream, statements[stream]));
            }
            client.send(payload(client, true, all.toArray()));
            final Map<Integer, WireEnvelope> answers = new HashMap<>();
            client.readEnvelopes(statements.length).forEach(answer -> answers.put(answer.streamId(), answer));
            for (final int good : new int[]{0, 2, 5})
            {
                assertEquals(Opcode.RESULT, answers.get(good).type(), statements[good]);
            }
            for (final int bad : new int[]{1, 3, 4, 6})
            {
                assertFalse(expectError(answers.get(bad), bad, SERVER_ERROR).errorMessage().contains("secret"));
            }
            // The row of 2 GiB is no failure of the server's.
            assertEquals(3, server.takeInspected());
            server.awaitIdle();
            expectServes(client);
        }
    }

    @ParameterizedTest
    @CsvSource({"4,200", "5,200", "3,20", "5,1000"})
    void case50AnswersOfOneTickAreOneFlushPerConnection(final int version, final int requestsEach) throws IOException
    {
        start(builder -> builder.eventLoopThreads(1).requestExecutor(Runnable::run));
        final List<WireClient> clients = new ArrayList<>();
        for (int i = 0; i < 50; i++)
        {
            clients.add(server.ready(version));
        }
        // A client may read an answer a moment before its flush is counted.
        Await.until("handshakes are counted", () -> server.listener().flushes() == server.listener().reads());
        final int before = server.listener().flushes();
        final int readsBefore = server.listener().reads();
        for (final WireClient client : clients)
        {
            final WireBytes requests = new WireBytes();
            for (int stream = 0; stream < requestsEach; stream++)
            {
                requests.raw(Requests.query(version, stream, "void"));
            }
            client.send(payload(client, true, requests.toArray()));
        }
        for (final WireClient client : clients)
        {
            assertEquals(requestsEach, client.readEnvelopes(requestsEach).size());
            client.close();
        }
        // The kernel may hand over a write in two parts; each read that ends a segment is one tick of its connection.
        Await.until("each has been flushed", () -> server.listener().flushes() - before >= 50);
        final int flushes = server.listener().flushes() - before;
        final int reads = server.listener().reads() - readsBefore;
        assertTrue(flushes <= reads, flushes + " flushes for " + reads + " reads");
        assertTrue(reads < 2 * 200, reads + " reads");
    }

    /** With a clock that stands still, an answer that waits for any timer would never come. */
    @ParameterizedTest
    @EnumSource(Way.class)
    void case50LoneRequestWaitsForNoTimer(final Way way) throws Exception
    {
        start(way, builder -> builder.clock(() -> 1));
        try (WireClient client = ready(way))
        {
            Await.until("READY is counted", () -> server.listener().flushes() > 0);
            final int before = server.listener().flushes();
            for (int i = 0; i < 200; i++)
            {
                expectServes(client);
            }
            Await.until("one flush for each", () -> server.listener().flushes() == before + 200);
        }
    }

    @ParameterizedTest
    @EnumSource(value = Way.class, names = {"V3", "V4", "V5", "V5_LZ4", "V5_TLS", "V4_SNAPPY_TLS"})
    void case52NobodySurvivesTheStop(final Way way) throws Exception
    {
        start(way);
        final InetSocketAddress address = server.address();
        try (WireClient silent = connect(way);
            WireClient bare = server.connect();
            WireClient late = connect(way);
            WireClient ready = ready(way))
        {
            Await.until("accepted", () -> server.transport().connections().size() == 4);
            final CompletableFuture<Boolean> drained = server.transport().drain(Await.HANG);
            // Refused, with an answer if it crossed the stop on its way.
            assertThrows(IOException.class, () ->
            {
                late.send(Requests.startup(way.version(), 1, way.compression()));
                expectError(late.readBare(), 1, OVERLOADED);
                late.readBare();
            });
            silent.expectEnd();
            bare.readToEnd();
            ready.expectEnd();
            for (final WireClient client : List.of(silent, bare, late, ready))
            {
                client.leave();
            }
            assertTrue(drained.get(Await.HANG.toSeconds(), TimeUnit.SECONDS));
            assertThrows(IOException.class, () -> WireClient.ready(address, 5, null));
        }
        assertEquals(0, server.engine().served());
        assertTrue(server.transport().connections().isEmpty());
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void case52LoginsDoNotSurviveTheStop(final int version) throws Exception
    {
        final PasswordAuthenticator authenticator = new PasswordAuthenticator();
        start(builder -> builder.authenticator(authenticator));
        final Way way = Way.valueOf("V" + version);
        try (WireClient before = authenticating(way); WireClient during = authenticating(way))
        {
            during.request(Requests.authResponse(version, 7, "slow".getBytes(StandardCharsets.US_ASCII)),
                Requests.query(version, 8, "void"));
            final CompletableFuture<Boolean> drained = server.transport().drain(Await.HANG);
            before.expectEnd();
            before.leave();
            authenticator.goOn();
            during.readToEnd();
            during.leave();
            assertTrue(drained.get(Await.HANG.toSeconds(), TimeUnit.SECONDS));
        }
        assertEquals(0, server.engine().served());
    }

    /** Time is the test's own: each round it jumps past the idle timeout, and an idle client shows when that is seen. */
    @ParameterizedTest
    @EnumSource(value = Way.class, names = {"V4", "V5_LZ4_TLS"})
    void case54OnlyIdleConnectionsAreClosedForIdleness(final Way way) throws Exception
    {
        final AtomicLong now = new AtomicLong();
        start(way, builder ->
        {
            TestServer.limits(limits -> limits.idleTimeout(Duration.ofSeconds(2))
                .stallTimeout(Duration.ZERO)
                .exchangeTimeout(Duration.ZERO)
                .answerBytesHardLimit(256 * MIB)
                .maxFrameBytes(MIB)
                .maxMessageBytes(MIB)
                .inFlightBytesPerConnection(MIB)).accept(builder);
            // One loop: a round that has closed the idle client has looked at the others too.
            builder.eventLoopThreads(1).clock(now::get);
        });
        final int version = way.version();
        try (WireClient reader = narrow(way, 128 * KIB);
            WireClient waiting = ready(way);
            WireClient paused = ready(way))
        {
            reader.startUp(version, way.compression());
            reader.request(Requests.query(version, 1, "rows " + 64 * MIB));
            waiting.request(Requests.query(version, 1, "park"));
            final Exchange query = server.engine().nextParked();
            paused.request(Requests.query(version, 1, "park", noise(600_000)));
            final Exchange first = server.engine().nextParked();
            final CompletableFuture<Void> sent = sending(() -> paused.request(Requests.query(version, 2, "void", noise(
                600_000))));
            Await.until("paused", () -> server.listener().paused().contains(PauseCause.CONNECTION_BYTES));
            Await.until("answers pile up", () -> server.transport().buffers().outstandingBytes() > 32 * MIB);
            for (int round = 1; round <= 5; round++)
            {
                try (WireClient idle = ready(way))
                {
                    now.addAndGet(TimeUnit.MILLISECONDS.toNanos(1900));
                    expectServes(idle);
                    now.addAndGet(TimeUnit.MILLISECONDS.toNanos(1900));
                    expectServes(idle);
                    passUntilShut(now, 1);
                    idle.expectEnd();
                }
                final int closed = round;
                Await.until("counted", () -> server.listener().closed().size() == closed);
            }
            assertEquals(Set.of(CloseReason.IDLE_TIMEOUT), new HashSet<>(server.listener().closed()));
            final int open = server.transport().connections().size();
            assertEquals(3, open);
            first.respond(VoidResult.INSTANCE);
            assertEquals(2, paused.readEnvelopes(2).size());
            query.respond(VoidResult.INSTANCE);
            assertEquals(1, waiting.readEnvelope().streamId());
            assertTrue(reader.readEnvelope().body().length > 64 * MIB);
            sent.join();
            expectServes(reader);
            server.awaitIdle();
            passUntilShut(now, 3);
            reader.expectEnd();
            waiting.expectEnd();
            paused.expectEnd();
        }
    }

    private void passUntilShut(final AtomicLong now, final int clients)
    {
        Await.until("idle clients are shut", () ->
        {
            now.addAndGet(TimeUnit.MILLISECONDS.toNanos(10));
            return server.transport().connections().stream().filter(client -> !client.isReady()).count() == clients;
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5})
    void case60DisconnectsAndScannersAreNoErrorsOfTheServers(final int version) throws IOException
    {
        start();
        try (ClientErrorLines lines = new ClientErrorLines())
        {
            for (int i = 0; i < 1_000; i++)
            {
                final WireClient client = server.ready(version);
                client.request(Requests.query(version, 1, "rows 200000"));
                if (i % 2 == 0)
                {
                    client.socket().getInputStream().read();
                }
                client.reset();
            }
            for (int i = 0; i < 1_000; i++)
            {
                server.connect().close();
            }
            server.awaitQuiet();
            assertEquals(List.of(), lines.seen());
            assertEquals(0, server.listener().protocolErrors());
            assertEquals(List.of(), server.listener().errors());
            assertEquals(Set.of(CloseReason.CLIENT), new HashSet<>(server.listener().closed()));
            for (int i = 0; i < 100; i++)
            {
                try (WireClient scanner = server.connect())
                {
                    scanner.send(WireBytes.ofHex("16030100c8010000c40303"), new byte[200]);
                    scanner.readToEnd();
                }
            }
            server.awaitQuiet();
            assertEquals(100, server.listener().protocolErrors());
            assertEquals(1, lines.seen().size(), lines.seen()::toString);
            assertTrue(lines.seen().get(0).contains("127.0.0.1"), lines.seen()::toString);
        }
    }

    @ParameterizedTest
    @EnumSource(value = Way.class, names = {"V3", "V4", "V5", "V5_TLS"})
    void case60OversizedRequestsAreFiledAsSuch(final Way way) throws Exception
    {
        start(way);
        try (ClientErrorLines lines = new ClientErrorLines(); WireClient client = ready(way))
        {
            for (int i = 0; i < 3; i++)
            {
                expectError(client.ask(Requests.queryOfLength(way.version(), 7, 17 * MIB)), 7, INVALID);
            }
            assertEquals(List.of(ErrorCode.INVALID, ErrorCode.INVALID, ErrorCode.INVALID), server.listener().errors());
            assertEquals(1, lines.seen().size(), lines.seen()::toString);
            assertTrue(lines.seen().get(0).contains("127.0.0.1"), lines.seen()::toString);
            expectServes(client);
        }
    }

    @ParameterizedTest
    @EnumSource(value = Way.class, names = {"V5_TLS", "V5_LZ4_TLS"})
    void case60ScannersOfATlsPortMakeOneLine(final Way way) throws Exception
    {
        start(way);
        try (ClientErrorLines lines = new ClientErrorLines())
        {
            for (int i = 0; i < 100; i++)
            {
                server.connect().close();
            }
            for (int i = 0; i < 100; i++)
            {
                try (WireClient scanner = server.connect())
                {
                    scanner.send("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                    scanner.readToEnd();
                }
            }
            server.awaitQuiet();
            assertTrue(lines.seen().size() <= 1, lines.seen()::toString);
            assertEquals(100, server.listener().closed().stream().filter(CloseReason.TLS_FAILURE::equals).count());
            assertEquals(0, server.listener().protocolErrors());
        }
        try (WireClient client = ready(way))
        {
            expectServes(client);
        }
    }

    @Test
    void case45ReaderThatResumesGetsEveryAnswer() throws IOException
    {
        startWithLimits(limits -> limits.answerBytesPerConnection(MIB));
        try (WireClient client = WireClient.connectNarrow(server.address(), 4096))
        {
            client.startUp(5, null);
            final CompletableFuture<Void> sender = sending(() ->
            {
                for (int i = 0; i < 1_000; i++)
                {
                    client.request(Requests.query(5, i, "rows 100000"));
                }
            });
            Await.until("paused", () -> server.listener().paused().contains(PauseCause.UNREAD_ANSWERS) ||
                server.transport().buffers().outstandingBytes() >= MIB);
            final Set<Integer> streams = new HashSet<>();
            client.readEnvelopes(1_000).forEach(answer -> streams.add(answer.streamId()));
            assertEquals(1_000, streams.size());
            sender.join();
            expectServes(client);
        }
    }

    /** One thread checks passwords, and it is at one that takes for ever. */
    private void startStorm(final Way way, final PasswordAuthenticator authenticator, final ExecutorService logins)
        throws GeneralSecurityException, IOException
    {
        start(way, builder ->
        {
            builder.authenticator(authenticator).authExecutor(logins);
            TestServer.limits(limits -> limits.lingerTimeout(Await.HANG).handshakeTimeout(Duration.ofHours(1)))
                .accept(builder);
        });
    }

    private WireClient loggingIn(final Way way, final String password) throws GeneralSecurityException, IOException
    {
        final WireClient client = authenticating(way);
        client.request(Requests.authResponse(way.version(), 7, password.getBytes(StandardCharsets.US_ASCII)));
        return client;
    }

    @ParameterizedTest
    @ValueSource(strings = {"V4", "V5_LZ4_TLS"})
    void case58StormOfLoginsHoldsUpNobodyWhoIsIn(final Way way) throws Exception
    {
        final PasswordAuthenticator authenticator = new PasswordAuthenticator();
        final ExecutorService logins = Executors.newSingleThreadExecutor();
        startStorm(way, authenticator, logins);
        final List<WireClient> clients = new ArrayList<>();
        try (WireClient steady = loggingIn(way, "secret"))
        {
            assertEquals(Opcode.AUTH_SUCCESS, steady.readEnvelope().type());
            clients.add(loggingIn(way, "slow"));
            authenticator.awaitSlow();
            // The JDK's TLS takes its time to leave a server that does not read.
            final boolean plain = way.tls() == null;
            final int storm = count(5_000, plain ? 300 : 100);
            for (int i = 0; i < storm; i++)
            {
                final WireClient client = loggingIn(way, "secret");
                if (i % (plain ? 2 : 10) != 0)
                {
                    clients.add(client);
                }
                else
                {
                    // Impatient: it comes again, and nobody must look at what it sent the first time.
                    client.reset();
                    client.close();
                    clients.add(loggingIn(way, "secret"));
                }
                assertEquals(Opcode.RESULT, steady.ask(Requests.query(way.version(), i, "void")).type());
            }
            // While it does not read, NIO is not told of a client that has left; epoll is.
            final boolean isTold = sockets == Sockets.EPOLL;
            if (isTold)
            {
                Await.until("who has left is gone", () -> server.transport()
                    .connections()
                    .size() == clients.size() + 1);
            }
            assertTrue(authenticator.checked() <= 2, "passwords checked while the one thread is busy");
            authenticator.goOn();
            for (final WireClient client : clients)
            {
                assertEquals(Opcode.AUTH_SUCCESS, client.readEnvelope().type());
            }
            if (isTold)
            {
                assertEquals(storm + 2, authenticator.checked(), "of clients that have left, none");
            }
        }
        finally
        {
            authenticator.goOn();
            for (final WireClient client : clients)
            {
                client.close();
            }
            logins.shutdown();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"V3", "V5_LZ4_TLS"})
    void case58WhoWaitsTooLongToLogInIsShedAndCounted(final Way way) throws Exception
    {
        final PasswordAuthenticator authenticator = new PasswordAuthenticator();
        final ExecutorService logins = Executors.newSingleThreadExecutor();
        startStorm(way, authenticator, logins);
        final List<WireClient> clients = new ArrayList<>();
        try (WireClient steady = loggingIn(way, "secret"))
        {
            assertEquals(Opcode.AUTH_SUCCESS, steady.readEnvelope().type());
            clients.add(loggingIn(way, "slow"));
            authenticator.awaitSlow();
            for (int i = 0; i < 50; i++)
            {
                clients.add(loggingIn(way, "secret"));
            }
            server.transport()
                .control()
                .limits(server.transport().control().limits().with().handshakeTimeout(Duration.ofMillis(1)).build());
            for (final WireClient client : clients)
            {
                client.readToEnd();
                client.close();
            }
            assertEquals(Opcode.RESULT, steady.ask(Requests.query(way.version(), 1, "void")).type());
            Await.until("all counted", () -> server.listener().closed().size() == clients.size());
            assertEquals(Collections.nCopies(clients.size(), CloseReason.HANDSHAKE_TIMEOUT),
                server.listener().closed());
        }
        finally
        {
            authenticator.goOn();
            logins.shutdown();
        }
    }
}
