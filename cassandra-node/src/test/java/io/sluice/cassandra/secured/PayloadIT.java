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
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.sluice.cassandra.NodeExtension;
import io.sluice.cassandra.Sessions;
import io.sluice.cassandra.TestNode;
import io.sluice.cassandra.Wire;
import java.nio.ByteBuffer;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Custom payloads, which this node's query handler sends back as they came, for every kind of request. */
@ExtendWith(NodeExtension.class)
final class PayloadIT
{
    private final Sessions sessions;

    PayloadIT(final Sessions sessions)
    {
        this.sessions = sessions;
    }

    @ParameterizedTest
    @EnumSource(names = "V[45].*", mode = EnumSource.Mode.MATCH_ALL)
    void goesThereAndBack(final Wire wire)
    {
        final String keyspace = wire.keyspace("payload");
        final CqlSession session = sessions.of(wire, keyspace);
        TestNode.define(session, "CREATE TABLE " + keyspace + ".t (k int PRIMARY KEY)");
        final Map<String, ByteBuffer> payload = Map.of("one", ByteBuffer.wrap(new byte[]{1, 2, 3}), "two", ByteBuffer
            .wrap(new byte[200]));
        final SimpleStatement insert = SimpleStatement.newInstance("INSERT INTO " + keyspace + ".t (k) VALUES (1)")
            .setCustomPayload(payload);
        assertEquals(payload, session.execute(insert).getExecutionInfo().getIncomingPayload(), "QUERY");
        assertEquals(payload, session.execute(session.prepare("SELECT k FROM " + keyspace + ".t WHERE k = ?")
            .bind(1)
            .setCustomPayload(payload)).getExecutionInfo().getIncomingPayload(), "EXECUTE");
        assertEquals(payload, session.execute(BatchStatement.newInstance(DefaultBatchType.UNLOGGED, insert)
            .setCustomPayload(payload)).getExecutionInfo().getIncomingPayload(), "BATCH");
    }
}
