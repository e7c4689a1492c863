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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.Gauge;
import io.sluice.cassandra.BusyRequestPool;
import io.sluice.cassandra.NodeExtension;
import io.sluice.cassandra.TestNode;
import io.sluice.framing.Opcode;
import io.sluice.transport.testkit.Await;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.WireBytes;
import io.sluice.transport.testkit.WireClient;
import io.sluice.transport.testkit.WireEnvelope;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.metrics.CassandraMetricsRegistry;
import org.apache.cassandra.service.StorageService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Field reports that need a real node; the number is the report's, docs/field-cases.md lists all of them. */
@ExtendWith(NodeExtension.class)
@DisabledIfSystemProperty(named = "sluice.it.transport", matches = "stock", disabledReason = "stock fails some of these")
final class NodeFieldCasesIT
{
    private static final int OVERLOADED = 0x1001;
    private static final int UNPREPARED = 0x2500;
    private static final int ROWS = 2;
    private static final int SKIP_METADATA = 2;
    private static final int NO_METADATA = 4;
    private static final int METADATA_CHANGED = 8;
    private static final long TIMEOUT_MILLIS = 20;

    private final TestNode node;

    NodeFieldCasesIT(final TestNode node)
    {
        this.node = node;
    }

    private WireClient ready(final int version, final String compression) throws IOException
    {
        return WireClient.ready(node.address(), version, compression);
    }

    /** In force when this returns. */
    private void setTimeout(final long millis)
    {
        DatabaseDescriptor.setNativeTransportTimeout(millis, TimeUnit.MILLISECONDS);
        node.transport().settings().refresh();
    }

    private static void execute(final WireClient client, final String cql) throws IOException
    {
        final WireEnvelope answer = client.ask(Requests.query(client.version(), 1, cql));
        assertEquals(Opcode.RESULT, answer.type(), answer::toString);
    }

