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
import static io.sluice.cassandra.TwoRoads.number;
import static io.sluice.cassandra.TwoRoads.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.datastax.oss.driver.api.core.CqlSession;
import io.sluice.cassandra.BinaryLog;
import io.sluice.cassandra.BusyPool;
import io.sluice.cassandra.EventCollector;
import io.sluice.cassandra.NodeExtension;
import io.sluice.cassandra.Sessions;
import io.sluice.cassandra.TestNode;
import io.sluice.cassandra.TwoRoads;
import io.sluice.cassandra.Wire;
import io.sluice.cassandra.WriteWays;
import io.sluice.framing.Opcode;
import io.sluice.transport.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.apache.cassandra.audit.FileAuditLogger;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.service.StorageService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

/** Who is told of a write: the audit log, the full query log, whoever looks at what is in work. */
@ExtendWith(NodeExtension.class)
@DisabledIfSystemProperty(named = "sluice.it.transport", matches = "stock", disabledReason = "stock has no plans")
final class WritePlanRecordsIT
{
    private static final String LISTENERS = "query-event listeners";
    private static final String INSERT = "INSERT INTO recorded.t (k, c, v) VALUES (?, ?, ?)";
    private static final int UNLOGGED = 1;
    private static final int MOST_RECORDS = 1 << 16;

    private final TestNode node;
    private final Sessions sessions;
    private TwoRoads client;
    private WriteWays ways;

    WritePlanRecordsIT(final TestNode node, final Sessions sessions)
    {
        this.node = node;
        this.sessions = sessions;
    }

    @BeforeEach
    void begin() throws IOException
    {
        client = new TwoRoads(node);
        client.sayNow();
        ways = WriteWays.define(client, "recorded", 1, "");
    }

    @AfterEach
    void end() throws IOException
    {
        client.define("DROP KEYSPACE recorded");
        client.close();
    }

    /** Good ones and bad ones, each statement with a record of its own and each batch with one more. */
    private List<byte[]> requests()
    {
        final List<byte[]> requests = new ArrayList<>();
        ways.at(ONE).forEach(way -> requests.add(way.request()));
        requests.add(client.execute(ONE, ways.insert(), null, text("c"), text("v")));
        requests.add(client.execute(ONE, new byte[16], number(1), text("c"), text("v")));
        requests.add(client.batch(UNLOGGED, ways.insert(), new byte[][]{number(1), text("c"), text("v")},
            new byte[][]{null, text("c"), text("v")}));
        return requests;
    }

    /** Has requests executed with plans switched on and off; nothing may go by a plan, and all is counted so. */
    private void execute(final boolean enabled) throws IOException
    {
        final long before = client.plans().getUnplannedStatements().getOrDefault(LISTENERS, 0L);
        client.plans().setEnabled(enabled);
        try
        {
            for (final byte[] request : requests())
            {
                client.once(0, request);
            }
        }
        finally
        {
            client.plans().setEnabled(true);
        }
        final int statements = ways.at(ONE).stream().mapToInt(WriteWays.Way::statements).sum() + 3;
        assertEquals(enabled ? before + statements : before, client.plans()
            .getUnplannedStatements()
            .getOrDefault(
                LISTENERS, 0L));
    }

