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

import io.sluice.cassandra.NodeExtension;
import io.sluice.cassandra.TestNode;
import io.sluice.cassandra.TwoRoads;
import io.sluice.cassandra.WriteFigures;
import io.sluice.framing.Opcode;
import io.sluice.framing.request.Cells;
import io.sluice.transport.testkit.Await;
import io.sluice.transport.testkit.WireEnvelope;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.cassandra.auth.AllowAllAuthenticator;
import org.apache.cassandra.auth.AllowAllAuthorizer;
import org.apache.cassandra.auth.IAuthenticator;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryEvents;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.guardrails.Guardrails;
import org.apache.cassandra.exceptions.UnauthorizedException;
import org.apache.cassandra.index.SecondaryIndexManager;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.transport.Message;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;

/** What surrounds a write: permissions, guardrails, listeners, traces, metrics, schema changes, indexes, views. */
@ExtendWith(NodeExtension.class)
@DisabledIfSystemProperty(named = "sluice.it.transport", matches = "stock", disabledReason = "stock has no plans")
final class WritePlanIT
{
    private static final String INSERT = "INSERT INTO plans.t (k, c, v) VALUES (?, ?, ?)";
    private static final int UNAUTHORIZED = 0x2100;
    private static final int INVALID = 0x2200;
    private static final int UNPREPARED = 0x2500;
    private static final int TRACED = 0x02;
    private static final int WARNED = 0x08;
    private static final int LOGGED = 0;
    private static final int UNLOGGED = 1;

    private final TestNode node;
    private TwoRoads client;

    WritePlanIT(final TestNode node)
    {
        this.node = node;
    }

    @BeforeEach
    void begin() throws IOException
    {
        client = new TwoRoads(node);
        client.define("CREATE KEYSPACE plans WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
            "CREATE TABLE plans.t (k int, c text, v text, w frozen<list<int>>, PRIMARY KEY (k, c))");
    }

    @AfterEach
    void end() throws IOException
    {
        client.define("DROP KEYSPACE plans");
        client.close();
    }

    @Test
    void keepsUnpermittedWritersOut() throws IOException
    {
        final byte[] id = client.prepare(INSERT);
        DatabaseDescriptor.setAuthorizer(new Refusing());
        try
        {
            assertEquals(UNAUTHORIZED, error(client.both(1, client.execute(ONE, id, number(1), text("c"), text("v")))));
            final byte[][] row = {number(1), text("c"), text("v")};
            assertEquals(UNAUTHORIZED, error(client.both(2, client.batch(UNLOGGED, id, row, row))));
            // First what may be done, then how.
            assertEquals(UNAUTHORIZED, error(client.both(0, client.execute(ONE, id, null, text("c"), text("v")))));
        }
        finally
        {
            DatabaseDescriptor.setAuthorizer(new AllowAllAuthorizer());
        }
        client.expectRows(0, "SELECT v FROM plans.t");
    }

    @Test
    void mindsGuardrails() throws IOException
    {
        final byte[] id = client.prepare(INSERT);
        final byte[] timed = client.prepare(INSERT + " USING TIMESTAMP ?");
        final byte[][] small = {number(1), text("c"), text("v")};
        final byte[][] large = {number(1), text("c"), text("v".repeat(50))};
        // Without logins everybody is a superuser, whom no guardrail guards.
        final IAuthenticator before = DatabaseDescriptor.getAuthenticator();
        DatabaseDescriptor.setAuthenticator(new Requiring());
        try
        {
            Guardrails.instance.setColumnValueSizeThreshold("20B", "40B");
            assertEquals(0, client.both(1, client.execute(ONE, id, small)).flags());
            assertEquals(INVALID, error(client.both(0, client.execute(ONE, id, large))));
            assertEquals(INVALID, error(client.both(0, client.batch(UNLOGGED, id, small, large))));
            Guardrails.instance.setColumnValueSizeThreshold("20B", null);
            assertEquals(WARNED, client.both(0, client.execute(ONE, id, large)).flags());
            Guardrails.instance.setColumnValueSizeThreshold(null, null);

            Guardrails.instance.setWriteConsistencyLevelsWarned(Set.of("ONE"));
            assertEquals(WARNED, client.both(1, client.execute(ONE, id, small)).flags());
            assertEquals(WARNED, client.both(2, client.batch(LOGGED, id, small, large)).flags());
            Guardrails.instance.setWriteConsistencyLevelsDisallowed(Set.of("ONE"));
            Guardrails.instance.setWriteConsistencyLevelsWarned(Set.of());
            assertEquals(INVALID, error(client.both(1, client.execute(ONE, id, small))));
            Guardrails.instance.setWriteConsistencyLevelsDisallowed(Set.of());

            final byte[] future = ByteBuffer.allocate(Long.BYTES).putLong(Long.MAX_VALUE / 2).array();
            Guardrails.instance.setMaximumTimestampThreshold("1s", "1d");
            assertEquals(INVALID,
                error(client.both(1, client.execute(ONE, timed, number(1), text("c"), text("v"), future))));
            Guardrails.instance.setMaximumTimestampThreshold(null, null);
            Guardrails.instance.setUserTimestampsEnabled(false);
            assertEquals(INVALID,
                error(client.both(1, client.execute(ONE, timed, number(1), text("c"), text("v"), future))));
        }
        finally
        {
            Guardrails.instance.setUserTimestampsEnabled(true);
            DatabaseDescriptor.setAuthenticator(before);
        }
    }

