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
package io.sluice.cassandra.open;

import static io.sluice.cassandra.TwoRoads.ONE;
import static io.sluice.cassandra.TwoRoads.error;
import static io.sluice.cassandra.TwoRoads.number;
import static io.sluice.cassandra.TwoRoads.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.sluice.cassandra.BusyPool;
import io.sluice.cassandra.DownReplica;
import io.sluice.cassandra.NodeExtension;
import io.sluice.cassandra.TestNode;
import io.sluice.cassandra.TwoRoads;
import io.sluice.cassandra.UnfitPlan;
import io.sluice.cassandra.WriteFigures;
import io.sluice.cassandra.WriteWays;
import io.sluice.framing.Opcode;
import io.sluice.transport.testkit.Await;
import io.sluice.transport.testkit.WireEnvelope;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.batchlog.BatchlogManager;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.utils.MonotonicClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

/** What becomes of a write that Cassandra cannot do, or not yet, or that we fail to plan. */
@ExtendWith(NodeExtension.class)
@NodeExtension.Warns
@DisabledIfSystemProperty(named = "sluice.it.transport", matches = "stock", disabledReason = "stock has no plans")
final class WritePlanFailuresIT
{
    private static final String FAILURE = "an unexpected failure on the way to the plan, which the log tells";
    private static final int UNAVAILABLE = 0x1000;
    private static final int WRITE_TIMEOUT = 0x1100;
    private static final int ANY = 0;
    private static final int TWO = 2;
    private static final int QUORUM = 4;
    private static final int ALL = 5;
    private static final int LOCAL_QUORUM = 6;
    private static final int LOCAL_ONE = 10;
    private static final long SHORT_MILLIS = 20;

    private final TestNode node;
    private TwoRoads client;

    /** What a request comes to: the answer, the figures that moved, and what is hinted. */
    private record Outcome(WireEnvelope answer, Map<String, Long> moved, List<String> hints)
    {
    }

    /** Executes a request, so many of whose statements go by plans. */
    private interface Execution
    {
        Outcome of(int planned, byte[] request) throws Exception;
    }

    WritePlanFailuresIT(final TestNode node)
    {
        this.node = node;
    }

    @BeforeEach
    void begin() throws IOException
    {
        client = new TwoRoads(node);
        client.sayNow();
    }

    @AfterEach
    void end() throws IOException
    {
        client.define("DROP KEYSPACE IF EXISTS failing");
        client.close();
    }

    /** The same on both roads. */
    private Outcome both(final WriteWays.Way way, final Execution execution) throws Exception
    {
        final Outcome byPlan = execution.of(way.planned(), way.request());
        client.plans().setEnabled(false);
        try
        {
            assertEquals(execution.of(0, way.request()), byPlan, way.name());
        }
        finally
        {
            client.plans().setEnabled(true);
        }
        return byPlan;
    }

    @Test
    void timesOutAndIsDoneLater() throws Exception
    {
        final WriteWays ways = WriteWays.define(client, "failing", 1, "");
        for (final WriteWays.Way way : ways.at(ONE))
        {
            final Outcome outcome = both(way, this::late);
            assertEquals(WRITE_TIMEOUT, error(outcome.answer), way.name());
            assertEquals(1, outcome.moved.get("ONE timeouts"), way.name());
            assertTrue(outcome.moved.containsKey("applied to t") || outcome.moved.containsKey("applied to u") ||
                outcome.moved.get("left in the batch log") == 1, () -> way.name() + outcome.moved);
        }
        // A replica that does not answer is hinted to, which is enough; not this one, since it is the node itself.
        final Outcome any = both(ways.single(ANY), this::late);
        assertEquals(Opcode.RESULT, any.answer.type());
        assertEquals(1, any.moved.get("applied to t"));
    }

    private Outcome late(final int planned, final byte[] request) throws Exception
    {
        final Map<String, Long> before = WriteFigures.of("failing");
        final long timeoutMillis = DatabaseDescriptor.getWriteRpcTimeout(TimeUnit.MILLISECONDS);
        DatabaseDescriptor.setWriteRpcTimeout(SHORT_MILLIS);
        try (BusyPool mutations = BusyPool.mutations())
        {
            final WireEnvelope answer = client.once(planned, request);
            // Whether a mutation comes late is found out by a clock that is coarse.
            final long answeredNanos = System.nanoTime();
            Await.until("the coarse clock", () -> MonotonicClock.Global.approxTime.now() - answeredNanos > 0);
            mutations.settle();
            final Map<String, Long> moved = WriteFigures.since(before, "failing");
            moved.put("left in the batch log", forgetBatches());
            return new Outcome(answer, moved, List.of());
        }
        finally
        {
            DatabaseDescriptor.setWriteRpcTimeout(timeoutMillis);
        }
    }

    /** What the batch log keeps it replays after seconds, in the midst of another test. */
    private static long forgetBatches()
    {
        long batches = 0;
        for (final UntypedResultSet.Row row : QueryProcessor.executeInternal("SELECT id FROM system.batches"))
        {
            BatchlogManager.remove(row.getTimeUUID("id"));
            batches++;
        }
        return batches;
    }

    @Test
    void saysHowManyReplicasThereAre() throws Exception
    {
        final WriteWays ways = WriteWays.define(client, "failing", 3, "");
        for (final int level : new int[]{TWO, QUORUM, ALL, LOCAL_QUORUM})
        {
            for (final WriteWays.Way way : ways.at(level))
            {
                final Outcome outcome = both(way, this::counted);
                assertEquals(UNAVAILABLE, error(outcome.answer), way.name());
                assertEquals(1, outcome.moved.get("all unavailable"), way.name());
            }
        }
        for (final int level : new int[]{ONE, LOCAL_ONE, ANY})
        {
            for (final WriteWays.Way way : ways.at(level))
            {
                assertEquals(Opcode.RESULT, both(way, this::counted).answer.type(), way.name());
            }
        }
    }

