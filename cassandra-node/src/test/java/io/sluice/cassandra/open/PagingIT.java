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
import static org.junit.jupiter.api.Assertions.assertNotNull;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.sluice.cassandra.NodeExtension;
import io.sluice.cassandra.Sessions;
import io.sluice.cassandra.Wire;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Ten thousand rows of one partition, written once, paged through over every version and compression. */
@ExtendWith(NodeExtension.class)
final class PagingIT
{
    private static final int ROWS = 10_000;
    private static final int WRITES_AT_ONCE = 500;

    private final Sessions sessions;

    PagingIT(final Sessions sessions)
    {
        this.sessions = sessions;
    }

    @BeforeAll
    static void writeRows(final Sessions sessions)
    {
        final CqlSession session = sessions.of(Wire.V5_PLAIN, "paging");
        session.execute("CREATE TABLE paging.t (k int, c int, v text, PRIMARY KEY (k, c))");
        final PreparedStatement insert = session.prepare("INSERT INTO paging.t (k, c, v) VALUES (1, ?, ?)");
        final List<CompletionStage<AsyncResultSet>> writes = new ArrayList<>();
        for (int i = 0; i < ROWS; i++)
        {
            writes.add(session.executeAsync(insert.bind(i, "row " + i)));
            if (writes.size() == WRITES_AT_ONCE)
            {
                writes.forEach(write -> write.toCompletableFuture().join());
                writes.clear();
            }
        }
        writes.forEach(write -> write.toCompletableFuture().join());
    }

    @ParameterizedTest
    @EnumSource
    void pagesThroughPlainAndPrepared(final Wire wire)
    {
        final CqlSession session = sessions.of(wire);
        final PreparedStatement select = session.prepare("SELECT c, v FROM paging.t WHERE k = ?");
        check(session.execute(select.bind(1).setPageSize(97)), 104);
        check(session.execute(SimpleStatement.newInstance("SELECT c, v FROM paging.t WHERE k = 1").setPageSize(1_000)),
            11);
        check(session.execute(SimpleStatement.newInstance("SELECT c, v FROM paging.t WHERE k = 1")
            .setPageSize(
                ROWS + 1)),
            1);
    }

    /** A page that ends exactly with the last row still promises one more, which is empty. */
    private static void check(final ResultSet rows, final int pages)
    {
        int expected = 0;
        for (final Row row : rows)
        {
            assertEquals(expected, row.getInt(0));
            assertEquals("row " + expected, row.getString(1));
            expected++;
        }
        assertEquals(ROWS, expected);
        assertEquals(pages, rows.getExecutionInfos().size(), "pages");
    }

    @ParameterizedTest
    @EnumSource
    void resumesFromAPagingState(final Wire wire)
    {
        final CqlSession session = sessions.of(wire);
        final SimpleStatement select = SimpleStatement.newInstance("SELECT c FROM paging.t WHERE k = 1")
            .setPageSize(
                10);
        final ByteBuffer state = session.execute(select).getExecutionInfo().getPagingState();
        assertNotNull(state);
        assertEquals(10, session.execute(select.setPagingState(state)).one().getInt(0));
    }
}
