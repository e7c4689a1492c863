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

import io.netty.channel.ChannelOption;
import io.sluice.framing.Opcode;
import io.sluice.framing.request.StartupRequest;
import io.sluice.framing.response.VoidResult;
import io.sluice.transport.testkit.Await;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.WireClient;
import io.sluice.transport.testkit.WireEnvelope;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Unread answers of many clients, and of all kinds: what they may take up, and who has to wait for it. */
final class AnswerBudgetIT extends SocketTest
{
    private static final int ANSWER = 100_000;
    private static final int SHARED = 2 * MIB;
    private static final int STALLED = 10;
    private static final int ASKED = 100;
    private static final int REQUEST_THREADS = 4;
    /** While a client is within its reserve, each thread may begin an answer for it; two more for those who read. */
    private static final int MOST = SHARED +
        (STALLED * REQUEST_THREADS + 2) * (ANSWER + AnswerBudget.RESERVE_BYTES);

    private void startShared(final boolean perAddress, final Duration stallTimeout)
    {
        startWithLimits(limits -> limits.answerBytesPerConnection(MIB)
            .answerBytes(perAddress ? Long.MAX_VALUE : SHARED)
            .answerBytesPerAddress(perAddress ? SHARED : Long.MAX_VALUE)
            .stallTimeout(stallTimeout));
    }

    private List<WireClient> stall(final int version) throws IOException
    {
        final List<WireClient> stalled = new ArrayList<>();
        for (int i = 0; i < STALLED; i++)
        {
            final WireClient client = WireClient.connectNarrow(server.address(), 4096);
            client.startUp(version, null);
            stalled.add(client);
            for (int stream = 0; stream < ASKED; stream++)
            {
                client.request(Requests.query(version, stream, "rows " + ANSWER));
            }
        }
        Await.until("answers pile up", () -> server.transport().answerBytes() >= SHARED);
        return stalled;
    }

    @ParameterizedTest
    @CsvSource({"3,true", "4,false", "5,true", "5,false"})
    void sharedBudgetBoundsAllSlowReadersAndWhoReadsGoesOn(final int version, final boolean perAddress)
        throws IOException
    {
        startShared(perAddress, Duration.ofMinutes(1));
        final List<WireClient> stalled = stall(version);
        try (WireClient reading = server.ready(version))
        {
            for (int i = 0; i < 50; i++)
            {
                expectServes(reading);
                assertTrue(reading.ask(Requests.query(version, i, "rows " + ANSWER)).body().length > ANSWER);
                final long unread = server.transport().answerBytes();
                assertTrue(unread <= MOST, () -> "unread: " + unread);
            }
            for (final WireClient client : stalled)
            {
                final BitSet streams = new BitSet();
                for (final WireEnvelope answer : client.readEnvelopes(ASKED))
                {
                    streams.set(answer.streamId());
                }
                assertEquals(ASKED, streams.cardinality());
                expectServes(client);
                client.close();
            }
        }
    }

    @Test
    void fullSharedBudgetIsFreedByTheStallTimeout() throws IOException
    {
        startShared(false, Duration.ofMillis(300));
        final List<WireClient> stalled = stall(5);
        try (WireClient reading = server.ready(5))
        {
            Await.until("all closed", () -> server.listener().closed().size() == STALLED);
            assertEquals(STALLED, Collections.frequency(server.listener().closed(), CloseReason.STALLED));
            server.awaitIdle();
            expectServes(reading);
        }
        for (final WireClient client : stalled)
        {
            client.close();
        }
    }

    @Test
    void limitsAreLive() throws IOException
    {
        start();
        server.transport()
            .control()
            .limits(TransportLimits.defaults().with().requestTimeout(Duration.ZERO).answerBytes(SHARED).build());
        final List<WireClient> stalled = stall(4);
        for (int i = 0; i < 50; i++)
        {
            final long unread = server.transport().answerBytes();
            assertTrue(unread <= MOST, () -> "unread: " + unread);
            LockSupport.parkNanos(1_000_000);
        }
        for (final WireClient client : stalled)
        {
            assertEquals(ASKED, client.readEnvelopes(ASKED).size());
            client.close();
        }
    }

