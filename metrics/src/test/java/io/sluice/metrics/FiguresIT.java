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
package io.sluice.metrics;

import static io.sluice.metrics.MetricAnswers.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.Counting;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.Metric;
import com.codahale.metrics.MetricRegistry;
import io.sluice.framing.ErrorCode;
import io.sluice.framing.EventType;
import io.sluice.framing.Opcode;
import io.sluice.framing.request.BatchRequest;
import io.sluice.framing.request.ExecuteRequest;
import io.sluice.framing.request.PrepareRequest;
import io.sluice.framing.request.QueryRequest;
import io.sluice.framing.response.StatusChangeEvent;
import io.sluice.framing.response.VoidResult;
import io.sluice.transport.ClientConnection;
import io.sluice.transport.CloseReason;
import io.sluice.transport.ConnectionFigures;
import io.sluice.transport.Exchange;
import io.sluice.transport.NativeTransport;
import io.sluice.transport.PauseCause;
import io.sluice.transport.RequestHandler;
import io.sluice.transport.TransportListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What each connection has done adds up to what the transport has, and Prometheus is told the same. */
@Timeout(120)
class FiguresIT
{
    private final MetricRegistry registry = new MetricRegistry();
    private final DropwizardTransportListener listener = DropwizardTransportListener.register(registry);
    private final Queue<ConnectionFigures> ended = new ConcurrentLinkedQueue<>();
    /** What the listener was told, exactly; the metric keeps buckets. */
    private final Map<PauseCause, Long> pausedNanos = new ConcurrentHashMap<>();
    private NativeTransport transport;

