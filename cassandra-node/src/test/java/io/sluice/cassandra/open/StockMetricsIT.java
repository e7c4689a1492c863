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

import com.codahale.metrics.Counting;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.Histogram;
import com.codahale.metrics.Metric;
import io.sluice.cassandra.BusyRequestPool;
import io.sluice.cassandra.NodeExtension;
import io.sluice.cassandra.TestNode;
import io.sluice.framing.Opcode;
import io.sluice.transport.NativeTransportMXBean;
import io.sluice.transport.SettingSource;
import io.sluice.transport.testkit.Await;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.WireClient;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import javax.management.JMX;
import javax.management.ObjectName;
import org.apache.cassandra.metrics.CassandraMetricsRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cassandra's own client metrics, right in every version: crafted traffic with a known answer. */
@ExtendWith(NodeExtension.class)
@DisabledIfSystemProperty(named = "sluice.it.transport", matches = "stock")
final class StockMetricsIT
{
    private static final String PREFIX = "org.apache.cassandra.metrics.";
    private static final int OVERLOADED = 0x1001;

    private final TestNode node;

    StockMetricsIT(final TestNode node)
    {
        this.node = node;
    }

    private static Metric metric(final String name)
    {
        final Metric metric = CassandraMetricsRegistry.Metrics.getMetrics().get(PREFIX + name);
        assertTrue(metric != null, name);
        return metric;
    }

    private static long count(final String name)
    {
        return ((Counting)metric(name)).getCount();
    }

    private static long gauge(final String name)
    {
        return ((Number)((Gauge<?>)metric(name)).getValue()).longValue();
    }

    private void set(final Map<String, String> values)
    {
        node.transport().settings().set(values, SettingSource.JMX, "a test");
    }

    private Map<String, String> values(final String... names)
    {
        final Map<String, String> values = new HashMap<>();
        Arrays.stream(names).forEach(name -> values.put(name, node.transport().settings().value(name)));
        return values;
    }

    /** In Cassandra itself a request of several segments is not counted at all. */
    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void bytesReceivedAndSentHaveEachRequestWhateverItsSize(final int version) throws Exception
    {
        try (WireClient client = WireClient.ready(node.address(), version, null))
        {
            final byte[] small = Requests.query(version, 1, "SELECT key FROM system.local");
            final byte[] large = Requests.query(version, 2, "SELECT key FROM system.local /*" + "x".repeat(400_000) +
                "*/");
            final long received = count("ClientMessageSize.BytesReceived");
            final long requests = count("ClientMessageSize.BytesReceivedPerRequest");
            final long sent = count("ClientMessageSize.BytesSent");
            final long answers = count("ClientMessageSize.BytesSentPerResponse");
            final long dispatched = count("Client.RequestDispatched");
            final int answer = 9 + client.ask(small).body().length;
            assertEquals(answer, 9 + client.ask(large).body().length);
            Await.until("counted", () -> count("ClientMessageSize.BytesSentPerResponse") == answers + 2);
            assertEquals(received + small.length + large.length, count("ClientMessageSize.BytesReceived"));
            assertEquals(requests + 2, count("ClientMessageSize.BytesReceivedPerRequest"));
            assertEquals(sent + 2L * answer, count("ClientMessageSize.BytesSent"));
            assertEquals(dispatched + 2, count("Client.RequestDispatched"));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void pausedDiscardedAndInFlight(final int version) throws Exception
    {
        final Map<String, String> before = values("maxFrameBytes", "maxMessageBytes", "inFlightBytesPerConnection",
            "overloadAction");
        try (WireClient client = WireClient.ready(node.address(), version, null);
            BusyRequestPool pool = new BusyRequestPool())
        {
            final long paused = count("Client.ConnectionPaused");
            final long discarded = count("Client.RequestDiscarded");
            set(Map.of("maxFrameBytes", "16384", "maxMessageBytes", "16384", "inFlightBytesPerConnection", "16384"));
            final String text = "SELECT key FROM system.local /*" + "x".repeat(12_000) + "*/";
            final byte[] first = Requests.query(version, 1, text);
            client.request(first, Requests.query(version, 2, text));
            Await.until("paused", () -> gauge("Client.PausedConnections") == 1);
            assertEquals(paused + 1, count("Client.ConnectionPaused"));
            assertEquals(first.length, gauge("Client.RequestsSize"));
            final Histogram byAddress = (Histogram)metric("Client.RequestsSizeByIpDistribution");
            assertEquals(1, byAddress.getCount());
            assertEquals(first.length, byAddress.getSnapshot().getMax());
            assertEquals(Opcode.SUPPORTED, client.ask(Requests.options(version, 3)).type());
            set(Map.of("overloadAction", "SHED"));
            assertTrue(client.readEnvelope().isError(OVERLOADED), "what waited is decided on again");
            Await.until("not paused", () -> gauge("Client.PausedConnections") == 0);
            assertEquals(discarded + 1, count("Client.RequestDiscarded"));
            pool.release();
            assertEquals(1, client.readEnvelope().streamId());
        }
        finally
        {
            set(before);
        }
    }

    @Test
    void protocolExceptions() throws Exception
    {
        final long before = count("Client.ProtocolException");
        final long unknown = count("Client.UnknownException");
        try (WireClient client = WireClient.ready(node.address(), 4, null))
        {
            client.send(Requests.header(4, 3, Opcode.QUERY, -1));
            client.readEnvelope();
            client.expectEnd();
        }
        assertEquals(before + 1, count("Client.ProtocolException"));
        assertEquals(unknown, count("Client.UnknownException"));
    }

    @Test
    void everyConnectionsOwnFigures() throws Exception
    {
        final ObjectName name = ManagementFactory.getPlatformMBeanServer()
            .queryNames(new ObjectName("io.sluice:type=NativeTransport,*"), null)
            .iterator()
            .next();
        final NativeTransportMXBean bean = JMX.newMXBeanProxy(ManagementFactory.getPlatformMBeanServer(), name,
            NativeTransportMXBean.class);
        try (WireClient client = WireClient.ready(node.address(), 5, "lz4"))
        {
            for (int i = 0; i < 3; i++)
            {
                client.ask(Requests.query(5, i, "SELECT key FROM system.local"));
            }
            final String peer = "127.0.0.1:" + client.socket().getLocalPort();
            final Map<String, String> row = bean.listConnections()
                .stream()
                .filter(cells -> peer.equals(cells.get("client")))
                .findAny()
                .orElseThrow();
            assertEquals("ready 5/v5 lz4 none anonymous 4 0 none", row.get("state") + " " + row.get(
                "version") + " " + row.get("compression") + " " + row.get("tls") + " " + row.get("user") + " " +
                row
                    .get("requests") +
                " " + row.get("errors") + " " + row.get("pausedBy"));
            assertTrue(bean.describeConnections().contains("client=" + peer));
        }
    }
}
