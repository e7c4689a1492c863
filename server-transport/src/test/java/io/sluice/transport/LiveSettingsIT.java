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
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.framing.EnvelopeFlags;
import io.sluice.framing.Opcode;
import io.sluice.framing.response.ResponseBody;
import io.sluice.framing.response.VoidResult;
import io.sluice.transport.testkit.Await;
import io.sluice.transport.testkit.LogWatch;
import io.sluice.transport.testkit.PasswordAuthenticator;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.ScriptedEngine;
import io.sluice.transport.testkit.TestServer;
import io.sluice.transport.testkit.WireClient;
import io.sluice.transport.testkit.WireEnvelope;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import javax.management.JMX;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each setting, changed over JMX while clients are at work: connections that are open see its effect, and every
 * request of the load beside it is answered.
 */
@ExtendWith(LogWatch.class)
final class LiveSettingsIT
{
    private static final String DOMAIN = "io.sluice.live";
    private static final int PROTOCOL_ERROR = 0x000A;
    private static final int OVERLOADED = 0x1001;
    private static final int INVALID = 0x2200;
    private static final int SERVER_ERROR = 0;
    private static final int SMALL_ROOM = 16 << 10;
    /** Beside each other, so that the budgets may be small. */
    private static final String SMALL_MESSAGES = "maxFrameBytes=16384 maxMessageBytes=16384 ";
    private static final int BIG = 12_000;
    private static final int FLOOD = 20;
    /** One for each client of the load, and one more. */
    private static final int LOOPS = 3;
    private static final ResponseBody SMALL = VoidResult.INSTANCE;

    private final AtomicLong later = new AtomicLong();
    /** When the transport's clock was stopped, or 0: then it goes. */
    private volatile long stoppedNanos;
    private final List<WireClient> clients = new ArrayList<>();
    private TestServer server;
    private NativeTransportMXBean bean;
    private Load load;

    /** What a setting is changed to, and what comes of it. */
    record Live(String setting, Effect effect)
    {
        @Override
        public String toString()
        {
            return setting;
        }
    }

    /** Changes a setting and looks for what it does. */
    private interface Effect
    {
        void see(LiveSettingsIT test) throws Exception;
    }

    @BeforeEach
    void begin() throws Exception
    {
        server = TestServer.start(TestServer.Sockets.EPOLL, builder -> builder.jmxDomain(DOMAIN)
            .eventLoopThreads(LOOPS)
            .clock(() -> (stoppedNanos == 0 ? System.nanoTime() : stoppedNanos) + later.get())
            .authenticator(new Authenticator()
            {
                private final PasswordAuthenticator passwords = new PasswordAuthenticator();

                @Override
                public String mechanism(final ClientConnection connection)
                {
                    return connection.startupOptions().containsKey("LOGIN") ? passwords.mechanism(connection) : null;
                }

                @Override
                public SaslNegotiation negotiate(final ClientConnection connection)
                {
                    return passwords.negotiate(connection);
                }
            }));
        bean = JMX.newMXBeanProxy(ManagementFactory.getPlatformMBeanServer(), new ObjectName(DOMAIN +
            ":type=NativeTransport,name=" + ObjectName.quote("127.0.0.1:" + server.address().getPort())),
            NativeTransportMXBean.class);
        load = new Load();
    }

    @AfterEach
    void end() throws Exception
    {
        load.stop();
        for (final WireClient client : clients)
        {
            client.close();
        }
        server.close();
    }

