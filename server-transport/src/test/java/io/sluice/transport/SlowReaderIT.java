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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.testkit.Await;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.WireClient;
import io.sluice.transport.testkit.WireEnvelope;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that ask and do not read. */
final class SlowReaderIT extends SocketTest
{
    private static final int BUDGET = MIB;
    private static final int ANSWER = 100_000;
    private static final int COUNT = 400;
    private static final long PACE_NANOS = 5_000_000;
    /** The budget, what four request threads had begun, and buffers that are larger than what is in them. */
    private static final int BOUND = 3 * BUDGET;

    @ParameterizedTest
    @CsvSource({"3,", "4,", "4,lz4", "5,", "5,lz4"})
    void unreadAnswersStayWithinTheBudgetOthersGoOnAndAReaderThatResumesGetsAll(final int version,
        final String compression) throws IOException
    {
        startWithLimits(limits -> limits.answerBytesPerConnection(BUDGET));
        try (WireClient slow = WireClient.connectNarrow(server.address(), 4096); WireClient other = server.ready(5))
        {
            slow.startUp(version, compression);
            for (int stream = 0; stream < COUNT; stream++)
            {
                slow.request(Requests.query(version, stream, "rows " + ANSWER));
            }
            Await.until("answers pile up", () -> server.transport().buffers().outstandingBytes() > BUDGET / 2);
            for (int i = 0; i < 50; i++)
            {
                expectServes(other);
                assertTrue(server.transport().buffers().outstandingBytes() < BOUND, () -> "outstanding: " + server
                    .transport()
                    .buffers()
                    .outstandingBytes());
            }
            assertTrue(server.engine().served() < COUNT, "served: " + server.engine().served());
            final BitSet streams = new BitSet();
            for (final WireEnvelope answer : slow.readEnvelopes(COUNT))
            {
                streams.set(answer.streamId());
                assertTrue(answer.body().length > ANSWER);
            }
            assertEquals(COUNT, streams.cardinality());
            expectServes(slow);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void stallTimeoutEndsTheConnection(final int version) throws IOException
    {
        startWithLimits(limits -> limits.answerBytesPerConnection(BUDGET).stallTimeout(Duration.ofMillis(200)));
        try (WireClient slow = WireClient.connectNarrow(server.address(), 4096))
        {
            slow.startUp(version, null);
            for (int stream = 0; stream < COUNT; stream++)
            {
                slow.request(Requests.query(version, stream, "rows " + ANSWER));
            }
            Await.until("closed", () -> server.listener().closed().contains(CloseReason.STALLED));
            server.awaitQuiet();
            assertThrows(IOException.class, () -> slow.readEnvelopes(COUNT));
        }
    }

    /** A heartbeat a second from a client that reads nothing: its answers make the output grow, which is no reading. */
    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void answersThatAreAddedDoNotPutOffTheStallTimeout(final int version) throws IOException
    {
        final AtomicLong now = new AtomicLong();
        start(builder -> builder.eventLoopThreads(1)
            .clock(now::get)
            .limits(TransportLimits.defaults()
                .with()
                .stallTimeout(Duration.ofSeconds(10))
                .exchangeTimeout(Duration.ZERO)
                .answerBytes(Long.MAX_VALUE)
                .answerBytesPerAddress(Long.MAX_VALUE)
                .answerBytesPerConnection(256 * MIB)
                .answerBytesHardLimit(512 * MIB)
                .build()));
        try (WireClient slow = WireClient.connectNarrow(server.address(), 4096))
        {
            slow.startUp(version, null);
            slow.request(Requests.query(version, 1, "rows " + 16 * MIB));
            Await.until("answers pile up", () -> server.transport().buffers().outstandingBytes() > MIB);
            Await.until("closed", () ->
            {
                now.addAndGet(TimeUnit.SECONDS.toNanos(1));
                return server.listener().closed().contains(CloseReason.STALLED) || !beats(slow);
            });
            Await.until("for that reason", () -> server.listener().closed().equals(List.of(CloseReason.STALLED)));
        }
        server.awaitQuiet();
    }

    private static boolean beats(final WireClient client)
    {
        try
        {
            client.request(Requests.options(client.version(), 2));
            return true;
        }
        catch (final IOException e)
        {
            return false;
        }
    }

    /**
     * Each flush is read in time, so the client is no trickler; but requests wait for it until they are too old. That
     * is no failure of the server's to warn of, however many they are.
     */
    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void requestsThatGetTooOldWaitingForTheirReaderAreNotTheServersFault(final int version) throws IOException
    {
        startWithLimits(limits -> limits.answerBytesPerConnection(BUDGET).exchangeTimeout(Duration.ofSeconds(1)));
        try (WireClient slow = WireClient.connectNarrow(server.address(), 4096))
        {
            slow.startUp(version, null);
            final byte[][] requests = new byte[COUNT][];
            for (int stream = 0; stream < COUNT; stream++)
            {
                requests[stream] = Requests.query(version, stream, "rows " + ANSWER);
            }
            slow.request(requests);
            final BitSet streams = new BitSet();
            try
            {
                for (int i = 0; i < COUNT; i++)
                {
                    streams.set(slow.readEnvelope().streamId());
                    LockSupport.parkNanos(PACE_NANOS);
                }
                assertEquals(COUNT, streams.cardinality());
            }
            catch (final IOException e)
            {
                // On a machine that is slow enough even this client is one that trickles.
                assertTrue(server.listener().closed().contains(CloseReason.STALLED), e::toString);
            }
        }
        server.awaitQuiet();
    }

    @Test
    void slowButSteadyReaderIsNotTakenForStalled() throws IOException
    {
        startWithLimits(limits -> limits.answerBytesPerConnection(BUDGET).stallTimeout(Duration.ofSeconds(5)));
        try (WireClient slow = WireClient.connectNarrow(server.address(), 4096))
        {
            slow.startUp(4, null);
            slow.request(Requests.query(4, 1, "rows " + 20 * MIB));
            assertEquals(1, slow.readEnvelope().streamId());
            expectServes(slow);
        }
    }

    @Test
    void answersOverTheHardLimitEndTheConnection() throws IOException
    {
        startWithLimits(limits -> limits.answerBytesPerConnection(BUDGET).answerBytesHardLimit(2 * BUDGET));
        try (WireClient slow = WireClient.connectNarrow(server.address(), 4096); WireClient other = server.ready(5))
        {
            slow.startUp(5, null);
            for (int stream = 0; stream < 8; stream++)
            {
                slow.request(Requests.query(5, stream, "park"));
            }
            // All in service first: over the budget, those still queued would not be started any more.
            final List<Exchange> parked = new ArrayList<>();
            for (int i = 0; i < 8; i++)
            {
                parked.add(server.engine().nextParked());
            }
            for (final Exchange exchange : parked)
            {
                exchange.respond(io.sluice.transport.testkit.ScriptedEngine.rows(MIB));
            }
            Await.until("closed", () -> server.listener().closed().contains(CloseReason.ANSWER_LIMIT));
            expectServes(other);
        }
    }

    @Test
    void heartbeatsOfAClientThatReadsNothingAreNotAnsweredWithoutEnd() throws IOException
    {
        startWithLimits(limits -> limits.answerBytesPerConnection(64 * 1024));
        try (WireClient slow = WireClient.connectNarrow(server.address(), 4096))
        {
            slow.startUp(4, null);
            final Thread sender = new Thread(() ->
            {
                try
                {
                    for (int i = 0; i < 200_000; i++)
                    {
                        slow.send(Requests.options(4, i & 0x7FFF));
                    }
                }
                catch (final IOException e)
                {
                    // The test is over.
                }
            });
            sender.start();
            try
            {
                long most = 0;
                final long start = server.transport().buffers().outstandingBytes();
                for (int i = 0; i < 200 && sender.isAlive(); i++)
                {
                    most = Math.max(most, server.transport().buffers().outstandingBytes() - start);
                    java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
                }
                assertTrue(most < 8 * MIB, "outstanding: " + most);
            }
            finally
            {
                slow.leave();
            }
        }
    }
}
