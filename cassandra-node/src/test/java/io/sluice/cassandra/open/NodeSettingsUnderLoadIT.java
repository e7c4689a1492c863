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

import com.codahale.metrics.Counting;
import io.sluice.cassandra.BusyRequestPool;
import io.sluice.cassandra.LoginThreads;
import io.sluice.cassandra.NodeExtension;
import io.sluice.cassandra.NodeLoad;
import io.sluice.cassandra.TestNode;
import io.sluice.framing.Opcode;
import io.sluice.transport.NativeTransportMXBean;
import io.sluice.transport.SettingRow;
import io.sluice.transport.TransportLimits;
import io.sluice.transport.TransportSettings;
import io.sluice.transport.testkit.Await;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.WireClient;
import io.sluice.transport.testkit.WireEnvelope;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.JMX;
import javax.management.ObjectName;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.metrics.CassandraMetricsRegistry;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.utils.MonotonicClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each setting of Cassandra's around the transport, changed over JMX while clients are at work: its effect is seen, and
 * every request of the load beside it is answered. The transport's own are shown in its own module.
 */
@ExtendWith(NodeExtension.class)
@DisabledIfSystemProperty(named = "sluice.it.transport", matches = "stock")
final class NodeSettingsUnderLoadIT
{
    private static final int READ_TIMEOUT = 0x1200;
    private static final long SHORT_MILLIS = 1_000;
    private static final String SELECT = "SELECT key FROM system.local";

    private final TestNode node;
    private NativeTransportMXBean bean;
    private Map<String, SettingRow> before;

    NodeSettingsUnderLoadIT(final TestNode node)
    {
        this.node = node;
    }

    /** What a setting is changed to, and what comes of it. */
    record Live(String setting, Effect effect)
    {
        @Override
        public String toString()
        {
            return setting;
        }
    }

    /** Changes a setting and looks for what it does. */
    private interface Effect
    {
        void see(NodeSettingsUnderLoadIT test) throws Exception;
    }

    @BeforeEach
    void remember() throws Exception
    {
        final ObjectName name = ManagementFactory.getPlatformMBeanServer()
            .queryNames(new ObjectName("io.sluice:type=NativeTransport,*"), null)
            .iterator()
            .next();
        bean = JMX.newMXBeanProxy(ManagementFactory.getPlatformMBeanServer(), name, NativeTransportMXBean.class);
        before = bean.getSettings();
    }

    @AfterEach
    void putBack()
    {
        settings().forEach(live -> bean.set(live.setting, before.get(live.setting).getValue()));
    }

    static Stream<Live> settings()
    {
        return Stream.of(
            new Live("requestThreads", NodeSettingsUnderLoadIT::requestThreads),
            new Live("authThreads", NodeSettingsUnderLoadIT::authThreads),
            new Live("cqlStartTime", NodeSettingsUnderLoadIT::cqlStartTime),
            new Live("enforceDeadlineForHints", NodeSettingsUnderLoadIT::enforceDeadlineForHints),
            new Live("errorReportingExclusions", NodeSettingsUnderLoadIT::errorReportingExclusions));
    }

    @ParameterizedTest
    @MethodSource("settings")
    void takesEffectAtOnceAndNoRequestIsLost(final Live live) throws Exception
    {
        try (NodeLoad load = new NodeLoad(node))
        {
            live.effect.see(this);
            assertEquals("jmx", bean.getSettings().get(live.setting).getSource());
            final long answered = load.answered();
            Await.until("the load goes on", () -> load.answered() > answered);
        }
    }

    @Test
    void everySettingOfTheNodeIsShownHere()
    {
        final Set<String> others = new HashSet<>(before.keySet());
        others.removeAll(TransportSettings.valuesOf(TransportLimits.defaults()).keySet());
        others.removeIf(name -> name.startsWith("flush") || name.startsWith("compression"));
        others.remove("olderVersionsAllowed");
        assertEquals(others, settings().map(Live::setting).collect(Collectors.toSet()));
    }

    /** Writes that are held on their threads: as many as there are threads for. */
    private void requestThreads() throws IOException
    {
        try (WireClient client = WireClient.ready(node.address(), 5, null))
        {
            result(client, "CREATE KEYSPACE live WITH replication = {'class': 'SimpleStrategy', " +
                "'replication_factor': 1}");
            result(client, "CREATE TABLE live.held (k int PRIMARY KEY)");
            result(client, "CREATE TRIGGER holding ON live.held USING '" + HoldingTrigger.class.getName() + "'");
            bean.set("requestThreads", "2");
            final int writes = 6;
            final byte[][] all = new byte[writes][];
            for (int i = 0; i < writes; i++)
            {
                all[i] = Requests.query(5, i, "INSERT INTO live.held (k) VALUES (" + i + ")");
            }
            client.request(all);
            Await.until("two are served", () -> HoldingTrigger.BEGUN.get() == 2);
            bean.set("requestThreads", "4");
            Await.until("four are served", () -> HoldingTrigger.BEGUN.get() == 4);
            assertEquals(4, HoldingTrigger.BEGUN.get());
            bean.set("requestThreads", "7");
            Await.until("all are served", () -> HoldingTrigger.BEGUN.get() == writes);
            HoldingTrigger.letGo();
            for (final WireEnvelope answer : client.readEnvelopes(writes))
            {
                assertEquals(Opcode.RESULT, answer.type(), answer::toString);
            }
            result(client, "DROP KEYSPACE live");
        }
        finally
        {
            HoldingTrigger.letGo();
        }
    }

