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
import io.sluice.framing.response.VoidResult;
import io.sluice.transport.testkit.Await;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.Segments;
import io.sluice.transport.testkit.TestServer;
import io.sluice.transport.testkit.WireClient;
import io.sluice.transport.testkit.WireEnvelope;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Requests that have to wait: for the rate, for those before them, for room. They go on in their order; heartbeats
 * behind them are answered meanwhile; what was shed or had to wait says why.
 */
final class WaitingIT extends SocketTest
{
    private static final int BIG = 12_000;

    private final AtomicLong later = new AtomicLong();
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    private TestServer begin(final Consumer<TransportLimitsBuilder> change)
    {
        return start(builder ->
        {
            TestServer.limits(change).accept(builder);
            builder.clock(() -> System.nanoTime() + later.get());
        });
    }

    /** Requests wait until a test runs them. */
    private TestServer beginHolding(final Consumer<TransportLimitsBuilder> change)
    {
        return start(builder ->
        {
            TestServer.limits(change).accept(builder);
            builder.clock(() -> System.nanoTime() + later.get()).requestExecutor(tasks::add);
        });
    }

    private static TransportLimitsBuilder narrow(final TransportLimitsBuilder limits)
    {
        return limits.maxFrameBytes(200_000).maxMessageBytes(200_000).inFlightBytesPerConnection(200_000);
    }

    private void change(final Consumer<TransportLimitsBuilder> change)
    {
        final TransportLimitsBuilder limits = server.transport().control().limits().with();
        change.accept(limits);
        server.transport().control().limits(limits.build());
    }

    private static byte[] park(final int version, final int streamId, final int bytes)
    {
        return Requests.query(version, streamId, "park " + "x".repeat(bytes));
    }

    private static void expectHeartbeat(final WireClient client, final int streamId) throws IOException
    {
        assertEquals(Opcode.SUPPORTED, client.ask(Requests.options(client.version(), streamId)).type());
    }

    private static void expectWarning(final WireEnvelope answer, final String text)
    {
        assertEquals(Opcode.RESULT, answer.type(), answer::toString);
        if (answer.version() >= 4)
        {
            assertTrue((answer.flags() & EnvelopeFlags.WARNING) != 0, answer::toString);
            assertTrue(new String(answer.body(), StandardCharsets.UTF_8).contains(text), answer::toString);
        }
        else
        {
            assertEquals(0, answer.flags() & EnvelopeFlags.WARNING);
        }
    }