    private void table(final WireClient client, final String name, final String columns) throws IOException
    {
        execute(client, "CREATE KEYSPACE IF NOT EXISTS cases " +
            "WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
        execute(client, "CREATE TABLE cases." + name + " (" + columns + ")");
    }

    private static long requestsSize()
    {
        final Gauge<?> gauge = CassandraMetricsRegistry.Metrics.getGauges((name, metric) -> name.equals(
            "org.apache.cassandra.metrics.Client.RequestsSize")).values().iterator().next();
        return ((Number)gauge.getValue()).longValue();
    }

    private static long timedOut()
    {
        return CassandraMetricsRegistry.Metrics.getMeters((name, metric) -> name.equals(
            "org.apache.cassandra.metrics.Client.TimedOutBeforeProcessing")).values().iterator().next().getCount();
    }

    /** About a megabyte in a hundred requests, and the gauge says so to the byte in every version. */
    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void case39RequestsSizeShowsWhatIsInFlight(final int version) throws Exception
    {
        final byte[][] requests = new byte[100][];
        for (int stream = 0; stream < requests.length; stream++)
        {
            requests[stream] = Requests.query(version, stream, "SELECT key FROM system.local /*" + "x".repeat(10_000) +
                "*/");
        }
        final long bytes = Arrays.stream(requests).mapToLong(request -> request.length).sum();
        try (WireClient client = ready(version, null); BusyRequestPool pool = new BusyRequestPool())
        {
            Await.until("at rest", () -> requestsSize() == 0);
            client.request(requests);
            Await.until("all wait", () -> pool.waiting() == requests.length);
            assertEquals(bytes, requestsSize());
            pool.release();
            client.readEnvelopes(requests.length);
            Await.until("given back", () -> requestsSize() == 0);
        }
    }

    @Test
    void case43RequestsTooOldAreNotExecuted() throws Exception
    {
        final long timeoutBefore = DatabaseDescriptor.getNativeTransportTimeout(TimeUnit.MILLISECONDS);
        final List<WireClient> clients = new ArrayList<>();
        try (WireClient admin = ready(5, null))
        {
            table(admin, "aged", "k int PRIMARY KEY");
            clients.addAll(List.of(ready(3, null), ready(4, "lz4"), ready(4, "snappy"), ready(5, null), ready(5,
                "lz4")));
            final long expired = timedOut();
            final int each = 1_000;
            try (BusyRequestPool pool = new BusyRequestPool())
            {
                for (int i = 0; i < clients.size(); i++)
                {
                    final WireClient client = clients.get(i);
                    final byte[][] requests = new byte[each][];
                    for (int stream = 0; stream < each; stream++)
                    {
                        requests[stream] = Requests.query(client.version(), stream,
                            "INSERT INTO cases.aged (k) VALUES (" + (i * each + stream) + ")");
                    }
                    client.request(requests);
                }
                Await.until("all wait", () -> pool.waiting() == clients.size() * each);
                // Nobody waits for a heartbeat meanwhile.
                for (final WireClient client : clients)
                {
                    assertEquals(Opcode.SUPPORTED, client.ask(Requests.options(client.version(), 20_000)).type());
                }
                setTimeout(TIMEOUT_MILLIS);
                final long queued = System.nanoTime();
                Await.until("the youngest is too old", () -> System.nanoTime() - queued > TimeUnit.MILLISECONDS.toNanos(
                    2 * TIMEOUT_MILLIS));
                pool.release();
                for (final WireClient client : clients)
                {
                    final boolean[] answered = new boolean[each];
                    for (final WireEnvelope answer : client.readEnvelopes(each))
                    {
                        assertTrue(answer.isError(OVERLOADED), answer::toString);
                        assertFalse(answered[answer.streamId()], answer::toString);
                        answered[answer.streamId()] = true;
                    }
                }
            }
            assertEquals(expired + clients.size() * (long)each, timedOut());
            setTimeout(timeoutBefore);
            for (final WireClient client : clients)
            {
                final WireEnvelope rows = client.ask(Requests.query(client.version(), 1, "SELECT k FROM cases.aged"));
                assertEquals(ROWS, rows.intAt(0), "served again");
                assertEquals(0, rows.intAt(rows.body().length - 4), "none was executed");
            }
            execute(clients.get(0), "INSERT INTO cases.aged (k) VALUES (1)");
        }
        finally
        {
            setTimeout(timeoutBefore);
            for (final WireClient client : clients)
            {
                client.close();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void case52NobodySurvivesDisablebinary(final int version) throws Exception
    {
        try (WireClient silent = WireClient.connect(node.address());
            WireClient late = WireClient.connect(node.address());
            WireClient ready = ready(version, null))
        {
            // An answer on each shows that each has been accepted.
            silent.send(Requests.options(version, 1));
            assertEquals(Opcode.SUPPORTED, silent.readBare().type());
            late.send(Requests.options(version, 1));
            assertEquals(Opcode.SUPPORTED, late.readBare().type());
            StorageService.instance.stopNativeTransport(false);
            try
            {
                silent.readToEnd();
                ready.readToEnd();
                assertThrows(IOException.class, () ->
                {
                    late.startUp(version, null);
                    execute(late, "SELECT key FROM system.local");
                });
                assertThrows(IOException.class, () -> WireClient.connect(node.address()).close());
            }
            finally
            {
                StorageService.instance.startNativeTransport();
            }
        }
        try (WireClient again = ready(version, null))
        {
            execute(again, "SELECT key FROM system.local");
        }
    }

    /** The [short bytes] at this place. */
    private static byte[] shortBytes(final WireEnvelope answer, final int offset)
    {
        final int length = (answer.body()[offset] & 0xFF) << 8 | answer.body()[offset + 1] & 0xFF;
        return Arrays.copyOfRange(answer.body(), offset + 2, offset + 2 + length);
    }

    private record Prepared(byte[] id, byte[] metadataId)
    {
    }

    private static Prepared prepare(final WireClient client, final String cql) throws IOException
    {
        final WireEnvelope answer = client.ask(Requests.prepare(client.version(), 1, cql));
        assertEquals(Opcode.RESULT, answer.type(), answer::toString);
        final byte[] id = shortBytes(answer, 4);
        return new Prepared(id, client.version() < 5 ? null : shortBytes(answer, 6 + id.length));
    }

    private static WireEnvelope executeSkipping(final WireClient client, final byte[] id, final byte... metadataId)
        throws IOException
    {
        final WireBytes body = new WireBytes().shortBytes(id);
        if (client.version() >= 5)
        {
            body.shortBytes(metadataId);
        }
        return client.ask(Requests.envelope(client.version(), 0, 77, Opcode.EXECUTE.code(), Requests.flags(client
            .version(), body.u16(1), SKIP_METADATA).toArray()));
    }

    private static void expectRows(final WireEnvelope answer, final int flags, final int columns)
    {
        assertEquals(Opcode.RESULT, answer.type(), answer::toString);
        assertEquals(ROWS, answer.intAt(0));
        assertEquals(flags, answer.intAt(4) & (NO_METADATA | METADATA_CHANGED));
        assertEquals(columns, answer.intAt(8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "lz4"})
    void case62MetadataThatHasChangedIsSentAlthoughSkipped(final String compression) throws IOException
    {
        final String name = "changing_" + compression;
        try (WireClient client = ready(5, "lz4".equals(compression) ? compression : null))
        {
            table(client, name, "k int PRIMARY KEY, v int");
            execute(client, "INSERT INTO cases." + name + " (k, v) VALUES (1, 2)");
            final String select = "SELECT * FROM cases." + name + " WHERE k = 1";
            final Prepared prepared = prepare(client, select);
            expectRows(executeSkipping(client, prepared.id(), prepared.metadataId()), NO_METADATA, 2);
            for (final byte[] wrong : List.of(new byte[0], new byte[15], new byte[16]))
            {
                final WireEnvelope answer = executeSkipping(client, prepared.id(), wrong);
                expectRows(answer, METADATA_CHANGED, 2);
                assertArrayEquals(prepared.metadataId(), shortBytes(answer, 12));
            }
            execute(client, "ALTER TABLE cases." + name + " ADD w int");
            WireEnvelope answer = executeSkipping(client, prepared.id(), prepared.metadataId());
            if (answer.isError(UNPREPARED))
            {
                assertArrayEquals(prepared.id(), prepare(client, select).id());
                answer = executeSkipping(client, prepared.id(), prepared.metadataId());
            }
            expectRows(answer, METADATA_CHANGED, 3);
            final byte[] changed = shortBytes(answer, 12);
            assertFalse(Arrays.equals(prepared.metadataId(), changed));
            expectRows(executeSkipping(client, prepared.id(), changed), NO_METADATA, 3);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void case62ConditionalUpdatesHaveTheirMetadata(final int version) throws IOException
    {
        try (WireClient client = ready(version, null))
        {
            final String name = "conditional_" + version;
            table(client, name, "k int PRIMARY KEY, v int");
            execute(client, "INSERT INTO cases." + name + " (k, v) VALUES (1, 2)");
            final Prepared prepared = prepare(client, "UPDATE cases." + name + " SET v = 3 WHERE k = 1 IF v = 2");
            final byte[] metadataId = version < 5 ? new byte[0] : prepared.metadataId();
            expectRows(executeSkipping(client, prepared.id(), metadataId), 0, 1);
            expectRows(executeSkipping(client, prepared.id(), metadataId), 0, 2);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4})
    void case62OlderVersionsSkipAsTold(final int version) throws IOException
    {
        try (WireClient client = ready(version, "lz4"))
        {
            final Prepared prepared = prepare(client, "SELECT key, cluster_name FROM system.local");
            expectRows(executeSkipping(client, prepared.id()), NO_METADATA, 2);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void case62UnknownStatementsAreNamed(final int version) throws IOException
    {
        try (WireClient client = ready(version, null))
        {
            for (final byte[] id : List.of(new byte[16], "0123456789abcdef".getBytes(
                java.nio.charset.StandardCharsets.US_ASCII)))
            {
                final WireEnvelope answer = executeSkipping(client, id, new byte[16]);
                assertTrue(answer.isError(UNPREPARED), answer::toString);
                assertEquals(77, answer.streamId());
                final int message = 2 + answer.errorMessage().getBytes(java.nio.charset.StandardCharsets.UTF_8).length;
                assertArrayEquals(id, shortBytes(answer, 4 + message));
            }
        }
    }
}
