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
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.Snapshot;
import com.codahale.metrics.Timer;
import io.sluice.framing.ErrorCode;
import io.sluice.framing.EventType;
import io.sluice.framing.Opcode;
import io.sluice.framing.request.BatchRequest;
import io.sluice.framing.request.ExecuteRequest;
import io.sluice.framing.request.PrepareRequest;
import io.sluice.framing.request.QueryRequest;
import io.sluice.framing.response.StatusChangeEvent;
import io.sluice.framing.response.VoidResult;
import io.sluice.transport.AuthenticationFailedException;
import io.sluice.transport.Authenticator;
import io.sluice.transport.ClientConnection;
import io.sluice.transport.ConnectionFigures;
import io.sluice.transport.Exchange;
import io.sluice.transport.NativeTransport;
import io.sluice.transport.NativeTransportBuilder;
import io.sluice.transport.OverloadAction;
import io.sluice.transport.PauseCause;
import io.sluice.transport.RequestHandler;
import io.sluice.transport.SaslNegotiation;
import io.sluice.transport.TransportLimits;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.management.InstanceNotFoundException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Crafted traffic over real sockets, with the answer of every metric known beforehand. */
@Timeout(120)
class TransportMetricsIT
{
    private static final int HEADER = 9;

    private final MetricRegistry registry = new MetricRegistry();
    private final ManualClock clock = new ManualClock();
    private final DropwizardTransportListener listener = DropwizardTransportListener.register(registry,
        DropwizardTransportListener.DEFAULT_PREFIX, clock);
    /** Exchanges that a test completes itself. */
    private final BlockingQueue<Exchange> parked = new LinkedBlockingQueue<>();
    private final MetricAnswers answers = new MetricAnswers(registry);
    private NativeTransport transport;

