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
import com.codahale.metrics.MetricRegistry;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.Future;
import io.netty.util.internal.PlatformDependent;
import io.sluice.metrics.DropwizardTransportListener;
import io.sluice.metrics.JmxMetrics;
import io.sluice.metrics.PrometheusEndpoint;
import io.sluice.transport.NativeTransport;
import io.sluice.transport.NativeTransportBuilder;
import io.sluice.transport.SettingSource;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.config.EncryptionOptions.TlsEncryptionPolicy;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.service.NativeTransportService;
import org.apache.cassandra.transport.Connection;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.transport.PipelineConfigurator;
import org.apache.cassandra.utils.JVMStabilityInspector;
import org.apache.cassandra.utils.MonotonicClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts Sluice where Cassandra's Server would set up its own pipeline: a new transport at each start, for all ports.
 * The Server itself stays: it tracks connections and sends events. Started and stopped by one thread at a time.
 */
final class SluiceConfigurator extends PipelineConfigurator
{
    private static final Logger LOG = LoggerFactory.getLogger(SluiceConfigurator.class);
    private static final long SETTINGS_MILLIS = 100;
    private static final Duration AS_LONG_AS_IT_TAKES = Duration.ofDays(365);
    private static final long LEAST_BUFFER_BYTES = 64 << 20;
    private static final String JMX_DOMAIN = "io.sluice";
    private static final String TLS_RELOADS = DropwizardTransportListener.DEFAULT_PREFIX + ".tls-reloads";

    private final KnownStatements statements = new KnownStatements();
    private final UnexpectedErrors errors = new UnexpectedErrors();
    private final StockSettings settings = new StockSettings();
    private final WritePlans plans = new WritePlans();
    private final RegisteredBean plansBean = RegisteredBean.of(JMX_DOMAIN + ":type=WritePlans", plans);
    private final CassandraTls tls = CassandraTls.load();
    private final TlsEncryptionPolicy policy;
    private final InetSocketAddress tlsAddress;
    private final UnaryOperator<NativeTransportBuilder> customizer;
    private final MetricRegistry registry = new MetricRegistry();
    private final DropwizardTransportListener metrics = DropwizardTransportListener.register(registry);
    private final JmxMetrics jmx = JmxMetrics.start(registry, JMX_DOMAIN);
    /** Or null. */
    private final PrometheusEndpoint prometheus = PrometheusPort.open(registry);
    private volatile NativeTransport transport;
    private Future<?> settingsWatch;

    /**
     * @param policy for the main port
     * @param tlsAddress the second port, which speaks TLS as the configuration says, or null
     * @param customizer has the last word about each transport before it is built
     */
    SluiceConfigurator(final TlsEncryptionPolicy policy,
        final InetSocketAddress tlsAddress,
        final UnaryOperator<NativeTransportBuilder> customizer)
    {
        super(NativeTransportService.useEpoll(), DatabaseDescriptor.getRpcKeepAlive(), policy, new Dispatcher(false));
        this.policy = policy;
        this.tlsAddress = tlsAddress;
        this.customizer = customizer;
        final Gauge<Long> reloads = tls::reloads;
        registry.register(TLS_RELOADS, reloads);
        final Gauge<Long> failed = tls::failedReloads;
        registry.register(TLS_RELOADS + ".failed", failed);
    }

    @Override
    public synchronized ChannelFuture initializeChannel(final EventLoopGroup loops,
        final InetSocketAddress socket,
        final Connection.Factory factory)
    {
        if (transport != null)
        {
            throw new IllegalStateException("transport: started already (expected: stopped)");
        }
        LOG.info("Starting listening for CQL clients on {} ({})...", socket, policy.description());
        final NativeTransportBuilder builder = NativeTransport
            .builder(new CassandraRequestHandler(statements, errors, plans))
            .bindTo(socket, tls.config(policy));
        if (tlsAddress != null)
        {
            final TlsEncryptionPolicy second = DatabaseDescriptor.getNativeProtocolEncryptionOptions()
                .tlsEncryptionPolicy();
            LOG.info("Starting listening for CQL clients on {} ({})...", tlsAddress, second.description());
            builder.bindTo(tlsAddress, tls.config(second));
        }
        builder.eventLoops(loops)
            .trustedProxies(NodeProxies.trusted())
            .requestExecutor(RequestStage.requests())
            .authExecutor(RequestStage.logins())
            .lifecycle(new CassandraLifecycle(factory))
            .authenticator(new CassandraAuthenticator())
            .listener(new ClientMetricsListener().andThen(metrics))
            .limits(settings.atBoot())
            .settingsFrom(SettingSource.YAML, StockSettings.defaults())
            .settingsBinding(settings)
            .bufferBytes(shareOfDirectMemory())
            .supported(QueryProcessor.CQL_VERSION.toString(), Map.of())
            .statementIds(statements)
            .errorInspector(JVMStabilityInspector::inspectThrowable)
            .clock(MonotonicClock.Global.preciseTime::now)
            .jmxDomain(JMX_DOMAIN);
        NodeSettings.all().forEach(builder::setting);
        final NativeTransport started = customizer.apply(builder).build();
        settings.attach(started);
        started.start();
        transport = started;
        metrics.attach(started);
        settingsWatch = loops.next()
            .scheduleWithFixedDelay(settings, SETTINGS_MILLIS, SETTINGS_MILLIS, TimeUnit.MILLISECONDS);
        final Channel listener = started.listeners().get(0);
        return listener.newSucceededFuture();
    }

    /**
     * Half of the JVM's direct memory: Cassandra reads its tables through the rest, and ends the process if it cannot.
     */
    private static long shareOfDirectMemory()
    {
        return Math.max(LEAST_BUFFER_BYTES, PlatformDependent.estimateMaxDirectMemory() / 2);
    }

    /** The transport that serves now, or null. */
    NativeTransport transport()
    {
        return transport;
    }

    /** Takes the metrics away; call {@link #stop} first. */
    synchronized void close()
    {
        tls.close();
        if (prometheus != null)
        {
            prometheus.close();
        }
        registry.remove(TLS_RELOADS);
        registry.remove(TLS_RELOADS + ".failed");
        jmx.close();
        plansBean.close();
        metrics.close();
    }

    /**
     * Stops taking connections, then closes those that are there: once their answers are out, unless forced.
     */
    synchronized void stop(final boolean force)
    {
        if (transport == null)
        {
            return;
        }
        final NativeTransport stopping = transport;
        transport = null;
        settingsWatch.cancel(false);
        settings.detach();
        if (!force)
        {
            final Duration timeout = stopping.control().limits().closeTimeout();
            if (!stopping.drain(timeout.isZero() ? AS_LONG_AS_IT_TAKES : timeout).join())
            {
                LOG.warn("Some connections took longer than the native transport timeout to complete");
            }
        }
        stopping.close();
    }
}
