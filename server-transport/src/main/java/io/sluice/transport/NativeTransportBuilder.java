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
package io.sluice.transport;

import io.netty.channel.ChannelFactory;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.sluice.framing.request.StatementIds;
import io.sluice.memory.BufferPool;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/** Everything that a transport is made of; what is not said has a default. Not thread safe. */
public final class NativeTransportBuilder
{
    /** An address and how clients of that port speak TLS. */
    record Endpoint(InetSocketAddress address, TlsConfig tls)
    {
    }

    final RequestHandler handler;
    final List<Endpoint> endpoints = new ArrayList<>();
    TrustedProxies trustedProxies = TrustedProxies.none();
    ConnectionLifecycle lifecycle = ConnectionLifecycle.NONE;
    Authenticator authenticator = Authenticator.NONE;
    TransportListener listener = TransportListener.NONE;
    Executor requestExecutor;
    InlineExecuteHandler inlineExecute;
    Executor authExecutor;
    TransportLimits limits = TransportLimits.defaults();
    TransportLimits defaultLimits = TransportLimits.defaults();
    SettingSource settingsSource = SettingSource.CODE;
    SettingsBinding settingsBinding = SettingsBinding.NONE;
    final List<ExtraSetting> extraSettings = new ArrayList<>();
    InstantSource wallClock = InstantSource.system();
    CompressionPolicy compression = CompressionPolicy.defaults();
    FlushPolicy flushPolicy = FlushPolicy.defaults();
    NanoClock clock = SystemNanoClock.INSTANCE;
    SupportedOptions supported = new SupportedOptions("3.4.7", Map.of());
    StatementIds statementIds = StatementIds.UNSHARED;
    Consumer<Throwable> errorInspector = error ->
    {
    };
    EventLoopGroup eventLoops;
    int eventLoopThreads = 2 * Runtime.getRuntime().availableProcessors();
    boolean epollPreferred = true;
    long bufferBytes = Math.max(256L << 20, Runtime.getRuntime().maxMemory());
    boolean poisonBuffers;
    String jmxDomain;
    /** Makes the listening channels, for event loops that are neither epoll's nor NIO's; null for those. */
    ChannelFactory<? extends ServerChannel> listeningChannels;
    /** Where all memory comes from, closed with the transport; null for a pool made to the settings above. */
    BufferPool bufferPool;

    NativeTransportBuilder(final RequestHandler handler)
    {
        this.handler = Objects.requireNonNull(handler, "handler");
    }

    /** Listens here, without TLS; port 0 takes any free port. */
    public NativeTransportBuilder bindTo(final InetSocketAddress address)
    {
        return bindTo(address, TlsConfig.off());
    }

    /** Listens here; may be called several times for several addresses. */
    public NativeTransportBuilder bindTo(final InetSocketAddress address, final TlsConfig tls)
    {
        endpoints.add(new Endpoint(Objects.requireNonNull(address, "address"), Objects.requireNonNull(tls, "tls")));
        return this;
    }

    /**
     * Takes these peers' word, by the PROXY protocol, for whom they speak: limits per address, logs and the node then
     * see the client's own address. On all ports; by default there are none.
     */
    public NativeTransportBuilder trustedProxies(final TrustedProxies proxies)
    {
        trustedProxies = Objects.requireNonNull(proxies, "proxies");
        return this;
    }

    /**
     * Runs the handler's methods; required. A direct executor ({@code Runnable::run}) serves on the event loops. Each
     * command is an {@link Exchange}, for executors that look at what they run.
     */
    public NativeTransportBuilder requestExecutor(final Executor executor)
    {
        requestExecutor = Objects.requireNonNull(executor, "executor");
        return this;
    }

    /**
     * Offers each EXECUTE to this handler first, on the event loop where it was read; what it declines goes to the
     * request executor. By default all requests do.
     */
    public NativeTransportBuilder inlineExecute(final InlineExecuteHandler newHandler)
    {
        inlineExecute = Objects.requireNonNull(newHandler, "newHandler");
        return this;
    }

    /** Runs the steps of SASL exchanges; by default the request executor does. */
    public NativeTransportBuilder authExecutor(final Executor executor)
    {
        authExecutor = Objects.requireNonNull(executor, "executor");
        return this;
    }

    /** How much of everything clients may use. */
    public NativeTransportBuilder limits(final TransportLimits newLimits)
    {
        limits = Objects.requireNonNull(newLimits, "newLimits");
        return this;
    }

    /**
     * Says where the settings come from, for those who look at them.
     *
     * @param source shown for each setting that differs from its default
     * @param defaults what the limits are if nobody says otherwise
     */
    public NativeTransportBuilder settingsFrom(final SettingSource source, final TransportLimits defaults)
    {
        settingsSource = Objects.requireNonNull(source, "source");
        defaultLimits = Objects.requireNonNull(defaults, "defaults");
        return this;
    }

    /** Keeps the settings in step with others of the same meaning. */
    public NativeTransportBuilder settingsBinding(final SettingsBinding binding)
    {
        settingsBinding = Objects.requireNonNull(binding, "binding");
        return this;
    }