    /** What a client sends whose answers it does not read. */
    enum Mistake
    {
        /** A STARTUP too many. */
        STATE,
        /** No such opcode. */
        OPCODE,
        /** Nothing where a query should be. */
        BODY,
        /** A version that this connection does not speak. */
        VERSION,
        /** Over the limit. */
        SIZE,
        /** Nothing wrong, but no room: see the test. */
        SHED,
        /** Nothing wrong, and never made to wait for anything else. */
        HEARTBEAT;

        byte[] of(final int version, final int stream)
        {
            return switch (this)
            {
                case STATE -> Requests.startup(version, stream, (String)null);
                case OPCODE -> Requests.envelope(version, 0, stream, 0x77);
                case BODY -> Requests.envelope(version, 0, stream, Opcode.QUERY.code());
                case VERSION -> Requests.envelope(version == 5 ? 4 : 5, 0, stream, Opcode.OPTIONS.code());
                case SIZE -> Requests.queryOfLength(version, stream, 1500);
                case SHED -> Requests.queryOfLength(version, stream, 1000);
                case HEARTBEAT -> Requests.options(version, stream);
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    void errorsCountLikeAnyAnswer(final Mistake mistake) throws Exception
    {
        final int budget = 64 * 1024;
        start(builder -> builder.lifecycle(new NarrowOutput())
            .limits(TransportLimits.defaults()
                .with()
                .answerBytesPerConnection(budget)
                .maxFrameBytes(1024)
                .maxMessageBytes(1024)
                .inFlightBytes(1024)
                .inFlightBytesPerAddress(1024)
                .inFlightBytesPerConnection(1024)
                .overloadAction(OverloadAction.SHED)
                .build()));
        for (int version = 3; version <= 5; version++)
        {
            expectBounded(mistake, version, budget);
        }
    }

    private void expectBounded(final Mistake mistake, final int version, final int budget) throws Exception
    {
        final WireClient slow = WireClient.connectNarrow(server.address(), 4096);
        slow.startUp(version, null);
        final Connection connection = (Connection)server.transport().connections().iterator().next();
        Exchange parked = null;
        if (mistake == Mistake.SHED)
        {
            slow.request(Requests.query(version, 32_000, "park"));
            parked = server.engine().nextParked();
        }
        // Before the flood: its pause may come at once.
        final int pauses = server.listener().paused().size();
        final Flood flood = new Flood(slow, stream -> mistake.of(version, stream));
        flood.start();
        long most = 0;
        final long begun = System.nanoTime();
        while (server.listener().paused().size() == pauses)
        {
            most = Math.max(most, connection.answers.unreadBytes());
            assertTrue(System.nanoTime() - begun < Await.HANG.toNanos(), () -> "hangs: " + mistake + " never pauses");
            Thread.onSpinWait();
        }
        assertEquals(PauseCause.UNREAD_ANSWERS, server.listener().paused().get(pauses), mistake::name);
        for (int i = 0; i < 100; i++)
        {
            most = Math.max(most, connection.answers.unreadBytes());
            LockSupport.parkNanos(100_000);
        }
        final long unread = most;
        assertTrue(unread <= budget + 1024, () -> mistake + " v" + version + " unread: " + unread);
        flood.end();
        if (parked != null)
        {
            parked.respond(VoidResult.INSTANCE);
        }
        slow.leave();
        server.awaitQuiet();
    }

    /** Lets the server's sockets take little, so that budgets are soon reached. */
    private static final class NarrowOutput implements ConnectionLifecycle
    {
        @Override
        public void onStartup(final ClientConnection connection, final StartupRequest startup)
        {
            connection.channel().config().setOption(ChannelOption.SO_SNDBUF, 4096);
        }
    }

    /** Sends until told to end, or until it cannot. */
    private static final class Flood extends Thread
    {
        private final WireClient client;
        private final IntFunction<byte[]> envelope;
        private volatile boolean ended;

        Flood(final WireClient client, final IntFunction<byte[]> envelope)
        {
            this.client = client;
            this.envelope = envelope;
        }

        @Override
        public void run()
        {
            try
            {
                for (int stream = 0; !ended; stream++)
                {
                    final byte[][] many = new byte[200][];
                    for (int i = 0; i < many.length; i++)
                    {
                        many[i] = envelope.apply((stream * many.length + i) % 30_000);
                    }
                    client.request(many);
                }
            }
            catch (final IOException e)
            {
                // The other end of the test.
            }
        }

        /** Whatever it waits for, it gets: the socket is closed next. */
        void end() throws Exception
        {
            ended = true;
            client.leave();
            join(Await.HANG.toMillis());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void requestsInServiceNeverPassTheirCap(final int version) throws IOException
    {
        startWithLimits(limits -> limits.requestsPerConnection(5));
        final int asked = 50;
        try (WireClient client = server.ready(version); WireClient other = server.ready(version))
        {
            final byte[][] requests = new byte[asked][];
            for (int stream = 0; stream < asked; stream++)
            {
                requests[stream] = Requests.query(version, stream, "park");
            }
            client.request(requests);
            final Queue<Exchange> parked = new ArrayDeque<>();
            for (int i = 0; i < 5; i++)
            {
                parked.add(server.engine().nextParked());
            }
            Await.until("paused", () -> server.listener().paused().contains(PauseCause.REQUESTS_IN_SERVICE));
            for (int answered = 0; answered < asked; answered++)
            {
                expectServes(other);
                final int begun = Math.min(asked, 5 + answered);
                assertEquals(begun + answered + 1, server.engine().served());
                parked.remove().respond(VoidResult.INSTANCE);
                client.readEnvelope();
                if (answered + 5 < asked)
                {
                    parked.add(server.engine().nextParked());
                }
            }
        }
    }

    @Test
    void capOfRequestsInServiceIs1024AndLive() throws IOException
    {
        start();
        final int asked = 1500;
        try (WireClient client = server.ready(5))
        {
            final byte[][] requests = new byte[asked][];
            for (int stream = 0; stream < asked; stream++)
            {
                requests[stream] = Requests.query(5, stream, "park");
            }
            client.request(requests);
            Await.until("paused", () -> server.listener().paused().contains(PauseCause.REQUESTS_IN_SERVICE));
            Await.until("all that may be", () -> server.engine().parked() == 1024);
            assertEquals(1024, server.engine().served());
            server.transport()
                .control()
                .limits(TransportLimits.defaults().with().requestsPerConnection(1030).build());
            // Seen at the next answer.
            server.engine().nextParked().respond(VoidResult.INSTANCE);
            client.readEnvelope();
            Await.until("six more", () -> server.engine().served() == 1031);
            assertEquals(1030, server.engine().parked());
            for (int i = 1; i < asked; i++)
            {
                server.engine().nextParked().respond(VoidResult.INSTANCE);
            }
            assertEquals(asked - 1, client.readEnvelopes(asked - 1).size());
        }
    }

    @ParameterizedTest
    @CsvSource({"3,true", "4,false", "5,true", "5,false"})
    void requestsInTheExecutorsQueueAreNotDispatchedOverTheBudget(final int version, final boolean shared)
        throws IOException
    {
        final Queue<Runnable> queue = new ConcurrentLinkedQueue<>();
        start(builder ->
        {
            // The last one waits for its own reader as long as the machine takes to read the others.
            final TransportLimitsBuilder limits = TransportLimits.defaults().with().requestTimeout(Duration.ZERO);
            builder.limits((shared ? limits.answerBytes(MIB) : limits.answerBytesPerConnection(MIB)).build());
            builder.requestExecutor(queue::add);
        });
        final int asked = 4;
        try (WireClient client = WireClient.connectNarrow(server.address(), 4096))
        {
            client.startUp(version, null);
            for (int stream = 0; stream < asked; stream++)
            {
                // More than any socket takes.
                client.request(Requests.query(version, stream, "rows " + 16 * MIB));
            }
            Await.until("all in the queue", () -> queue.size() == asked);
            for (int i = 0; i < asked; i++)
            {
                queue.remove().run();
            }
            assertEquals(1, server.engine().served());
            final BitSet streams = new BitSet();
            for (int i = 0; i < asked; i++)
            {
                streams.set(client.readEnvelope().streamId());
                final int served = i + 1;
                assertEquals(served, server.engine().served());
                if (served < asked)
                {
                    Await.until("the next is dispatched", () -> !queue.isEmpty());
                    while (!queue.isEmpty())
                    {
                        queue.remove().run();
                    }
                }
            }
            assertEquals(asked, streams.cardinality());
        }
    }
}
