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

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.sluice.framing.EventType;
import io.sluice.framing.response.ResponseBody;
import io.sluice.memory.BufferLease;
import io.sluice.memory.BufferPool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * The server side of the Cassandra native protocol, versions 3 to 5, in front of a {@link RequestHandler}.
 * <p>
 * It is started once, drained or closed once; a node that starts serving again builds a new one. Several transports
 * live in one JVM without knowing of each other. Any thread.
 */
public final class NativeTransport implements AutoCloseable
{
    private static final int BACKLOG = 1024;
    private static final long DRAIN_POLL_MILLIS = 5;

    private final NativeTransportBuilder settings;
    private final TransportControl control;
    private final TransportSettings transportSettings;
    private final BufferPool pool;
    final TransportContext context;
    private final boolean ownsLoops;
    private final EventLoopGroup loops;
    final IdentityHashMap<EventExecutor, LoopContext> loopContexts = new IdentityHashMap<>();
    private final List<Channel> listeners = new ArrayList<>();
    /** What closing must not leave unanswered; any thread. */
    private final Queue<CompletableFuture<Boolean>> drains = new ConcurrentLinkedQueue<>();
    /** True once connections were closed as they were; written before the first of them is gone. */
    private volatile boolean cutOff;
    private ObjectName jmxName;
    private boolean started;
    private boolean closed;

    NativeTransport(final NativeTransportBuilder builder)
    {
        settings = builder;
        control = new TransportControl(builder.limits, builder.compression, builder.flushPolicy);
        transportSettings = new TransportSettings(control, builder);
        pool = builder.bufferPool == null
            ? new BufferPool(builder.clock, builder.bufferBytes, builder.poisonBuffers)
            : builder.bufferPool;
        context = new TransportContext(builder, pool, control);
        ownsLoops = builder.eventLoops == null;
        loops = ownsLoops ? newLoops(builder) : builder.eventLoops;
        for (final EventExecutor executor : loops)
        {
            loopContexts.put(executor, new LoopContext((EventLoop)executor, context));
        }
        control.effect(this::settingsChanged);
    }

    /** Starts to describe a transport in front of this handler. */
    public static NativeTransportBuilder builder(final RequestHandler handler)
    {
        return new NativeTransportBuilder(handler);
    }

    private static EventLoopGroup newLoops(final NativeTransportBuilder builder)
    {
        final DefaultThreadFactory threads = new DefaultThreadFactory("sluice-loop", true);
        return builder.epollPreferred && Epoll.isAvailable()
            ? new EpollEventLoopGroup(builder.eventLoopThreads, threads)
            : new NioEventLoopGroup(builder.eventLoopThreads, threads);
    }

    /**
     * Binds all addresses and serves; returns when clients can connect.
     *
     * @return this
     * @throws UncheckedIOException if an address cannot be bound; nothing is left open
     */
    public synchronized NativeTransport start()
    {
        if (started)
        {
            throw new IllegalStateException("start: called twice");
        }
        started = true;
        try
        {
            for (final NativeTransportBuilder.Endpoint endpoint : settings.endpoints)
            {
                listeners.add(bind(endpoint));
            }
            for (final LoopContext loop : loopContexts.values())
            {
                loop.start();
            }
            registerMXBean();
        }
        catch (final RuntimeException e)
        {
            close();
            throw e;
        }
        return this;
    }

