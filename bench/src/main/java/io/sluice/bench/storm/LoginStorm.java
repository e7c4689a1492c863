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
package io.sluice.bench.storm;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.sluice.bench.RequestBytes;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * New connections by the thousand, spread evenly over a short time: TLS, STARTUP, password, and then they stay. Every
 * other one gives up after a second, as impatient drivers do, and tries again until it is in; so does whoever is
 * closed. Counts from any thread.
 */
final class LoginStorm implements AutoCloseable
{
    private static final int VERSION = 4;
    private static final int HEADER_BYTES = 9;
    private static final int OPCODE_OFFSET = 4;
    private static final int LENGTH_OFFSET = 5;
    private static final byte AUTHENTICATE = 3;
    private static final byte AUTH_SUCCESS = 16;
    private static final long IMPATIENCE_MILLIS = 1_000;
    private static final long RETRY_MILLIS = 100;
    private static final double MILLIS_PER_SECOND = 1e3;

    private final NioEventLoopGroup loops = new NioEventLoopGroup(2, new DefaultThreadFactory("storm", true));
    private final InetSocketAddress server;
    private final int logins;
    private final double seconds;
    private final byte[] startup = RequestBytes.startup(VERSION, Map.of());
    private final byte[] authResponse;
    private final SslContext tls;
    private final Set<Channel> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger loggedIn = new AtomicInteger();
    private final AtomicInteger gaveUp = new AtomicInteger();
    private final AtomicInteger closedByServer = new AtomicInteger();
    private volatile boolean over;

    /** @param token that logs in */
    LoginStorm(final InetSocketAddress server, final int logins, final double seconds, final byte[] token)
        throws IOException
    {
        this.server = server;
        this.logins = logins;
        this.seconds = seconds;
        this.authResponse = RequestBytes.authResponse(VERSION, token);
        this.tls = SslContextBuilder.forClient().trustManager(InsecureTrustManagerFactory.INSTANCE).build();
    }

    void begin()
    {
        for (int i = 0; i < logins; i++)
        {
            final boolean impatient = i % 2 == 1;
            loops.next()
                .schedule(() -> connect(impatient), (long)(seconds * MILLIS_PER_SECOND * i / logins),
                    TimeUnit.MILLISECONDS);
        }
    }

    private void connect(final boolean impatient)
    {
        if (over)
        {
            return;
        }
        new Bootstrap().group(loops)
            .channel(NioSocketChannel.class)
            .handler(new ChannelInitializer<>()
            {
                @Override
                protected void initChannel(final Channel channel)
                {
                    open.add(channel);
                    channel.pipeline().addLast(tls.newHandler(channel.alloc()), new Login(impatient));
                }
            })
            .connect(server);
    }

    /** True once all of them are logged in. */
    boolean isOver()
    {
        return loggedIn.get() >= logins;
    }

    int loggedIn()
    {
        return loggedIn.get();
    }

    int gaveUp()
    {
        return gaveUp.get();
    }

    int closedByServer()
    {
        return closedByServer.get();
    }

    @Override
    public void close()
    {
        over = true;
        open.forEach(Channel::close);
        loops.shutdownGracefully(0, 10, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    /** One attempt. Confined to its event loop. */
    private final class Login extends ChannelInboundHandlerAdapter
    {
        private final boolean impatient;
        private final ByteBuf in = Unpooled.buffer();
        private boolean isIn;
        private boolean hasGivenUp;

        Login(final boolean impatient)
        {
            this.impatient = impatient;
        }

        @Override
        public void channelActive(final ChannelHandlerContext ctx)
        {
            ctx.writeAndFlush(Unpooled.wrappedBuffer(startup));
            if (impatient)
            {
                ctx.executor().schedule(() -> giveUp(ctx), IMPATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            }
        }

        private void giveUp(final ChannelHandlerContext ctx)
        {
            if (!isIn && ctx.channel().isActive())
            {
                hasGivenUp = true;
                gaveUp.incrementAndGet();
                ctx.close();
            }
        }

        @Override
        public void channelRead(final ChannelHandlerContext ctx, final Object message)
        {
            final ByteBuf bytes = (ByteBuf)message;
            in.writeBytes(bytes);
            bytes.release();
            while (in.readableBytes() >= HEADER_BYTES &&
                in.readableBytes() >= HEADER_BYTES + in.getInt(in.readerIndex() + LENGTH_OFFSET))
            {
                final byte opcode = in.getByte(in.readerIndex() + OPCODE_OFFSET);
                in.skipBytes(HEADER_BYTES + in.getInt(in.readerIndex() + LENGTH_OFFSET));
                answer(ctx, opcode);
            }
        }

        private void answer(final ChannelHandlerContext ctx, final byte opcode)
        {
            if (opcode == AUTHENTICATE)
            {
                ctx.writeAndFlush(Unpooled.wrappedBuffer(authResponse));
            }
            else if (opcode == AUTH_SUCCESS)
            {
                isIn = true;
                loggedIn.incrementAndGet();
            }
            // An error: the server closes, or the client gives up, and it tries again.
        }

        @Override
        public void channelInactive(final ChannelHandlerContext ctx)
        {
            open.remove(ctx.channel());
            in.release();
            if (over || isIn)
            {
                return;
            }
            if (!hasGivenUp)
            {
                closedByServer.incrementAndGet();
            }
            ctx.executor().schedule(() -> connect(impatient), RETRY_MILLIS, TimeUnit.MILLISECONDS);
        }

        @Override
        public void exceptionCaught(final ChannelHandlerContext ctx, final Throwable cause)
        {
            // Reset, or no TLS: channelInactive comes next.
            ctx.close();
        }
    }
}