    @Test
    void showsListenersEveryValue() throws IOException
    {
        final byte[] id = client.prepare(INSERT);
        final List<String> seen = new ArrayList<>();
        final QueryEvents.Listener listener = new QueryEvents.Listener()
        {
            @Override
            public void executeSuccess(final CQLStatement statement,
                final String query,
                final QueryOptions options,
                final QueryState state,
                final long queryTime,
                final Message.Response response)
            {
                seen.add(query + " " + options.getValues().size());
            }
        };
        QueryEvents.instance.registerListener(listener);
        try
        {
            client.once(0, client.execute(ONE, id, number(1), text("c"), text("v")));
        }
        finally
        {
            QueryEvents.instance.unregisterListener(listener);
        }
        assertEquals(List.of(INSERT + " 3"), seen);
        client.once(1, client.execute(ONE, id, number(1), text("c"), text("v")));
    }

    @Test
    void tracesOnTheOrdinaryRoad() throws IOException
    {
        final byte[] id = client.prepare(INSERT);
        final WireEnvelope traced = client.once(0, client.execute(TRACED, ONE, id, null, number(1), text("c"), text(
            "v")));
        assertEquals(TRACED, traced.flags());
        StorageService.instance.setTraceProbability(Double.MIN_VALUE);
        try
        {
            client.once(0, client.execute(ONE, id, number(1), text("c"), text("v")));
        }
        finally
        {
            StorageService.instance.setTraceProbability(0);
        }
        client.once(1, client.execute(ONE, id, number(1), text("c"), text("v")));
    }

    @Test
    void movesTheSameMetrics() throws IOException
    {
        final byte[] id = client.prepare(INSERT);
        final byte[] single = client.execute(ONE, id, number(1), text("c"), text("v"));
        final byte[][] row = {number(2), text("c"), text("v")};
        final byte[] batch = client.batch(UNLOGGED, id, row, row);
        for (final byte[] request : List.of(single, batch))
        {
            final Map<String, Long> byPlan = moved(request);
            assertFalse(byPlan.isEmpty());
            client.plans().setEnabled(false);
            try
            {
                assertEquals(moved(request), byPlan);
            }
            finally
            {
                client.plans().setEnabled(true);
            }
        }
    }

    private Map<String, Long> moved(final byte[] request) throws IOException
    {
        final Map<String, Long> before = WriteFigures.of("plans");
        client.once(client.plans().isEnabled() ? request[4] == Opcode.BATCH.code() ? 2 : 1 : 0, request);
        return WriteFigures.since(before, "plans");
    }

    @Test
    void followsTheSchema() throws IOException
    {
        final byte[] id = client.prepare(INSERT);
        final byte[] request = client.execute(ONE, id, number(1), text("c"), text("v"));
        client.both(1, request);
        final long before = client.plans().getCompiledStatements();
        client.define("ALTER TABLE plans.t ADD x int");
        // Cassandra forgets statements of a table that has changed.
        assertEquals(UNPREPARED, error(client.both(0, request)));
        client.prepare(INSERT);
        client.both(1, request);
        assertEquals(before + 1, client.plans().getCompiledStatements());
        client.define("ALTER TABLE plans.t DROP v");
        assertEquals(UNPREPARED, error(client.both(0, request)));
        client.define("DROP TABLE plans.t");
        assertEquals(UNPREPARED, error(client.both(0, request)));
        client.define("CREATE TABLE plans.t (k int, c text, v text, PRIMARY KEY (k, c))");
        client.prepare(INSERT);
        client.both(1, request);
        client.expectRows(1, "SELECT v FROM plans.t");
    }

    @Test
    void warnsOfAnotherKeyspace() throws IOException
    {
        client.define("USE plans");
        final byte[] id = client.prepare("INSERT INTO t (k, c, v) VALUES (?, ?, ?)");
        final byte[] request = client.execute(ONE, id, number(1), text("c"), text("v"));
        client.both(1, request);
        client.define("USE system");
        // The warning comes once for each connection, so there is no second answer to compare.
        assertEquals(Opcode.RESULT, client.once(0, request).type());
        client.define("USE plans");
        client.both(1, request);
    }