    static Stream<Live> settings()
    {
        final List<Live> all = new ArrayList<>();
        all.addAll(sizes());
        all.addAll(budgets());
        all.addAll(connections());
        all.addAll(timeouts());
        all.addAll(sending());
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("settings")
    void takesEffectAtOnceAndNoRequestIsLost(final Live live) throws Exception
    {
        live.effect.see(this);
        final String name = live.setting.split(" ", 2)[0];
        assertEquals("jmx", bean.getSettings().get(name).getSource(), name);
        load.stop();
        assertTrue(load.answered.get() > 0);
    }

    @Test
    @LogWatch.Warns
    void exchangeTimeoutTakesEffectAtOnce() throws Exception
    {
        final WireClient client = ready(5);
        client.request(Requests.query(5, 1, "park"));
        parked(1);
        bean.set("exchangeTimeout", "2000");
        load.stop();
        later.addAndGet(Duration.ofSeconds(3).toNanos());
        assertTrue(client.readEnvelope().isError(SERVER_ERROR));
        server.engine().nextParked().respond(VoidResult.INSTANCE);
    }

    @Test
    void everySettingIsShownHere()
    {
        final Set<String> shown = new HashSet<>(Set.of("exchangeTimeout"));
        settings().forEach(live -> shown.addAll(List.of(live.setting.split(" ", -1))));
        final Set<String> all = new HashSet<>(server.transport().settings().names());
        assertEquals(all, shown);
    }

    // ---- sizes

    private static List<Live> sizes()
    {
        return List.of(
            new Live("maxFrameBytes", test ->
            {
                final WireClient client = test.ready(4);
                test.bean.set("maxFrameBytes", "1024");
                assertTrue(client.ask(Requests.queryOfLength(4, 1, 1025)).isError(INVALID));
                assertEquals(Opcode.RESULT, client.ask(Requests.queryOfLength(4, 2, 1024)).type());
            }),
            new Live("maxMessageBytes", test ->
            {
                final WireClient client = test.ready(5);
                test.bean.set("maxMessageBytes", "1024");
                assertTrue(client.ask(Requests.queryOfLength(5, 1, 1025)).isError(INVALID));
                assertEquals(Opcode.RESULT, client.ask(Requests.queryOfLength(5, 2, 1024)).type());
            }),
            new Live("preLoginMessageBytes", test ->
            {
                final WireClient client = test.connect();
                test.bean.set("preLoginMessageBytes", "1024");
                client.send(Requests.startup(5, 1, Map.of("CQL_VERSION", "3.0.0", "x", "y".repeat(1_100))));
                assertTrue(client.readBare().isError(PROTOCOL_ERROR));
            }),
            new Live("consecutiveErrors", test ->
            {
                final WireClient client = test.ready(5);
                final byte[] bad = Requests.envelope(5, 0, 1, Opcode.QUERY.code(), (byte)1);
                assertTrue(client.ask(bad).isError(PROTOCOL_ERROR));
                test.bean.set("consecutiveErrors", "0");
                client.request(bad);
                client.readEnvelope();
                client.expectEnd();
            }));
    }

    // ---- budgets

    private static List<Live> budgets()
    {
        return List.of(
            new Live("inFlightBytes", test -> test.budget(PauseCause.GLOBAL_BYTES,
                SMALL_MESSAGES + "inFlightBytesPerAddress=16384 inFlightBytes=16384", "inFlightBytes=1000000",
                "127.0.0.2")),
            new Live("inFlightBytesPerAddress", test -> test.budget(PauseCause.ADDRESS_BYTES,
                SMALL_MESSAGES + "inFlightBytesPerAddress=16384", "inFlightBytesPerAddress=1000000", "127.0.0.1")),
            new Live("inFlightBytesPerConnection", test ->
            {
                final WireClient client = test.ready(5);
                test.bean.setAll(SMALL_MESSAGES + "inFlightBytesPerConnection=16384");
                client.request(park(5, 1), park(5, 2));
                test.parked(1);
                test.awaitPaused(PauseCause.CONNECTION_BYTES);
                test.bean.set("inFlightBytesPerConnection", "1000000");
                test.parked(2);
                test.completeParked(client, 2);
            }),
            new Live("requestsPerConnection", test ->
            {
                final WireClient client = test.ready(4);
                test.bean.set("requestsPerConnection", "1");
                client.request(Requests.query(4, 1, "park"), Requests.query(4, 2, "park"));
                test.parked(1);
                test.awaitPaused(PauseCause.REQUESTS_IN_SERVICE);
                test.bean.set("requestsPerConnection", "2");
                test.parked(2);
                test.completeParked(client, 2);
            }),
            new Live("requestsPerSecond", test ->
            {
                final WireClient client = test.ready(5);
                test.bean.set("requestsPerSecond", "1");
                test.flood(client);
                test.bean.set("requestsPerSecond", "0");
                assertEquals(FLOOD, client.readEnvelopes(FLOOD).size());
            }),
            new Live("requestBurst", test ->
            {
                final WireClient client = test.ready(4);
                test.bean.setAll("requestBurst=0 requestsPerSecond=1");
                test.flood(client);
                // As many as are there, and more, saved up at once.
                test.bean.set("requestBurst", "3600000");
                assertEquals(FLOOD, client.readEnvelopes(FLOOD).size());
                test.bean.set("requestsPerSecond", "0");
            }),
            new Live("queueAge", test ->
            {
                final WireClient client = test.ready(5);
                test.load.stop();
                test.bean.set("queueAge", "2000");
                final List<Thread> busy = test.occupyRequestThreads(client);
                client.request(Requests.query(5, 77, "void"));
                Await.until("queued", () -> test.inbound() == 1);
                test.later.addAndGet(Duration.ofSeconds(3).toNanos());
                client.request(Requests.query(5, 78, "void"));
                test.awaitPaused(PauseCause.QUEUE_AGE);
                test.bean.set("queueAge", "0");
                Await.until("taken", () -> test.server.transport().heldBytes() == 0);
                busy.forEach(Thread::interrupt);
                assertEquals(6, streams(client.readEnvelopes(6)).size());
            }),
            new Live("queueBackoffLeast", test ->
            {
                test.bean.setAll("queueBackoffLeast=3600000 queueBackoffMost=3600000");
                final OldQueue queue = test.oldQueue();
                queue.begin();
                // Nothing stands in its way any more; for an hour nobody looks.
                queue.others(30);
                assertEquals(1, test.server.engine().parked());
                assertTrue(test.server.transport().heldBytes() > 0);
                test.bean.setAll("queueBackoffLeast=5 queueBackoffMost=5");
                queue.end();
                // The first look of a connection is after the least, however long others may be.
                test.bean.setAll("queueBackoffLeast=5 queueBackoffMost=3600000");
                final OldQueue next = test.oldQueue();
                next.begin();
                next.end();
            }),
            new Live("queueBackoffMost", test ->
            {
                test.bean.setAll("queueBackoffLeast=3600000 queueBackoffMost=3600000");
                final OldQueue queue = test.oldQueue();
                // Looked at again, as at every change: twice as long, or the most.
                test.bean.set("queueBackoffLeast", "5");
                test.bean.set("queueBackoffMost", "5");
                queue.begin();
                queue.end();
            }),
            new Live("overloadAction", test ->
            {
                final WireClient client = test.ready(5);
                test.bean.setAll(SMALL_MESSAGES + "inFlightBytesPerConnection=16384 overloadAction=SHED");
                client.request(park(5, 1), park(5, 2));
                assertTrue(client.readEnvelope().isError(OVERLOADED));
                test.completeParked(client, 1);
            }),
            new Live("answerBytes", test -> test.unread("answerBytes=65536 answerBytesPerAddress=65536",
                "answerBytes=100000000 answerBytesPerAddress=100000000")),
            new Live("answerBytesPerAddress", test -> test.unread("answerBytesPerAddress=65536",
                "answerBytesPerAddress=16777216")),
            new Live("answerBytesPerConnection", test -> test.unread("answerBytesPerConnection=65536",
                "answerBytesPerConnection=8388608")),
            new Live("answerBytesHardLimit", test ->
            {
                final WireClient client = test.narrow();
                test.bean.setAll("answerBytesHardLimit=1000000 answerBytesPerConnection=1000000");
                client.request(Requests.query(5, 1, "rows 8000000"));
                test.awaitClosed(CloseReason.ANSWER_LIMIT);
            }));
    }

    /** Sends more than may be served, while the load goes on waiting as well. */
    private void flood(final WireClient client) throws IOException
    {
        final byte[][] all = new byte[FLOOD][];
        for (int i = 0; i < FLOOD; i++)
        {
            all[i] = Requests.query(client.version(), i, "void");
        }
        client.request(all);
        awaitPaused(PauseCause.REQUEST_RATE);
    }

    /** The load is over, and all threads are busy. */
    private OldQueue oldQueue() throws Exception
    {
        return new OldQueue();
    }

    /** The first request takes up all there is; the second one waits until there is more, without any release. */
    private void budget(final PauseCause cause, final String less, final String more, final String second)
        throws IOException
    {
        final WireClient client = ready(5);
        final Socket socket = new Socket();
        socket.bind(new InetSocketAddress(InetAddress.getByName(second), 0));
        socket.connect(server.address());
        final WireClient other = WireClient.over(socket);
        clients.add(other);
        other.startUp(4, null);
        bean.setAll(less);
        client.request(park(5, 1));
        parked(1);
        other.request(park(4, 1));
        awaitPaused(cause);
        assertEquals(1, server.engine().parked());
        bean.setAll(more);
        parked(2);
        for (int i = 0; i < 2; i++)
        {
            server.engine().nextParked().respond(VoidResult.INSTANCE);
        }
        client.readEnvelope();
        other.readEnvelope();
    }

    /** Unread answers keep a client from being read, until more are allowed. */
    private void unread(final String less, final String more) throws IOException
    {
        final WireClient client = narrow();
        client.request(Requests.query(5, 1, "rows 7000000"));
        Await.until("answer there", () -> server.transport().answerBytes() > 1 << 20);
        bean.setAll(less);
        client.request(Requests.query(5, 2, "void"));
        awaitPaused(PauseCause.UNREAD_ANSWERS);
        final int resumed = server.listener().resumed();
        bean.setAll(more);
        Await.until("read on", () -> server.listener().resumed() > resumed);
        assertEquals(Set.of(1, 2), streams(client.readEnvelopes(2)));
    }

    // ---- connections

    private static List<Live> connections()
    {
        return List.of(
            new Live("maxConnections", test ->
            {
                test.bean.set("maxConnections", Integer.toString(test.bean.getConnections()));
                test.connect().expectEnd();
                assertEquals(List.of(RefusalReason.CONNECTION_LIMIT), test.server.listener().refused());
                assertEquals(1, test.bean.getRefusedConnections().get("connection-limit"));
            }),
            new Live("maxConnectionsPerAddress", test ->
            {
                test.bean.set("maxConnectionsPerAddress", Integer.toString(test.bean.getConnections()));
                test.connect().expectEnd();
                assertEquals(List.of(RefusalReason.ADDRESS_LIMIT), test.server.listener().refused());
                assertEquals(Map.of("connection-limit", 0L, "address-limit", 1L, "proxy-header", 0L, "shutdown", 0L,
                    "server-error", 0L), test.bean.getRefusedConnections());
                test.bean.reset("maxConnectionsPerAddress");
                test.ready(5);
                test.bean.set("maxConnectionsPerAddress", "1000");
            }),
            new Live("preLoginMessages", test ->
            {
                final WireClient client = test.connect();
                client.send(Requests.options(5, 1));
                assertEquals(Opcode.SUPPORTED, client.readBare().type());
                test.bean.set("preLoginMessages", "1");
                client.send(Requests.options(5, 2));
                assertTrue(client.readBare().isError(PROTOCOL_ERROR));
            }),
            new Live("preLoginBytes", test ->
            {
                test.bean.set("preLoginBytes", "1048576");
                for (int i = 0; i < 20; i++)
                {
                    final WireClient client = test.connect();
                    client.send(Requests.header(5, 1, Opcode.STARTUP, 99_000), new byte[90_000]);
                }
                test.awaitClosed(CloseReason.OUT_OF_MEMORY);
            }),
            new Live("loginAttempts", test ->
            {
                final WireClient client = test.login();
                assertEquals(Opcode.ERROR, client.ask(Requests.authResponse(5, 1, text("wrong"))).type());
                test.bean.set("loginAttempts", "2");
                assertEquals(Opcode.ERROR, client.ask(Requests.authResponse(5, 2, text("wrong"))).type());
                client.expectEnd();
                test.awaitClosed(CloseReason.LOGIN_ATTEMPTS);
            }),
            new Live("olderVersionsAllowed", test ->
            {
                final WireClient open = test.ready(4);
                test.bean.set("olderVersionsAllowed", "false");
                final WireClient client = test.connect();
                client.send(Requests.startup(4, 1, (String)null));
                assertTrue(client.readBare().isError(PROTOCOL_ERROR));
                assertEquals(Opcode.RESULT, open.ask(Requests.query(4, 1, "void")).type());
            }));
    }

    // ---- timeouts

    private static List<Live> timeouts()
    {
        return List.of(
            new Live("handshakeTimeout", test ->
            {
                test.connect();
                Await.until("accepted", () -> test.bean.getConnections() == 3);
                test.passes("handshakeTimeout", CloseReason.HANDSHAKE_TIMEOUT);
            }),
            new Live("idleTimeout", test ->
            {
                test.ready(5);
                test.passes("idleTimeout", CloseReason.IDLE_TIMEOUT);
            }),
            new Live("stallTimeout", test ->
            {
                final WireClient client = test.ready(4);
                test.load.stop();
                client.send(Requests.header(4, 1, Opcode.QUERY, 100));
                // Else the clock might move before its time begins.
                Await.until("read", () -> test.bean.getInFlightBytes() > 0);
                test.passes("stallTimeout", CloseReason.STALLED);
            }),
            new Live("requestTimeout", test ->
            {
                final WireClient client = test.ready(5);
                test.bean.set("requestTimeout", "2000");
                test.load.stop();
                final List<Thread> busy = test.occupyRequestThreads(client);
                client.request(Requests.query(5, 77, "void"));
                Await.until("queued", () -> test.bean.getInFlightBytes() > 0 && test.inbound() == 1);
                test.later.addAndGet(Duration.ofSeconds(3).toNanos());
                busy.forEach(Thread::interrupt);
                final List<WireEnvelope> answers = client.readEnvelopes(5);
                final WireEnvelope late = answers.stream().filter(answer -> answer.streamId() == 77).findAny().get();
                assertTrue(late.isError(OVERLOADED), late::toString);
                assertEquals("Query timed out before it could start", late.errorMessage());
            }),
            new Live("closeTimeout", test ->
            {
                final WireClient client = test.ready(4);
                client.request(Requests.query(4, 1, "park"));
                test.parked(1);
                client.send(Requests.startup(4, 9, (String)null), new byte[]{9, 9, 9, 9, 9, 9, 9, 9, 9});
                assertTrue(client.readEnvelope().isError(PROTOCOL_ERROR));
                test.bean.set("closeTimeout", "2000");
                test.load.stop();
                test.later.addAndGet(Duration.ofSeconds(3).toNanos());
                assertTrue(client.readEnvelope().isError(OVERLOADED));
                test.server.engine().nextParked().respond(VoidResult.INSTANCE);
            }),
            new Live("lingerTimeout", test ->
            {
                test.bean.set("lingerTimeout", "3600000");
                final WireClient client = test.ready(4);
                client.send(new byte[]{9, 9, 9, 9, 9, 9, 9, 9, 9});
                assertTrue(client.readEnvelope().isError(PROTOCOL_ERROR));
                client.expectEnd();
                test.load.stop();
                Await.until("load has left", () -> test.bean.getConnections() == 1);
                test.later.addAndGet(Duration.ofMinutes(1).toNanos());
                test.bean.set("lingerTimeout", "2000");
                Await.until("closed", () -> test.bean.getConnections() == 0);
            }));
    }

    /** Not over before the change, over after it. */
    private void passes(final String setting, final CloseReason reason) throws Exception
    {
        load.stop();
        bean.set(setting, "3600000");
        later.addAndGet(Duration.ofMinutes(2).toNanos());
        final WireClient other = ready(5);
        assertEquals(Opcode.RESULT, other.ask(Requests.query(5, 1, "void")).type());
        assertTrue(!server.listener().closed().contains(reason), () -> server.listener().closed().toString());
        other.close();
        bean.set(setting, "60000");
        awaitClosed(reason);
    }

    /** All threads of the engine wait until they are interrupted. */
    private List<Thread> occupyRequestThreads(final WireClient client) throws IOException
    {
        final Queue<Thread> threads = new ConcurrentLinkedQueue<>();
        server.engine().beforeEach(() ->
        {
            threads.add(Thread.currentThread());
            try
            {
                Thread.currentThread().join();
            }
            catch (final InterruptedException e)
            {
                // Goes on.
            }
        });
        for (int i = 1; i <= 4; i++)
        {
            client.request(Requests.query(5, i, "void"));
        }
        Await.until("threads busy", () -> threads.size() == 4);
        server.engine().beforeEach(() ->
        {
        });
        return List.copyOf(threads);
    }

    /** 1 once everything that clients have sent so far was read. */
    private int inbound()
    {
        return server.transport().inFlightBytes() >= 5L * Requests.query(5, 1, "void").length ? 1 : 0;
    }

    // ---- sending

    private static List<Live> sending()
    {
        return List.of(
            new Live("flushLongestHold", test ->
            {
                final FlushProbe probe = test.flushProbe();
                // With answers a millisecond apart nobody comes in a millisecond, but many do in a hundred.
                assertFalse(probe.holds(40, 1_000_000, SMALL));
                test.bean.set("flushLongestHold", "100000000");
                assertTrue(probe.holds(40, 1_000_000, SMALL));
                test.bean.reset("flushLongestHold");
                assertTrue(probe.holds(40, 1_000, SMALL));
                test.bean.setAll("flushLongestHold=0 flushGrace=0");
                assertFalse(probe.holds(40, 1_000, SMALL));
            }),
            new Live("flushGrace", test ->
            {
                final FlushProbe probe = test.flushProbe();
                assertFalse(probe.holds(8, 15_000, SMALL), "two more are due in 30 microseconds, and 20 may pass");
                test.bean.set("flushGrace", "50000");
                assertTrue(probe.holds(8, 15_000, SMALL));
                assertTrue(probe.holds(8, 1_000, SMALL));
                test.bean.set("flushGrace", "0");
                assertFalse(probe.holds(8, 1_000, SMALL));
            }),
            new Live("flushFree", test ->
            {
                final FlushProbe probe = test.flushProbe();
                assertFalse(probe.holds(16, 20_000, SMALL));
                test.bean.set("flushFree", "0");
                assertTrue(probe.holds(16, 20_000, SMALL), "all of them widen the window");
                test.bean.reset("flushFree");
                assertTrue(probe.holds(40, 15_000, SMALL));
                test.bean.set("flushFree", "65535");
                assertFalse(probe.holds(40, 15_000, SMALL), "none of them does");
            }),
            new Live("flushFillBytes", test ->
            {
                test.bytesThatCloseAWindow(test.sizeThatDoesNotWait("flushFillBytes"));
            }),
            new Live("flushLargeBytes", test -> test.sizeThatDoesNotWait("flushLargeBytes")),
            new Live("compressionMinimumBytes", test ->
            {
                final WireClient client = test.lz4();
                final int payload = 9 + test.zeros(client, 1);
                assertEquals(0, client.storedSegmentsRead());
                test.bean.set("compressionMinimumBytes", Integer.toString(payload));
                test.zeros(client, 3);
                assertEquals(0, client.storedSegmentsRead());
                test.bean.set("compressionMinimumBytes", Integer.toString(payload + 1));
                test.zeros(client, 3);
                assertEquals(3, client.storedSegmentsRead());
                final WireClient older = test.lz4Bodies();
                // Before version 5 it is the body that counts, without its header.
                final int body = test.zeros(older, 1);
                test.bean.set("compressionMinimumBytes", Integer.toString(body));
                assertEquals(2, test.compressedBodies(older, 2));
                test.bean.set("compressionMinimumBytes", Integer.toString(body + 1));
                assertEquals(0, test.compressedBodies(older, 2));
            }),
            new Live("compressionLeastSaving", test ->
            {
                final WireClient client = test.lz4();
                final WireClient older = test.lz4Bodies();
                // Long enough for the mean to be near what is saved, nine tenths and more.
                test.zeros(client, 30);
                assertEquals(0, client.storedSegmentsRead());
                assertEquals(30, test.compressedBodies(older, 30));
                test.bean.setAll("compressionLeastSaving=800 compressionProbeEvery=1000");
                test.zeros(client, 3);
                assertEquals(0, client.storedSegmentsRead());
                test.bean.set("compressionLeastSaving", "1000");
                test.zeros(client, 3);
                assertEquals(3, client.storedSegmentsRead());
                assertEquals(0, test.compressedBodies(older, 3));
                test.bean.set("compressionLeastSaving", "0");
                test.zeros(client, 3);
                assertEquals(3, client.storedSegmentsRead(), "no more than before");
                assertEquals(3, test.compressedBodies(older, 3));
            }),
            new Live("compressionProbeEvery", test ->
            {
                final WireClient client = test.lz4();
                final WireClient older = test.lz4Bodies();
                test.bean.setAll("compressionLeastSaving=1000 compressionProbeEvery=2");
                test.zeros(client, 8);
                assertEquals(4, client.storedSegmentsRead(), "every other one is tried");
                assertEquals(4, test.compressedBodies(older, 8));
                test.bean.set("compressionProbeEvery", "4");
                test.zeros(client, 8);
                assertEquals(4 + 6, client.storedSegmentsRead(), "every fourth is tried");
                assertEquals(2, test.compressedBodies(older, 8));
            }));
    }

    /** From this size on an answer does not wait, and shorter ones do. */
    private FlushProbe sizeThatDoesNotWait(final String setting) throws Exception
    {
        final FlushProbe probe = flushProbe();
        final ResponseBody larger = ScriptedEngine.rows(5_000);
        assertTrue(probe.holds(40, 1_000, larger));
        bean.set(setting, "4096");
        assertFalse(probe.holds(40, 1_000, larger));
        assertTrue(probe.holds(40, 1_000, SMALL));
        bean.set(setting, "1");
        assertFalse(probe.holds(40, 1_000, SMALL));
        return probe;
    }

    private void bytesThatCloseAWindow(final FlushProbe probe) throws Exception
    {
        final ResponseBody more = ScriptedEngine.rows(5_000);
        bean.setAll("flushFillBytes=4096 flushLongestHold=100000000");
        boolean isFilled = false;
        // A window is of real time: on a machine that is busy it may be over before the second answer.
        for (int i = 0; i < 50 && !isFilled; i++)
        {
            isFilled = probe.isFilled(40, 1_000_000, SMALL, more);
        }
        assertTrue(isFilled);
        bean.set("flushFillBytes", "1000000");
        assertFalse(probe.isFilled(40, 1_000_000, SMALL, more));
    }

    /** Stops the transport's clock. The load goes on, on other event loops. */
    private FlushProbe flushProbe() throws Exception
    {
        stoppedNanos = System.nanoTime();
        for (int i = 0; i < LOOPS; i++)
        {
            final WireClient client = ready(5);
            final int port = client.socket().getLocalPort();
            final LoopContext loop = server.transport().context.connections.all()
                .stream()
                .filter(connection -> connection.remoteAddress().getPort() == port)
                .findAny()
                .orElseThrow().loop;
            if (loop.loop.submit(loop::connectionCount).get() == 1)
            {
                return new FlushProbe(server, client, loop, later::addAndGet);
            }
        }
        throw new AssertionError("no event loop is free of the load");
    }

    private WireClient lz4() throws IOException
    {
        final WireClient client = WireClient.ready(server.address(), 5, "lz4");
        clients.add(client);
        return client;
    }

    private WireClient lz4Bodies() throws IOException
    {
        final WireClient client = WireClient.ready(server.address(), 4, "lz4");
        clients.add(client);
        return client;
    }

    /** Answers that compress well, one after the other; returns the length of a body. */
    private int zeros(final WireClient client, final int times) throws IOException
    {
        int length = 0;
        for (int i = 0; i < times; i++)
        {
            final WireEnvelope answer = client.ask(Requests.query(client.version(), 1, "zeros 1000"));
            assertEquals(Opcode.RESULT, answer.type());
            length = answer.body().length;
        }
        return length;
    }

    /** How many of so many of them, in version 4, came compressed. */
    private int compressedBodies(final WireClient client, final int times) throws IOException
    {
        int compressed = 0;
        for (int i = 0; i < times; i++)
        {
            final WireEnvelope answer = client.ask(Requests.query(4, 1, "zeros 1000"));
            assertEquals(Opcode.RESULT, answer.type());
            compressed += (answer.flags() & EnvelopeFlags.COMPRESSED) == 0 ? 0 : 1;
        }
        return compressed;
    }

    // ---- tools

    private static byte[] text(final String text)
    {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] park(final int version, final int streamId)
    {
        return Requests.query(version, streamId, "park " + "x".repeat(BIG));
    }

    private static Set<Integer> streams(final List<WireEnvelope> envelopes)
    {
        final Set<Integer> streams = new HashSet<>();
        envelopes.forEach(envelope -> streams.add(envelope.streamId()));
        return streams;
    }

    private WireClient connect() throws IOException
    {
        final WireClient client = server.connect();
        clients.add(client);
        return client;
    }

    private WireClient ready(final int version) throws IOException
    {
        final WireClient client = connect();
        client.startUp(version, null);
        return client;
    }

    private WireClient narrow() throws IOException
    {
        final WireClient client = WireClient.connectNarrow(server.address(), SMALL_ROOM);
        clients.add(client);
        client.startUp(5, null);
        return client;
    }

    private WireClient login() throws IOException
    {
        final WireClient client = connect();
        client.send(Requests.startup(5, 1, Map.of("CQL_VERSION", "3.0.0", "LOGIN", "yes")));
        assertEquals(Opcode.AUTHENTICATE, client.readBare().type());
        client.switchTo(5, null);
        return client;
    }

    private void parked(final int count)
    {
        Await.until(count + " parked", () -> server.engine().parked() == count);
    }

    private void completeParked(final WireClient client, final int count) throws IOException
    {
        for (int i = 0; i < count; i++)
        {
            server.engine().nextParked().respond(VoidResult.INSTANCE);
        }
        for (final WireEnvelope answer : client.readEnvelopes(count))
        {
            assertEquals(Opcode.RESULT, answer.type(), answer::toString);
        }
    }

    private void awaitPaused(final PauseCause cause)
    {
        Await.until("paused: " + cause, () -> server.listener().paused().contains(cause));
    }

    private void awaitClosed(final CloseReason reason)
    {
        Await.until("closed: " + reason, () -> server.listener().closed().contains(reason));
    }

    /**
     * A connection whose oldest request waits for a thread for too long, and whose next one has to wait for that. What
     * is answered beside it is of other connections, so that only its own timer makes it look again.
     */
    private final class OldQueue
    {
        private final WireClient crowd = ready(5);
        private final WireClient other = ready(5);
        private final WireClient client = ready(5);
        private final List<Thread> busy;

        OldQueue() throws Exception
        {
            load.stop();
            bean.set("queueAge", "2000");
            final int paused = server.listener().paused().size();
            busy = occupyRequestThreads(crowd);
            client.request(Requests.query(5, 77, "park"));
            Await.until("queued", () -> inbound() == 1);
            later.addAndGet(Duration.ofSeconds(3).toNanos());
            client.request(Requests.query(5, 78, "park"));
            Await.until("waits", () -> server.listener().paused().size() == paused + 1);
            assertEquals(PauseCause.QUEUE_AGE, server.listener().paused().get(paused));
        }

        /** The oldest has its handler now, which answers nothing. */
        void begin()
        {
            busy.get(0).interrupt();
            // With a backoff of milliseconds the next one may be there as well before anybody looks.
            Await.until("parked", () -> server.engine().parked() >= 1);
        }

        /** Others are served meanwhile. */
        void others(final int requests) throws IOException
        {
            for (int i = 0; i < requests; i++)
            {
                assertEquals(Opcode.RESULT, other.ask(Requests.query(5, i, "void")).type());
            }
        }

        /** The next one goes on by itself, and everybody gets an answer. */
        void end() throws IOException
        {
            parked(2);
            busy.forEach(Thread::interrupt);
            completeParked(client, 2);
            assertEquals(4, streams(crowd.readEnvelopes(4)).size());
        }
    }

    /** Clients of versions 4 and 5 that ask one thing after another and get an answer to each. */
    private final class Load
    {
        private final List<Thread> threads = new ArrayList<>();
        private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        private volatile boolean stopping;
        private final AtomicLong answered = new AtomicLong();

        Load() throws IOException
        {
            final WireClient old = WireClient.ready(server.address(), 4, "lz4");
            final WireClient current = WireClient.ready(server.address(), 5, "lz4");
            for (final WireClient client : List.of(old, current))
            {
                final Thread thread = new Thread(() -> run(client), "load");
                threads.add(thread);
                thread.start();
            }
            Await.until("load", () -> answered.get() > 10);
        }

        private void run(final WireClient client)
        {
            try (client)
            {
                for (int i = 0; !stopping; i++)
                {
                    final WireEnvelope answer = client.ask(Requests.query(client.version(), i & 0x7FFF, "void"));
                    assertTrue(answer.type() == Opcode.RESULT || answer.isError(OVERLOADED), answer::toString);
                    answered.incrementAndGet();
                }
            }
            catch (final Throwable t)
            {
                failures.add(t);
            }
        }

        void stop() throws InterruptedException
        {
            stopping = true;
            for (final Thread thread : threads)
            {
                thread.join();
            }
            if (!failures.isEmpty())
            {
                throw new AssertionError("the load lost a request", failures.peek());
            }
        }
    }
}
