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
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.data.CqlDuration;
import com.datastax.oss.driver.api.core.data.CqlVector;
import com.datastax.oss.driver.api.core.data.TupleValue;
import com.datastax.oss.driver.api.core.data.UdtValue;
import com.datastax.oss.driver.api.core.type.DataTypes;
import com.datastax.oss.driver.api.core.type.UserDefinedType;
import com.datastax.oss.driver.api.core.uuid.Uuids;
import io.sluice.cassandra.NodeExtension;
import io.sluice.cassandra.Sessions;
import io.sluice.cassandra.Wire;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every CQL type as a bound value and in an answer; null, unset and empty apart from each other. */
@ExtendWith(NodeExtension.class)
final class TypesIT
{
    private static final String WORDS = "é漢字\uD83D\uDE00";

    private final Sessions sessions;

    TypesIT(final Sessions sessions)
    {
        this.sessions = sessions;
    }

    @ParameterizedTest
    @EnumSource
    void carriesCollectionsUserTypesAndTuples(final Wire wire)
    {
        final String keyspace = wire.keyspace("types");
        final CqlSession session = sessions.of(wire, keyspace);
        session.execute("CREATE TYPE " + keyspace + ".street (name text, number int, tags frozen<set<text>>)");
        session.execute("CREATE TABLE " + keyspace + ".nested (k int PRIMARY KEY, a list<int>, b map<text, bigint>, " +
            "c set<uuid>, d frozen<street>, e tuple<int, text, double>, f frozen<map<int, frozen<list<street>>>>)");
        final UserDefinedType type = session.refreshSchema()
            .getKeyspace(keyspace)
            .orElseThrow()
            .getUserDefinedType(
                "street")
            .orElseThrow();
        final UdtValue street = type.newValue(WORDS, 12, Set.of("x", "y"));
        final TupleValue tuple = DataTypes.tupleOf(DataTypes.INT, DataTypes.TEXT, DataTypes.DOUBLE)
            .newValue(1, WORDS,
                null);
        check(session, keyspace + ".nested", "k, a, b, c, d, e, f", 1, List.of(1, 2, 3),
            Map.of("a", 1L, WORDS, Long.MIN_VALUE),
            Set.of(UUID.randomUUID(), new UUID(0, 1)), street, tuple,
            Map.of(3, List.of(street, type.newValue("", 0, Set.of()))));
    }

    @ParameterizedTest
    @EnumSource
    void carriesScalarsOfV3(final Wire wire) throws UnknownHostException
    {
        final String keyspace = wire.keyspace("types");
        final CqlSession session = sessions.of(wire, keyspace);
        session.execute("CREATE TABLE " + keyspace + ".scalars (k int PRIMARY KEY, a ascii, b bigint, c boolean, " +
            "d decimal, e double, f float, g inet, h text, i timestamp, j timeuuid, l uuid, m varint)");
        check(session, keyspace + ".scalars", "k, a, b, c, d, e, f, g, h, i, j, l, m", 1, "plain", Long.MIN_VALUE, true,
            new BigDecimal(
                "-123456789.123456789"),
            Math.PI, -1.5f, InetAddress.getByAddress(new byte[]{32, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}),
            WORDS, Instant.ofEpochMilli(-1), Uuids
                .timeBased(),
            UUID.randomUUID(), new BigInteger("-99999999999999999999"));
    }

    @ParameterizedTest
    @EnumSource(names = "V[45].*", mode = EnumSource.Mode.MATCH_ALL)
    void carriesScalarsOfV4(final Wire wire)
    {
        final String keyspace = wire.keyspace("types");
        final CqlSession session = sessions.of(wire, keyspace);
        session.execute("CREATE TABLE " + keyspace + ".later (k int PRIMARY KEY, a date, b time, c smallint, " +
            "d tinyint)");
        check(session, keyspace + ".later", "k, a, b, c, d", 1, LocalDate.of(1969, 1, 2), LocalTime.of(1, 2, 3, 4),
            (short)-5,
            (byte)-1);
    }

    @ParameterizedTest
    @EnumSource(names = "V5.*", mode = EnumSource.Mode.MATCH_ALL)
    void carriesScalarsOfV5(final Wire wire)
    {
        final String keyspace = wire.keyspace("types");
        final CqlSession session = sessions.of(wire, keyspace);
        session.execute("CREATE TABLE " + keyspace + ".latest (k int PRIMARY KEY, a duration, b vector<float, 3>)");
        check(session, keyspace + ".latest", "k, a, b", 1, CqlDuration.newInstance(1, 2, 3),
            CqlVector.newInstance(1f, 2f, 3f));
    }

    /** Writes one row and reads it back, prepared both ways. */
    private static void check(final CqlSession session,
        final String table,
        final String columns,
        final Object... values)
    {
        final String markers = columns.replaceAll("\\w+", "?");
        session.execute(session.prepare("INSERT INTO " + table + " (" + columns + ") VALUES (" + markers + ")")
            .bind(
                values));
        final Row row = session.execute(session.prepare("SELECT " + columns + " FROM " + table + " WHERE k = ?")
            .bind(
                1))
            .one();
        for (int i = 0; i < values.length; i++)
        {
            assertEquals(values[i], row.getObject(i), row.getColumnDefinitions().get(i).getName().asInternal());
        }
    }

    @ParameterizedTest
    @EnumSource
    void countsWithCounters(final Wire wire)
    {
        final String keyspace = wire.keyspace("types");
        final CqlSession session = sessions.of(wire, keyspace);
        session.execute("CREATE TABLE " + keyspace + ".counts (k int PRIMARY KEY, n counter)");
        final PreparedStatement add = session.prepare("UPDATE " + keyspace + ".counts SET n = n + ? WHERE k = ?");
        session.execute(add.bind(5L, 1));
        session.execute(add.bind(-7L, 1));
        assertEquals(-2L, session.execute("SELECT n FROM " + keyspace + ".counts WHERE k = 1").one().getLong(0));
    }

    @ParameterizedTest
    @EnumSource
    void tellsNullUnsetAndEmptyApart(final Wire wire)
    {
        final String keyspace = wire.keyspace("types");
        final CqlSession session = sessions.of(wire, keyspace);
        session.execute("CREATE TABLE " + keyspace + ".nothing (k int PRIMARY KEY, v text, w text)");
        final PreparedStatement insert = session.prepare("INSERT INTO " + keyspace +
            ".nothing (k, v, w) VALUES (:k, :v, :w)");
        session.execute(insert.bind(1, "before", "before"));
        session.execute(insert.bind(2, null, ""));
        final String select = "SELECT v, w FROM " + keyspace + ".nothing WHERE k = ";
        final Row second = session.execute(select + 2).one();
        assertTrue(second.isNull(0), "null");
        assertEquals("", second.getString(1), "empty");
        if (wire.atLeastV4())
        {
            session.execute(insert.boundStatementBuilder().setInt("k", 1).setString("w", "after").build());
            final Row first = session.execute(select + 1).one();
            assertEquals("before", first.getString(0), "unset leaves the column alone");
            assertEquals("after", first.getString(1));
        }
        session.execute(insert.bind(1, null, ""));
        final Row cleared = session.execute(select + 1).one();
        assertTrue(cleared.isNull(0), "null removes");
        assertEquals("", cleared.getString(1));
    }
}
