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

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.SchemaChangeListenerBase;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.type.UserDefinedType;
import io.sluice.cassandra.NodeExtension;
import io.sluice.cassandra.Sessions;
import io.sluice.cassandra.TestNode;
import io.sluice.cassandra.Wire;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Schema changes made over one session reach another by pushed events, the only way that it hears of them. */
@ExtendWith(NodeExtension.class)
final class EventsIT
{
    private static final long PATIENCE_SECONDS = 60;

    private final TestNode node;
    private final Sessions sessions;

    EventsIT(final TestNode node, final Sessions sessions)
    {
        this.node = node;
        this.sessions = sessions;
    }

    @ParameterizedTest
    @EnumSource
    void pushesSchemaChanges(final Wire wire) throws InterruptedException
    {
        final String keyspace = wire.keyspace("events");
        final Heard heard = new Heard();
        try (CqlSession listener = node.connect(wire, heard))
        {
            final CqlSession session = sessions.of(wire == Wire.V5_PLAIN ? Wire.V4_PLAIN : Wire.V5_PLAIN);
            session.execute("CREATE KEYSPACE " + keyspace +
                " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
            heard.expect("keyspace " + keyspace);
            session.execute("CREATE TABLE " + keyspace + ".t (k int PRIMARY KEY)");
            heard.expect("table t");
            session.execute("CREATE TYPE " + keyspace + ".pair (a int, b int)");
            heard.expect("type pair");
            session.execute("DROP TABLE " + keyspace + ".t");
            heard.expect("no table t");
            session.execute("DROP KEYSPACE " + keyspace);
            heard.expect("no keyspace " + keyspace);
            assertEquals(wire.version(), listener.getContext().getProtocolVersion());
        }
    }

    /** Of other tests' keyspaces nothing is changed meanwhile, so what is heard comes in order and alone. */
    @SuppressWarnings("try") // the driver closes it, and means by that nothing
    private static final class Heard extends SchemaChangeListenerBase
    {
        private final BlockingQueue<String> queue = new LinkedBlockingQueue<>();

        void expect(final String what) throws InterruptedException
        {
            assertEquals(what, queue.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
        }

        @Override
        public void onKeyspaceCreated(final KeyspaceMetadata keyspace)
        {
            queue.add("keyspace " + keyspace.getName().asInternal());
        }

        @Override
        public void onKeyspaceDropped(final KeyspaceMetadata keyspace)
        {
            queue.add("no keyspace " + keyspace.getName().asInternal());
        }

        @Override
        public void onTableCreated(final TableMetadata table)
        {
            queue.add("table " + table.getName().asInternal());
        }

        @Override
        public void onTableDropped(final TableMetadata table)
        {
            queue.add("no table " + table.getName().asInternal());
        }

        @Override
        public void onUserDefinedTypeCreated(final UserDefinedType type)
        {
            queue.add("type " + type.getName().asInternal());
        }
    }
}
