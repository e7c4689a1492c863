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
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;

/**
 * In front of a new connection's TLS: keeps what its client sends until the event loop has a turn for it, and reads no
 * more meanwhile. Gone once the handshake is over. Confined to the channel's event loop.
 */
final class PacedHandshake extends ChannelInboundHandlerAdapter
{
    /** An ordinary handshake has no more behind the first; whoever has more is not let past others. */
    private static final int FURTHER_STEPS = 2;

    private final HandshakePace pace;
    private final SslHandler tls;
    private ByteBuf held;
    private int steps;
    private boolean removed;

    PacedHandshake(final HandshakePace pace, final SslHandler tls)
    {
        this.pace = pace;
        this.tls = tls;
    }

    @Override
    public void channelRead(final ChannelHandlerContext ctx, final Object message)
    {
        if (tls.handshakeFuture().isDone())
        {
            ctx.fireChannelRead(message);
            ctx.pipeline().remove(this);
            return;
        }
        final ByteBuf bytes = (ByteBuf)message;
        if (held != null)
        {
            // One more read was under way when reading stopped.
            final ByteBuf both = ctx.alloc().buffer(held.readableBytes() + bytes.readableBytes());
            both.writeBytes(held).writeBytes(bytes);
            held.release();
            bytes.release();
            held = both;
            return;
        }
        held = bytes;
        ctx.channel().config().setAutoRead(false);
        if (steps > 0 && steps <= FURTHER_STEPS)
        {
            pace.goOn(() -> goOn(ctx));
        }
        else
        {
            pace.begin(() -> goOn(ctx));
        }
        steps++;
    }

    @Override
    public void channelReadComplete(final ChannelHandlerContext ctx)
    {
        // Not while bytes wait: TLS would ask for more of them, again and again, whether reading is on or not.
        if (held == null)
        {
            ctx.fireChannelReadComplete();
        }
    }

    private boolean goOn(final ChannelHandlerContext ctx)
    {
        if (removed)
        {
            return false;
        }
        final ByteBuf bytes = held;
        held = null;
        ctx.channel().config().setAutoRead(true);
        ctx.fireChannelRead(bytes);
        ctx.fireChannelReadComplete();
        return true;
    }

    @Override
    public void handlerRemoved(final ChannelHandlerContext ctx)
    {
        removed = true;
        if (held != null)
        {
            held.release();
            held = null;
        }
    }
}
