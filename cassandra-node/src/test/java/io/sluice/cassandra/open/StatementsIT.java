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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.AlreadyExistsException;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.SyntaxError;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import io.sluice.cassandra.NodeExtension;
import io.sluice.cassandra.Sessions;
import io.sluice.cassandra.Wire;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Schema, plain and prepared statements, conditions and errors, over every version and compression. */
@ExtendWith(NodeExtension.class)
final class StatementsIT
{
    private static final int CONCURRENT = 2_000;

    private final Sessions sessions;

    StatementsIT(final Sessions sessions)
    {
        this.sessions = sessions;
    }

    @ParameterizedTest
    @EnumSource
    void speaksTheVersionAskedFor(final Wire wire)
    {
        final CqlSession session = sessions.of(wire);
        assertEquals(wire.version(), session.getContext().getProtocolVersion());
        assertEquals("5.0.8", session.execute("SELECT release_version FROM system.local").one().getString(0));
    }

    @ParameterizedTest
    @EnumSource
    void createsAndDropsEveryKindOfSchemaObject(final Wire wire)
    {
        final String keyspace = wire.keyspace("schema");
        final CqlSession session = sessions.of(wire, keyspace);
        session.execute("CREATE TABLE " + keyspace + ".t (k int, c int, v text, n int, PRIMARY KEY (k, c))");
        session.execute("CREATE INDEX t_n ON " + keyspace + ".t (n) USING 'sai'");
        session.execute("CREATE MATERIALIZED VIEW " + keyspace + ".by_v AS SELECT * FROM " + keyspace +
            ".t WHERE v IS NOT NULL AND k IS NOT NULL AND c IS NOT NULL PRIMARY KEY (v, k, c)");
        session.execute("CREATE TYPE " + keyspace + ".pair (a int, b text)");
        session.execute("CREATE FUNCTION " + keyspace + ".twice (x int) RETURNS NULL ON NULL INPUT RETURNS int " +
            "LANGUAGE java AS 'return x * 2;'");
        session.execute("CREATE FUNCTION " + keyspace + ".plus (s int, x int) RETURNS NULL ON NULL INPUT RETURNS int " +
            "LANGUAGE java AS 'return s + x;'");
        session.execute("CREATE AGGREGATE " + keyspace + ".total (int) SFUNC plus STYPE int INITCOND 0");
        session.execute("INSERT INTO " + keyspace + ".t (k, c, v, n) VALUES (1, 1, 'one', 21)");
        session.execute("INSERT INTO " + keyspace + ".t (k, c, v, n) VALUES (1, 2, 'two', 4)");
        assertEquals(42, session.execute("SELECT " + keyspace + ".twice(n) FROM " + keyspace + ".t WHERE n = 21")
            .one()
            .getInt(0));
        assertEquals(25, session.execute("SELECT " + keyspace + ".total(n) FROM " + keyspace + ".t WHERE k = 1")
            .one()
            .getInt(0));
        assertEquals(2, session.execute("SELECT c FROM " + keyspace + ".by_v WHERE v = 'two'").one().getInt(0));
        assertTrue(session.refreshSchema().getKeyspace(keyspace).orElseThrow().getTable("t").isPresent());
        session.execute("DROP KEYSPACE " + keyspace);
        assertFalse(session.refreshSchema().getKeyspace(keyspace).isPresent());
    }

    @ParameterizedTest
    @EnumSource
    void insertsPreparedAndReadsBack(final Wire wire)
    {
        final String table = table(wire, "prepared");
        final CqlSession session = sessions.of(wire);
        final PreparedStatement insert = session.prepare("INSERT INTO " + table + " (k, c, v) VALUES (?, ?, ?)");
        final PreparedStatement select = session.prepare("SELECT c, v FROM " + table + " WHERE k = ? AND c = ?");
        final List<CompletionStage<AsyncResultSet>> writes = new ArrayList<>();
        for (int i = 0; i < CONCURRENT; i++)
        {
            writes.add(session.executeAsync(insert.bind(i % 10, i, "v" + i)));
        }
        writes.forEach(write -> write.toCompletableFuture().join());
        final List<CompletionStage<AsyncResultSet>> reads = new ArrayList<>();
        for (int i = 0; i < CONCURRENT; i++)
        {
            reads.add(session.executeAsync(select.bind(i % 10, i)));
        }
        for (int i = 0; i < CONCURRENT; i++)
        {
            final Row row = reads.get(i).toCompletableFuture().join().one();
            assertEquals(i, row.getInt(0), "the answer belongs to another request");
            assertEquals("v" + i, row.getString(1));
        }
    }

    @ParameterizedTest
    @EnumSource
    void bindsPositionalAndNamedValuesInPlainQueries(final Wire wire)
    {
        final String table = table(wire, "plain");
        final CqlSession session = sessions.of(wire);
        session.execute("INSERT INTO " + table + " (k, c, v) VALUES (?, ?, ?)", 1, 2, "positional");
        session.execute("INSERT INTO " + table + " (k, c, v) VALUES (:key, :column, :value)",
            Map.of("value", "named", "column", 3, "key", 1));
        assertEquals("positional", session.execute("SELECT v FROM " + table + " WHERE k = 1 AND c = 2")
            .one()
            .getString(0));
        assertEquals("named", session.execute("SELECT v FROM " + table + " WHERE k = 1 AND c = 3").one().getString(0));
    }

