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

import static io.sluice.cassandra.SettingRoads.LOGINS;
import static io.sluice.cassandra.SettingRoads.PLANS;
import static io.sluice.cassandra.SettingRoads.PROXY;
import static io.sluice.cassandra.SettingRoads.REQUESTS;
import static io.sluice.cassandra.SettingRoads.STORAGE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.Counting;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.sluice.cassandra.DownReplica;
import io.sluice.cassandra.HeldThreads;
import io.sluice.cassandra.NodeExtension;
import io.sluice.cassandra.NodeLoad;
import io.sluice.cassandra.PlanDifferential;
import io.sluice.cassandra.SettingRoads;
import io.sluice.cassandra.TestNode;
import io.sluice.cassandra.TwoRoads;
import io.sluice.cassandra.Wire;
import io.sluice.cassandra.WritePlansMXBean;
import io.sluice.framing.Opcode;
import io.sluice.transport.PauseCause;
import io.sluice.transport.testkit.Await;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.WireClient;
import io.sluice.transport.testkit.WireEnvelope;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.management.JMException;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.exceptions.WriteTimeoutException;
import org.apache.cassandra.metrics.CassandraMetricsRegistry;
import org.apache.cassandra.service.StorageProxy;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.utils.MonotonicClock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each road by which a setting is changed in a node alone, taken while clients are at work: its effect is seen, and
 * every request of the load gets one answer, which is right. The settings that the transport has everywhere are shown
 * in its own module.
 */
@ExtendWith(NodeExtension.class)
@DisabledIfSystemProperty(named = "sluice.it.transport", matches = "stock", disabledReason = "stock has no such bean")
final class NodeSettingsUnderLoadIT
{
    private static final int PROTOCOL_ERROR = 0x000A;
    private static final int OVERLOADED = 0x1001;
    private static final int WRITE_TIMEOUT = 0x1100;
    private static final int READ_TIMEOUT = 0x1200;
    /** What a read ends with that is too late in the midst of it. */
    private static final int READ_FAILURE = 0x1300;

    /** However slow the machine is, nothing ends for having waited, and there are threads, unless a test says so. */
    private static final String PATIENT = "requestTimeout=600000 queueAge=0 stallTimeout=0 requestThreads=128";
    private static final long PATIENT_MILLIS = 600_000;
    private static final long OLD_NANOS = TimeUnit.HOURS.toNanos(1);
    private static final String SELECT = "SELECT v FROM load.counts WHERE k = 0";
    private static final String HELD = "INSERT INTO held.t (k, v) VALUES (1, 1)";
    /** The least that Cassandra's setters can say: room for the largest request. */
    private static final long LITTLE_ROOM = 16 << 20;
    private static final long MUCH_ROOM = 64 << 20;
    /** One fits, two do not. */
    private static final int LARGE = 10 << 20;

    /** What is not shown here, and why. */
    private static final Map<String, String> ELSEWHERE = Map.of(
        "Native-Transport-Requests.CorePoolSize", "Cassandra refuses whatever it is set to",
        "Native-Transport-Auth-Requests.CorePoolSize", "Cassandra refuses whatever it is set to");

    private final TestNode node;
    private final List<HeldThreads> held = new ArrayList<>();
    private SettingRoads roads;
    private NodeLoad load;

    NodeSettingsUnderLoadIT(final TestNode node)
    {
        this.node = node;
    }

    /** The roads to a setting, what comes of it, and which errors of the load belong to that. */
    record Live(String setting, Effect effect, Set<Integer> errors, Set<String> roads)
    {
        static Live of(final String setting, final Effect effect, final String... roads)
        {
            return new Live(setting, effect, Set.of(), new TreeSet<>(Set.of(roads)));
        }

        Live failing(final Integer... codes)
        {
            return new Live(setting, effect, Set.of(codes), roads);
        }

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

