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

import io.sluice.framing.ErrorCode;
import io.sluice.framing.Opcode;
import io.sluice.framing.response.VoidResult;
import io.sluice.transport.testkit.Await;
import io.sluice.transport.testkit.PasswordAuthenticator;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.ScriptedEngine;
import io.sluice.transport.testkit.TestServer;
import io.sluice.transport.testkit.TestServer.Sockets;
import io.sluice.transport.testkit.WireClient;
import io.sluice.transport.testkit.WireEnvelope;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Start, drain, stop, caps and leave-taking over sockets. */
final class LifecycleIT extends SocketTest
{
    private static final Duration HANG = Await.HANG;

    private static Set<ObjectName> beans(final String domain) throws Exception
    {
        return ManagementFactory.getPlatformMBeanServer().queryNames(new ObjectName(domain + ":*"), null);
    }

    private static Set<String> loopThreads()
    {
        return Thread.getAllStackTraces()
            .keySet()
            .stream()
            .filter(Thread::isAlive)
            .map(Thread::getName)
            .filter(name -> name.startsWith("sluice-loop"))
            .collect(Collectors.toSet());
    }

    private NativeTransportBuilder builder(final InetSocketAddress... addresses)
    {
        final NativeTransportBuilder builder = NativeTransport.builder(new ScriptedEngine())
            .requestExecutor(Runnable::run)
            .eventLoopThreads(1)
            .jmxDomain("io.sluice.lifecycle")
            .preferEpoll(sockets == Sockets.EPOLL);
        for (final InetSocketAddress address : addresses)
        {
            builder.bindTo(address);
        }
        return builder;
    }

    private void limits(final Consumer<TransportLimitsBuilder> change)
    {
        final TransportLimitsBuilder limits = server.transport().control().limits().with();
        change.accept(limits);
        server.transport().control().limits(limits.build());
    }

    @Test
    void takenPortIsAClearExceptionAndNothingIsLeft() throws Exception
    {
        final InetAddress loopback = InetAddress.getLoopbackAddress();
        final Set<String> before = loopThreads();
        try (ServerSocket taken = new ServerSocket(0, 1, loopback))
        {
            final int free = freePort(loopback);
            final NativeTransport transport = builder(new InetSocketAddress(loopback, free),
                new InetSocketAddress(loopback, taken.getLocalPort())).build();
            final UncheckedIOException refused = assertThrows(UncheckedIOException.class, transport::start);
            assertTrue(refused.getMessage().startsWith("cannot listen on "), refused.getMessage());
            assertTrue(refused.getMessage().contains(":" + taken.getLocalPort()), refused.getMessage());
            assertThrows(IOException.class, () -> WireClient.connect(new InetSocketAddress(loopback, free)).close());
            assertEquals(Set.of(), beans("io.sluice.lifecycle"));
            assertEquals(0, transport.buffers().madeBytes());
        }
        Await.until("loops ended", () -> before.containsAll(loopThreads()));
    }

    private static int freePort(final InetAddress address) throws IOException
    {
        try (ServerSocket reserved = new ServerSocket(0, 1, address))
        {
            return reserved.getLocalPort();
        }
    }

    @Test
    void mxBeanLivesAsLongAsTheTransport() throws Exception
    {
        start(builder -> builder.jmxDomain("io.sluice.lifecycle"));
        final ObjectName name = beans("io.sluice.lifecycle").iterator().next();
        assertEquals("NativeTransport", name.getKeyProperty("type"));
        assertTrue(name.getKeyProperty("name").contains("127.0.0.1:" + server.address().getPort()));
        final MBeanServer jmx = ManagementFactory.getPlatformMBeanServer();
        final NativeTransportMXBean bean = JMX.newMXBeanProxy(jmx, name, NativeTransportMXBean.class);
        try (WireClient client = server.ready(5))
        {
            client.request(Requests.query(5, 1, "park"));
            final Exchange parked = server.engine().nextParked();
            assertEquals(1, bean.getConnections());
            assertTrue(bean.getInFlightBytes() > 0);
            bean.setMaxConnections(7);
            assertEquals(7, server.transport().control().limits().maxConnections());
            assertThrows(IllegalArgumentException.class, () -> bean.setRequestsPerConnectionLimit(0));
            assertThrows(IllegalArgumentException.class, () -> bean.setOverloadAction("NONSENSE"));
            bean.setOverloadAction("SHED");
            assertEquals(OverloadAction.SHED, server.transport().control().limits().overloadAction());
            parked.respond(VoidResult.INSTANCE);
            assertEquals(1, client.readEnvelope().streamId());
        }
        server.close();
        assertFalse(jmx.isRegistered(name));
        server = null;
    }