    private Channel bind(final NativeTransportBuilder.Endpoint endpoint)
    {
        final ChannelFuture bound = new ServerBootstrap()
            .group(loops)
            .channelFactory(listeningChannels())
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.SO_KEEPALIVE, true)
            .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
            .childHandler(new Initializer(new TlsInstaller(endpoint.tls())))
            .bind(endpoint.address())
            .awaitUninterruptibly();
        if (!bound.isSuccess())
        {
            final String message = "cannot listen on " + endpoint.address() + ": " + bound.cause().getMessage();
            throw new UncheckedIOException(message, bound.cause() instanceof IOException io
                ? io
                : new IOException(
                    bound.cause()));
        }
        return bound.channel();
    }

    private ChannelFactory<? extends ServerChannel> listeningChannels()
    {
        if (settings.listeningChannels != null)
        {
            return settings.listeningChannels;
        }
        return loops instanceof EpollEventLoopGroup ? EpollServerSocketChannel::new : NioServerSocketChannel::new;
    }

    private void registerMXBean()
    {
        if (settings.jmxDomain == null)
        {
            return;
        }
        final InetSocketAddress address = localAddress();
        try
        {
            jmxName = new ObjectName(settings.jmxDomain + ":type=NativeTransport,name=" +
                ObjectName.quote(address.getAddress().getHostAddress() + ":" + address.getPort()));
            ManagementFactory.getPlatformMBeanServer().registerMBean(new TransportMXBeanView(this), jmxName);
        }
        catch (final JMException e)
        {
            jmxName = null;
            throw new IllegalStateException("jmxDomain: " + settings.jmxDomain + ": " + e.getMessage(), e);
        }
    }

    private void unregisterMXBean()
    {
        if (jmxName == null)
        {
            return;
        }
        try
        {
            ManagementFactory.getPlatformMBeanServer().unregisterMBean(jmxName);
        }
        catch (final JMException e)
        {
            context.log.unexpected("MXBean was not registered any more", null, e);
        }
        jmxName = null;
    }

    /** The first bound address, with its real port. */
    public InetSocketAddress localAddress()
    {
        return localAddresses().get(0);
    }

    /** All bound addresses, with their real ports, in the order in which they were given. */
    public synchronized List<InetSocketAddress> localAddresses()
    {
        final List<InetSocketAddress> addresses = new ArrayList<>();
        for (final Channel listener : listeners)
        {
            addresses.add((InetSocketAddress)listener.localAddress());
        }
        return addresses;
    }

    /** The listening channels in the same order, for nodes that are made of Netty themselves. Borrowed. */
    public synchronized List<Channel> listeners()
    {
        return List.copyOf(listeners);
    }

    /** The settings that can change while it runs. */
    public TransportControl control()
    {
        return control;
    }

    /** The same by name, with where they come from: for people. */
    public TransportSettings settings()
    {
        return transportSettings;
    }

    /** Connections that wait look at what is allowed now. */
    private void settingsChanged()
    {
        context.rate.settingsChanged(context.clock.nanoTime());
        for (final LoopContext loop : loopContexts.values())
        {
            try
            {
                loop.loop.execute(loop::settingsChanged);
            }
            catch (final RejectedExecutionException e)
            {
                context.log.debug("event loop has ended before a change of settings");
            }
        }
    }

    /** Where all its memory comes from: for gauges. */
    public BufferPool buffers()
    {
        return pool;
    }

    /** Request bytes in flight of all clients. */
    public long inFlightBytes()
    {
        return context.inFlight.usedBytes();
    }

    /** Bytes of unread answers and events of all clients, but for a small reserve of each connection. */
    public long answerBytes()
    {
        return context.answerBytes.get();
    }

    /** Memory of clients that have not logged in, tokens included, in bytes, but for a small reserve of each. */
    public long preLoginBytes()
    {
        return context.preLogin.usedBytes() + context.logins.usedBytes();
    }

    /** Bytes that were read and wait, unparsed, until their connections may go on. */
    public long heldBytes()
    {
        return context.heldBytes.get();
    }

    /** How long the lease that was lent first has been out, in nanoseconds; 0 if none is. Walks all buffers. */
    public long oldestLeaseNanos()
    {
        final BufferLease oldest = pool.oldestLease();
        return oldest == null ? 0 : Math.max(0, context.clock.nanoTime() - oldest.claimedNanos());
    }

    /** Request bytes in flight of each client address that has a connection, in no order. */
    public long[] inFlightBytesByAddress()
    {
        return context.addresses.inFlightBytes();
    }

    /** Client addresses that have a connection. */
    public int clientAddresses()
    {
        return context.addresses.size();
    }

    /** How answers have gone out so far. */
    public FlushCounts flushCounts()
    {
        FlushCounts counts = FlushCounts.NONE;
        for (final LoopContext loop : loopContexts.values())
        {
            counts = counts.plus(loop.outbound.counts());
        }
        return counts;
    }

    /** Connections that wait for request bytes of a shared budget. */
    public int waitingConnections()
    {
        return context.waiting.size();
    }

    /** Every connection that is open or being closed. */
    public Collection<? extends ClientConnection> connections()
    {
        return context.connections.all();
    }

    /**
     * Sends an event to each ready connection that has registered for its type.
     *
     * @return how many it was sent to
     */
    public int publish(final EventType type, final ResponseBody event)
    {
        int sent = 0;
        for (final Connection connection : context.connections.all())
        {
            if (connection.handshake.isRegistered(type) && connection.push(event))
            {
                sent++;
            }
        }
        return sent;
    }

    /**
     * Stops in order: accepts nobody, serves nothing new, lets answers in work go out, then closes. Requests that come
     * while others of the same connection are still in work get OVERLOADED. Must not be called on a loop.
     * <p>
     * The future is completed on a thread where {@link #close} may be called.
     *
     * @param timeout after which connections are closed as they are
     * @return completes with true if everybody left in order, with false if some were cut off
     */
    public CompletableFuture<Boolean> drain(final Duration timeout)
    {
        control.stopAccepting();
        closeListeners();
        for (final Connection connection : context.connections.all())
        {
            onLoop(connection, connection::drain);
        }
        final CompletableFuture<Boolean> drained = new CompletableFuture<>();
        drains.add(drained);
        final long deadlineNanos = context.clock.nanoTime() + timeout.toNanos();
        awaitDrained(loops.next(), deadlineNanos, drained);
        return drained;
    }

    private void onLoop(final Connection connection, final Runnable action)
    {
        try
        {
            connection.loop.loop.execute(() ->
            {
                connection.guarded(action);
                connection.loop.outbound.flushDirty();
            });
        }
        catch (final RejectedExecutionException e)
        {
            context.log.debug("event loop has ended before the drain");
        }
    }

    private void awaitDrained(final EventExecutor executor,
        final long deadlineNanos,
        final CompletableFuture<Boolean> drained)
    {
        if (context.connections.count() == 0)
        {
            // Nobody is left either way: it counts whether somebody had to be cut off first.
            complete(drained, !cutOff);
        }
        else if (context.clock.nanoTime() - deadlineNanos >= 0)
        {
            closeConnections();
            complete(drained, false);
        }
        else
        {
            try
            {
                executor.schedule(() -> awaitDrained(executor, deadlineNanos, drained), DRAIN_POLL_MILLIS,
                    TimeUnit.MILLISECONDS);
            }
            catch (final RejectedExecutionException e)
            {
                // Closed meanwhile.
                complete(drained, false);
            }
        }
    }

    private static void complete(final CompletableFuture<Boolean> drained, final boolean inOrder)
    {
        drained.completeAsync(() -> inOrder);
    }

    private synchronized void closeListeners()
    {
        for (final Channel listener : listeners)
        {
            listener.close().awaitUninterruptibly();
        }
    }

    private void closeConnections()
    {
        if (context.connections.count() != 0)
        {
            cutOff = true;
        }
        for (final Connection connection : context.connections.all())
        {
            connection.shutDown();
        }
    }

    /**
     * Ends at once: listeners, connections, event loops if they are its own, memory. Must not be called on a loop.
     */
    @Override
    public void close()
    {
        synchronized (this)
        {
            if (closed)
            {
                return;
            }
            closed = true;
        }
        control.stopAccepting();
        closeListeners();
        closeConnections();
        final List<ChannelFuture> closing = new ArrayList<>();
        for (final Connection connection : context.connections.all())
        {
            closing.add(connection.channel().closeFuture());
        }
        for (final ChannelFuture future : closing)
        {
            future.awaitUninterruptibly();
        }
        leaveLoops();
        unregisterMXBean();
        pool.close();
        for (final CompletableFuture<Boolean> drained : drains)
        {
            complete(drained, !cutOff);
        }
    }

    /**
     * Waits until the loops have nothing left to do for this transport. A channel's last callbacks are queued by the
     * task that closes it, hence the second round.
     */
    private void leaveLoops()
    {
        onEachLoop(loop ->
        {
            // Only to wait for what runs now.
        });
        onEachLoop(LoopContext::stop);
        if (ownsLoops)
        {
            loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
        }
    }

    private void onEachLoop(final Consumer<LoopContext> action)
    {
        final List<Future<?>> done = new ArrayList<>();
        for (final LoopContext loop : loopContexts.values())
        {
            try
            {
                done.add(loop.loop.submit(() -> action.accept(loop)));
            }
            catch (final RejectedExecutionException e)
            {
                context.log.debug("event loop has ended before the transport");
            }
        }
        for (final Future<?> future : done)
        {
            future.awaitUninterruptibly();
        }
    }

    /** Sets up each accepted socket. */
    private final class Initializer extends ChannelInitializer<Channel>
    {
        private final TlsInstaller tls;

        Initializer(final TlsInstaller tls)
        {
            this.tls = tls;
        }

        @Override
        protected void initChannel(final Channel channel)
        {
            if (!(channel.remoteAddress() instanceof InetSocketAddress remote))
            {
                // Gone before it was accepted.
                channel.close();
                return;
            }
            try
            {
                accept(channel, remote);
            }
            catch (final Throwable t)
            {
                context.inspect(t);
                context.log.unexpected("a connection could not be set up", null, t);
                context.refused(RefusalReason.SERVER_ERROR);
                channel.close();
            }
        }

        private void accept(final Channel channel, final InetSocketAddress remote)
        {
            final LoopContext loop = loopContexts.get(channel.eventLoop());
            final Connection connection = open(channel, remote, loop);
            context.connections.opened(connection);
            loop.add(connection);
            try
            {
                channel.pipeline().addLast(ChannelAdapter.NAME, new ChannelAdapter(connection));
            }
            catch (final RuntimeException | Error e)
            {
                // Nobody would hear of its end.
                connection.onInactive();
                throw e;
            }
            if (!control.isAccepting())
            {
                connection.refuse(RefusalReason.SHUTDOWN);
                return;
            }
            final boolean isProxy = settings.trustedProxies.include(remote.getAddress());
            final RefusalReason refusal = connection.admit(control.limits(), isProxy);
            if (refusal != null)
            {
                connection.refuse(refusal);
                return;
            }
            try
            {
                if (tls.isPlain())
                {
                    channel.config().setRecvByteBufAllocator(new LoopReadAllocator(loop.readBuf));
                }
                if (isProxy)
                {
                    connection.awaitProxyHeader();
                    channel.pipeline().addFirst("proxy-header", new ProxyHeaderReader(connection, tls));
                }
                else
                {
                    tls.install(connection);
                }
            }
            catch (final Throwable t)
            {
                // The node's certificates cannot be used: nobody gets in, but nothing else suffers.
                connection.fail(t);
            }
        }

        private Connection open(final Channel channel, final InetSocketAddress remote, final LoopContext loop)
        {
            final AddressTable.Entry address = context.addresses.open(remote.getAddress());
            try
            {
                return new Connection(context, loop, channel, remote, address);
            }
            catch (final RuntimeException | Error e)
            {
                context.addresses.close(address);
                throw e;
            }
        }
    }
}