    private Outcome counted(final int planned, final byte[] request) throws Exception
    {
        final Map<String, Long> before = WriteFigures.of("failing");
        final WireEnvelope answer = client.once(planned, request);
        return new Outcome(answer, WriteFigures.since(before, "failing"), List.of());
    }

    @Test
    void hintsToReplicasThatAreDown() throws Exception
    {
        final WriteWays ways = WriteWays.define(client, "failing", 2, "");
        try (DownReplica down = new DownReplica(number(1)))
        {
            final Execution execution = (planned, request) ->
            {
                final Outcome outcome = counted(planned, request);
                final List<String> hints = down.hints();
                // Written by another thread, at its leisure.
                outcome.moved.put("hints", (long)hints.size());
                return new Outcome(outcome.answer, outcome.moved, hints);
            };
            for (final int level : new int[]{QUORUM, ALL, TWO, LOCAL_QUORUM, ONE, LOCAL_ONE, ANY})
            {
                final boolean enough = level == ONE || level == LOCAL_ONE || level == ANY;
                for (final WriteWays.Way way : ways.at(level))
                {
                    // Of two nodes Cassandra wants both for its batch log, and waits for the one that is down.
                    if (!way.logged() || !enough)
                    {
                        final Outcome outcome = both(way, execution);
                        assertEquals(enough ? -1 : UNAVAILABLE, error(outcome.answer), way.name());
                        assertEquals(enough, !outcome.hints.isEmpty(), way.name());
                    }
                }
            }
        }
    }

    @Test
    void hintsToTheOnlyReplicaIfAnyWillDo() throws Exception
    {
        final WriteWays ways = WriteWays.define(client, "failing", 1, "");
        try (DownReplica down = new DownReplica(number(1)))
        {
            final Execution execution = (planned, request) ->
            {
                final Outcome outcome = counted(planned, request);
                return new Outcome(outcome.answer, outcome.moved, down.hints());
            };
            assertEquals(UNAVAILABLE, error(both(ways.single(ONE), execution).answer));
            final Outcome any = both(ways.single(ANY), execution);
            assertEquals(Opcode.RESULT, any.answer.type());
            assertEquals(1, any.hints.size());
            assertFalse(any.moved.containsKey("applied to t"));
        }
    }

    @Test
    void preparesWhatItsCompilerFailsAt() throws IOException
    {
        client.define("CREATE KEYSPACE failing WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
            "CREATE TABLE failing.o (k int PRIMARY KEY, v '" + OwnType.class.getName() + "')");
        final long before = client.plans().getUnplannedStatements().getOrDefault(FAILURE, 0L);
        final ListAppender<ILoggingEvent> log = listen();
        OwnType.fail(true);
        try
        {
            final byte[] insert = client.prepare("INSERT INTO failing.o (k, v) VALUES (?, ?)");
            final byte[] update = client.prepare("UPDATE failing.o SET v = ? WHERE k = ?");
            client.prepare("INSERT INTO failing.o (k, v) VALUES (?, ?) USING TTL 100");
            assertEquals(Opcode.RESULT, client.both(0, client.execute(ONE, insert, number(1), text("v"))).type());
            assertEquals(Opcode.RESULT,
                client.both(0, client.execute(0, ONE, update, List.of("k", "v"), number(2), text(
                    "v"))).type());
            assertEquals(Opcode.RESULT, client.both(0, client.batch(1, insert, new byte[][]{number(3), text("v")}))
                .type());
        }
        finally
        {
            OwnType.fail(false);
            log.stop();
        }
        client.expectRows(3, "SELECT k FROM failing.o");
        assertEquals(before + 3, client.plans().getUnplannedStatements().get(FAILURE));
        assertEquals(1, log.list.stream().filter(event -> event.getLevel() == Level.WARN).count(), () -> "" + log.list);
        assertEquals(2, log.list.stream().filter(event -> event.getLevel() == Level.DEBUG).count(), () -> "" +
            log.list);
        assertTrue(log.list.stream().allMatch(event -> event.getThrowableProxy() != null));
    }

    @Test
    void leavesWhatItsPlanDoesNotFit() throws IOException
    {
        client.define("CREATE KEYSPACE failing WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
            "CREATE TABLE failing.t (k int PRIMARY KEY, v text)");
        final UnfitPlan plan = new UnfitPlan(client.prepare("INSERT INTO failing.t (k, v) VALUES (?, ?)"), "failing");
        final ListAppender<ILoggingEvent> log = listen();
        assertTrue(plan.isLeft(number(1), text("v")));
        assertTrue(plan.isLeftInBatch(number(1), text("v")));
        log.stop();
        assertEquals(Map.of(FAILURE, 2L), plan.unplanned());
        assertEquals(1, log.list.stream().filter(event -> event.getLevel() == Level.WARN).count(), () -> "" + log.list);
    }

    /** What is logged of failures, at all levels, until it is stopped. */
    private static ListAppender<ILoggingEvent> listen()
    {
        final Logger logger = (Logger)LoggerFactory.getLogger("io.sluice.cassandra.UnexpectedErrors");
        final ListAppender<ILoggingEvent> log = new ListAppender<>()
        {
            @Override
            public void stop()
            {
                super.stop();
                logger.setLevel(null);
                logger.detachAppender(this);
            }
        };
        log.start();
        logger.setLevel(Level.DEBUG);
        logger.addAppender(log);
        return log;
    }
}