    static Stream<Live> settings()
    {
        return Stream.of(
            Live.of("requestThreads", NodeSettingsUnderLoadIT::requestThreads,
                "Native-Transport-Requests.MaximumPoolSize", "NativeTransport.requestThreads"),
            Live.of("authThreads", NodeSettingsUnderLoadIT::authThreads,
                "Native-Transport-Auth-Requests.MaximumPoolSize", "NativeTransport.authThreads"),
            Live.of("cqlStartTime", NodeSettingsUnderLoadIT::cqlStartTime, "NativeTransport.cqlStartTime")
                .failing(READ_TIMEOUT, READ_FAILURE),
            Live.of("localWritesAtOnce", NodeSettingsUnderLoadIT::localWritesAtOnce,
                "NativeTransport.localWritesAtOnce"),
            Live.of("localReadsAtOnce", NodeSettingsUnderLoadIT::localReadsAtOnce, "NativeTransport.localReadsAtOnce"),
            Live.of("enforceDeadlineForHints", NodeSettingsUnderLoadIT::enforceDeadlineForHints,
                "StorageService.EnforceNativeDeadlineForHints", "NativeTransport.enforceDeadlineForHints"),
            Live.of("errorReportingExclusions", NodeSettingsUnderLoadIT::errorReportingExclusions,
                "NativeTransport.errorReportingExclusions"),
            Live.of("inFlightBytes", NodeSettingsUnderLoadIT::inFlightBytes,
                "StorageService.NativeTransportMaxConcurrentRequestsInBytes"),
            Live.of("inFlightBytesPerAddress", NodeSettingsUnderLoadIT::inFlightBytesPerAddress,
                "StorageService.NativeTransportMaxConcurrentRequestsInBytesPerIp"),
            Live.of("overloadAction", NodeSettingsUnderLoadIT::overloadAction,
                "StorageService.NativeTransportThrowOnOverload"),
            Live.of("requestsPerSecond", NodeSettingsUnderLoadIT::requestsPerSecond,
                "StorageService.NativeTransportRateLimitingEnabled",
                "StorageService.NativeTransportMaxRequestsPerSecond"),
            Live.of("maxConnections", NodeSettingsUnderLoadIT::maxConnections,
                "StorageProxy.NativeTransportMaxConcurrentConnections"),
            Live.of("maxConnectionsPerAddress", NodeSettingsUnderLoadIT::maxConnectionsPerAddress,
                "StorageProxy.NativeTransportMaxConcurrentConnectionsPerIp"),
            Live.of("olderVersionsAllowed", NodeSettingsUnderLoadIT::olderVersionsAllowed,
                "StorageService.disableNativeTransportOldProtocolVersions",
                "StorageService.enableNativeTransportOldProtocolVersions"),
            Live.of("requestTimeout", NodeSettingsUnderLoadIT::requestTimeout,
                "StorageService.NativeTransportTimeoutMillis")
                .failing(OVERLOADED, READ_TIMEOUT, READ_FAILURE, WRITE_TIMEOUT),
            Live.of("queueAge", NodeSettingsUnderLoadIT::queueAge,
                "StorageService.NativeTransportQueueMaxItemAgeThreshold"),
            Live.of("queueBackoff", NodeSettingsUnderLoadIT::queueBackoff,
                "StorageService.setNativeTransportBackoffOnQueueOverloadInMillis"),
            Live.of("write plans", NodeSettingsUnderLoadIT::writePlans, "WritePlans.Enabled"));
    }

