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

import io.sluice.cassandra.BusyRequestPool;
import io.sluice.cassandra.NodeExtension;
import io.sluice.cassandra.TestNode;
import io.sluice.framing.Opcode;
import io.sluice.transport.NativeTransportMXBean;
import io.sluice.transport.SettingRow;
import io.sluice.transport.testkit.Await;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.WireClient;
import io.sluice.transport.testkit.WireEnvelope;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.service.StorageService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** cassandra.yaml, Cassandra's own JMX setters and Sluice's MBean are three roads to the same settings. */
@ExtendWith(NodeExtension.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@DisabledIfSystemProperty(named = "sluice.it.transport", matches = "stock")
final class NodeSettingsIT
{
    private static final String STORAGE = "org.apache.cassandra.db:type=StorageService";
    private static final String PROXY = "org.apache.cassandra.db:type=StorageProxy";
    private static final String POOL = "org.apache.cassandra.transport:type=Native-Transport-Requests";
    private static final String AUTH_POOL = "org.apache.cassandra.transport:type=Native-Transport-Auth-Requests";
    private static final int OVERLOADED = 0x1001;

    private final TestNode node;
    private final MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    private NativeTransportMXBean bean;
    private Map<String, SettingRow> before;

    NodeSettingsIT(final TestNode node)
    {
        this.node = node;
    }

    @BeforeEach
    void remember() throws Exception
    {
        final ObjectName name = beans.queryNames(new ObjectName("io.sluice:type=NativeTransport,*"), null)
            .iterator()
            .next();
        bean = JMX.newMXBeanProxy(beans, name, NativeTransportMXBean.class);
        before = bean.getSettings();
    }

    /** As it was: other tests share the node. */
    @AfterEach
    void putBack()
    {
        final StringBuilder all = new StringBuilder();
        before.values()
            .stream()
            .filter(row -> !"errorReportingExclusions".equals(row.getName()))
            .forEach(row -> all.append(row.getName()).append('=').append(row.getValue()).append(' '));
        bean.setAll(all.toString());
    }

    /** MBean, attribute, what it is set to; the setting and its value over there. */
    static Stream<Arguments> roads()
    {
        return Stream.of(
            Arguments.of(STORAGE, "NativeTransportMaxConcurrentRequestsInBytes", 123_456_789L, "inFlightBytes",
                "123456789"),
            Arguments.of(STORAGE, "NativeTransportMaxConcurrentRequestsInBytesPerIp", 23_456_789L,
                "inFlightBytesPerAddress", "23456789"),
            Arguments.of(STORAGE, "NativeTransportThrowOnOverload", true, "overloadAction", "SHED"),
            Arguments.of(STORAGE, "NativeTransportRateLimitingEnabled", true, "requestsPerSecond", "1000000"),
            Arguments.of(STORAGE, "NativeTransportQueueMaxItemAgeThreshold", 0.5, "queueAge", "6000"),
            Arguments.of(STORAGE, "NativeTransportTimeoutMillis", 34_567L, "requestTimeout", "34567"),
            Arguments.of(STORAGE, "EnforceNativeDeadlineForHints", true, "enforceDeadlineForHints", "true"),
            Arguments.of(PROXY, "NativeTransportMaxConcurrentConnections", 4_321L, "maxConnections", "4321"),
            Arguments.of(PROXY, "NativeTransportMaxConcurrentConnectionsPerIp", 321L, "maxConnectionsPerAddress",
                "321"),
            Arguments.of(POOL, "MaximumPoolSize", 77, "requestThreads", "77"),
            Arguments.of(AUTH_POOL, "MaximumPoolSize", 7, "authThreads", "7"));
    }

    @ParameterizedTest
    @MethodSource("roads")
    void eachRoadLeadsToTheSameSetting(final String mbean,
        final String attribute,
        final Object value,
        final String setting,
        final String text) throws Exception
    {
        final ObjectName stock = new ObjectName(mbean);
        beans.setAttribute(stock, new javax.management.Attribute(attribute, value));
        SettingRow row = bean.getSettings().get(setting);
        assertEquals(text + " jmx", row.getValue() + " " + row.getSource());
        assertTrue(!row.getChanged().isEmpty() && !row.getChangedBy().isEmpty(), row::toString);
        bean.set(setting, before.get(setting).getValue());
        row = bean.getSettings().get(setting);
        assertEquals(before.get(setting).getValue(), row.getValue());
        assertTrue(row.getChangedBy().startsWith("JMX"), row.getChangedBy());
        final String shown = beans.getAttribute(stock, attribute).toString();
        assertTrue(!shown.equals(value.toString()), () -> "Cassandra's getter still says " + shown);
        // The same value as the first time: it is the later change all the same.
        beans.setAttribute(stock, new javax.management.Attribute(attribute, value));
        assertEquals(text, bean.getSettings().get(setting).getValue());
    }

    @Test
    void theOperationsPageListsEachSettingAndNoOther() throws IOException
    {
        final Map<String, String> listed = new TreeMap<>();
        final Matcher rows = Pattern.compile("(?m)^\\| `([a-zA-Z]+)` \\| [^|]*\\| ([^|]+) \\| .* \\| ([^|]+) \\|$")
            .matcher(Files.readString(Path.of("..", "docs", "operations.md")));
        while (rows.find())
        {
            listed.put(rows.group(1), rows.group(2) + ": " + rows.group(3));
        }
        final Map<String, String> there = new TreeMap<>();
        before.values().forEach(row -> there.put(row.getName(), row.getRange() + ": " + row.getAbout()));
        assertEquals(there, listed);
    }

    /** Before the others change it. */
    @Test
    @Order(1)
    void theFileIsShownAsTheSource()
    {
        final SettingRow inFlight = before.get("inFlightBytesPerAddress");
        assertEquals("yaml", inFlight.getSource(), inFlight::toString);
        assertEquals(DatabaseDescriptor.getNativeTransportMaxRequestDataInFlightPerIpInBytes(), Long.parseLong(inFlight
            .getValue()));
        assertEquals("default", before.get("loginAttempts").getSource());
        assertEquals("12000", before.get("requestTimeout").getDefaultValue());
        assertEquals("16777216", before.get("maxFrameBytes").getDefaultValue());
        assertEquals("128", before.get("requestThreads").getDefaultValue());
    }

    @Test
    void cassandrasRateAndBackoff() throws Exception
    {
        final ObjectName storage = new ObjectName(STORAGE);
        bean.set("requestsPerSecond", "1234");
        assertEquals(true, beans.getAttribute(storage, "NativeTransportRateLimitingEnabled"));
        assertEquals(1234, beans.getAttribute(storage, "NativeTransportMaxRequestsPerSecond"));
        beans.setAttribute(storage, new javax.management.Attribute("NativeTransportMaxRequestsPerSecond", 4321));
        assertEquals("4321", bean.getSettings().get("requestsPerSecond").getValue());
        beans.setAttribute(storage, new javax.management.Attribute("NativeTransportRateLimitingEnabled", false));
        assertEquals("0", bean.getSettings().get("requestsPerSecond").getValue());
        beans.setAttribute(storage, new javax.management.Attribute("NativeTransportMaxRequestsPerSecond", 1_000_000));
        beans.invoke(storage, "setNativeTransportBackoffOnQueueOverloadInMillis", new Object[]{33L, 333L},
            new String[]{"long", "long"});
        assertEquals("33", bean.getSettings().get("queueBackoffLeast").getValue());
        assertEquals("333", bean.getSettings().get("queueBackoffMost").getValue());
        // The least is above what was the most until then: neither order of the two may show them at odds.
        bean.setAll("queueBackoffLeast=1000 queueBackoffMost=2000");
        assertEquals(1_000L, beans.getAttribute(storage, "NativeTransportMinBackoffOnQueueOverloadInMillis"));
        assertEquals(2_000L, beans.getAttribute(storage, "NativeTransportMaxBackoffOnQueueOverloadInMillis"));
        assertEquals("1000", bean.getSettings().get("queueBackoffLeast").getValue());
        bean.setAll("queueBackoffLeast=10 queueBackoffMost=200");
        assertEquals(10L, beans.getAttribute(storage, "NativeTransportMinBackoffOnQueueOverloadInMillis"));
    }

    @Test
    void nodetoolsOldVersionsAreTheSameSetting() throws Exception
    {
        final ObjectName storage = new ObjectName(STORAGE);
        beans.invoke(storage, "disableNativeTransportOldProtocolVersions", null, null);
        assertEquals("false", bean.getSettings().get("olderVersionsAllowed").getValue());
        bean.setOlderVersionsAllowed(true);
        try (WireClient client = WireClient.ready(node.address(), 4, null))
        {
            assertEquals(Opcode.SUPPORTED, client.ask(Requests.options(4, 1)).type());
        }
    }

    @Test
    void whatCannotBeSetAsOneIsRefusedWithTheReason()
    {
        final Exception refused = assertThrows(IllegalArgumentException.class, () -> bean.setAll(
            "inFlightBytes=20000000 inFlightBytesPerAddress=20000001 requestThreads=5"));
        assertTrue(refused.getMessage().contains("inFlightBytesPerAddress: 20000001 (expected: at most inFlightBytes"),
            refused.getMessage());
        assertEquals(before.get("requestThreads").getValue(), bean.getSettings().get("requestThreads").getValue());
        bean.set("errorReportingExclusions", "10.0.0.0/8; 127.0.0.2");
        assertTrue(DatabaseDescriptor.getClientErrorReportingExclusions()
            .contains(new java.net.InetSocketAddress(
                "10.1.2.3", 1)));
        bean.set("errorReportingExclusions", "");
    }

    /** In Cassandra itself the setter has no effect once a request was served. */
    @Test
    void theTimeoutOfRequestsThatWaitIsAliveForOpenConnections() throws Exception
    {
        try (WireClient client = WireClient.ready(node.address(), 4, null);
            BusyRequestPool pool = new BusyRequestPool())
        {
            client.request(Requests.query(4, 7, "SELECT key FROM system.local"));
            Await.until("waits", () -> pool.waiting() == 1);
            beans.setAttribute(new ObjectName(STORAGE), new javax.management.Attribute("NativeTransportTimeoutMillis",
                1L));
            assertEquals("1", bean.getSettings().get("requestTimeout").getValue());
            final long since = System.nanoTime();
            Await.until("too old", () -> System.nanoTime() - since > 2_000_000);
            pool.release();
            final WireEnvelope answer = client.readEnvelope();
            assertTrue(answer.isError(OVERLOADED), answer::toString);
            assertEquals(1_000_000, DatabaseDescriptor.getNativeTransportTimeout(
                java.util.concurrent.TimeUnit.NANOSECONDS), "Cassandra's own copy as well");
        }
    }

    /** Over there they are one setting, and the age of the queue a part of it; set here, each is what it was set to. */
    @Test
    void theTimeoutOfRequestsIsNotThatOfClosingNorTheAgeOfTheQueue() throws Exception
    {
        final ObjectName storage = new ObjectName(STORAGE);
        bean.setAll("requestTimeout=12000 closeTimeout=12000 queueAge=6000");
        assertEquals(0.5, beans.getAttribute(storage, "NativeTransportQueueMaxItemAgeThreshold"));
        bean.set("requestTimeout", "24000");
        assertEquals("24000 12000 6000", timeouts());
        assertEquals(24_000L, beans.getAttribute(storage, "NativeTransportTimeoutMillis"));
        assertEquals(0.25, beans.getAttribute(storage, "NativeTransportQueueMaxItemAgeThreshold"));
        bean.setAll("queueAge=3000 requestTimeout=6000");
        assertEquals("6000 12000 3000", timeouts());
        assertEquals(0.5, beans.getAttribute(storage, "NativeTransportQueueMaxItemAgeThreshold"));
        // Set over there, all three follow, as they do in Cassandra.
        beans.setAttribute(storage, new javax.management.Attribute("NativeTransportTimeoutMillis", 8_000L));
        assertEquals("8000 8000 4000", timeouts());
        bean.set("queueAge", "0");
        bean.set("requestTimeout", "12000");
        assertEquals("12000 8000 0", timeouts());
    }

    private String timeouts()
    {
        final Map<String, SettingRow> rows = bean.getSettings();
        return rows.get("requestTimeout").getValue() + " " + rows.get("closeTimeout").getValue() + " " + rows.get(
            "queueAge").getValue();
    }

    /** Cassandra holds its reads and writes to the same timeout, and knows no word for none. */
    @Test
    void withoutATimeoutOfRequestsNoneIsTooLate() throws Exception
    {
        bean.setAll("requestTimeout=0 queueAge=6000");
        assertEquals("0", bean.getSettings().get("requestTimeout").getValue());
        assertEquals("6000", bean.getSettings().get("queueAge").getValue());
        for (final int version : List.of(3, 4, 5))
        {
            try (WireClient client = WireClient.ready(node.address(), version, null))
            {
                final WireEnvelope answer = client.ask(Requests.query(version, 1, "SELECT key FROM system.local"));
                assertEquals(Opcode.RESULT, answer.type(), answer::toString);
            }
        }
        assertEquals(365L * 24 * 60 * 60 * 1_000, beans.getAttribute(new ObjectName(STORAGE),
            "NativeTransportTimeoutMillis"));
        bean.set("requestTimeout", "12000");
        assertEquals("12000 6000", bean.getSettings().get("requestTimeout").getValue() + " " + bean.getSettings()
            .get("queueAge")
            .getValue());
        assertEquals(0.5, beans.getAttribute(new ObjectName(STORAGE), "NativeTransportQueueMaxItemAgeThreshold"));
    }

    /** Its value at the stop does not come back. */
    @Test
    void whatIsChangedWhileTheTransportIsStoppedStays() throws Exception
    {
        final ObjectName pool = new ObjectName(POOL);
        beans.setAttribute(pool, new javax.management.Attribute("MaximumPoolSize", 77));
        assertEquals("77", bean.getSettings().get("requestThreads").getValue());
        StorageService.instance.stopNativeTransport(false);
        try
        {
            beans.setAttribute(pool, new javax.management.Attribute("MaximumPoolSize", 78));
        }
        finally
        {
            StorageService.instance.startNativeTransport();
        }
        assertEquals("78", bean.getSettings().get("requestThreads").getValue());
        assertEquals(78, beans.getAttribute(pool, "MaximumPoolSize"));
    }

    /** Whatever the version: Cassandra itself asks its yaml for version 5 alone. */
    @Test
    void whatToDoUnderOverloadHoldsForEveryVersion() throws Exception
    {
        for (final int version : List.of(3, 4, 5))
        {
            try (WireClient client = WireClient.ready(node.address(), version, null);
                BusyRequestPool pool = new BusyRequestPool())
            {
                bean.setAll("maxFrameBytes=16384 maxMessageBytes=16384 inFlightBytesPerConnection=16384");
                beans.setAttribute(new ObjectName(STORAGE), new javax.management.Attribute(
                    "NativeTransportThrowOnOverload", true));
                assertEquals("SHED", bean.getSettings().get("overloadAction").getValue());
                final String text = "SELECT key FROM system.local /*" + "x".repeat(12_000) + "*/";
                client.request(Requests.query(version, 1, text), Requests.query(version, 2, text));
                final WireEnvelope shed = client.readEnvelope();
                assertEquals(2, shed.streamId());
                assertTrue(shed.isError(OVERLOADED), shed::toString);
                pool.release();
                assertEquals(1, client.readEnvelope().streamId());
            }
        }
    }
}