    /** Shows one more setting with the transport's own; may be called several times. */
    public NativeTransportBuilder setting(final ExtraSetting setting)
    {
        extraSettings.add(Objects.requireNonNull(setting, "setting"));
        return this;
    }

    /** The time that changes of settings are noted with; for tests. */
    public NativeTransportBuilder wallClock(final InstantSource clock)
    {
        wallClock = Objects.requireNonNull(clock, "clock");
        return this;
    }

    /** When compressing is worth it. */
    public NativeTransportBuilder compression(final CompressionPolicy policy)
    {
        compression = Objects.requireNonNull(policy, "policy");
        return this;
    }

    /** How long answers may wait for others to go out with them. */
    public NativeTransportBuilder flushPolicy(final FlushPolicy policy)
    {
        flushPolicy = Objects.requireNonNull(policy, "policy");
        return this;
    }

    /** Hears what happens, for metrics. */
    public NativeTransportBuilder listener(final TransportListener newListener)
    {
        listener = Objects.requireNonNull(newListener, "newListener");
        return this;
    }

    /** Takes part in connections' lives. */
    public NativeTransportBuilder lifecycle(final ConnectionLifecycle newLifecycle)
    {
        lifecycle = Objects.requireNonNull(newLifecycle, "newLifecycle");
        return this;
    }

    /** Says who has to log in. */
    public NativeTransportBuilder authenticator(final Authenticator newAuthenticator)
    {
        authenticator = Objects.requireNonNull(newAuthenticator, "newAuthenticator");
        return this;
    }

    /** What the answer to OPTIONS says beside versions and compressions. */
    public NativeTransportBuilder supported(final String cqlVersion, final Map<String, List<String>> more)
    {
        supported = new SupportedOptions(cqlVersion, new LinkedHashMap<>(more));
        return this;
    }

    /** Turns the bytes of prepared ids into objects; must be fast and is called by all event loops. */
    public NativeTransportBuilder statementIds(final StatementIds ids)
    {
        statementIds = Objects.requireNonNull(ids, "ids");
        return this;
    }

    /**
     * Is shown every error that is not a client's, Java Errors included, before its request is answered or its
     * connection closed. May throw what it likes; nothing comes of it. Direct memory that is used up is not shown: it
     * costs one request or connection. Any thread.
     */
    public NativeTransportBuilder errorInspector(final Consumer<Throwable> inspector)
    {
        errorInspector = Objects.requireNonNull(inspector, "inspector");
        return this;
    }

    /** Uses these event loops, which stay the caller's; epoll or NIO is told from their kind. */
    public NativeTransportBuilder eventLoops(final EventLoopGroup loops)
    {
        eventLoops = Objects.requireNonNull(loops, "loops");
        return this;
    }

    /** How many event loops to make if none are given; 1 and more, twice the processors by default. */
    public NativeTransportBuilder eventLoopThreads(final int threads)
    {
        if (threads < 1)
        {
            throw new IllegalArgumentException("threads: " + threads + " (expected: >= 1)");
        }
        eventLoopThreads = threads;
        return this;
    }

    /** False for NIO also where epoll is there. */
    public NativeTransportBuilder preferEpoll(final boolean prefer)
    {
        epollPreferred = prefer;
        return this;
    }

    /** Most direct memory that the transport makes for itself, in bytes; at least 1 MiB. */
    public NativeTransportBuilder bufferBytes(final long bytes)
    {
        if (bytes < 1 << 20)
        {
            throw new IllegalArgumentException("bytes: " + bytes + " (expected: >= 1048576)");
        }
        bufferBytes = bytes;
        return this;
    }

    /** True to overwrite memory when it is given back, so that late use shows; for tests. */
    public NativeTransportBuilder poisonBuffers(final boolean poison)
    {
        poisonBuffers = poison;
        return this;
    }

    /** Listens with channels of another kind than epoll's or NIO's, made for the event loops that were given. */
    NativeTransportBuilder listeningChannels(final ChannelFactory<? extends ServerChannel> factory)
    {
        listeningChannels = Objects.requireNonNull(factory, "factory");
        return this;
    }

    /** Takes all memory from this pool, which is closed with the transport; sizes and poison are then its own. */
    NativeTransportBuilder bufferPool(final BufferPool pool)
    {
        bufferPool = Objects.requireNonNull(pool, "pool");
        return this;
    }

    /** Registers a {@link NativeTransportMXBean} under this domain; without a domain there is none. */
    public NativeTransportBuilder jmxDomain(final String domain)
    {
        jmxDomain = Objects.requireNonNull(domain, "domain");
        return this;
    }

    /** The clock for deadlines and latencies; for tests. */
    public NativeTransportBuilder clock(final NanoClock newClock)
    {
        clock = Objects.requireNonNull(newClock, "newClock");
        return this;
    }

    /**
     * The transport, not yet started.
     *
     * @throws IllegalStateException if no address or no request executor was given
     */
    public NativeTransport build()
    {
        if (endpoints.isEmpty())
        {
            throw new IllegalStateException("bindTo: not called (expected: at least one address)");
        }
        if (requestExecutor == null)
        {
            throw new IllegalStateException("requestExecutor: not given");
        }
        if (authExecutor == null)
        {
            authExecutor = requestExecutor;
        }
        return new NativeTransport(this);
    }
}