    /** Records of one road and of the other, in words without times and numbers of batches. */
    private static void compare(final List<String> records)
    {
        final List<String> same = records.stream()
            .map(record -> record.replaceAll("timestamp:\\d+", "timestamp")
                .replaceAll("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "uuid"))
            .toList();
        assertEquals(0, same.size() % 2, same::toString);
        assertEquals(same.subList(same.size() / 2, same.size()), same.subList(0, same.size() / 2));
    }

    private void afterwards() throws IOException
    {
        final WriteWays.Way single = ways.single(ONE);
        client.once(single.planned(), single.request());
    }

    @Test
    void areAuditedInAFile() throws IOException
    {
        final Logger logger = (Logger)LoggerFactory.getLogger(FileAuditLogger.class);
        final ListAppender<ILoggingEvent> file = new ListAppender<>();
        file.start();
        logger.setLevel(Level.INFO);
        logger.setAdditive(false);
        logger.addAppender(file);
        audit("FileAuditLogger");
        try
        {
            execute(true);
            execute(false);
        }
        finally
        {
            StorageService.instance.disableAuditLog();
            logger.detachAppender(file);
            logger.setAdditive(true);
            logger.setLevel(null);
        }
        afterwards();
        expectAudit(file.list.stream().map(ILoggingEvent::getFormattedMessage).toList());
    }

    @Test
    void areAuditedInABinaryLog() throws IOException
    {
        final Path folder = Files.createDirectories(node.folder().resolve("audit"));
        final String before = DatabaseDescriptor.getAuditLoggingOptions().audit_logs_dir;
        DatabaseDescriptor.getAuditLoggingOptions().audit_logs_dir = folder.toString();
        audit("BinAuditLogger");
        try
        {
            execute(true);
            execute(false);
            final int records = expectedAudit();
            Await.until("all is written", () -> BinaryLog.read(folder).size() >= records);
        }
        finally
        {
            StorageService.instance.disableAuditLog();
            DatabaseDescriptor.getAuditLoggingOptions().audit_logs_dir = before;
        }
        afterwards();
        expectAudit(BinaryLog.read(folder));
    }

    private static void audit(final String logger)
    {
        StorageService.instance.enableAuditLog(logger, Map.of(), "", "", "", "", "", "", Integer.MIN_VALUE, true,
            "HOURLY", Long.MIN_VALUE, MOST_RECORDS, null);
    }

    /** One for each statement and each batch; a batch that fails has but one. */
    private int expectedAudit()
    {
        final int batches = (int)ways.at(ONE).stream().filter(way -> way.statements() > 1).count();
        final int statements = ways.at(ONE).stream().mapToInt(WriteWays.Way::statements).sum();
        return 2 * (batches + statements + 3);
    }

    private void expectAudit(final List<String> records)
    {
        assertEquals(expectedAudit(), records.size(), records::toString);
        compare(records);
        final String insert = records.get(0);
        assertTrue(insert.endsWith("|type:UPDATE|category:DML|ks:recorded|scope:t|operation:" + INSERT), insert);
        assertEquals(6, records.stream().filter(record -> record.contains("|category:ERROR")).count(),
            records::toString);
    }

    @Test
    void areInTheFullQueryLog() throws IOException
    {
        final Path folder = Files.createDirectories(node.folder().resolve("fql"));
        StorageService.instance.enableFullQueryLogger(folder.toString(), "HOURLY", true, MOST_RECORDS, 1L << 30, null,
            0);
        // One for each request: those that fail are not in it.
        final int records = 2 * ways.at(ONE).size();
        try
        {
            execute(true);
            execute(false);
            Await.until("all is written", () -> BinaryLog.read(folder).size() >= records);
        }
        finally
        {
            StorageService.instance.stopFullQueryLogger();
        }
        afterwards();
        final List<String> logged = BinaryLog.read(folder);
        assertEquals(records, logged.size(), logged::toString);
        compare(logged);
        final String insert = logged.get(0);
        assertTrue(insert.startsWith("single-query version 5 options 0001") && insert.endsWith(" keyspace null " +
            INSERT), insert);
        // The values, each behind its length.
        assertTrue(insert.contains("00000004" + "00000001" + "00000001" + "63" + "00000001" + "76"), insert);
        final String batch = logged.stream().filter(record -> record.contains(" UNLOGGED; ")).findFirst().orElseThrow();
        assertTrue(batch.contains("; " + INSERT + "; " + INSERT + "; values 00000001 63 76; values 00000001 64 76"),
            batch);
    }

    @Test
    void areToldToWhoComesMeanwhile() throws Exception
    {
        for (final WriteWays.Way way : ways.at(ONE))
        {
            final List<String> byPlan = EventCollector.meanwhile(client, way.planned(), way.request(), -1);
            client.plans().setEnabled(false);
            try
            {
                assertEquals(EventCollector.meanwhile(client, 0, way.request(), -1), byPlan, way.name());
            }
            finally
            {
                client.plans().setEnabled(true);
            }
            // Of batches Cassandra tells whom it knew when they began.
            assertEquals(way.statements() == 1 ? 1 : 0, byPlan.size(), way.name());
        }
    }

    @Test
    void areListedWhileInWork() throws Exception
    {
        final String insert = HexFormat.of().formatHex(ways.insert());
        assertEquals(List.of("EXECUTE " + insert + " with 3 values at consistency ONE"), listed(client.execute(ONE, ways
            .insert(), number(1), text("c"), text("v"))));
        final byte[][] row = {number(1), text("c"), text("v")};
        assertEquals(List.of("BATCH of [" + insert + " with 3 values, " + insert +
            " with 3 values] at consistency ONE"), listed(client.batch(UNLOGGED, ways.insert(), row, row)));
    }

    private List<String> listed(final byte[] request) throws Exception
    {
        final IntFunction<List<String>> tasks = planned ->
        {
            final long before = client.plans().getPlannedStatements();
            try (BusyPool mutations = BusyPool.mutations())
            {
                client.send(request);
                mutations.awaitWaiting();
                final List<String> found = tasks();
                mutations.settle();
                assertEquals(Opcode.RESULT, client.receive().type());
                assertEquals(planned, client.plans().getPlannedStatements() - before);
                return found;
            }
            catch (final IOException | InterruptedException e)
            {
                throw new IllegalStateException(e);
            }
        };
        final List<String> byPlan = tasks.apply(request[4] == Opcode.BATCH.code() ? 2 : 1);
        client.plans().setEnabled(false);
        try
        {
            assertEquals(tasks.apply(0), byPlan);
        }
        finally
        {
            client.plans().setEnabled(true);
        }
        return byPlan;
    }

    private List<String> tasks()
    {
        final CqlSession session = sessions.of(Wire.V5_PLAIN);
        return session.execute("SELECT task FROM system_views.queries")
            .all()
            .stream()
            .map(row -> row.getString("task"))
            .filter(task -> !task.contains("system_views.queries"))
            .toList();
    }

    @Test
    void areCountedOnceEach() throws IOException
    {
        client.define("CREATE TABLE recorded.n (k int PRIMARY KEY, n counter)",
            "CREATE TABLE recorded.g (k int PRIMARY KEY, v text) WITH gc_grace_seconds = 0");
        for (final WriteWays.Way way : ways.at(ONE))
        {
            assertEquals(way.statements(), sum(counted(way.request())), way.name());
        }
        final byte[] insert = ways.insert();
        final byte[] list = ways.list();
        final byte[] once = client.prepare("INSERT INTO recorded.t (k, c, v) VALUES (?, ?, ?) IF NOT EXISTS");
        final byte[] count = client.prepare("UPDATE recorded.n SET n = n + ? WHERE k = ?");
        final byte[] brief = client.prepare("UPDATE recorded.g SET v = ? WHERE k = ?");
        final byte[] select = client.prepare("SELECT v FROM recorded.t WHERE k = ?");
        final byte[] both = client.prepare("BEGIN BATCH " + INSERT + "; " + INSERT + "; APPLY BATCH");
        final byte[][] row = {number(1), text("c"), text("v")};
        final byte[] one = {0, 0, 0, 0, 0, 0, 0, 1};
        final String asOne = "a batch with counters, conditions or a table without gc grace";
        final String values = "values that Cassandra itself must judge";
        final String noText = "a statement that is not prepared";
        final String other = "an operation other than setting or deleting a column";

        expect(Map.of("by plan", 1L), client.execute(ONE, insert, row));
        expect(Map.of(other, 1L), client.execute(ONE, list, WriteWays.listOf(1), number(1), text("c")));
        expect(Map.of("conditional", 1L), client.execute(ONE, once, row));
        expect(Map.of("a counter table", 1L), client.execute(ONE, count, one, number(1)));
        expect(Map.of(values, 1L), client.execute(ONE, insert, null, text("c"), text("v")));
        expect(Map.of("a BATCH that was prepared as one", 2L),
            client.execute(ONE, both, number(1), text("c"), text("v"),
                number(2), text("c"), text("v")));
        // No writes.
        expect(Map.of(), client.execute(ONE, select, number(1)));
        expect(Map.of(), client.execute(ONE, new byte[16], row));
        expect(Map.of(), client.batch(UNLOGGED).add(insert, row).add(new byte[16], row).at(ONE));

        expect(Map.of("by plan", 2L, other, 1L, noText, 1L), client.batch(UNLOGGED)
            .add(insert, row)
            .add(list, WriteWays.listOf(1), number(1), text("c"))
            .add(insert, row)
            .add("UPDATE recorded.u SET v = ? WHERE k = 1", text("v"))
            .at(ONE));
        expect(Map.of(other, 1L, noText, 1L), client.batch(UNLOGGED)
            .add(list, WriteWays.listOf(1), number(1), text("c"))
            .add("UPDATE recorded.u SET v = ? WHERE k = 1", text("v"))
            .at(ONE));
        expect(Map.of(values, 2L), client.batch(UNLOGGED)
            .add(insert, row)
            .add(insert, null, text("c"), text("v"))
            .at(ONE));
        // Conditions decide about the whole, in whatever way they come.
        expect(Map.of("conditional", 2L), client.batch(UNLOGGED).add(once, row).add(once, row).at(ONE));
        expect(Map.of(asOne, 2L, "conditional", 1L), client.batch(UNLOGGED)
            .add(insert, row)
            .add(once, row)
            .add(insert, row)
            .at(ONE));
        expect(Map.of(asOne, 1L, noText, 1L), client.batch(UNLOGGED)
            .add(insert, row)
            .add("INSERT INTO recorded.t (k, c, v) VALUES (1, ?, ?) IF NOT EXISTS", text("c"), text("v"))
            .at(ONE));
        // Counters, also where they must not be.
        expect(Map.of(asOne, 2L), client.batch(2).add(count, one, number(1)).add(count, one, number(2)).at(ONE));
        expect(Map.of("a counter table", 1L, asOne, 1L), client.batch(UNLOGGED)
            .add(insert, row)
            .add(count, one, number(1))
            .at(ONE));
        expect(Map.of(asOne, 2L), client.batch(0).add(insert, row).add(brief, text("v"), number(1)).at(ONE));
        // Refused before anything is done: each still has its road.
        expect(Map.of("by plan", 1L, "no INSERT, UPDATE or DELETE", 1L), client.batch(UNLOGGED)
            .add(insert, row)
            .add(select, number(1))
            .at(ONE));
        expect(Map.of("by plan", 1L, noText, 1L), client.batch(UNLOGGED).add(insert, row).add("nonsense").at(ONE));

        client.plans().setEnabled(false);
        try
        {
            final String off = "plans are switched off";
            expect(Map.of(off, 1L), client.execute(ONE, insert, row));
            expect(Map.of(off, 2L), client.batch(UNLOGGED, insert, row, row));
            expect(Map.of(), client.execute(ONE, select, number(1)));
            expect(Map.of(), client.execute(ONE, new byte[16], row));
            expect(Map.of(), client.batch(UNLOGGED).add(insert, row).add(new byte[16], row).at(ONE));
        }
        finally
        {
            client.plans().setEnabled(true);
        }
    }

    private void expect(final Map<String, Long> counts, final byte[] request) throws IOException
    {
        assertEquals(counts, counted(request));
    }

    /** What a request is counted as. */
    private Map<String, Long> counted(final byte[] request) throws IOException
    {
        final Map<String, Long> before = counts();
        client.send(request);
        client.receive();
        final Map<String, Long> after = counts();
        after.replaceAll((reason, count) -> count - before.getOrDefault(reason, 0L));
        after.values().removeIf(count -> count == 0);
        return after;
    }

    private Map<String, Long> counts()
    {
        final Map<String, Long> counts = new TreeMap<>(client.plans().getUnplannedStatements());
        counts.put("by plan", client.plans().getPlannedStatements());
        return counts;
    }

    private static long sum(final Map<String, Long> counts)
    {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }
}
