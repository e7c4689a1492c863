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
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.sluice.framing.ProtocolException;
import io.sluice.framing.ProtocolVersion;
import io.sluice.memory.DirectMemory;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import javax.net.ssl.SSLException;

/** Where Netty's callbacks meet the connection. Confined to the channel's event loop. */
final class ChannelAdapter extends ChannelInboundHandlerAdapter
{
    /** Of the handler. */
    static final String NAME = "sluice";

    private final Connection connection;
    private final LoopContext loop;

    ChannelAdapter(final Connection connection)
    {
        this.connection = connection;
        this.loop = connection.loop;
    }

    @Override
    public void channelActive(final ChannelHandlerContext ctx)
    {
        connection.onActive();
    }

    @Override
    public void channelRead(final ChannelHandlerContext ctx, final Object message)
    {
        final ByteBuf bytes = (ByteBuf)message;
        try
        {
            read(bytes);
        }
        catch (final ProtocolException e)
        {
            final ProtocolVersion version = connection.version();
            connection.onProtocolError(e, version == null ? ProtocolVersion.V5 : version, 0);
        }
        catch (final Throwable t)
        {
            connection.fail(t);
        }
        finally
        {
            bytes.release();
        }
    }

    @SuppressWarnings("ReferenceEquality")
    private void read(final ByteBuf bytes)
    {
        final int length = bytes.readableBytes();
        connection.deadlines.onRead(connection.context.clock.nanoTime());
        connection.ledger.bytesRead.add(length);
        connection.context.listener.onBytesRead(connection, length);
        if (bytes == loop.readBuf)
        {
            connection.inbound.onBytes(loop.readMemory, bytes.readerIndex(), bytes.writerIndex());
            return;
        }
        final DirectMemory copy = loop.copyMemory;
        while (bytes.isReadable() && !connection.inbound.isStopped())
        {
            final int piece = Math.min(bytes.readableBytes(), copy.capacity());
            bytes.readBytes(copy.nioView(0, piece));
            connection.inbound.onBytes(copy, 0, piece);
        }
    }

    @Override
    public void channelReadComplete(final ChannelHandlerContext ctx)
    {
        loop.outbound.flushDirty();
    }

    @Override
    public void userEventTriggered(final ChannelHandlerContext ctx, final Object event)
    {
        if (event instanceof SslCloseCompletionEvent && connection.state() == ConnectionState.LINGERING)
        {
            // Of what came before the output was shut: whether the client has left is told by its socket from now on.
            return;
        }
        if (event instanceof SslCloseCompletionEvent && hasTlsEnded(ctx))
        {
            connection.closeNow(CloseReason.CLIENT);
        }
        else if (event instanceof ChannelInputShutdownEvent || event instanceof SslCloseCompletionEvent)
        {
            connection.onInputShut();
            loop.outbound.flushDirty();
        }
        else if (event instanceof SslHandshakeCompletionEvent handshake && !handshake.isSuccess())
        {
            connection.context.log.clientError(connection, "TLS handshake failed: " + handshake.cause().getMessage());
            connection.closeNow(CloseReason.TLS_FAILURE);
        }
    }

    /** Before version 1.3, and always with some engines, one side's end of TLS is the other's too. */
    private static boolean hasTlsEnded(final ChannelHandlerContext ctx)
    {
        final SslHandler tls = ctx.pipeline().get(SslHandler.class);
        return tls == null || tls.engine().isOutboundDone();
    }

    @Override
    public void channelInactive(final ChannelHandlerContext ctx)
    {
        connection.onInactive();
    }

    /** The end of the channel, also of one that was never active. */
    @Override
    public void handlerRemoved(final ChannelHandlerContext ctx)
    {
        connection.onInactive();
    }

    @Override
    public void exceptionCaught(final ChannelHandlerContext ctx, final Throwable cause)
    {
        final Throwable error = cause instanceof DecoderException && cause.getCause() != null
            ? cause.getCause()
            : cause;
        if (error instanceof SSLException)
        {
            connection.context.log.clientError(connection, "TLS failed: " + error.getMessage());
            connection.closeNow(CloseReason.TLS_FAILURE);
        }
        else if (error instanceof IOException || error instanceof ClosedChannelException)
        {
            // The peer is gone: an ordinary end.
            connection.closeNow(CloseReason.CLIENT);
        }
        else
        {
            connection.fail(error);
        }
    }
}
