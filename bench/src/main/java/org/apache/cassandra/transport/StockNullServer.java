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
package org.apache.cassandra.transport;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.config.EncryptionOptions;

/** The stock transport with its own pipeline, dispatcher, executor and flusher, in front of {@link NullEngine}. */
public final class StockNullServer implements AutoCloseable
{
    private final EventLoopGroup loops;
    private final InetSocketAddress address;

    /**
     * Listens on the loopback address; returns when clients can connect.
     *
     * @param port 0 for any
     * @param loopThreads event loops
     * @param requestThreads most threads that run requests
     */
    public StockNullServer(final int port, final int loopThreads, final int requestThreads)
    {
        StockRuntime.start();
        NullEngine.install();
        DatabaseDescriptor.setNativeTransportMaxThreads(requestThreads);
        final boolean epoll = Epoll.isAvailable();
        loops = epoll ? new EpollEventLoopGroup(loopThreads) : new NioEventLoopGroup(loopThreads);
        final StockRuntime.OpenTracker tracker = new StockRuntime.OpenTracker();
        address = (InetSocketAddress)new PipelineConfigurator(epoll, true,
            EncryptionOptions.TlsEncryptionPolicy.UNENCRYPTED, new Dispatcher(false))
            .initializeChannel(loops, new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                (channel, version) -> new ServerConnection(channel, version, tracker))
            .syncUninterruptibly()
            .channel()
            .localAddress();
    }

    /** Where it listens. */
    public int port()
    {
        return address.getPort();
    }

    @Override
    public void close()
    {
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
