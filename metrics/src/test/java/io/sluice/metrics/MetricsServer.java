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

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.codahale.metrics.MetricRegistry;
import io.sluice.framing.ErrorCode;
import io.sluice.framing.request.BatchRequest;
import io.sluice.framing.request.ExecuteRequest;
import io.sluice.framing.request.PrepareRequest;
import io.sluice.framing.request.QueryRequest;
import io.sluice.framing.response.ColumnSpec;
import io.sluice.framing.response.ColumnType;
import io.sluice.framing.response.ResponseBody;
import io.sluice.framing.response.RowsMetadata;
import io.sluice.framing.response.RowsResult;
import io.sluice.framing.response.VoidResult;
import io.sluice.transport.ClientConnection;
import io.sluice.transport.Exchange;
import io.sluice.transport.NativeTransport;
import io.sluice.transport.NativeTransportBuilder;
import io.sluice.transport.RequestHandler;
import io.sluice.transport.TlsConfig;
import io.sluice.transport.TransportLimits;
import io.sluice.transport.TransportListener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * A transport with one event loop and a clock that stands still, in front of a handler whose queries say what to
 * answer, and its metrics. Closing it expects that everything was given back.
 */
final class MetricsServer implements AutoCloseable
{
    private static final RowsMetadata METADATA = RowsMetadata.of(List.of(new ColumnSpec("demo", "blobs", "cell",
        ColumnType.BLOB)));

    /** With the clock standing still, no client would ever have lingered for long enough. */
    static final TransportLimits LIMITS = TransportLimits.defaults().with().lingerTimeout(Duration.ZERO).build();

    final ManualClock clock = new ManualClock();
    final MetricAnswers answers;
    /** What the test completes itself. */
    final BlockingQueue<Exchange> parked = new LinkedBlockingQueue<>();
    final NativeTransport transport;
    private final Map<String, Consumer<Exchange>> statements = new ConcurrentHashMap<>();
    private final DropwizardTransportListener listener;
    private final List<CountDownLatch> holds = new ArrayList<>();

    MetricsServer(final BiConsumer<NativeTransportBuilder, TransportListener> change)
    {
        this(TlsConfig.off(), change);
    }

    MetricsServer(final TlsConfig tls, final BiConsumer<NativeTransportBuilder, TransportListener> change)
    {
        final MetricRegistry registry = new MetricRegistry();
        answers = new MetricAnswers(registry);
        listener = DropwizardTransportListener.register(registry, DropwizardTransportListener.DEFAULT_PREFIX, clock);
        final NativeTransportBuilder builder = NativeTransport.builder(new Engine())
            .bindTo(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), tls)
            .requestExecutor(Runnable::run)
            .eventLoopThreads(1)
            .limits(LIMITS)
            .clock(clock)
            .listener(listener);
        change.accept(builder, listener);
        transport = builder.build().start();
        listener.attach(transport);
    }

    /** What this query does. */
    void on(final String query, final Consumer<Exchange> action)
    {
        statements.put(query, action);
    }

    InetSocketAddress address()
    {
        return transport.localAddress();
    }

    RawClient connect(final int version) throws IOException
    {
        return new RawClient(address(), version);
    }

    /** A client that may send requests. */
    RawClient ready(final int version) throws IOException
    {
        final RawClient client = connect(version);
        client.start(Map.of());
        return client;
    }

    /** The only one there is. */
    ClientConnection connection()
    {
        MetricAnswers.await(() -> transport.connections().size() == 1);
        return transport.connections().iterator().next();
    }

    /** The event loop does nothing else until the latch is counted down. */
    CountDownLatch holdLoop()
    {
        final CountDownLatch latch = new CountDownLatch(1);
        holds.add(latch);
        connection().channel().eventLoop().execute(() ->
        {
            try
            {
                latch.await();
            }
            catch (final InterruptedException e)
            {
                Thread.currentThread().interrupt();
            }
        });
        return latch;
    }

    /** One row of one cell of so many zeros. */
    static ResponseBody rows(final int bytes)
    {
        return new RowsResult(METADATA, Collections.singletonList(new byte[][]{new byte[bytes]}));
    }

    /** The same, which does this once while it is encoded. */
    static ResponseBody rows(final Runnable whileEncoded)
    {
        final AtomicBoolean done = new AtomicBoolean();
        return new RowsResult(METADATA, new AbstractList<>()
        {
            @Override
            public byte[][] get(final int index)
            {
                if (!done.getAndSet(true))
                {
                    whileEncoded.run();
                }
                return new byte[][]{{1}};
            }

            @Override
            public int size()
            {
                return 1;
            }
        });
    }

    @Override
    public void close()
    {
        holds.forEach(CountDownLatch::countDown);
        parked.forEach(exchange -> exchange.respond(VoidResult.INSTANCE));
        transport.close();
        assertEquals(0, transport.buffers().outstandingLeases());
        assertEquals(0, transport.inFlightBytes());
        assertEquals(0, answers.gauge("connections"));
        listener.close();
    }

    /** Answers as the query's text says. */
    private final class Engine implements RequestHandler
    {
        @Override
        public void onQuery(final QueryRequest request, final Exchange exchange)
        {
            final String[] words = request.query().trim().split(" ", 2);
            switch (words[0])
            {
                case "void" -> exchange.respond(VoidResult.INSTANCE);
                case "park" -> parked.add(exchange);
                case "rows" -> exchange.respond(rows(Integer.parseInt(words[1])));
                case "error" -> exchange.fail(ErrorCode.valueOf(words[1]), "on purpose");
                default -> statements.get(words[0]).accept(exchange);
            }
        }

        @Override
        public void onPrepare(final PrepareRequest request, final Exchange exchange)
        {
            exchange.respond(VoidResult.INSTANCE);
        }

        @Override
        public void onExecute(final ExecuteRequest request, final Exchange exchange)
        {
            exchange.respond(VoidResult.INSTANCE);
        }

        @Override
        public void onBatch(final BatchRequest request, final Exchange exchange)
        {
            exchange.respond(VoidResult.INSTANCE);
        }
    }
}
