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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import io.sluice.cassandra.NodeExtension;
import io.sluice.cassandra.Nodetool;
import io.sluice.cassandra.TestNode;
import io.sluice.cassandra.Wire;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an operator sees and does over JMX, with Cassandra's own nodetool where there is a command for it. */
@ExtendWith(NodeExtension.class)
final class ManagementIT
{
    private final TestNode node;

    ManagementIT(final TestNode node)
    {
        this.node = node;
    }

    @ParameterizedTest
    @EnumSource
    void listsTheClient(final Wire wire)
    {
        try (CqlSession session = node.connect(wire))
        {
            final List<Row> rows = new ArrayList<>();
            session.execute("SELECT * FROM system_views.clients").forEach(rows::add);
            final List<Row> ours = rows.stream()
                .filter(row -> row.getInt("protocol_version") == wire.version()
                    .getCode() && "ready".equals(row.getString("connection_stage")))
                .toList();
            assertEquals(2, ours.size(), () -> "the session's connection and its control connection in " + describe(
                rows));
            final Row one = ours.get(0);
            assertEquals("anonymous", one.getString("username"));
            assertEquals("Apache Cassandra Java Driver", one.getString("driver_name"));
            assertEquals(false, one.getBoolean("ssl_enabled"));
            assertTrue(ours.stream().mapToLong(row -> row.getLong("request_count")).sum() > 0);
        }
    }

    private static String describe(final List<Row> rows)
    {
        final StringBuilder text = new StringBuilder();
        rows.forEach(row -> text.append(row.getFormattedContents()).append('\n'));
        return text.toString();
    }

    @Test
    void countsConnectionsAndRequests() throws IOException, JMException
    {
        try (JMXConnector connector = jmx(); CqlSession session = node.connect(Wire.V5_PLAIN))
        {
            final MBeanServerConnection beans = connector.getMBeanServerConnection();
            final ObjectName clients = new ObjectName(
                "org.apache.cassandra.metrics:type=Client,name=connectedNativeClients");
            final int before = (Integer)beans.getAttribute(clients, "Value");
            assertTrue(before >= 2, () -> "connected: " + before);
            try (CqlSession more = node.connect(Wire.V4_LZ4))
            {
                more.execute("SELECT key FROM system.local");
                assertEquals(before + 2, beans.getAttribute(clients, "Value"));
            }
            final ObjectName executed = new ObjectName(
                "org.apache.cassandra.metrics:type=CQL,name=RegularStatementsExecuted");
            final long statements = (Long)beans.getAttribute(executed, "Count");
            session.execute("SELECT key FROM system.local");
            assertEquals(statements + 1, beans.getAttribute(executed, "Count"));
        }
    }

    @Test
    void stopsAndStartsTheTransport() throws IOException, JMException
    {
        try (CqlSession session = node.connect(Wire.V5_LZ4))
        {
            assertEquals("running", nodetool("statusbinary").strip());
            assertTrue(nodetool("clientstats").contains("Total connected clients: "));
            assertTrue(nodetool("clientstats", "--all").contains("Apache Cassandra Java Driver"));
            nodetool("disablebinary");
            assertEquals("not running", nodetool("statusbinary").strip());
            assertThrows(IOException.class, () -> new Socket(node.address().getAddress(), node.address().getPort())
                .close());
            assertThrows(AllNodesFailedException.class, () -> node.connect(Wire.V4_PLAIN).close());
            try (JMXConnector connector = jmx())
            {
                final ObjectName storage = new ObjectName("org.apache.cassandra.db:type=StorageService");
                assertEquals(false, connector.getMBeanServerConnection()
                    .getAttribute(storage,
                        "NativeTransportRunning"));
            }
            nodetool("enablebinary");
            assertEquals("running", nodetool("statusbinary").strip());
            try (CqlSession again = node.connect(Wire.V5_LZ4))
            {
                again.execute("CREATE KEYSPACE IF NOT EXISTS management " +
                    "WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
                again.execute("CREATE TABLE management.counts (k int PRIMARY KEY, n counter)");
                again.execute("UPDATE management.counts SET n = n + 1 WHERE k = 1");
                assertEquals(1L, again.execute("SELECT n FROM management.counts").one().getLong(0),
                    "counters need the node to be announced as serving clients");
            }
            assertEquals(Wire.V5_LZ4.version(), session.getContext().getProtocolVersion());
        }
    }

    @SuppressWarnings("BanJNDI") // the address is ours
    private JMXConnector jmx() throws IOException
    {
        return JMXConnectorFactory.connect(new JMXServiceURL("service:jmx:rmi:///jndi/rmi://127.0.0.1:" + node
            .jmxPort() + "/jmxrmi"));
    }

    private String nodetool(final String... command)
    {
        return Nodetool.run(node, command);
    }
}
