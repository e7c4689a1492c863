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
package io.sluice.transport.testkit;

import io.sluice.transport.NativeTransport;
import io.sluice.transport.NativeTransportBuilder;
import io.sluice.transport.TlsConfig;
import io.sluice.transport.TransportLimits;
import io.sluice.transport.TransportLimitsBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/**
 * A transport on a free port in front of a {@link ScriptedEngine}. Closing it first waits until nothing is in work
 * any more, and fails if something is left.
 */
public final class TestServer implements AutoCloseable
{
    /** What sockets are made of. */
    public enum Sockets
    {
        /** Linux's own. */
        EPOLL,
        /** The JDK's. */
        NIO
    }

    private static final int REQUEST_THREADS = 4;

    private final ScriptedEngine engine = new ScriptedEngine();
    private final RecordingListener listener = new RecordingListener();
    private final Queue<Throwable> inspected = new ConcurrentLinkedQueue<>();
    private final ExecutorService requests = Executors.newFixedThreadPool(REQUEST_THREADS);
    private final NativeTransport transport;

    private TestServer(final Sockets sockets, final TlsConfig tls, final Consumer<NativeTransportBuilder> change)
    {
        final NativeTransportBuilder builder = NativeTransport.builder(engine)
            .bindTo(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), tls)
            .requestExecutor(requests)
            .listener(listener)
            .errorInspector(inspected::add)
            .eventLoopThreads(2)
            .poisonBuffers(true)
            .preferEpoll(sockets == Sockets.EPOLL);
        change.accept(builder);
        transport = builder.build().start();
    }

    /** With defaults. */
    public static TestServer start(final Sockets sockets)
    {
        return start(sockets, builder ->
        {
        });
    }

    /** With other settings. */
    public static TestServer start(final Sockets sockets, final Consumer<NativeTransportBuilder> change)
    {
        return new TestServer(sockets, TlsConfig.off(), change);
    }

    /** With TLS. */
    public static TestServer start(final Sockets sockets,
        final TlsConfig tls,
        final Consumer<NativeTransportBuilder> change)
    {
        return new TestServer(sockets, tls, change);
    }

    /** Settings that change limits. */
    public static Consumer<NativeTransportBuilder> limits(final Consumer<TransportLimitsBuilder> change)
    {
        return builder ->
        {
            final TransportLimitsBuilder limits = TransportLimits.defaults().with();
            change.accept(limits);
            builder.limits(limits.build());
        };
    }

    /** The transport. */
    public NativeTransport transport()
    {
        return transport;
    }

    /** The database. */
    public ScriptedEngine engine()
    {
        return engine;
    }

    /** What the transport told. */
    public RecordingListener listener()
    {
        return listener;
    }

    /** Where it listens. */
    public InetSocketAddress address()
    {
        return transport.localAddress();
    }

    /** A client that has connected. */
    public WireClient connect() throws IOException
    {
        return WireClient.connect(address());
    }

    /** A client that has got READY. */
    public WireClient ready(final int version) throws IOException
    {
        return WireClient.ready(address(), version, null);
    }

    /** A client that has got READY. */
    public WireClient ready(final int version, final String compression) throws IOException
    {
        return WireClient.ready(address(), version, compression);
    }

    /** What the server took for its own faults so far; taking them excuses them. */
    public int takeInspected()
    {
        final int count = inspected.size();
        inspected.clear();
        return count;
    }

    /** Waits until all clients have left and everything they had is given back. */
    public void awaitQuiet()
    {
        Await.until("connections closed", () -> transport.connections().isEmpty());
        awaitIdle();
        Await.until("addresses forgotten", () -> transport.clientAddresses() == 0);
    }

    /** Waits until nothing is in work, with clients still connected. */
    public void awaitIdle()
    {
        Await.until("request bytes given back", () -> transport.inFlightBytes() == 0);
        Await.until("answer bytes given back", () -> transport.answerBytes() == 0);
        Await.until("login bytes given back", () -> transport.preLoginBytes() == 0);
        Await.until("nobody waiting", () -> transport.waitingConnections() == 0);
        Await.until("leases given back", () -> transport.buffers().outstandingLeases() == 0);
    }

    /** Ends all, whatever is in work. */
    public void stop()
    {
        transport.close();
        requests.shutdownNow();
    }

    @Override
    public void close()
    {
        try
        {
            awaitQuiet();
        }
        finally
        {
            stop();
        }
        if (transport.buffers().madeBytes() != 0)
        {
            throw new AssertionError("madeBytes: " + transport.buffers().madeBytes() + " (expected: 0 after close)");
        }
        if (!inspected.isEmpty())
        {
            throw new AssertionError("the server failed", inspected.peek());
        }
    }
}
