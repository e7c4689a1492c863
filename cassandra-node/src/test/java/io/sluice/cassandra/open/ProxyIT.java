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
import com.datastax.oss.driver.api.core.cql.Row;
import io.sluice.cassandra.NodeExtension;
import io.sluice.cassandra.Sessions;
import io.sluice.cassandra.TestNode;
import io.sluice.cassandra.Wire;
import io.sluice.transport.testkit.Await;
import io.sluice.transport.testkit.ProxyHeaders;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.WireClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.cassandra.metrics.ClientMetrics;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients behind a proxy that the node trusts: Cassandra's own tables name them, and its count of them is right. */
@ExtendWith(NodeExtension.class)
final class ProxyIT
{
    private static final InetSocketAddress CLIENT = new InetSocketAddress("203.0.113.7", 56_324);
    private static final String CLIENTS = "SELECT address, port, request_count FROM system_views.clients";

    private final TestNode node;
    private final Sessions sessions;

    ProxyIT(final TestNode node, final Sessions sessions)
    {
        this.node = node;
        this.sessions = sessions;
    }

    private static Row clientRow(final CqlSession session)
    {
        return session.execute(CLIENTS)
            .all()
            .stream()
            .filter(row -> CLIENT.getAddress().equals(row.getInetAddress(0)) && row.getInt(1) == CLIENT.getPort())
            .findFirst()
            .orElse(null);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void clientsTableNamesTheClientAndForgetsIt(final int version) throws IOException
    {
        final CqlSession session = sessions.of(Wire.V5_PLAIN);
        final int before = node.transport().connections().size();
        try (WireClient client = WireClient.over(ProxyHeaders.fromProxy(node.address())))
        {
            client.send(version == 4 ? ProxyHeaders.line(CLIENT) : ProxyHeaders.binary(CLIENT, 0));
            client.startUp(version, null);
            assertNotNull(clientRow(session), "the client by its own address");
            client.ask(Requests.query(version, 1, "SELECT key FROM system.local"));
            assertEquals(2, clientRow(session).getLong(2), "STARTUP and a query");
        }
        Await.until("closed", () -> node.transport().connections().size() == before);
        Await.until("forgotten", () -> clientRow(session) == null);
        assertEquals(before, ClientMetrics.instance.allConnectedClients().size());
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5})
    void eventsReachClientsBehindProxies(final int version) throws IOException
    {
        final CqlSession session = sessions.of(Wire.V4_PLAIN);
        try (WireClient client = WireClient.over(ProxyHeaders.fromProxy(node.address())))
        {
            client.send(ProxyHeaders.binary(CLIENT, 0));
            client.startUp(version, null);
            client.ask(Requests.register(version, 1, "SCHEMA_CHANGE"));
            session.execute("CREATE KEYSPACE proxied" + version +
                " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
            assertEquals(-1, client.readEnvelope().streamId());
        }
    }
}
