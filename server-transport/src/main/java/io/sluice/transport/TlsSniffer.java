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
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslHandler;
import java.util.List;

/**
 * Decides by a client's first byte whether it speaks TLS or the native protocol: a TLS record of a handshake starts
 * with 22, which is no version of the native protocol. Confined to the channel's event loop.
 */
final class TlsSniffer extends ByteToMessageDecoder
{
    private static final byte TLS_HANDSHAKE_RECORD = 22;

    private final TlsInstaller installer;
    private final Connection connection;

    TlsSniffer(final TlsInstaller installer, final Connection connection)
    {
        this.installer = installer;
        this.connection = connection;
    }

    @Override
    protected void decode(final ChannelHandlerContext ctx, final ByteBuf in, final List<Object> out)
    {
        if (!in.isReadable())
        {
            return;
        }
        if (in.getByte(in.readerIndex()) == TLS_HANDSHAKE_RECORD)
        {
            final SslHandler handler = newHandler(in);
            ctx.pipeline().addAfter(ctx.name(), TlsInstaller.HANDLER_NAME, handler);
            ctx.pipeline()
                .addAfter(ctx.name(), TlsInstaller.PACE_NAME, new PacedHandshake(connection.loop.handshakes, handler));
            ctx.pipeline().remove(this);
        }
        else
        {
            ctx.pipeline().remove(this);
        }
    }

    private SslHandler newHandler(final ByteBuf in)
    {
        try
        {
            return installer.newHandler(connection);
        }
        catch (final Exception e)
        {
            // Not to be taken for a failure of the socket, nor looked at again when the channel closes.
            in.skipBytes(in.readableBytes());
            throw new IllegalStateException("TLS: no handler could be made", e);
        }
    }
}