    private void awaitPaused(final PauseCause cause)
    {
        Await.until("paused: " + cause, () -> server.listener().paused().contains(cause));
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void overTheRateRequestsWaitAndHeartbeatsDoNot(final int version) throws Exception
    {
        begin(limits -> limits.requestsPerSecond(1).requestBurst(Duration.ZERO));
        final List<WireClient> crowd = new ArrayList<>();
        try (WireClient client = server.ready(version))
        {
            expectServes(client);
            // Each of them has a moment before this client's: it waits as long as a test may take.
            for (int i = 0; i < 60; i++)
            {
                final WireClient other = server.ready(5);
                crowd.add(other);
                other.request(Requests.query(5, 1, "void"));
            }
            Await.until("crowd waits", () -> server.listener().paused().size() >= 55);
            client.request(Requests.query(version, 1, "void"), Requests.query(version, 2, "void"));
            Await.until("waits", () -> server.transport().heldBytes() >= 62L * Requests.query(4, 1, "void").length);
            for (int i = 0; i < 20; i++)
            {
                expectHeartbeat(client, 100 + i);
            }
            // No rate: who waits goes on at once.
            change(limits -> limits.requestsPerSecond(0));
            final List<WireEnvelope> answers = client.readEnvelopes(2);
            assertEquals(List.of(1, 2), answers.stream().map(WireEnvelope::streamId).sorted().toList());
            expectWarning(answers.stream().filter(answer -> answer.streamId() == 1).findAny().get(), "requests/second");
            for (final WireClient other : crowd)
            {
                assertEquals(Opcode.RESULT, other.readEnvelope().type());
            }
            assertEquals(Set.of(PauseCause.REQUEST_RATE), Set.copyOf(server.listener().paused()));
        }
        finally
        {
            for (final WireClient other : crowd)
            {
                other.close();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5})
    void theWaitForTheRateEndsByItself(final int version) throws Exception
    {
        begin(limits -> limits.requestsPerSecond(50).requestBurst(Duration.ZERO));
        try (WireClient client = server.ready(version))
        {
            final long since = System.nanoTime();
            for (int i = 0; i < 10; i++)
            {
                client.request(Requests.query(version, i, "void"));
            }
            final List<WireEnvelope> answers = client.readEnvelopes(10);
            assertEquals(10, streams(answers).size());
            // A lower bound only: the tenth moment is nine intervals after the first.
            assertTrue(System.nanoTime() - since >= Duration.ofMillis(180).toNanos());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5})
    void overTheRateRequestsAreShedIfTheClientAsksForIt(final int version) throws Exception
    {
        begin(limits -> limits.requestsPerSecond(1).requestBurst(Duration.ofSeconds(2)));
        try (WireClient client = server.connect())
        {
            client.send(Requests.startup(version, 1, Map.of("CQL_VERSION", "3.0.0", "THROW_ON_OVERLOAD", "1")));
            client.switchTo(version, null);
            assertEquals(Opcode.READY, client.readBare().type());
            expectServes(client);
            expectServes(client);
            final WireEnvelope shed = client.ask(Requests.query(version, 3, "void"));
            assertTrue(shed.isError(OVERLOADED), shed::toString);
            assertTrue(shed.errorMessage().contains("1 requests/second"), shed::toString);
            expectHeartbeat(client, 4);
            later.addAndGet(Duration.ofSeconds(1).toNanos());
            expectServes(client);
            assertEquals(List.of(PauseCause.REQUEST_RATE), server.listener().shed());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void behindOldRequestsNoMoreAreTakenUntilTheHandlerGetsThem(final int version) throws Exception
    {
        beginHolding(limits -> limits.queueAge(Duration.ofSeconds(2)));
        try (WireClient client = server.ready(version))
        {
            client.request(Requests.query(version, 1, "void"));
            Await.until("queued", () -> tasks.size() == 1);
            later.addAndGet(Duration.ofSeconds(3).toNanos());
            client.request(Requests.query(version, 2, "void"), Requests.query(version, 3, "void"));
            awaitPaused(PauseCause.QUEUE_AGE);
            expectHeartbeat(client, 100);
            assertEquals(1, tasks.size());
            tasks.poll().run();
            assertEquals(1, client.readEnvelope().streamId());
            // Each is looked at when the one before it has gone on its way: all young now.
            Await.until("gone on", () -> tasks.size() == 2);
            tasks.poll().run();
            tasks.poll().run();
            final List<WireEnvelope> answers = client.readEnvelopes(2);
            expectWarning(answers.stream().filter(answer -> answer.streamId() == 2).findAny().get(), "in the queue");
        }
    }

    /** Its wait was a pause; now it waits for a thread, like any other that has just come. */
    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void whatARequestHadToWaitForBeforeMakesNobodyWaitBehindIt(final int version) throws Exception
    {
        beginHolding(limits -> limits.queueAge(Duration.ofSeconds(2)).requestTimeout(Duration.ZERO));
        try (WireClient client = server.ready(version))
        {
            client.request(Requests.query(version, 1, "void"));
            Await.until("queued", () -> tasks.size() == 1);
            later.addAndGet(Duration.ofSeconds(3).toNanos());
            client.request(Requests.query(version, 2, "void"), Requests.query(version, 3, "void"),
                Requests.query(version, 4, "void"));
            awaitPaused(PauseCause.QUEUE_AGE);
            Await.until("all wait",
                () -> server.transport().heldBytes() == 3L * Requests.query(version, 2, "void").length);
            later.addAndGet(Duration.ofSeconds(100).toNanos());
            tasks.poll().run();
            assertEquals(1, client.readEnvelope().streamId());
            Await.until("none of them is old", () -> tasks.size() == 3);
            for (final Runnable task : tasks)
            {
                final Exchange exchange = (Exchange)task;
                assertTrue(exchange.submittedNanos() - exchange.receivedNanos() >= Duration.ofSeconds(100).toNanos());
            }
            while (!tasks.isEmpty())
            {
                tasks.poll().run();
            }
            assertEquals(Set.of(2, 3, 4), streams(client.readEnvelopes(3)));
        }
    }

    @Test
    void aRequestThatNeedNotWaitIsQueuedWhenItIsRead() throws Exception
    {
        beginHolding(limits ->
        {
        });
        try (WireClient client = server.ready(5))
        {
            client.request(Requests.query(5, 1, "void"));
            Await.until("queued", () -> tasks.size() == 1);
            final Exchange exchange = (Exchange)tasks.peek();
            assertEquals(exchange.receivedNanos(), exchange.submittedNanos());
            tasks.poll().run();
            assertEquals(exchange.receivedNanos(), exchange.submittedNanos());
            client.readEnvelope();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5})
    void behindOldRequestsMoreAreShed(final int version) throws Exception
    {
        beginHolding(limits -> limits.queueAge(Duration.ofSeconds(2)).overloadAction(OverloadAction.SHED));
        try (WireClient client = server.ready(version); WireClient other = server.ready(version))
        {
            client.request(Requests.query(version, 1, "void"));
            Await.until("queued", () -> tasks.size() == 1);
            later.addAndGet(Duration.ofSeconds(3).toNanos());
            assertTrue(client.ask(Requests.query(version, 2, "void")).isError(OVERLOADED));
            assertEquals(List.of(PauseCause.QUEUE_AGE), server.listener().shed());
            // It is each connection's own queue: one slow client does not speak for all.
            other.request(Requests.query(version, 1, "void"));
            Await.until("queued too", () -> tasks.size() == 2);
            tasks.poll().run();
            tasks.poll().run();
            assertEquals(1, client.readEnvelope().streamId());
            assertEquals(1, other.readEnvelope().streamId());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void behindRequestsThatWaitForRoomHeartbeatsAreAnsweredAndTheOrderIsKept(final int version) throws Exception
    {
        begin(limits -> limits.maxFrameBytes(16_384).maxMessageBytes(16_384).inFlightBytesPerConnection(16_384));
        try (WireClient client = server.ready(version))
        {
            client.request(park(version, 1, BIG));
            Await.until("parked", () -> server.engine().parked() == 1);
            client.request(park(version, 2, BIG), Requests.options(version, 200), park(version, 3, 5_000),
                Requests.options(version, 201));
            assertEquals(Set.of(200, 201), streams(client.readEnvelopes(2)));
            // Not in one look: what waits is tried again at that moment, and not counted meanwhile.
            Await.until("both are held", () -> server.transport().heldBytes() > BIG + 5_000);
            assertEquals(1, server.engine().parked());
            server.engine().nextParked().respond(VoidResult.INSTANCE);
            assertEquals(1, client.readEnvelope().streamId());
            final Exchange second = server.engine().nextParked();
            assertEquals(2, second.streamId());
            expectHeartbeat(client, 202);
            second.respond(VoidResult.INSTANCE);
            expectWarning(client.readEnvelope(), "bytes in flight");
            final Exchange third = server.engine().nextParked();
            assertEquals(3, third.streamId());
            third.respond(VoidResult.INSTANCE);
            assertEquals(3, client.readEnvelope().streamId());
            assertEquals(0, server.transport().heldBytes());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5})
    void theTimeThatARequestHadToWaitCountsForItsTimeout(final int version) throws Exception
    {
        begin(limits -> limits.requestsPerConnection(1).requestTimeout(Duration.ofSeconds(5)));
        try (WireClient client = server.ready(version))
        {
            client.request(Requests.query(version, 1, "park"));
            final Exchange parked = server.engine().nextParked();
            client.request(Requests.query(version, 2, "void"));
            awaitPaused(PauseCause.REQUESTS_IN_SERVICE);
            later.addAndGet(Duration.ofSeconds(6).toNanos());
            expectHeartbeat(client, 100);
            parked.respond(VoidResult.INSTANCE);
            assertEquals(1, client.readEnvelope().streamId());
            assertEquals("Query timed out before it could start", expectError(client, 2, OVERLOADED).errorMessage());
            expectServes(client);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5})
    void manySmallOnesWaitBeyondTheRoomThatIsThereForThem(final int version) throws Exception
    {
        begin(limits -> limits.requestsPerConnection(1));
        final int requests = 300;
        try (WireClient client = server.ready(version))
        {
            client.request(Requests.query(version, 30_000, "park"));
            Await.until("parked", () -> server.engine().parked() == 1);
            final byte[][] all = new byte[requests][];
            for (int i = 0; i < requests; i++)
            {
                all[i] = Requests.query(version, i, "void " + "y".repeat(1_000));
            }
            client.request(all);
            awaitPaused(PauseCause.REQUESTS_IN_SERVICE);
            Await.until("all read", () -> server.transport().heldBytes() > 64_000);
            server.engine().nextParked().respond(VoidResult.INSTANCE);
            final List<Integer> order = new ArrayList<>();
            client.readEnvelopes(requests + 1).forEach(answer -> order.add(answer.streamId()));
            assertEquals(30_000, order.remove(0));
            for (int i = 0; i < requests; i++)
            {
                assertEquals(i, order.get(i), "one at a time, so in their order");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5})
    void oneThatIsLargerThanThatShutsTheGateAsBefore(final int version) throws Exception
    {
        begin(limits -> narrow(limits));
        try (WireClient client = server.ready(version))
        {
            client.request(park(version, 1, 150_000));
            Await.until("parked", () -> server.engine().parked() == 1);
            client.request(park(version, 2, 150_000), Requests.options(version, 200));
            awaitPaused(PauseCause.CONNECTION_BYTES);
            server.engine().nextParked().respond(VoidResult.INSTANCE);
            assertEquals(1, client.readEnvelope().streamId());
            final Exchange second = server.engine().nextParked();
            assertEquals(200, client.readEnvelope().streamId());
            second.respond(VoidResult.INSTANCE);
            assertEquals(2, client.readEnvelope().streamId());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5})
    void whatWaitsIsRefusedIfTheStreamBreaksBehindIt(final int version) throws Exception
    {
        begin(limits -> limits.requestsPerConnection(1));
        try (WireClient client = server.ready(version))
        {
            client.request(Requests.query(version, 1, "park"));
            final Exchange parked = server.engine().nextParked();
            client.request(Requests.query(version, 2, "void"));
            awaitPaused(PauseCause.REQUESTS_IN_SERVICE);
            final byte[] broken = Segments.plain(true, Requests.query(5, 3, "void"));
            broken[broken.length - 1] ^= 1;
            client.send(version == 5 ? broken : Requests.header(4, 3, Opcode.QUERY, -1));
            expectError(client, 2, OVERLOADED);
            parked.respond(VoidResult.INSTANCE);
            assertEquals(1, client.readEnvelope().streamId());
            expectError(client, version == 5 ? 0 : 3, PROTOCOL_ERROR);
            client.expectEnd();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5})
    void aRequestInPiecesThatWasToWaitIsServedIfThereIsRoomWhenItIsWhole(final int version) throws Exception
    {
        begin(limits -> limits.requestsPerConnection(1));
        try (WireClient client = server.ready(version))
        {
            client.request(Requests.query(version, 1, "park"));
            final Exchange parked = server.engine().nextParked();
            final byte[] late = Requests.query(version, 2, "void " + "z".repeat(5_000));
            final byte[] wire = version == 5 ? Segments.pieces(client.format(), 2_000, late) : late;
            client.send(Arrays.copyOf(wire, 3_000));
            awaitPaused(PauseCause.REQUESTS_IN_SERVICE);
            parked.respond(VoidResult.INSTANCE);
            assertEquals(1, client.readEnvelope().streamId());
            client.send(Arrays.copyOfRange(wire, 3_000, wire.length));
            assertEquals(2, client.readEnvelope().streamId());
            expectServes(client);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5})
    void aRequestThatWasToWaitAndWillNeverBeWholeKeepsNoConnectionOpen(final int version) throws Exception
    {
        begin(limits -> limits.requestsPerConnection(1));
        try (WireClient client = server.ready(version))
        {
            client.request(Requests.query(version, 1, "park"));
            final Exchange parked = server.engine().nextParked();
            final byte[] late = Requests.query(version, 2, "void " + "z".repeat(5_000));
            final byte[] wire = version == 5 ? Segments.pieces(client.format(), 2_000, late) : late;
            client.send(Arrays.copyOf(wire, 3_000));
            awaitPaused(PauseCause.REQUESTS_IN_SERVICE);
            client.shutOutput();
            parked.respond(VoidResult.INSTANCE);
            assertEquals(1, client.readEnvelope().streamId());
            client.expectEnd();
        }
    }

    private static Set<Integer> streams(final List<WireEnvelope> envelopes)
    {
        final Set<Integer> streams = new HashSet<>();
        envelopes.forEach(envelope -> streams.add(envelope.streamId()));
        return streams;
    }
}