    private void start(final TransportLimits limits, final Authenticator authenticator)
    {
        final NativeTransportBuilder builder = NativeTransport.builder(new Engine())
            .bindTo(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .requestExecutor(Runnable::run)
            .eventLoopThreads(1)
            .limits(limits)
            .authenticator(authenticator)
            .clock(clock)
            .listener(listener);
        transport = builder.build().start();
        listener.attach(transport);
    }

    private void start()
    {
        start(TransportLimits.defaults(), Authenticator.NONE);
    }

    @AfterEach
    void stop(final TestInfo test)
    {
        answers.expectShown(test.getTestMethod().orElseThrow());
        transport.close();
        assertEquals(0, transport.buffers().outstandingLeases());
        assertEquals(0, transport.inFlightBytes());
        assertEquals(0L, gauge("connections"));
        listener.close();
    }

    private long gauge(final String name)
    {
        return answers.gauge(name);
    }

    private long count(final String name)
    {
        return answers.count(name);
    }

    private Snapshot histogram(final String name)
    {
        return answers.histogram(name);
    }

    private Timer timer(final String name)
    {
        return answers.timer(name);
    }

    @Test
    @Shows({"connections", "connections.v4", "client-addresses", "bytes-read", "bytes-written", "requests.options",
        "requests.startup", "requests.query", "requests.query.v4", "requests.startup.v4", "requests.options.none",
        "request-bytes.query.v4", "response-bytes.query.v4", "response-bytes.options.none", "bytes-read.v4",
        "bytes-read.none", "bytes-written.v4", "bytes-written.none", "flushes-per-answer", "flush-bytes",
        "request-bytes", "response-bytes", "envelopes-per-flush", "flushes", "buffer-bytes",
        "connections.closed.client", "connections.opened"})
    void requestsAndBytesOfVersion4() throws IOException
    {
        start();
        try (RawClient client = new RawClient(transport.localAddress(), 4))
        {
            client.send(client.envelope(Opcode.OPTIONS, 1, new byte[0]));
            final int supported = HEADER + client.receive().bodyLength();
            assertEquals(0L, gauge("connections.v4"));
            assertEquals(Opcode.READY, client.start(Map.of()).opcode());
            assertEquals(1L, gauge("connections"));
            assertEquals(1L, gauge("connections.v4"));
            assertEquals(0L, gauge("connections.v5"));
            assertEquals(1L, gauge("client-addresses"));
            final byte[] query = client.query(7, "void");
            for (int i = 0; i < 5; i++)
            {
                client.send(query);
                assertEquals(new RawClient.Answer(Opcode.RESULT, 7, 4), client.receive());
            }
            await(() -> count("flushes") == 7 && gauge("in-flight-bytes") == 0);
            assertEquals(client.bytesOut, count("bytes-read"));
            assertEquals(client.bytesIn, count("bytes-written"));
            assertEquals(1, count("requests.options"));
            assertEquals(1, count("requests.startup"));
            assertEquals(5, count("requests.query"));
            assertEquals(0, count("requests.execute"));
            assertEquals(5, count("requests.query.v4"));
            assertEquals(1, count("requests.startup.v4"));
            assertEquals(1, count("requests.options.none"));
            assertEquals(5L * query.length, count("request-bytes.query.v4"));
            assertEquals(5L * (HEADER + 4), count("response-bytes.query.v4"));
            assertEquals(supported, count("response-bytes.options.none"));
            assertEquals(5L * query.length, count("bytes-read.v4"));
            assertEquals(client.bytesOut - 5L * query.length, count("bytes-read.none"));
            assertEquals(client.bytesIn - supported, count("bytes-written.v4"));
            assertEquals(supported, count("bytes-written.none"));
            assertEquals(1.0, answers.share("flushes-per-answer"));
            assertEquals(7, count("flush-bytes"));
            assertEquals(7, count("request-bytes"));
            assertEquals(HEADER, histogram("request-bytes").getMin());
            assertEquals(query.length, histogram("request-bytes").getMedian());
            assertEquals(HEADER, histogram("response-bytes").getMin());
            assertEquals(HEADER + 4, histogram("response-bytes").getMedian());
            assertEquals((double)supported, (double)histogram("response-bytes").getMax(), supported / 32.0);
            assertEquals(1, histogram("envelopes-per-flush").getMax());
            assertEquals(0, count("segments-out"));
            assertEquals(0, count("protocol-errors"));
            assertEquals(0L, gauge("leases"));
            assertTrue(gauge("buffer-bytes") > 0);
        }
        await(() -> count("connections.closed.client") == 1);
        assertEquals(1, count("connections.opened"));
        assertEquals(0L, gauge("connections"));
        assertEquals(0L, gauge("client-addresses"));
    }

    @Test
    @Shows({"segments-out", "segment-envelopes", "segment-payload-bytes", "envelopes-per-segment", "segment-fill",
        "connections.v5", "requests.query.v5"})
    void manyAnswersOfVersion5LeaveInOneSegment() throws IOException
    {
        start();
        try (RawClient client = new RawClient(transport.localAddress(), 5))
        {
            client.start(Map.of());
            final byte[][] burst = new byte[60][];
            for (int i = 0; i < burst.length; i++)
            {
                burst[i] = client.query(i, "void");
            }
            client.send(burst);
            for (int i = 0; i < burst.length; i++)
            {
                assertEquals(new RawClient.Answer(Opcode.RESULT, i, 4), client.receive());
            }
            await(() -> count("flushes") == 2);
            assertEquals(60, count("requests.query"));
            assertEquals(61, count("response-bytes"));
            assertEquals(60, histogram("envelopes-per-flush").getMax());
            assertEquals(1, count("segments-out"));
            assertEquals(60, count("segment-envelopes"));
            assertEquals(60L * (HEADER + 4), count("segment-payload-bytes"));
            assertEquals(60.0, answers.share("envelopes-per-segment"));
            assertEquals(60 * (HEADER + 4) / 131_071.0, answers.share("segment-fill"));
            assertEquals(60, count("requests.query.v5"));
            assertEquals(1L, gauge("connections.v5"));
            assertEquals(client.bytesOut, count("bytes-read"));
            assertEquals(client.bytesIn, count("bytes-written"));
        }
    }

    @Test
    @Shows({"in-flight-bytes", "requests.query"})
    void latencyIsFromTheLastByteToTheWrite() throws IOException, InterruptedException
    {
        start();
        try (RawClient client = new RawClient(transport.localAddress(), 4))
        {
            client.start(Map.of());
            client.send(client.query(1, "park"));
            final Exchange exchange = parked.take();
            final long charged = gauge("in-flight-bytes");
            assertEquals(client.query(1, "park").length, charged);
            clock.advance(5, TimeUnit.MILLISECONDS);
            exchange.respond(VoidResult.INSTANCE);
            client.receive();
            await(() -> gauge("in-flight-bytes") == 0);
            final Timer query = timer("requests.query");
            assertEquals(1, query.getCount());
            assertEquals(5e6, query.getSnapshot().getMedian(), 5e6 / 32);
            assertEquals(5e6, timer("stages.serve").getSnapshot().getMedian(), 5e6 / 32);
            for (final String other : List.of("decode", "queue", "encode", "flush", "write"))
            {
                assertEquals(1, timer("stages." + other).getCount(), other);
                assertEquals(0, timer("stages." + other).getSnapshot().getMax(), other);
            }
            assertEquals(0, timer("requests.startup").getSnapshot().getMax());
        }
    }

    @Test
    void oneRequestInSixteenIsMeasuredByStages() throws IOException
    {
        start();
        try (RawClient client = new RawClient(transport.localAddress(), 5))
        {
            client.start(Map.of());
            for (int i = 0; i < 49; i++)
            {
                client.send(client.query(i, "void"));
                client.receive();
            }
            await(() -> gauge("in-flight-bytes") == 0);
            assertEquals(4, count("stages.write"), "the first, then every sixteenth");
        }
    }

    @Test
    @Shows({"events.dropped"})
    void anEventForWhomHasTooMuchUnreadIsDropped() throws IOException
    {
        start(TransportLimits.defaults().with().answerBytesPerConnection(1).build(), Authenticator.NONE);
        try (RawClient client = new RawClient(transport.localAddress(), 4))
        {
            client.start(Map.of());
            client.send(client.query(1, "event"));
            assertEquals(1, client.receive().streamId());
            await(() -> count("events.dropped") == 1);
            assertEquals(0, count("events"));
        }
    }

    @Test
    @Shows({"protocol-errors", "protocol-errors.fatal", "connections.closed.protocol-error", "errors.unavailable",
        "errors.server-error", "errors.protocol-error"})
    void errorsByCodeAndBreachesOfTheProtocol() throws IOException
    {
        start();
        try (RawClient client = new RawClient(transport.localAddress(), 4))
        {
            client.start(Map.of());
            client.send(client.query(1, "unavailable"));
            assertEquals(Opcode.ERROR, client.receive().opcode());
            client.send(client.query(2, "throw"));
            assertEquals(Opcode.ERROR, client.receive().opcode());
            // Only once per connection, but the connection goes on.
            client.send(client.startup(Map.of()));
            assertEquals(Opcode.ERROR, client.receive().opcode());
            assertEquals(1, count("protocol-errors"));
            assertEquals(0, count("protocol-errors.fatal"));
            // A body of negative length: nobody knows where the next envelope starts.
            final byte[] endless = client.query(3, "void");
            endless[5] = -1;
            client.send(endless);
            assertEquals(Opcode.ERROR, client.receive().opcode());
            assertTrue(client.isAtEnd());
        }
        await(() -> count("connections.closed.protocol-error") == 1);
        assertEquals(1, count("errors.unavailable"));
        assertEquals(1, count("errors.server-error"));
        assertEquals(2, count("errors.protocol-error"));
        assertEquals(2, count("protocol-errors"));
        assertEquals(1, count("protocol-errors.fatal"));
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void case39BytesInFlightAreTheSameInEveryVersion(final int version) throws IOException, InterruptedException
    {
        start();
        try (RawClient client = new RawClient(transport.localAddress(), version))
        {
            client.start(Map.of());
            final byte[][] requests = new byte[100][];
            long bytes = 0;
            for (int i = 0; i < requests.length; i++)
            {
                requests[i] = client.query(i, "park" + " ".repeat(10_000));
                client.send(requests[i]);
                bytes += requests[i].length;
            }
            final List<Exchange> exchanges = new ArrayList<>();
            for (int i = 0; i < requests.length; i++)
            {
                exchanges.add(parked.take());
            }
            assertEquals(bytes, gauge("in-flight-bytes"));
            assertEquals(1L, gauge("client-addresses"));
            for (final Exchange exchange : exchanges)
            {
                exchange.respond(VoidResult.INSTANCE);
                client.receive();
            }
            await(() -> gauge("in-flight-bytes") == 0);
        }
        await(() -> gauge("client-addresses") == 0);
    }

    private static TransportLimits room(final int bytes)
    {
        return TransportLimits.defaults()
            .with()
            .maxFrameBytes(bytes)
            .maxMessageBytes(bytes)
            .inFlightBytesPerConnection(bytes)
            .overloadAction(OverloadAction.PAUSE)
            .build();
    }

    @Test
    @Shows({"shed.connection-bytes", "errors.overloaded"})
    void shedRequests() throws IOException, InterruptedException
    {
        start(room(1024), Authenticator.NONE);
        try (RawClient client = new RawClient(transport.localAddress(), 4))
        {
            client.start(Map.of("THROW_ON_OVERLOAD", "1"));
            client.send(client.query(1, "park" + " ".repeat(600)));
            final Exchange exchange = parked.take();
            client.send(client.query(2, "void" + " ".repeat(600)));
            final RawClient.Answer shed = client.receive();
            assertEquals(Opcode.ERROR, shed.opcode());
            assertEquals(2, shed.streamId());
            assertEquals(1, count("shed.connection-bytes"));
            assertEquals(0, count("shed.global-bytes"));
            assertEquals(1, count("errors.overloaded"));
            exchange.respond(VoidResult.INSTANCE);
            assertEquals(1, client.receive().streamId());
        }
    }

    @Test
    @Shows({"paused.connection-bytes", "held-bytes", "paused-connections"})
    void pausedTimeIsOneWaitFromTheFirstRefusalToTheRead() throws IOException, InterruptedException
    {
        start(room(1024), Authenticator.NONE);
        try (RawClient client = new RawClient(transport.localAddress(), 4))
        {
            client.start(Map.of());
            client.send(client.query(1, "park" + " ".repeat(600)), client.query(2, "park" + " ".repeat(100)));
            final Exchange first = parked.take();
            final Exchange second = parked.take();
            client.send(client.query(3, "void" + " ".repeat(600)));
            await(() -> gauge("held-bytes") > 0);
            assertEquals(1L, gauge("paused-connections"));
            clock.advance(20, TimeUnit.MILLISECONDS);
            // Makes too little room: tried again in vain.
            second.respond(VoidResult.INSTANCE);
            assertEquals(2, client.receive().streamId());
            clock.advance(22, TimeUnit.MILLISECONDS);
            assertEquals(0, count("paused.connection-bytes"));
            first.respond(VoidResult.INSTANCE);
            assertEquals(1, client.receive().streamId());
            assertEquals(3, client.receive().streamId());
            final Timer paused = timer("paused.connection-bytes");
            assertEquals(1, paused.getCount());
            assertEquals(42e6, paused.getSnapshot().getMedian(), 42e6 / 32);
            assertEquals(0, count("shed.connection-bytes"));
            assertEquals(0L, gauge("held-bytes"));
            assertEquals(0L, gauge("paused-connections"));
            final ConnectionFigures figures = transport.connections().iterator().next().figures();
            assertEquals(Map.of(PauseCause.CONNECTION_BYTES, 42_000_000L), figures.pausedNanos());
            assertNull(figures.pausedBy());
        }
    }

    @Test
    @Shows({"connections.refused", "connections.refused.connection-limit"})
    void refusedConnectionsAreNeitherOpenedNorClosed() throws IOException
    {
        start(TransportLimits.defaults().with().maxConnections(1).build(), Authenticator.NONE);
        try (RawClient client = new RawClient(transport.localAddress(), 4))
        {
            client.start(Map.of());
            try (RawClient refused = new RawClient(transport.localAddress(), 4))
            {
                assertTrue(refused.isAtEnd());
            }
            await(() -> transport.connections().size() == 1);
            assertEquals(1, count("connections.refused"));
            assertEquals(1, count("connections.refused.connection-limit"));
            assertEquals(0, count("connections.refused.address-limit"));
            assertEquals(1, count("connections.opened"));
            assertEquals(1L, gauge("connections"));
        }
    }

    @Test
    @Shows({"logins.failure", "logins.success", "errors.bad-credentials", "requests.auth-response"})
    void logins() throws IOException
    {
        start(TransportLimits.defaults(), new Password());
        try (RawClient client = new RawClient(transport.localAddress(), 4))
        {
            assertEquals(Opcode.AUTHENTICATE, client.start(Map.of()).opcode());
            client.send(client.envelope(Opcode.AUTH_RESPONSE, 1, new byte[]{0, 0, 0, 3, 'b', 'a', 'd'}));
            assertEquals(Opcode.ERROR, client.receive().opcode());
            client.send(client.envelope(Opcode.AUTH_RESPONSE, 1, new byte[]{0, 0, 0, 4, 'g', 'o', 'o', 'd'}));
            assertEquals(Opcode.AUTH_SUCCESS, client.receive().opcode());
            assertEquals(1, count("logins.failure"));
            assertEquals(1, count("logins.success"));
            assertEquals(1, count("errors.bad-credentials"));
            await(() -> count("requests.auth-response") == 2);
        }
    }

    @Test
    @Shows({"events", "requests.register"})
    void eventsAreNoRequests() throws IOException
    {
        start();
        try (RawClient client = new RawClient(transport.localAddress(), 4))
        {
            client.start(Map.of());
            client.send(client.register("STATUS_CHANGE"));
            assertEquals(Opcode.READY, client.receive().opcode());
            final InetAddress node = InetAddress.getLoopbackAddress();
            assertEquals(1,
                transport.publish(EventType.STATUS_CHANGE, new StatusChangeEvent(StatusChangeEvent.Change.UP,
                    node, 9042)));
            assertEquals(Opcode.EVENT, client.receive().opcode());
            await(() -> count("events") == 1);
            assertEquals(1, count("requests.register"));
            assertEquals(1, count("requests.startup"));
            assertEquals(3, count("response-bytes"));
        }
    }

    @Test
    void metricsAreMBeansUntilClosed() throws Exception
    {
        start();
        final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        final ObjectName requests = new ObjectName("io.sluice.test:name=sluice.transport.requests.query,type=timers");
        try (JmxMetrics jmx = JmxMetrics.start(registry, "io.sluice.test");
            RawClient client = new RawClient(transport.localAddress(), 4))
        {
            assertNotNull(jmx);
            client.start(Map.of());
            client.send(client.query(1, "void"));
            client.receive();
            await(() -> count("flushes") == 2);
            assertEquals(1L, server.getAttribute(requests, "Count"));
            assertEquals(1L, server.getAttribute(
                new ObjectName("io.sluice.test:name=sluice.transport.connections,type=gauges"), "Value"));
            assertEquals(client.bytesOut, server.getAttribute(
                new ObjectName("io.sluice.test:name=sluice.transport.bytes-read,type=counters"), "Count"));
        }
        assertThrows(InstanceNotFoundException.class, () -> server.getAttribute(requests, "Count"));
    }

    @Test
    void countsGoOnWithTheNextTransport() throws IOException
    {
        start();
        try (RawClient client = new RawClient(transport.localAddress(), 4))
        {
            client.start(Map.of());
        }
        assertTrue(transport.drain(Duration.ofSeconds(10)).join());
        transport.close();
        start();
        try (RawClient client = new RawClient(transport.localAddress(), 4))
        {
            client.start(Map.of());
            assertEquals(1L, gauge("connections.v4"));
            assertEquals(2, count("requests.startup"));
            assertEquals(2, count("connections.opened"));
        }
    }

    /** Answers as the query's text says. */
    private final class Engine implements RequestHandler
    {
        @Override
        public void onQuery(final QueryRequest request, final Exchange exchange)
        {
            switch (request.query().trim())
            {
                case "void" -> exchange.respond(VoidResult.INSTANCE);
                case "park" -> parked.add(exchange);
                case "event" ->
                {
                    exchange.respond(VoidResult.INSTANCE);
                    exchange.connection()
                        .push(new StatusChangeEvent(StatusChangeEvent.Change.UP, InetAddress.getLoopbackAddress(),
                            9042));
                }
                case "unavailable" -> exchange.fail(ErrorCode.UNAVAILABLE, "no replica");
                default -> throw new IllegalArgumentException("query: " + request.query());
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

    /** Lets in whoever says good. */
    static final class Password implements Authenticator
    {
        @Override
        public String mechanism(final ClientConnection connection)
        {
            return "io.sluice.Password";
        }

        @Override
        public SaslNegotiation negotiate(final ClientConnection connection)
        {
            return token ->
            {
                if ("good".equals(new String(token, StandardCharsets.US_ASCII)))
                {
                    return SaslNegotiation.Step.success(null);
                }
                throw new AuthenticationFailedException("wrong");
            };
        }
    }
}