    private static void result(final WireClient client, final String statement) throws IOException
    {
        final WireEnvelope answer = client.ask(Requests.query(client.version(), 1, statement));
        assertEquals(Opcode.RESULT, answer.type(), answer::toString);
    }

    private void authThreads()
    {
        bean.set("authThreads", "1");
        try (LoginThreads logins = new LoginThreads(3))
        {
            Await.until("one is checked", () -> logins.begun() == 1);
            bean.set("authThreads", "2");
            Await.until("two are checked", () -> logins.begun() == 2);
            bean.set("authThreads", "3");
            Await.until("all are checked", () -> logins.begun() == 3);
            assertEquals(3, logins.onTheirOwn());
            bean.set("authThreads", "0");
            try (LoginThreads shared = new LoginThreads(1))
            {
                Await.until("checked elsewhere", () -> shared.begun() == 1);
                assertEquals(0, shared.onTheirOwn());
            }
        }
    }

    /** A read that has waited for longer than reads may take. */
    private void cqlStartTime() throws Exception
    {
        final long patience = DatabaseDescriptor.getReadRpcTimeout(TimeUnit.MILLISECONDS);
        DatabaseDescriptor.setReadRpcTimeout(SHORT_MILLIS);
        try
        {
            bean.set("cqlStartTime", "QUEUE");
            final WireEnvelope late = readThatHasWaited();
            assertTrue(late.isError(READ_TIMEOUT), late::toString);
            bean.set("cqlStartTime", "REQUEST");
            final WireEnvelope inTime = readThatHasWaited();
            assertEquals(Opcode.RESULT, inTime.type(), inTime::toString);
        }
        finally
        {
            DatabaseDescriptor.setReadRpcTimeout(patience);
        }
    }

    private WireEnvelope readThatHasWaited() throws Exception
    {
        try (WireClient client = WireClient.ready(node.address(), 4, null);
            BusyRequestPool pool = new BusyRequestPool())
        {
            client.request(Requests.query(4, 1, SELECT));
            Await.until("all wait", () -> pool.waiting() == NodeLoad.CLIENTS + 1);
            final long since = System.nanoTime();
            Await.until("for long enough", () -> System.nanoTime() - since > TimeUnit.MILLISECONDS.toNanos(
                SHORT_MILLIS + 100));
            pool.release();
            return client.readEnvelope();
        }
    }

    /** Cassandra's own decision about a request that is an hour old: a hint is for other nodes, and there are none. */
    private void enforceDeadlineForHints()
    {
        final Dispatcher.RequestTime old = new Dispatcher.RequestTime(MonotonicClock.Global.preciseTime.now() -
            TimeUnit.HOURS.toNanos(1));
        assertTrue(old.shouldSendHints());
        bean.set("enforceDeadlineForHints", "true");
        assertFalse(old.shouldSendHints());
        assertTrue(new Dispatcher.RequestTime(MonotonicClock.Global.preciseTime.now()).shouldSendHints());
        bean.set("enforceDeadlineForHints", "false");
        assertTrue(old.shouldSendHints());
    }

    private void errorReportingExclusions() throws IOException
    {
        bean.set("errorReportingExclusions", "10.0.0.0/8; 127.0.0.3");
        assertEquals(0, countedBreaches("127.0.0.3"));
        assertEquals(1, countedBreaches("127.0.0.4"));
        bean.set("errorReportingExclusions", "127.0.0.4");
        assertEquals(1, countedBreaches("127.0.0.3"));
        assertEquals(0, countedBreaches("127.0.0.4"));
    }

    /** How many protocol exceptions Cassandra counts for one that a client from there brings about. */
    private long countedBreaches(final String from) throws IOException
    {
        final long counted = protocolExceptions();
        final Socket socket = new Socket();
        socket.bind(new InetSocketAddress(InetAddress.getByName(from), 0));
        socket.connect(node.address());
        try (WireClient client = WireClient.over(socket))
        {
            client.startUp(4, null);
            client.send(Requests.header(4, 3, Opcode.QUERY, -1));
            assertEquals(Opcode.ERROR, client.readEnvelope().type());
            client.expectEnd();
        }
        return protocolExceptions() - counted;
    }

    private static long protocolExceptions()
    {
        return ((Counting)CassandraMetricsRegistry.Metrics.getMetrics()
            .get(
                "org.apache.cassandra.metrics.Client.ProtocolException"))
            .getCount();
    }
}