    @BeforeAll
    static void define(final TestNode node) throws IOException
    {
        try (WireClient client = WireClient.ready(node.address(), 5, null))
        {
            NodeLoad.define(client);
            NodeLoad.ask(client, "CREATE TABLE load.at_once (k int PRIMARY KEY, v int)");
            NodeLoad.ask(client, "CREATE KEYSPACE held WITH replication = {'class': 'SimpleStrategy', " +
                "'replication_factor': 1}");
            NodeLoad.ask(client, "CREATE TABLE held.t (k int PRIMARY KEY, v int)");
            NodeLoad.ask(client, "CREATE TRIGGER holding ON held.t USING '" + HoldingTrigger.class.getName() + "'");
            NodeLoad.ask(client, "CREATE KEYSPACE hinted WITH replication = {'class': 'SimpleStrategy', " +
                "'replication_factor': 2}");
            NodeLoad.ask(client, "CREATE TABLE hinted.t (k int PRIMARY KEY, v int)");
        }
    }

    /** Other tests share the node, and look at where its settings come from: that is forgotten with the transport. */
    @AfterAll
    static void leaveNothingBehind(final TestNode node) throws IOException
    {
        try (WireClient client = WireClient.ready(node.address(), 5, null))
        {
            NodeLoad.drop(client);
            NodeLoad.ask(client, "DROP KEYSPACE held");
            NodeLoad.ask(client, "DROP KEYSPACE hinted");
        }
        StorageService.instance.stopNativeTransport(false);
        StorageService.instance.startNativeTransport();
    }

    /** Once more, for a test that could not even begin. */
    @AfterEach
    void putBack() throws JMException
    {
        letGo();
        if (roads != null)
        {
            roads.putBack();
        }
    }

    @ParameterizedTest
    @MethodSource("settings")
    void takesEffectUnderLoadAndNoRequestIsLost(final Live live) throws Exception
    {
        roads = new SettingRoads();
        roads.prepare(PATIENT);
        try (NodeLoad begun = new NodeLoad(node, live.errors))
        {
            load = begun;
            try
            {
                live.effect.see(this);
                // Whatever had to wait is done before it can be too late for that.
                letGo();
                load.awaitMore();
            }
            finally
            {
                putBack();
            }
            load.awaitMore();
        }
        assertEquals(live.roads, roads.taken());
    }

    @Test
    void everyRoadIsTakenHere() throws Exception
    {
        final Set<String> shown = new TreeSet<>(ELSEWHERE.keySet());
        settings().forEach(live -> shown.addAll(live.roads));
        assertEquals(SettingRoads.all(), shown);
    }

    private void letGo()
    {
        HoldingTrigger.letGo();
        held.forEach(HeldThreads::close);
    }

    // ---- threads

    /** As many pieces of work as there are threads: the load has none, until there is one more. */
    private void requestThreads() throws Exception
    {
        roads.set(REQUESTS, "MaximumPoolSize", 2);
        hold(HeldThreads.ofRequests(2)).awaitBegun(2);
        awaitStall(0);
        roads.set(REQUESTS, "MaximumPoolSize", 3);
        load.awaitMore();
        hold(HeldThreads.ofRequests(1)).awaitBegun(1);
        awaitStall(0);
        roads.set("requestThreads", "4");
        load.awaitMore();
    }

    private HeldThreads hold(final HeldThreads threads)
    {
        held.add(threads);
        return threads;
    }

    /** All threads that serve requests are busy, so many they are: the load waits. */
    private HeldThreads holdAll(final int threads) throws IOException
    {
        roads.prepare("requestThreads=" + threads);
        final HeldThreads all = hold(HeldThreads.ofRequests(threads));
        all.awaitBegun(threads);
        awaitStall(0);
        return all;
    }

    /** Returns once all requests of the load, and so many others, wait for a thread and get none. */
    private void awaitStall(final int others) throws IOException
    {
        try (WireClient client = WireClient.ready(node.address(), 5, null))
        {
            Await.until("all wait", () -> isStalled(client, NodeLoad.CLIENTS + others));
        }
    }

