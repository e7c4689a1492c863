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
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchStatementBuilder;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.sluice.cassandra.NodeExtension;
import io.sluice.cassandra.Sessions;
import io.sluice.cassandra.Wire;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** All three batch types, of plain and prepared parts, with and without a condition. */
@ExtendWith(NodeExtension.class)
final class BatchIT
{
    private static final int PARTS = 20;

    private final Sessions sessions;

    BatchIT(final Sessions sessions)
    {
        this.sessions = sessions;
    }

    @ParameterizedTest
    @EnumSource
    void writesLoggedAndUnloggedBatchesOfBothKinds(final Wire wire)
    {
        final String keyspace = wire.keyspace("batches");
        final CqlSession session = sessions.of(wire, keyspace);
        session.execute("CREATE TABLE " + keyspace + ".t (k int, c int, v text, PRIMARY KEY (k, c))");
        final PreparedStatement insert = session.prepare("INSERT INTO " + keyspace + ".t (k, c, v) VALUES (?, ?, ?)");
        for (final DefaultBatchType type : new DefaultBatchType[]{DefaultBatchType.LOGGED, DefaultBatchType.UNLOGGED})
        {
            final BatchStatementBuilder batch = BatchStatement.builder(type);
            for (int i = 0; i < PARTS; i++)
            {
                batch.addStatement(insert.bind(type.ordinal(), i, "prepared" + i));
            }
            batch.addStatement(SimpleStatement.newInstance("INSERT INTO " + keyspace +
                ".t (k, c, v) VALUES (?, ?, ?)", type.ordinal(), PARTS, "plain"));
            batch
                .addStatement(SimpleStatement.newInstance("DELETE FROM " + keyspace + ".t WHERE k = " + type.ordinal() +
                    " AND c = 0"));
            session.execute(batch.build());
            assertEquals(PARTS, session.execute("SELECT c FROM " + keyspace + ".t WHERE k = " + type.ordinal())
                .all()
                .size(), type.name());
            assertEquals("plain", session.execute("SELECT v FROM " + keyspace + ".t WHERE k = " + type.ordinal() +
                " AND c = " + PARTS).one().getString(0));
        }
    }

    @ParameterizedTest
    @EnumSource
    void countsInCounterBatches(final Wire wire)
    {
        final String keyspace = wire.keyspace("batches");
        final CqlSession session = sessions.of(wire, keyspace);
        session.execute("CREATE TABLE " + keyspace + ".counts (k int PRIMARY KEY, n counter)");
        final PreparedStatement add = session.prepare("UPDATE " + keyspace + ".counts SET n = n + ? WHERE k = ?");
        final BatchStatementBuilder batch = BatchStatement.builder(DefaultBatchType.COUNTER);
        for (int i = 1; i <= PARTS; i++)
        {
            batch.addStatement(add.bind((long)i, 1));
        }
        session.execute(batch.build());
        assertEquals(PARTS * (PARTS + 1L) / 2, session.execute("SELECT n FROM " + keyspace + ".counts WHERE k = 1")
            .one()
            .getLong(0));
    }

    @ParameterizedTest
    @EnumSource
    void appliesConditionalBatchesWhollyOrNot(final Wire wire)
    {
        final String keyspace = wire.keyspace("batches");
        final CqlSession session = sessions.of(wire, keyspace);
        session.execute("CREATE TABLE " + keyspace + ".cond (k int, c int, v text, PRIMARY KEY (k, c))");
        final PreparedStatement insert = session.prepare("INSERT INTO " + keyspace +
            ".cond (k, c, v) VALUES (?, ?, ?) IF NOT EXISTS");
        assertTrue(session.execute(BatchStatement.newInstance(DefaultBatchType.LOGGED, insert.bind(1, 1, "a"), insert
            .bind(1, 2, "b"))).wasApplied());
        final ResultSet refused = session.execute(BatchStatement.newInstance(DefaultBatchType.LOGGED, insert.bind(1, 2,
            "x"), insert.bind(1, 3, "y")));
        assertFalse(refused.wasApplied());
        assertEquals(2, session.execute("SELECT c FROM " + keyspace + ".cond WHERE k = 1").all().size());
    }
}