    @Test
    void writesToIndexes() throws IOException
    {
        client.define("CREATE TABLE plans.i (k int PRIMARY KEY, a text, b int)",
            "CREATE INDEX ON plans.i (a) USING 'legacy_local_table'", "CREATE INDEX ON plans.i (b) USING 'sai'");
        final SecondaryIndexManager indexes = Keyspace.open("plans").getColumnFamilyStore("i").indexManager;
        Await.until("indexes are built", () -> indexes.listIndexes().stream().allMatch(indexes::isIndexQueryable));
        final byte[] id = client.prepare("INSERT INTO plans.i (k, a, b) VALUES (?, ?, ?)");
        client.both(1, client.execute(ONE, id, number(1), text("found"), number(7)));
        client.expectRows(1, "SELECT k FROM plans.i WHERE a = 'found'");
        client.expectRows(1, "SELECT k FROM plans.i WHERE b = 7");
        // Too long for the index: what it says comes from the index itself.
        assertEquals(INVALID, error(client.both(1, client.execute(ONE, id, number(1), new byte[70_000], number(7)))));
    }

    @Test
    void leavesViewsToCassandra() throws IOException
    {
        final byte[] id = client.prepare(INSERT);
        final byte[] request = client.execute(ONE, id, number(1), text("c"), text("v"));
        client.both(1, request);
        final long before = client.plans().getRecompiledStatements();
        client.define(
            "CREATE MATERIALIZED VIEW plans.mv AS SELECT k, c, v FROM plans.t WHERE k IS NOT NULL AND c IS NOT " +
                "NULL AND v IS NOT NULL PRIMARY KEY (v, k, c)");
        client.both(0, request);
        client.expectRows(1, "SELECT k FROM plans.mv WHERE v = 'v'");
        client.define("DROP MATERIALIZED VIEW plans.mv");
        client.both(1, request);
        assertEquals(before + 2, client.plans().getRecompiledStatements());
    }

    @Test
    void leavesTriggersToCassandra() throws IOException
    {
        final byte[] id = client.prepare(INSERT);
        final byte[] request = client.execute(ONE, id, number(1), text("c"), text("v"));
        client.both(1, request);
        client.define("CREATE TRIGGER quiet ON plans.t USING '" + QuietTrigger.class.getName() + "'");
        client.both(0, request);
        client.define("DROP TRIGGER quiet ON plans.t");
        client.both(1, request);
    }

    @Test
    void writesBatchesOfAnyKind() throws IOException
    {
        final byte[] id = client.prepare(INSERT);
        final byte[][][] rows = new byte[200][][];
        for (int i = 0; i < rows.length; i++)
        {
            rows[i] = new byte[][]{number(i % 100), text("c" + i), text("v".repeat(100))};
        }
        // Many partitions and much data: Cassandra warns of both, in words that count them.
        assertEquals(WARNED, client.both(rows.length, client.batch(UNLOGGED, id, rows)).flags());
        assertEquals(WARNED, client.both(rows.length, client.batch(LOGGED, id, rows)).flags());
        client.expectRows(100, "SELECT k FROM plans.t PER PARTITION LIMIT 1");
        rows[100][0] = null;
        assertEquals(INVALID, error(client.both(0, client.batch(LOGGED, id, rows))));
    }

    @Test
    void obeysTheSwitch() throws IOException
    {
        final byte[] id = client.prepare(INSERT);
        final byte[] request = client.execute(ONE, id, number(1), text("c"), Cells.UNSET);
        client.once(1, request);
        final String reason = "plans are switched off";
        final long before = client.plans().getUnplannedStatements().getOrDefault(reason, 0L);
        client.plans().setEnabled(false);
        try
        {
            client.once(0, request);
            assertFalse(client.plans().isEnabled());
        }
        finally
        {
            client.plans().setEnabled(true);
        }
        assertEquals(before + 1, client.plans().getUnplannedStatements().get(reason));
        client.once(1, request);
    }

    /** Nobody may do anything: said where Cassandra asks first, since it keeps the rest in a cache from the start. */
    private static final class Refusing extends AllowAllAuthorizer
    {
        @Override
        public boolean requireAuthorization()
        {
            throw new UnauthorizedException("not even you");
        }
    }

    /** Nobody is a superuser just by being there. */
    private static final class Requiring extends AllowAllAuthenticator
    {
        @Override
        public boolean requireAuthentication()
        {
            return true;
        }
    }
}