    /** They wait, and still do so once many requests that need no thread have come and were answered. */
    private boolean isStalled(final WireClient client, final int waiting)
    {
        final long answered = load.answered();
        if (HeldThreads.waitingRequests() != waiting)
        {
            return false;
        }
        try
        {
            for (int i = 0; i < 20; i++)
            {
                assertEquals(Opcode.SUPPORTED, client.ask(Requests.options(5, i)).type());
            }
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
        return HeldThreads.waitingRequests() == waiting && load.answered() == answered;
    }

    private void authThreads() throws Exception
    {
        final String ownPool = "Native-Transport-Auth-Requests";
        roads.set(LOGINS, "MaximumPoolSize", 1);
        final HeldThreads logins = hold(HeldThreads.ofLogins(3));
        logins.awaitBegun(1);
        Await.until("two wait", () -> waitingLogins() == 2);
        roads.set(LOGINS, "MaximumPoolSize", 2);
        logins.awaitBegun(2);
        Await.until("one waits", () -> waitingLogins() == 1);
        roads.set("authThreads", "3");
        logins.awaitBegun(3);
        assertEquals(3, logins.begunOn(ownPool));
        roads.set("authThreads", "0");
        final HeldThreads shared = hold(HeldThreads.ofLogins(1));
        shared.awaitBegun(1);
        assertEquals(0, shared.begunOn(ownPool));
        load.awaitMore();
    }

    private static int waitingLogins()
    {
        return CassandraMetricsRegistry.Metrics.getThreadPoolMetrics("Native-Transport-Auth-Requests")
            .orElseThrow().pendingTasks.getValue();
    }

    // ---- Cassandra's own

    /** A read that has waited for longer than reads may take is too late, or not. */
    private void cqlStartTime() throws Exception
    {
        roads.set("cqlStartTime", "QUEUE");
        final WireEnvelope late = readThatHasWaited(10);
        assertTrue(late.isError(READ_TIMEOUT), late::toString);
        roads.set("cqlStartTime", "REQUEST");
        // On a machine that is busy it may take longer than that itself, but not however long that is.
        WireEnvelope inTime = late;
        for (long millis = 50; inTime.type() == Opcode.ERROR && millis < Await.HANG.toMillis(); millis *= 2)
        {
            inTime = readThatHasWaited(millis);
            assertTrue(inTime.type() == Opcode.RESULT || inTime.isError(READ_TIMEOUT) || inTime.isError(READ_FAILURE),
                inTime::toString);
        }
        assertEquals(Opcode.RESULT, inTime.type(), inTime::toString);
    }

    private WireEnvelope readThatHasWaited(final long millis) throws Exception
    {
        try (WireClient client = WireClient.ready(node.address(), 4, null))
        {
            final HeldThreads threads = holdAll(1);
            client.request(Requests.query(4, 1, SELECT));
            awaitStall(1);
            awaitAge(millis);
            roads.prepare(STORAGE, "ReadRpcTimeout", millis);
            threads.close();
            return client.readEnvelope();
        }
    }

    /** Whatever waits already has waited for longer than that. */
    private static void awaitAge(final long millis)
    {
        final long since = System.nanoTime();
        Await.until("old", () -> System.nanoTime() - since > TimeUnit.MILLISECONDS.toNanos(millis));
    }

    /** Whose thread writes: a trace tells. */
    private void localWritesAtOnce() throws Exception
    {
        final String write = "INSERT INTO load.at_once (k, v) VALUES (1, 1)";
        final String step = "Appending to commitlog";
        roads.set("localWritesAtOnce", "false");
        // Others do it too then: Cassandra lets the one who asks work while tasks of others wait.
        Await.until("the stage writes", () -> poolsOf(step, write).contains("MutationStage"));
        roads.set("localWritesAtOnce", "true");
        assertEquals(Set.of("Native-Transport-Requests"), poolsOf(step, write));
    }

    private void localReadsAtOnce() throws Exception
    {
        final String read = "SELECT v FROM load.at_once WHERE k = 1";
        final String step = "Executing single-partition query";
        roads.set("localReadsAtOnce", "true");
        assertEquals(Set.of("Native-Transport-Requests"), poolsOf(step, read));
        roads.set("localReadsAtOnce", "false");
        Await.until("the stage reads", () -> poolsOf(step, read).contains("ReadStage"));
    }

    /** The pools whose threads took this step of a statement, over some executions of it. */
    private Set<String> poolsOf(final String step, final String statement)
    {
        final Set<String> pools = new TreeSet<>();
        try (CqlSession session = node.connect(Wire.V5_PLAIN))
        {
            for (int i = 0; i < 5; i++)
            {
                session.execute(SimpleStatement.newInstance(statement).setTracing(true))
                    .getExecutionInfo()
                    .getQueryTrace()
                    .getEvents()
                    .stream()
                    .filter(event -> event.getActivity().startsWith(step))
                    .forEach(event -> pools.add(event.getThreadName().replaceFirst("-[0-9]+$", "")));
            }
        }
        return pools;
    }

    /** A write at a consistency that one of two replicas is enough for; the other one is down. */
    private void enforceDeadlineForHints() throws Exception
    {
        try (DownReplica down = DownReplica.asSecondReplica())
        {
            assertEquals(1, hints(down, OLD_NANOS));
            roads.set(STORAGE, "EnforceNativeDeadlineForHints", true);
            assertEquals(0, hints(down, OLD_NANOS));
            assertEquals(1, hints(down, 0));
            roads.set("enforceDeadlineForHints", "false");
            assertEquals(1, hints(down, OLD_NANOS));
        }
    }

    /** How many hints a write leaves behind whose request came so long ago. */
    private static int hints(final DownReplica down, final long ageNanos) throws Exception
    {
        final Mutation.SimpleBuilder write = Mutation.simpleBuilder("hinted", DatabaseDescriptor.getPartitioner()
            .decorateKey(ByteBuffer.wrap(TwoRoads.number(1))));
        write.update("t").row().add("v", 1);
        try
        {
            StorageProxy.mutate(List.of(write.build()), ConsistencyLevel.ONE, new Dispatcher.RequestTime(
                MonotonicClock.Global.preciseTime.now() - ageNanos));
        }
        catch (final WriteTimeoutException e)
        {
            assertTrue(ageNanos > 0, e::toString);
        }
        return down.hints().size();
    }

    private void errorReportingExclusions() throws IOException
    {
        roads.set("errorReportingExclusions", "10.0.0.0/8;127.0.0.3");
        assertEquals(0, countedBreaches("127.0.0.3"));
        assertEquals(1, countedBreaches("127.0.0.4"));
        roads.set("errorReportingExclusions", "127.0.0.4");
        assertEquals(1, countedBreaches("127.0.0.3"));
        assertEquals(0, countedBreaches("127.0.0.4"));
    }

    /** How many protocol exceptions Cassandra counts for one that a client from there brings about. */
    private long countedBreaches(final String from) throws IOException
    {
        final long counted = protocolExceptions();
        try (WireClient client = readyFrom(from))
        {
            client.send(Requests.header(4, 3, Opcode.QUERY, -1));
            assertEquals(Opcode.ERROR, client.readEnvelope().type());
            client.expectEnd();
        }
        return protocolExceptions() - counted;
    }

    private static long protocolExceptions()
    {
        return ((Counting)CassandraMetricsRegistry.Metrics.getMetrics()
            .get("org.apache.cassandra.metrics.Client.ProtocolException")).getCount();
    }

    // ---- budgets

    private void inFlightBytes() throws Exception
    {
        roads.set(STORAGE, "NativeTransportMaxConcurrentRequestsInBytes", LITTLE_ROOM);
        assertEquals(LITTLE_ROOM, Long.parseLong(roads.value("inFlightBytes")));
        twoLargeRequests("127.0.0.2", "127.0.0.3", PauseCause.GLOBAL_BYTES, () -> roads.set(STORAGE,
            "NativeTransportMaxConcurrentRequestsInBytes", MUCH_ROOM));
    }

    private void inFlightBytesPerAddress() throws Exception
    {
        roads.prepare("inFlightBytes=" + 2 * MUCH_ROOM);
        roads.set(STORAGE, "NativeTransportMaxConcurrentRequestsInBytesPerIp", LITTLE_ROOM);
        assertEquals(LITTLE_ROOM, Long.parseLong(roads.value("inFlightBytesPerAddress")));
        twoLargeRequests("127.0.0.2", "127.0.0.2", PauseCause.ADDRESS_BYTES, () ->
        {
            load.awaitMore();
            roads.set(STORAGE, "NativeTransportMaxConcurrentRequestsInBytesPerIp", MUCH_ROOM);
        });
    }

    /** One step of a test, for instance to raise the limit. */
    private interface Change
    {
        void make() throws Exception;
    }

    /** The second one has to wait until there is room, without any release. A header is enough to take it up. */
    private void twoLargeRequests(final String from, final String other, final PauseCause cause, final Change change)
        throws Exception
    {
        try (WireClient first = readyFrom(from); WireClient second = readyFrom(other))
        {
            first.send(Requests.header(4, 1, Opcode.QUERY, LARGE));
            Await.until("one is in flight", () -> roads.bean().getInFlightBytes() >= LARGE);
            second.send(Requests.header(4, 1, Opcode.QUERY, LARGE));
            awaitPaused(second, cause);
            change.make();
            Await.until("both are in flight", () -> roads.bean().getInFlightBytes() >= 2L * LARGE);
        }
    }

    /** Of version 4, from an address of this machine. */
    private WireClient readyFrom(final String address) throws IOException
    {
        final WireClient client = connectFrom(address);
        client.startUp(4, null);
        return client;
    }

    private WireClient connectFrom(final String address) throws IOException
    {
        final Socket socket = new Socket();
        socket.bind(new InetSocketAddress(InetAddress.getByName(address), 0));
        socket.connect(node.address());
        return WireClient.over(socket);
    }

    private void awaitPaused(final WireClient client, final PauseCause cause)
    {
        Await.until("paused: " + cause, () -> cause.name().toLowerCase(Locale.ROOT).equals(pausedBy(client)));
    }

    private String pausedBy(final WireClient client)
    {
        final String name = client.socket().getLocalAddress().getHostAddress() + ":" + client.socket().getLocalPort();
        return roads.bean()
            .listConnections()
            .stream()
            .filter(row -> name.equals(row.get("client")))
            .findAny()
            .orElseThrow()
            .get("pausedBy");
    }

    private void overloadAction() throws Exception
    {
        final String comment = " /*" + "x".repeat(12_000) + "*/";
        roads.prepare("maxFrameBytes=16384 maxMessageBytes=16384 inFlightBytesPerConnection=16384");
        try (WireClient client = WireClient.ready(node.address(), 4, null))
        {
            HoldingTrigger.hold();
            client.request(Requests.query(4, 1, HELD + comment));
            Await.until("held", () -> HoldingTrigger.begun() == 1);
            roads.set(STORAGE, "NativeTransportThrowOnOverload", true);
            assertEquals("SHED", roads.value("overloadAction"));
            final WireEnvelope shed = client.ask(Requests.query(4, 2, SELECT + comment));
            assertTrue(shed.isError(OVERLOADED), shed::toString);
            load.awaitMore();
            roads.set(STORAGE, "NativeTransportThrowOnOverload", false);
            assertEquals("PAUSE", roads.value("overloadAction"));
            client.request(Requests.query(4, 3, SELECT + comment));
            awaitPaused(client, PauseCause.CONNECTION_BYTES);
            HoldingTrigger.letGo();
            expectResults(client, 1, 3);
        }
    }

    private static void expectResults(final WireClient client, final Integer... streams) throws IOException
    {
        final Set<Integer> answered = new HashSet<>();
        for (final WireEnvelope answer : client.readEnvelopes(streams.length))
        {
            assertEquals(Opcode.RESULT, answer.type(), answer::toString);
            answered.add(answer.streamId());
        }
        assertEquals(Set.of(streams), answered);
    }

    /** The load as well has to wait for its turns. */
    private void requestsPerSecond() throws Exception
    {
        final Integer[] streams = Stream.iterate(1, i -> i + 1).limit(100).toArray(Integer[]::new);
        try (WireClient client = WireClient.ready(node.address(), 5, null))
        {
            roads.set(STORAGE, "NativeTransportMaxRequestsPerSecond", 1);
            roads.set(STORAGE, "NativeTransportRateLimitingEnabled", true);
            assertEquals("1", roads.value("requestsPerSecond"));
            client.request(Stream.of(streams).map(stream -> Requests.query(5, stream, SELECT)).toArray(byte[][]::new));
            awaitPaused(client, PauseCause.REQUEST_RATE);
            roads.set(STORAGE, "NativeTransportRateLimitingEnabled", false);
            expectResults(client, streams);
        }
    }

    // ---- connections

    private void maxConnections() throws Exception
    {
        capAtOne("NativeTransportMaxConcurrentConnections", "maxConnections", "connection-limit", () ->
        {
        });
    }

    private void maxConnectionsPerAddress() throws Exception
    {
        capAtOne("NativeTransportMaxConcurrentConnectionsPerIp", "maxConnectionsPerAddress", "address-limit",
            () -> readyFrom("127.0.0.2").close());
    }

    /** One more than the load's is refused until there is no limit; meanwhile, what the limit does not forbid. */
    private void capAtOne(final String attribute, final String setting, final String reason, final Change meanwhile)
        throws Exception
    {
        final long refused = refused(reason);
        roads.set(PROXY, attribute, 1L);
        assertEquals("1", roads.value(setting));
        expectRefusal("127.0.0.1");
        Await.until("counted", () -> refused(reason) == refused + 1);
        meanwhile.make();
        load.awaitMore();
        roads.set(PROXY, attribute, -1L);
        assertEquals("-1", roads.value(setting));
        readyFrom("127.0.0.1").close();
    }

    private long refused(final String reason)
    {
        return roads.bean().getRefusedConnections().get(reason);
    }

    private void expectRefusal(final String from) throws IOException
    {
        try (WireClient client = connectFrom(from))
        {
            client.expectEnd();
        }
    }

    /** Those of the load that are open go on. */
    private void olderVersionsAllowed() throws Exception
    {
        roads.invoke(STORAGE, "disableNativeTransportOldProtocolVersions");
        assertEquals("false", roads.value("olderVersionsAllowed"));
        try (WireClient client = connectFrom("127.0.0.1"))
        {
            client.send(Requests.startup(4, 1, (String)null));
            final WireEnvelope refused = client.readBare();
            assertTrue(refused.isError(PROTOCOL_ERROR), refused::toString);
        }
        WireClient.ready(node.address(), 5, null).close();
        load.awaitMore();
        roads.invoke(STORAGE, "enableNativeTransportOldProtocolVersions");
        assertEquals("true", roads.value("olderVersionsAllowed"));
        readyFrom("127.0.0.1").close();
    }

    // ---- the queue

    /** The requests of the load that wait as well are as late. */
    private void requestTimeout() throws Exception
    {
        try (WireClient client = WireClient.ready(node.address(), 5, null))
        {
            final HeldThreads threads = holdAll(1);
            client.request(Requests.query(5, 1, SELECT));
            awaitStall(1);
            awaitAge(100);
            roads.set(STORAGE, "NativeTransportTimeoutMillis", 100L);
            assertEquals("100", roads.value("requestTimeout"));
            threads.close();
            final WireEnvelope late = client.readEnvelope();
            assertTrue(late.isError(OVERLOADED), late::toString);
            assertEquals("Query timed out before it could start", late.errorMessage());
            Await.until("the load's as well", () -> load.refused() >= NodeLoad.CLIENTS);
            roads.set(STORAGE, "NativeTransportTimeoutMillis", PATIENT_MILLIS);
            assertEquals(Long.toString(PATIENT_MILLIS), roads.value("requestTimeout"));
            NodeLoad.ask(client, SELECT);
        }
    }

    private void queueAge() throws Exception
    {
        try (WireClient client = WireClient.ready(node.address(), 5, null))
        {
            final HeldThreads threads = holdAll(1);
            client.request(Requests.query(5, 1, SELECT));
            awaitStall(1);
            roads.set(STORAGE, "NativeTransportQueueMaxItemAgeThreshold", 50.0 / PATIENT_MILLIS);
            assertEquals("50", roads.value("queueAge"));
            awaitAge(50);
            client.request(Requests.query(5, 2, SELECT));
            awaitPaused(client, PauseCause.QUEUE_AGE);
            roads.set(STORAGE, "NativeTransportQueueMaxItemAgeThreshold", 0.9);
            awaitStall(2);
            threads.close();
            expectResults(client, 1, 2);
        }
    }

    private void queueBackoff() throws Exception
    {
        final String operation = "setNativeTransportBackoffOnQueueOverloadInMillis";
        roads.prepare("queueBackoffLeast=1 queueBackoffMost=2");
        roads.invoke(STORAGE, operation, TimeUnit.HOURS.toMillis(1), TimeUnit.HOURS.toMillis(2));
        assertEquals("3600000", roads.value("queueBackoffLeast"));
        try (WireClient client = behindAnOldRequest())
        {
            // Nothing stands in its way any more, and others are served; for an hour nobody looks.
            for (int i = 0; i < 50; i++)
            {
                load.awaitMore();
            }
            assertEquals("queue_age", pausedBy(client));
            roads.invoke(STORAGE, operation, 5L, 10L);
            expectResults(client, 2);
            HoldingTrigger.letGo();
            expectResults(client, 1);
        }
        try (WireClient client = behindAnOldRequest())
        {
            // Now by itself.
            expectResults(client, 2);
            HoldingTrigger.letGo();
            expectResults(client, 1);
        }
    }

    /** A client whose first request is served at last, and not done; the second one waited for that. */
    private WireClient behindAnOldRequest() throws IOException
    {
        final WireClient client = WireClient.ready(node.address(), 5, null);
        HoldingTrigger.hold();
        final HeldThreads threads = holdAll(2);
        client.request(Requests.query(5, 1, HELD));
        awaitStall(1);
        roads.prepare("queueAge=50");
        awaitAge(50);
        client.request(Requests.query(5, 2, SELECT));
        awaitPaused(client, PauseCause.QUEUE_AGE);
        threads.close();
        Await.until("held", () -> HoldingTrigger.begun() == 1);
        return client;
    }

    // ---- write plans

    private void writePlans() throws Exception
    {
        final WritePlansMXBean plans = PlanDifferential.writePlans();
        load.awaitMore();
        final long before = plans.getPlannedStatements();
        load.awaitMore();
        assertTrue(plans.getPlannedStatements() > before, "the load goes by plans");
        final long ordinary = switchedOff(plans);
        roads.set(PLANS, "Enabled", false);
        // What was under way may yet go by its plan.
        load.awaitMore();
        final long planned = plans.getPlannedStatements();
        load.awaitMore();
        assertEquals(planned, plans.getPlannedStatements());
        assertTrue(switchedOff(plans) > ordinary, () -> plans.getUnplannedStatements().toString());
        roads.set(PLANS, "Enabled", true);
        load.awaitMore();
        assertTrue(plans.getPlannedStatements() > planned, "and again");
    }

    private static long switchedOff(final WritePlansMXBean plans)
    {
        return plans.getUnplannedStatements().getOrDefault("plans are switched off", 0L);
    }
}
