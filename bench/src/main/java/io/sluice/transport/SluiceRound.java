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

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.framing.request.StatementIds;
import io.sluice.memory.BufferPool;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * All that Sluice's transport does for a read full of requests, on one thread and without a socket: decode, admit,
 * run against an engine that answers at once, encode, flush. In the transport's own package because the parts it is
 * made of are visible only there.
 */
public final class SluiceRound implements AutoCloseable
{
    private final byte[] wire;
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final LoopContext loop;
    private final BufferPool pool;
    private final Sink sink = new Sink();

    /**
     * A connection that is ready.
     *
     * @param startup the STARTUP envelope, bare
     * @param wire what each read brings: whole segments of requests
     */
    public SluiceRound(final RequestHandler engine,
        final TransportListener listener,
        final StatementIds ids,
        final byte[] startup,
        final byte[] wire)
    {
        this(engine, null, listener, ids, startup, wire);
    }

    /**
     * A connection that is ready.
     *
     * @param inline answers EXECUTEs where they are read, or null
     */
    public SluiceRound(final RequestHandler engine,
        final InlineExecuteHandler inline,
        final TransportListener listener,
        final StatementIds ids,
        final byte[] startup,
        final byte[] wire)
    {
        this.wire = wire.clone();
        final NativeTransportBuilder builder = NativeTransport.builder(engine)
            .bindTo(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .requestExecutor(Runnable::run)
            .listener(listener)
            .statementIds(ids);
        builder.authExecutor = Runnable::run;
        builder.inlineExecute = inline;
        pool = new BufferPool(builder.clock, builder.bufferBytes, false);
        final TransportContext context = new TransportContext(builder, pool,
            new TransportControl(builder.limits, builder.compression, builder.flushPolicy));
        loop = new LoopContext(channel.eventLoop(), context);
        final InetAddress client = InetAddress.getLoopbackAddress();
        final Connection connection = new Connection(context, loop, channel, new InetSocketAddress(client, 1),
            context.addresses.open(client));
        context.connections.opened(connection);
        loop.add(connection);
        channel.pipeline().addLast(sink, new ChannelAdapter(connection));
        read(startup);
        if (!connection.isReady())
        {
            throw new IllegalStateException("STARTUP: not accepted");
        }
    }

    private void read(final byte[] bytes)
    {
        final ByteBuf buffer = loop.readBuf;
        loop.readMemory.buffer().putBytes(0, bytes);
        buffer.retain().setIndex(0, bytes.length);
        channel.pipeline().fireChannelRead(buffer);
        channel.pipeline().fireChannelReadComplete();
        channel.runPendingTasks();
    }

    /** One read and its answers; returns how many bytes went to the socket. */
    public int round()
    {
        sink.bytes = 0;
        read(wire);
        channel.checkException();
        return sink.bytes;
    }

    @Override
    public void close()
    {
        channel.close();
        channel.runPendingTasks();
        pool.close();
    }

    /** In place of the socket. */
    private static final class Sink extends ChannelOutboundHandlerAdapter
    {
        private int bytes;

        @Override
        public void write(final ChannelHandlerContext ctx, final Object message, final ChannelPromise promise)
        {
            final ByteBuf buffer = (ByteBuf)message;
            bytes += buffer.readableBytes();
            buffer.release();
            promise.trySuccess();
        }

        @Override
        public void flush(final ChannelHandlerContext ctx)
        {
            // Written already.
        }
    }
}
