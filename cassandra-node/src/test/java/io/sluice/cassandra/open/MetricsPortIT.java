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

import io.sluice.cassandra.MetricsPort;
import io.sluice.cassandra.NodeExtension;
import io.sluice.cassandra.TestNode;
import io.sluice.framing.Opcode;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.WireClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code --metrics-port} on a real node: every name, and counters that move by what was done. */
@ExtendWith(NodeExtension.class)
@DisabledIfSystemProperty(named = "sluice.it.transport", matches = "stock")
final class MetricsPortIT
{
    private static final Pattern LISTED = Pattern.compile("\\| `(sluice_[a-z0-9_]+)(?:\\{[a-z,]+})?` \\|");

    private final TestNode node;

    MetricsPortIT(final TestNode node)
    {
        this.node = node;
    }

    @Test
    void hasEveryNameThatThePageLists() throws IOException
    {
        final Set<String> listed = LISTED.matcher(Files.readString(Path.of("..", "docs", "operations.md")))
            .results()
            .map(row -> row.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
        assertTrue(listed.size() > 40, listed::toString);
        final Set<String> families = MetricsPort.families(node);
        listed.removeAll(families);
        assertEquals(Set.of(), listed, () -> "not there: " + families);
    }

    @Test
    void hasCassandrasOwnOfClientsAndTheirPools() throws IOException
    {
        final Set<String> families = MetricsPort.families(node);
        for (final String name : List.of("cassandra_client_request_discarded_total",
            "cassandra_client_connected_native_clients", "cassandra_client_message_size_bytes_received_total"))
        {
            assertTrue(families.contains(name), () -> name + " in " + families);
        }
        for (final String part : List.of("cassandra_cql_.*", "cassandra_client_request_size_.*",
            "cassandra_thread_pools_.*native_transport_requests.*",
            "cassandra_thread_pools_.*native_transport_auth_requests.*"))
        {
            assertTrue(families.stream().anyMatch(name -> name.matches(part)), () -> part + " in " + families);
        }
        assertTrue(families.stream().noneMatch(name -> name.contains("compaction")), "what is no client's business");
    }

    @Test
    void countersMoveByWhatWasDone() throws IOException
    {
        try (WireClient client = WireClient.ready(node.address(), 3, null))
        {
            final Map<String, Double> before = MetricsPort.values(node);
            final byte[] query = Requests.query(3, 1, "SELECT key FROM system.local");
            long answerBytes = 0;
            for (int i = 0; i < 7; i++)
            {
                answerBytes += 9L + client.ask(query).body().length;
            }
            final byte[] wrong = Requests.query(3, 2, "SELEKT");
            for (int i = 0; i < 2; i++)
            {
                answerBytes += 9L + client.ask(wrong).body().length;
            }
            assertEquals(Opcode.SUPPORTED, client.ask(Requests.options(3, 3)).type());
            final Map<String, Double> after = MetricsPort.values(node);
            final Map<String, Long> moved = Map.of(
                "sluice_request_duration_seconds_count{opcode=\"query\",version=\"v3\"}", 9L,
                "sluice_request_duration_seconds_count{opcode=\"options\",version=\"v3\"}", 1L,
                "sluice_request_bytes_total{opcode=\"query\",version=\"v3\"}", 7L * query.length + 2L * wrong.length,
                "sluice_response_bytes_total{opcode=\"query\",version=\"v3\"}", answerBytes,
                "sluice_errors_total{code=\"syntax-error\"}", 2L,
                "sluice_connections_opened_total", 0L,
                "cassandra_client_request_dispatched_total", 9L);
            moved.forEach((name, by) -> assertEquals(by, (long)(after.get(name) - before.get(name)), name));
            assertEquals(1.0, after.get("sluice_connections{version=\"v3\"}"));
        }
    }

    @Test
    void isServedByAThreadThatIsThereForIt()
    {
        assertTrue(MetricsPort.isServed(), "else its absence elsewhere would show nothing");
    }
}
