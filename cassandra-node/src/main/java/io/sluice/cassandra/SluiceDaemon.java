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
package io.sluice.cassandra;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.Histogram;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.sluice.transport.NativeTransport;
import io.sluice.transport.NativeTransportBuilder;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.config.EncryptionOptions.TlsEncryptionPolicy;
import org.apache.cassandra.metrics.CassandraMetricsRegistry;
import org.apache.cassandra.metrics.ClientMetrics;
import org.apache.cassandra.metrics.DefaultNameFactory;
import org.apache.cassandra.service.CassandraDaemon;
import org.apache.cassandra.service.NativeTransportService;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.transport.Dispatcher;

/**
 * Apache Cassandra with Sluice as its native transport, by overriding public methods alone.
 * <p>
 * Cassandra's own {@linkplain org.apache.cassandra.transport.Server server} is there and does not know that its
 * pipeline is another: it tracks connections, sends events and answers nodetool. It and the event loops live as long as
 * the daemon; each start of the native transport (nodetool enablebinary) makes a new Sluice transport. Any thread.
 */
public class SluiceDaemon extends CassandraDaemon
{
    private static final long LOOPS_STOP_SECONDS = 5;

    private final Runnable deactivated;
    private final boolean ownsProcess;
    private final UnaryOperator<NativeTransportBuilder> customizer;
    private volatile org.apache.cassandra.transport.Server server;
    private volatile SluiceConfigurator configurator;
    private EventLoopGroup loops;

    /** For a process that is the node's alone: Cassandra itself ends it. */
    SluiceDaemon()
    {
        super(false);
        this.ownsProcess = true;
        this.deactivated = () -> super.deactivate();
        this.customizer = UnaryOperator.identity();
    }

    /** @param deactivated called when an operator stops the node from within (nodetool stopdaemon) */
    public SluiceDaemon(final Runnable deactivated)
    {
        this(deactivated, UnaryOperator.identity());
    }

    /**
     * @param deactivated called when an operator stops the node from within (nodetool stopdaemon)
     * @param customizer has the last word about each transport before it is built: for listeners, policies, tests
     */
    public SluiceDaemon(final Runnable deactivated, final UnaryOperator<NativeTransportBuilder> customizer)
    {
        super(true);
        this.ownsProcess = false;
        this.deactivated = deactivated;
        this.customizer = customizer;
    }

    @Override
    public void deactivate()
    {
        deactivated.run();
    }

    @Override
    public synchronized void initializeClientTransports()
    {
        if (server != null)
        {
            return;
        }
        LocalStages.install();
        // Of a node that was drained these are the last: without them its process would end, and nodetool with it.
        final DefaultThreadFactory threads = new DefaultThreadFactory("sluice-loop", !ownsProcess);
        loops = NativeTransportService.useEpoll()
            ? new EpollEventLoopGroup(0, threads)
            : new NioEventLoopGroup(0, threads);
        final int port = DatabaseDescriptor.getNativeTransportPort();
        final int tlsPort = DatabaseDescriptor.getNativeTransportPortSSL();
        final TlsEncryptionPolicy configured = DatabaseDescriptor.getNativeProtocolEncryptionOptions()
            .tlsEncryptionPolicy();
        if (port != tlsPort && configured == TlsEncryptionPolicy.UNENCRYPTED)
        {
            throw new IllegalStateException(
                "Encryption must be enabled in client_encryption_options for native_transport_port_ssl");
        }
        // With a port of its own for TLS, the main one speaks none.
        final TlsEncryptionPolicy policy = port == tlsPort ? configured : TlsEncryptionPolicy.UNENCRYPTED;
        configurator = new SluiceConfigurator(policy,
            port == tlsPort ? null : new InetSocketAddress(DatabaseDescriptor.getRpcAddress(), tlsPort), customizer);
        server = new org.apache.cassandra.transport.Server.Builder()
            .withEventLoopGroup(loops)
            .withHost(DatabaseDescriptor.getRpcAddress())
            .withPort(port)
            .withTlsEncryptionPolicy(policy)
            .withPipelineConfigurator(configurator)
            .build();
        ClientMetrics.instance.init(Collections.singleton(server));
        showRequestsSize();
    }

    /** Cassandra's figures of request bytes in flight count what its own pipeline has: ours take their place. */
    private void showRequestsSize()
    {
        final CassandraMetricsRegistry.MetricName name = new DefaultNameFactory("Client").createMetricName(
            "RequestsSize");
        CassandraMetricsRegistry.Metrics.remove(name);
        final Gauge<Long> bytes = () ->
        {
            final NativeTransport serving = nativeTransport();
            return serving == null ? 0L : serving.inFlightBytes();
        };
        CassandraMetricsRegistry.Metrics.register(name, bytes);
        final CassandraMetricsRegistry.MetricName byAddress = new DefaultNameFactory("Client").createMetricName(
            "RequestsSizeByIpDistribution");
        CassandraMetricsRegistry.Metrics.remove(byAddress);
        CassandraMetricsRegistry.Metrics.register(byAddress, new Histogram(new AddressReservoir(
            this::nativeTransport))
        {
            @Override
            public long getCount()
            {
                final NativeTransport serving = nativeTransport();
                return serving == null ? 0 : serving.clientAddresses();
            }
        });
    }

    @Override
    public synchronized void startNativeTransport()
    {
        validateTransportsCanStart();
        if (server == null)
        {
            throw new IllegalStateException("setup() must be called first for CassandraDaemon");
        }
        final boolean running = server.isRunning();
        server.start();
        if (!running)
        {
            StorageService.instance.setRpcReady(true);
        }
    }

    @Override
    public synchronized void stopNativeTransport(final boolean force)
    {
        if (server != null)
        {
            // Our answers first: the server knows only of requests in its executor, not of answers on their way.
            configurator.stop(force);
            server.stop(force);
        }
    }

    // Not synchronized: nodetool asks while a stop waits for answers.
    @Override
    public boolean isNativeTransportRunning()
    {
        final org.apache.cassandra.transport.Server known = server;
        return known != null && known.isRunning();
    }

    @Override
    public void clearConnectionHistory()
    {
        server.clearConnectionHistory();
    }

    /** The transport that serves now, or null: for gauges and tests. */
    public NativeTransport nativeTransport()
    {
        final SluiceConfigurator known = configurator;
        return known == null ? null : known.transport();
    }

    @Override
    public synchronized void destroyClientTransports()
    {
        stopNativeTransport(false);
        if (loops != null)
        {
            loops.shutdownGracefully(0, LOOPS_STOP_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
            loops = null;
            configurator.close();
        }
        server = null;
        Dispatcher.shutdown();
    }
}
