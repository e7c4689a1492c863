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
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Takes the PROXY header off a trusted proxy's connection, tells the connection who its client is, then puts TLS in its
 * own place. Confined to the channel's event loop.
 */
final class ProxyHeaderReader extends ChannelInboundHandlerAdapter
{
    private final Connection connection;
    private final TlsInstaller tls;
    /** What has come of a header that is not whole: a copy, since the loop's read buffer is for everybody. */
    private ByteBuf held;

    ProxyHeaderReader(final Connection connection, final TlsInstaller tls)
    {
        this.connection = connection;
        this.tls = tls;
    }

    @Override
    public void channelRead(final ChannelHandlerContext ctx, final Object message) throws Exception
    {
        ByteBuf bytes = (ByteBuf)message;
        if (held != null)
        {
            held.writeBytes(bytes);
            bytes.release();
            bytes = held;
            held = null;
        }
        boolean handedOn = false;
        try
        {
            final ProxyHeader header = ProxyHeader.read(bytes);
            if (header == null)
            {
                held = Unpooled.buffer(ProxyHeader.LONGEST).writeBytes(bytes);
                return;
            }
            bytes.skipBytes(header.length());
            if (!connection.onProxyHeader(header.client()))
            {
                return;
            }
            tls.install(connection);
            if (bytes.isReadable())
            {
                handedOn = true;
                ctx.fireChannelRead(bytes);
            }
            ctx.pipeline().remove(this);
        }
        catch (final MalformedProxyHeaderException e)
        {
            connection.refuseProxy(e.getMessage());
        }
        finally
        {
            if (!handedOn)
            {
                bytes.release();
            }
        }
    }

    @Override
    public void handlerRemoved(final ChannelHandlerContext ctx)
    {
        if (held != null)
        {
            held.release();
            held = null;
        }
    }
}
