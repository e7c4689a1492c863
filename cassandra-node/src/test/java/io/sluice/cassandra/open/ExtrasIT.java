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
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchStatementBuilder;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.QueryTrace;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.sluice.cassandra.NodeExtension;
import io.sluice.cassandra.Sessions;
import io.sluice.cassandra.Wire;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What rides in front of a body: warnings, a tracing id, a custom payload. */
@ExtendWith(NodeExtension.class)
final class ExtrasIT
{
    private final Sessions sessions;

    ExtrasIT(final Sessions sessions)
    {
        this.sessions = sessions;
    }

    @ParameterizedTest
    @EnumSource
    void warnsFromV4On(final Wire wire)
    {
        final String table = table(wire, "warned");
        final CqlSession session = sessions.of(wire);
        final PreparedStatement insert = session.prepare("INSERT INTO " + table + " (k, v) VALUES (?, ?)");
        final BatchStatementBuilder batch = BatchStatement.builder(DefaultBatchType.UNLOGGED);
        for (int i = 0; i < 60; i++)
        {
            batch.addStatement(insert.bind(i, "x".repeat(500)));
        }
        assertEquals(wire.atLeastV4(), mentions(session.execute(batch.build()), "batch"));
        assertEquals(wire.atLeastV4(), mentions(session.execute("SELECT count(*) FROM " + table), "Aggregation"));
        assertFalse(mentions(session.execute("SELECT v FROM " + table + " WHERE k = 1"), ""), "nothing to warn of");
    }

    private static boolean mentions(final ResultSet result, final String word)
    {
        final List<String> warnings = result.getExecutionInfo().getWarnings();
        return warnings.stream().anyMatch(warning -> warning.contains(word));
    }

    @ParameterizedTest
    @EnumSource
    void tracesPlainPreparedAndBatched(final Wire wire)
    {
        final String table = table(wire, "traced");
        final CqlSession session = sessions.of(wire);
        final QueryTrace plain = trace(session.execute(SimpleStatement.newInstance("SELECT v FROM " + table +
            " WHERE k = 1").setTracing(true)));
        assertTrue(plain.getParameters().get("query").contains(table), () -> plain.getParameters().toString());
        final PreparedStatement select = session.prepare("SELECT v FROM " + table + " WHERE k = ?");
        final QueryTrace prepared = trace(session.execute(select.bind(1).setTracing(true)));
        assertTrue(prepared.getParameters().get("query").contains(table), () -> prepared.getParameters().toString());
        final QueryTrace batched = trace(session.execute(BatchStatement.newInstance(DefaultBatchType.UNLOGGED,
            SimpleStatement.newInstance("INSERT INTO " + table + " (k, v) VALUES (1, 'x')")).setTracing(true)));
        assertTrue(batched.getRequestType().contains("batch"), batched.getRequestType());
        assertEquals("127.0.0.1", batched.getCoordinatorAddress().getAddress().getHostAddress());
    }

    private static QueryTrace trace(final ResultSet result)
    {
        assertNotNull(result.getExecutionInfo().getTracingId());
        final QueryTrace trace = result.getExecutionInfo().getQueryTrace();
        assertFalse(trace.getEvents().isEmpty());
        return trace;
    }

    @ParameterizedTest
    @EnumSource(names = "V[45].*", mode = EnumSource.Mode.MATCH_ALL)
    void takesACustomPayloadThatNobodyAnswers(final Wire wire)
    {
        final ResultSet result = sessions.of(wire)
            .execute(SimpleStatement.newInstance(
                "SELECT key FROM system.local").setCustomPayload(Map.of("one", ByteBuffer.wrap(new byte[]{1, 2, 3}))));
        assertEquals("local", result.one().getString(0));
        assertTrue(result.getExecutionInfo().getIncomingPayload().isEmpty());
    }

    private String table(final Wire wire, final String name)
    {
        final String keyspace = wire.keyspace("extras");
        sessions.of(wire, keyspace).execute("CREATE TABLE " + keyspace + "." + name + " (k int PRIMARY KEY, v text)");
        return keyspace + "." + name;
    }
}
