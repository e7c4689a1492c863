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
package io.sluice.cassandra.secured;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.sluice.cassandra.NodeExtension;
import io.sluice.cassandra.PlanDifferential;
import io.sluice.cassandra.Sessions;
import io.sluice.cassandra.TestNode;
import io.sluice.cassandra.Wire;
import io.sluice.cassandra.WritePlansMXBean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;

/** A custom query handler, as this node has one, sees every write. */
@ExtendWith(NodeExtension.class)
@DisabledIfSystemProperty(named = "sluice.it.transport", matches = "stock", disabledReason = "stock has no plans")
final class QueryHandlerIT
{
    private static final String REASON = "a custom query handler";

    private final Sessions sessions;

    QueryHandlerIT(final Sessions sessions)
    {
        this.sessions = sessions;
    }

    @Test
    void getsPreparedWrites()
    {
        final WritePlansMXBean plans = PlanDifferential.writePlans();
        final CqlSession session = sessions.of(Wire.V5_PLAIN, "handled");
        TestNode.define(session, "CREATE TABLE handled.t (k int PRIMARY KEY, v text)");
        final PreparedStatement insert = session.prepare("INSERT INTO handled.t (k, v) VALUES (?, ?)");
        final long before = plans.getUnplannedStatements().getOrDefault(REASON, 0L);
        session.execute(insert.bind(1, "v"));
        session.execute(BatchStatement.newInstance(DefaultBatchType.LOGGED, insert.bind(2, "v"), insert.bind(3, "v")));
        assertEquals(3, session.execute(session.prepare("SELECT k FROM handled.t").bind()).all().size());
        assertEquals(before + 3, plans.getUnplannedStatements().get(REASON));
        assertEquals(0, plans.getPlannedStatements());
    }
}