    @BeforeEach
    void start()
    {
        transport = NativeTransport.builder(new Engine())
            .bindTo(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .requestExecutor(Runnable::run)
            .eventLoopThreads(2)
            .listener(listener.andThen(new TransportListener()
            {
                @Override
                public void onConnectionClosed(final ClientConnection connection, final CloseReason reason)
                {
                    ended.add(connection.figures());
                }

                @Override
                public void onResumed(final ClientConnection connection,
                    final PauseCause cause,
                    final long nanos)
                {
                    pausedNanos.merge(cause, nanos, Long::sum);
                }
            }))
            .build()
            .start();
        listener.attach(transport);
    }

    @AfterEach
    void stop()
    {
        transport.close();
        listener.close();
    }

    private long count(final String name)
    {
        final Metric metric = registry.getMetrics().get("sluice.transport." + name);
        return metric instanceof Gauge<?> gauge
            ? ((Number)gauge.getValue()).longValue()
            : ((Counting)metric)
                .getCount();
    }

    @Test
    void sumsOverConnectionsAreTheCountsOfTheTransport() throws IOException
    {
        final long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        final Random random = new Random(seed);
        // Now and then more than one request at a time: then some of them have to wait.
        transport.control().limits(transport.control().limits().with().requestsPerConnection(1).build());
        final List<RawClient> clients = new ArrayList<>();
        for (int round = 0; round < 400; round++)
        {
            if (clients.isEmpty() || clients.size() < 12 && random.nextInt(8) == 0)
            {
                final RawClient client = new RawClient(transport.localAddress(), 3 + random.nextInt(3));
                client.start(Map.of());
                client.send(client.register("STATUS_CHANGE"));
                assertEquals(Opcode.READY, client.receive().opcode());
                clients.add(client);
            }
            if (random.nextInt(20) == 0)
            {
                assertEquals(clients.size(), transport.publish(EventType.STATUS_CHANGE, new StatusChangeEvent(
                    StatusChangeEvent.Change.UP, InetAddress.getLoopbackAddress(), 9042)));
                for (final RawClient client : clients)
                {
                    assertEquals(Opcode.EVENT, client.receive().opcode());
                }
            }
            final RawClient client = clients.get(random.nextInt(clients.size()));
            final byte[][] requests = new byte[1 + random.nextInt(5)][];
            for (int i = 0; i < requests.length; i++)
            {
                requests[i] = random.nextInt(5) == 0
                    ? client.envelope(Opcode.OPTIONS, i, new byte[0])
                    : client.query(i, (random.nextInt(4) == 0 ? "fail" : "void") + " ".repeat(random.nextInt(3_000)));
            }
            client.send(requests);
            for (int i = 0; i < requests.length; i++)
            {
                client.receive();
            }
            if (random.nextInt(20) == 0)
            {
                clients.remove(client);
                client.close();
                await(() -> transport.connections().size() == clients.size());
            }
        }
        await(() -> transport.connections().size() == clients.size() && transport.inFlightBytes() == 0);
        final List<ConnectionFigures> all = new ArrayList<>(ended);
        transport.connections().forEach(connection -> all.add(connection.figures()));
        assertEquals(count("connections.opened"), all.size());
        sums().forEach((name, check) -> check.accept(all));
        for (final RawClient client : clients)
        {
            client.close();
        }
    }

    /** Each of a connection's figures and what all of them together are, over the counts of the transport. */
    private Map<String, Consumer<List<ConnectionFigures>>> sums()
    {
        final Map<String, Consumer<List<ConnectionFigures>>> sums = new HashMap<>();
        sums.put("requests", all -> assertEquals(count("request-bytes"), sum(all, ConnectionFigures::requests)));
        sums.put("requestBytes", all -> assertEquals(sumOf("request-bytes\\.[a-z-]+\\..*"), sum(all,
            ConnectionFigures::requestBytes)));
        sums.put("answers", all -> assertEquals(count("response-bytes") - count("events"), sum(all,
            ConnectionFigures::answers)));
        sums.put("events", all ->
        {
            assertEquals(count("events"), sum(all, ConnectionFigures::events));
            assertTrue(count("events") > 0);
        });
        sums.put("answerBytes", all -> assertEquals(sumOf("response-bytes\\.[a-z-]+\\..*"), sum(all,
            ConnectionFigures::answerBytes)));
        sums.put("bytesRead", all -> assertEquals(count("bytes-read"), sum(all, ConnectionFigures::bytesRead)));
        sums.put("bytesWritten", all -> assertEquals(count("bytes-written"), sum(all,
            ConnectionFigures::bytesWritten)));
        sums.put("flushes", all -> assertEquals(count("flushes"), sum(all, ConnectionFigures::flushes)));
        sums.put("errors", all ->
        {
            assertEquals(sumOf("errors\\..*"), sum(all, ConnectionFigures::errors));
            assertTrue(count("errors.invalid") > 0);
        });
        sums.put("requestsInService", all -> assertEquals(0, sum(all, ConnectionFigures::requestsInService)));
        sums.put("inFlightBytes", all -> assertEquals(transport.inFlightBytes(), sum(all,
            ConnectionFigures::inFlightBytes)));
        sums.put("unreadBytes", all -> assertEquals(transport.answerBytes(), sum(all,
            ConnectionFigures::unreadBytes)));
        sums.put("pausedBy",
            all -> assertEquals(count("paused-connections"), sum(all, figures -> figures.pausedBy() == null ? 0 : 1)));
        sums.put("pausedNanos", all ->
        {
            final Map<PauseCause, Long> together = new EnumMap<>(PauseCause.class);
            all.forEach(figures -> figures.pausedNanos()
                .forEach((cause, nanos) -> together.merge(cause, nanos,
                    Long::sum)));
            assertEquals(Map.copyOf(pausedNanos), together);
            assertTrue(together.get(PauseCause.REQUESTS_IN_SERVICE) > 0);
        });
        return sums;
    }

    @Test
    void everyFigureIsSummedUp()
    {
        assertEquals(Arrays.stream(ConnectionFigures.class.getRecordComponents())
            .map(RecordComponent::getName)
            .collect(Collectors.toSet()), sums().keySet());
    }

    private static long sum(final List<ConnectionFigures> all, final ToLongFunction<ConnectionFigures> figure)
    {
        return all.stream().mapToLong(figure).sum();
    }

    private long sumOf(final String pattern)
    {
        return registry.getCounters((name, metric) -> name.matches("sluice\\.transport\\." + pattern))
            .values()
            .stream()
            .mapToLong(Counting::getCount)
            .sum();
    }

    @Test
    void prometheusIsToldTheSame() throws IOException
    {
        registry.meter("org.example.Client.RequestDiscarded").mark(3);
        registry.timer("org.example.Client.Queued");
        registry.gauge("org.example.Client.Words", () -> () -> "no number");
        registry.gauge("org.example.Client.Broken", () -> () ->
        {
            throw new IllegalStateException("on purpose");
        });
        registry.meter("org.example.Client.TwoNames").mark(2);
        registry.meter("org.example.Client.two_names").mark(2);
        final InetSocketAddress address;
        try (PrometheusEndpoint endpoint = PrometheusEndpoint.builder()
            .transport(registry, DropwizardTransportListener.DEFAULT_PREFIX)
            .others(registry, name -> name.startsWith("org.example."), "org.example.", "example")
            .start(); RawClient client = new RawClient(transport.localAddress(), 4))
        {
            address = endpoint.address();
            assertTrue(address.getAddress().isLoopbackAddress());
            client.start(Map.of());
            for (int i = 0; i < 5; i++)
            {
                client.send(client.query(i, i == 0 ? "fail" : "void"));
                client.receive();
            }
            await(() -> count("flushes") == 6);
            transport.control().limits(transport.control().limits().with().maxConnectionsPerAddress(1).build());
            try (RawClient refused = new RawClient(transport.localAddress(), 4))
            {
                assertTrue(refused.isAtEnd());
            }
            final List<String> lines = scrape(address);
            final long requestBytes = 5L * client.query(0, "void").length;
            for (final String line : List.of(
                "sluice_request_duration_seconds_count{opcode=\"query\",version=\"v4\"} 5",
                "sluice_request_duration_seconds_bucket{opcode=\"query\",version=\"v4\",le=\"+Inf\"} 5",
                "sluice_request_bytes_total{opcode=\"query\",version=\"v4\"} " + requestBytes + ".0",
                "sluice_errors_total{code=\"invalid\"} 1.0", "sluice_connections{version=\"v4\"} 1.0",
                "sluice_connections_closed_total{reason=\"client\"} 0.0",
                "sluice_connections_refused_total{reason=\"address-limit\"} 1.0",
                "sluice_connections_refused_total{reason=\"connection-limit\"} 0.0",
                "sluice_logins_total{result=\"success\"} 0.0",
                "sluice_stage_duration_seconds_count{stage=\"serve\"} 1", "sluice_flushes_total 6.0",
                "sluice_wire_read_bytes_total{version=\"v4\"} " + requestBytes + ".0",
                "sluice_pause_duration_seconds_count{cause=\"global-bytes\"} 0",
                "sluice_shed_total{cause=\"global-bytes\"} 0.0", "sluice_request_size_bytes_count 6",
                "example_client_request_discarded_total 3.0", "example_client_queued_seconds_count 0",
                "example_client_two_names_total 2.0",
                "# TYPE sluice_request_duration_seconds histogram", "# TYPE sluice_errors_total counter"))
            {
                assertTrue(lines.contains(line), () -> line + " in\n" + String.join("\n", lines));
            }
            assertTrue(lines.stream().noneMatch(line -> line.contains("words")), "what is no number is left out");
            assertTrue(assertThrows(UncheckedIOException.class, () -> PrometheusEndpoint.builder()
                .port(address.getPort())
                .start()).getMessage().contains("cannot listen on"));
        }
        assertThrows(ConnectException.class, () -> scrape(address));
    }

    private static List<String> scrape(final InetSocketAddress address) throws IOException
    {
        final HttpURLConnection http = (HttpURLConnection)URI.create("http://" + address.getAddress()
            .getHostAddress() + ":" + address.getPort() + "/metrics").toURL().openConnection();
        try
        {
            assertEquals(200, http.getResponseCode());
            return new String(http.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
        finally
        {
            http.disconnect();
        }
    }

    @Test
    void aPortIsAPort()
    {
        assertThrows(IllegalArgumentException.class, () -> PrometheusEndpoint.builder().port(65_536));
    }

    /** Answers as the query's text says. */
    private static final class Engine implements RequestHandler
    {
        @Override
        public void onQuery(final QueryRequest request, final Exchange exchange)
        {
            if (request.query().startsWith("fail"))
            {
                exchange.fail(ErrorCode.INVALID, "no such table");
            }
            else
            {
                exchange.respond(VoidResult.INSTANCE);
            }
        }

        @Override
        public void onPrepare(final PrepareRequest request, final Exchange exchange)
        {
            throw new UnsupportedOperationException();
        }

        @Override
        public void onExecute(final ExecuteRequest request, final Exchange exchange)
        {
            throw new UnsupportedOperationException();
        }

        @Override
        public void onBatch(final BatchRequest request, final Exchange exchange)
        {
            throw new UnsupportedOperationException();
        }
    }
}