    @Test
    void twoTransportsDoNotMeet() throws Exception
    {
        startWithLimits(limits -> limits.maxConnections(1));
        try (TestServer other = TestServer.start(sockets, builder -> builder.jmxDomain("io.sluice.lifecycle"));
            WireClient here = server.ready(5);
            WireClient there = other.ready(4);
            WireClient thereToo = other.ready(3))
        {
            there.request(Requests.query(4, 1, "park"));
            final Exchange parked = other.engine().nextParked();
            expectServes(here);
            expectServes(thereToo);
            Await.until("given back", () -> server.transport().inFlightBytes() == 0);
            assertEquals(1, server.transport().connections().size());
            assertEquals(2, other.transport().connections().size());
            assertTrue(server.transport().drain(HANG).isDone() || here.readToEnd().length == 0);
            here.leave();
            parked.respond(VoidResult.INSTANCE);
            assertEquals(1, there.readEnvelope().streamId());
            expectServes(thereToo);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void drainDeliversAnswersInWorkAndRefusesLateRequests(final int version) throws Exception
    {
        start();
        try (WireClient client = server.ready(version))
        {
            client.request(Requests.query(version, 1, "park"), Requests.query(version, 2, "park"));
            final Exchange first = server.engine().nextParked();
            final Exchange second = server.engine().nextParked();
            final CompletableFuture<Boolean> drained = server.transport().drain(HANG);
            Await.until("drain reached the connection", () ->
            {
                try
                {
                    final WireEnvelope late = client.ask(Requests.query(version, 3, "void"));
                    return late.type() == Opcode.ERROR && expectError(late, 3, OVERLOADED).errorMessage()
                        .equals("Server is shutting down");
                }
                catch (final IOException e)
                {
                    throw new UncheckedIOException(e);
                }
            });
            assertEquals(Opcode.SUPPORTED, client.ask(Requests.options(version, 4)).type());
            expectNotListening();
            first.respond(ScriptedEngine.rows(2 * MIB));
            assertEquals(first.streamId(), client.readEnvelope().streamId());
            expectError(client.ask(Requests.query(version, 5, "void")), 5, OVERLOADED);
            assertFalse(drained.isDone());
            second.respond(VoidResult.INSTANCE);
            assertEquals(second.streamId(), client.readEnvelope().streamId());
            client.expectEnd();
            client.leave();
            assertTrue(drained.get(HANG.toSeconds(), TimeUnit.SECONDS));
        }
        server.awaitQuiet();
        assertEquals(List.of(CloseReason.SHUTDOWN), server.listener().closed());
    }

    /** The kernel may still take a connection while it closes the listening socket; it is reset at once. */
    private void expectNotListening()
    {
        assertThrows(IOException.class, () ->
        {
            try (WireClient client = server.connect())
            {
                client.send(Requests.options(5, 1));
                client.readBare();
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void drainRefusesRequestsThatWait(final int version) throws Exception
    {
        startWithLimits(limits -> limits.requestsPerConnection(1));
        try (WireClient client = server.ready(version))
        {
            client.request(Requests.query(version, 1, "park"), Requests.query(version, 2, "void"),
                Requests.query(version, 3, "void"));
            final Exchange parked = server.engine().nextParked();
            Await.until("paused", () -> server.listener().paused().contains(PauseCause.REQUESTS_IN_SERVICE));
            final CompletableFuture<Boolean> drained = server.transport().drain(HANG);
            expectError(client, 2, OVERLOADED);
            expectError(client, 3, OVERLOADED);
            parked.respond(VoidResult.INSTANCE);
            assertEquals(1, client.readEnvelope().streamId());
            client.expectEnd();
            client.leave();
            assertTrue(drained.get(HANG.toSeconds(), TimeUnit.SECONDS));
            assertEquals(1, server.engine().served());
        }
    }

    @Test
    void drainClosesWhoeverIsNotReady() throws Exception
    {
        start(builder -> builder.authenticator(new PasswordAuthenticator()));
        try (WireClient silent = server.connect();
            WireClient half = server.connect();
            WireClient asking = server.connect())
        {
            half.send(java.util.Arrays.copyOf(Requests.startup(5, 1, (String)null), 20));
            asking.send(Requests.startup(4, 1, (String)null));
            assertEquals(Opcode.AUTHENTICATE, asking.readBare().type());
            Await.until("accepted", () -> server.transport().connections().size() == 3);
            final CompletableFuture<Boolean> drained = server.transport().drain(HANG);
            silent.expectEnd();
            half.expectEnd();
            asking.expectEnd();
            silent.leave();
            half.leave();
            asking.leave();
            assertTrue(drained.get(HANG.toSeconds(), TimeUnit.SECONDS));
        }
    }

    @Test
    void drainDoesNotWaitForClientsThatDoNotClose() throws Exception
    {
        startWithLimits(limits -> limits.lingerTimeout(Duration.ofMillis(1)));
        try (WireClient client = server.ready(5))
        {
            expectServes(client);
            assertTrue(server.transport().drain(HANG).get(HANG.toSeconds(), TimeUnit.SECONDS));
            client.expectEnd();
        }
    }

    @Test
    void drainOverItsTimeCutsOffAndTellsTheHandler() throws Exception
    {
        start();
        final AtomicBoolean abandoned = new AtomicBoolean();
        try (WireClient client = server.ready(5))
        {
            client.request(Requests.query(5, 1, "park"));
            final Exchange parked = server.engine().nextParked();
            parked.onAbandoned(() -> abandoned.set(true));
            assertFalse(server.transport().drain(Duration.ofMillis(20)).get(HANG.toSeconds(), TimeUnit.SECONDS));
            server.awaitQuiet();
            assertTrue(abandoned.get());
            assertTrue(parked.isAbandoned());
            parked.respond(VoidResult.INSTANCE);
            client.expectEnd();
        }
    }

    @Test
    void transportMayBeClosedWhereItsDrainEnds() throws Exception
    {
        start();
        try (WireClient client = server.ready(5))
        {
            expectServes(client);
            final CompletableFuture<Void> closed = server.transport()
                .drain(HANG)
                .thenAccept(drained -> server.transport().close());
            client.expectEnd();
            client.leave();
            closed.get(HANG.toSeconds(), TimeUnit.SECONDS);
        }
        assertTrue(server.transport().drain(HANG).get(HANG.toSeconds(), TimeUnit.SECONDS));
    }

    @Test
    void closeEndsADrain() throws Exception
    {
        start();
        try (WireClient client = server.ready(5))
        {
            client.request(Requests.query(5, 1, "park"));
            final Exchange parked = server.engine().nextParked();
            final CompletableFuture<Boolean> drained = server.transport().drain(HANG);
            server.transport().close();
            assertFalse(drained.get(HANG.toSeconds(), TimeUnit.SECONDS));
            parked.respond(VoidResult.INSTANCE);
            client.expectEnd();
        }
    }

    @Test
    void closeWithEverythingInWorkLeavesNothing() throws Exception
    {
        startWithLimits(limits -> limits.answerBytesPerConnection(MIB));
        final List<WireClient> clients = new ArrayList<>();
        for (int i = 0; i < 12; i++)
        {
            final WireClient client = WireClient.connectNarrow(server.address(), 4096);
            client.startUp(3 + i % 3, null);
            for (int stream = 0; stream < 40; stream++)
            {
                client.request(Requests.query(client.version(), stream, stream % 10 == 0 ? "park" : "rows 200000"));
            }
            clients.add(client);
        }
        Await.until("busy", () -> server.engine().served() > 50);
        server.transport().close();
        for (Exchange parked; server.engine().parked() > 0;)
        {
            parked = server.engine().nextParked();
            parked.respond(ScriptedEngine.rows(1000));
        }
        for (final WireClient client : clients)
        {
            client.close();
        }
    }

    @Test
    void operatorCanCloseAClient() throws Exception
    {
        start(builder -> builder.jmxDomain("io.sluice.lifecycle"));
        final NativeTransportMXBean bean = JMX.newMXBeanProxy(ManagementFactory.getPlatformMBeanServer(),
            beans("io.sluice.lifecycle").iterator().next(), NativeTransportMXBean.class);
        try (WireClient client = server.ready(5); WireClient other = server.ready(5))
        {
            assertEquals(1, bean.closeConnections("127.0.0.1:" + client.socket().getLocalPort()));
            client.expectEnd();
            expectServes(other);
            assertEquals(0, bean.closeConnections("127.0.0.2"));
            Await.until("closed", () -> bean.getConnections() == 1);
            assertEquals(1, bean.closeConnections("127.0.0.1"));
            other.expectEnd();
        }
        server.awaitQuiet();
        assertEquals(List.of(CloseReason.FORCED, CloseReason.FORCED), server.listener().closed());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void connectionCapRefusesTheNextOneAndCanBeLoweredLive(final boolean perAddress) throws Exception
    {
        start();
        limits(limits -> cap(limits, perAddress, 3));
        final List<WireClient> clients = new ArrayList<>();
        for (int i = 0; i < 3; i++)
        {
            clients.add(server.ready(5));
        }
        expectRefused();
        limits(limits -> cap(limits, perAddress, 1));
        for (final WireClient client : clients)
        {
            // Whoever is in stays.
            expectServes(client);
        }
        clients.remove(2).close();
        clients.remove(1).close();
        Await.until("left", () -> server.transport().connections().size() == 1);
        expectRefused();
        limits(limits -> cap(limits, perAddress, 2));
        clients.add(server.ready(5));
        expectRefused();
        limits(limits -> cap(limits, perAddress, -1));
        for (int i = 0; i < 5; i++)
        {
            clients.add(server.ready(5));
        }
        limits(limits -> cap(limits, perAddress, 0));
        expectRefused();
        for (final WireClient client : clients)
        {
            client.close();
        }
        assertEquals(Collections.nCopies(4, perAddress
            ? RefusalReason.ADDRESS_LIMIT
            : RefusalReason.CONNECTION_LIMIT), server.listener().refused());
        server.awaitQuiet();
        // Refused ones were never opened.
        assertEquals(9, server.listener().opened());
        assertEquals(9, server.listener().closed().size());
    }

    private static void cap(final TransportLimitsBuilder limits, final boolean perAddress, final int cap)
    {
        if (perAddress)
        {
            limits.maxConnectionsPerAddress(cap);
        }
        else
        {
            limits.maxConnections(cap);
        }
    }

    private void expectRefused() throws IOException
    {
        final int count = server.transport().connections().size();
        try (WireClient client = server.connect())
        {
            client.expectEnd();
        }
        Await.until("forgotten", () -> server.transport().connections().size() == count);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void halfCloseGetsAllAnswers(final int version) throws Exception
    {
        startWithLimits(limits -> limits.requestsPerConnection(3));
        try (WireClient client = server.ready(version))
        {
            final List<byte[]> requests = new ArrayList<>();
            for (int stream = 0; stream < 300; stream++)
            {
                requests.add(Requests.query(version, stream, stream == 5 ? "park" : "rows 3000"));
            }
            client.request(requests.toArray(byte[][]::new));
            client.shutOutput();
            server.engine().nextParked().fail(ErrorCode.INVALID, "late");
            final Set<Integer> streams = client.readEnvelopes(300)
                .stream()
                .map(WireEnvelope::streamId)
                .collect(Collectors.toSet());
            assertEquals(300, streams.size());
            client.expectEnd();
        }
        server.awaitQuiet();
        assertEquals(List.of(CloseReason.CLIENT), server.listener().closed());
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void resetInTheMiddleOfAnswersLeavesNothing(final int version) throws Exception
    {
        start();
        for (int round = 0; round < 20; round++)
        {
            final WireClient client = server.ready(version);
            for (int stream = 0; stream < 10; stream++)
            {
                client.request(Requests.query(version, stream, "rows 500000"));
            }
            client.readEnvelopes(round % 4);
            client.reset();
        }
        server.awaitQuiet();
        assertEquals(20, server.listener().closed().size());
        assertEquals(Set.of(CloseReason.CLIENT), Set.copyOf(server.listener().closed()));
    }

    @Test
    void idleConnectionsEndInOrderAndBusyOnesDoNot() throws Exception
    {
        startWithLimits(limits -> limits.idleTimeout(Duration.ofMillis(300)));
        try (WireClient idle = server.ready(5); WireClient busy = server.ready(5))
        {
            busy.request(Requests.query(5, 1, "park"));
            final Exchange parked = server.engine().nextParked();
            idle.expectEnd();
            idle.leave();
            Await.until("idle one closed", () -> server.listener().closed().contains(CloseReason.IDLE_TIMEOUT));
            parked.respond(VoidResult.INSTANCE);
            assertEquals(1, busy.readEnvelope().streamId());
        }
    }

    @Test
    @io.sluice.transport.testkit.LogWatch.Warns
    void requestNeverCompletedIsFailedByItsDeadline() throws Exception
    {
        startWithLimits(limits -> limits.exchangeTimeout(Duration.ofMillis(200)));
        try (WireClient client = server.ready(5))
        {
            client.request(Requests.query(5, 1, "park"));
            final Exchange parked = server.engine().nextParked();
            expectError(client, 1, SERVER_ERROR);
            parked.respond(VoidResult.INSTANCE);
            expectServes(client);
        }
    }
}