    @ParameterizedTest
    @EnumSource
    void appliesConditionsOnce(final Wire wire)
    {
        final String table = table(wire, "conditions");
        final CqlSession session = sessions.of(wire);
        final PreparedStatement insert = session.prepare("INSERT INTO " + table +
            " (k, c, v) VALUES (?, ?, ?) IF NOT EXISTS");
        assertTrue(session.execute(insert.bind(1, 1, "first")).wasApplied());
        final ResultSet second = session.execute(insert.bind(1, 1, "second"));
        assertFalse(second.wasApplied());
        assertEquals("first", second.one().getString("v"));
        final SimpleStatement update = SimpleStatement.builder("UPDATE " + table +
            " SET v = 'third' WHERE k = 1 AND c = 1 IF v = ?")
            .addPositionalValue("first")
            .setSerialConsistencyLevel(DefaultConsistencyLevel.LOCAL_SERIAL)
            .build();
        assertTrue(session.execute(update).wasApplied());
        assertEquals("third", session.execute(SimpleStatement.newInstance("SELECT v FROM " + table + " WHERE k = 1")
            .setConsistencyLevel(DefaultConsistencyLevel.SERIAL)).one().getString(0));
    }

    @ParameterizedTest
    @EnumSource
    void writesAtTheClientsTimestamp(final Wire wire)
    {
        final String table = table(wire, "stamps");
        final CqlSession session = sessions.of(wire);
        session.execute(SimpleStatement.newInstance("INSERT INTO " + table + " (k, c, v) VALUES (1, 1, 'x')")
            .setQueryTimestamp(1234567L));
        assertEquals(1234567L, session.execute("SELECT writetime(v) FROM " + table + " WHERE k = 1").one().getLong(0));
    }

    @ParameterizedTest
    @EnumSource
    void followsTheTableWhenItChanges(final Wire wire)
    {
        final String table = table(wire, "changing");
        final CqlSession session = sessions.of(wire);
        session.execute("INSERT INTO " + table + " (k, c, v) VALUES (1, 1, 'x')");
        final PreparedStatement select = session.prepare("SELECT * FROM " + table + " WHERE k = ?");
        assertEquals(3, session.execute(select.bind(1)).one().size());
        session.execute("ALTER TABLE " + table + " ADD extra int");
        session.execute("UPDATE " + table + " SET extra = 7 WHERE k = 1 AND c = 1");
        final Row row = session.execute(select.bind(1)).one();
        if (wire.atLeastV5())
        {
            assertEquals(7, row.getInt("extra"), "the new result metadata comes with the answer");
        }
        session.execute("DROP TABLE " + table);
        session.execute("CREATE TABLE " + table + " (k int, c int, v text, PRIMARY KEY (k, c))");
        session.execute("INSERT INTO " + table + " (k, c, v) VALUES (1, 1, 'again')");
        final Row again = session.execute(select.bind(1)).one();
        assertEquals("again", again.getString(2), "UNPREPARED, then prepared again");
    }

    @ParameterizedTest
    @EnumSource(names = {"V5_PLAIN", "V5_LZ4"})
    void takesKeyspaceAndTimeWithTheRequest(final Wire wire)
    {
        final String keyspace = wire.keyspace("statements");
        final String table = table(wire, "now");
        final CqlSession session = sessions.of(wire);
        session.execute(SimpleStatement.newInstance("INSERT INTO now (k, c, v) VALUES (1, 1, 'x') USING TTL 1000")
            .setKeyspace(keyspace)
            .setNowInSeconds(1_000_000));
        final PreparedStatement select = session.prepare(SimpleStatement.newInstance(
            "SELECT ttl(v) FROM now WHERE k = ?").setKeyspace(keyspace));
        assertEquals(600, session.execute(select.bind(1).setNowInSeconds(1_000_400)).one().getInt(0), table);
    }

    @ParameterizedTest
    @EnumSource
    void saysWhatIsWrong(final Wire wire)
    {
        final String table = table(wire, "errors");
        final CqlSession session = sessions.of(wire);
        assertThrows(SyntaxError.class, () -> session.execute("SELEC"));
        assertThrows(InvalidQueryException.class, () -> session.execute("SELECT * FROM " + table + "_not"));
        final AlreadyExistsException exists = assertThrows(AlreadyExistsException.class, () -> session.execute(
            "CREATE TABLE " + table + " (k int PRIMARY KEY)"));
        assertTrue(exists.getMessage().contains("errors"), exists.getMessage());
        final AllNodesFailedException failed = assertThrows(AllNodesFailedException.class, () -> session.execute(
            SimpleStatement.newInstance("INSERT INTO " + table + " (k, c, v) VALUES (1, 1, 'x')")
                .setConsistencyLevel(
                    DefaultConsistencyLevel.THREE)));
        final UnavailableException unavailable = assertInstanceOf(UnavailableException.class, failed.getAllErrors()
            .values()
            .iterator()
            .next()
            .get(0));
        assertEquals(3, unavailable.getRequired());
        assertEquals(1, unavailable.getAlive());
        assertEquals(1L, session.execute("SELECT count(*) FROM system.local").one().getLong(0), "the session goes on");
    }

    /** A new table of three columns in the wire's keyspace. */
    private String table(final Wire wire, final String name)
    {
        final String keyspace = wire.keyspace("statements");
        final CqlSession session = sessions.of(wire, keyspace);
        session.execute("CREATE TABLE " + keyspace + "." + name + " (k int, c int, v text, PRIMARY KEY (k, c))");
        return keyspace + "." + name;
    }
}
