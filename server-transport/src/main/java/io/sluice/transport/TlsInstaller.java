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

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLParameters;

/** Puts TLS in front of a connection as the configuration says. Any event loop. */
final class TlsInstaller
{
    /** What node code and tools look for. */
    static final String HANDLER_NAME = "ssl";

    /** Of what is in front of it until the handshake is over. */
    static final String PACE_NAME = "tls-pace";

    private final TlsConfig config;

    TlsInstaller(final TlsConfig config)
    {
        this.config = config;
    }

    /** True if bytes go from the socket to the connection with nothing between. */
    boolean isPlain()
    {
        return config.mode() == TlsConfig.Mode.OFF;
    }

    /** Right in front of the connection, whose client must be known: its certificate may have to be for its address. */
    void install(final Connection connection) throws Exception
    {
        final ChannelPipeline pipeline = connection.channel().pipeline();
        switch (config.mode())
        {
            case REQUIRED ->
            {
                final SslHandler handler = newHandler(connection);
                pipeline.addBefore(ChannelAdapter.NAME, PACE_NAME,
                    new PacedHandshake(connection.loop.handshakes, handler));
                pipeline.addBefore(ChannelAdapter.NAME, HANDLER_NAME, handler);
            }
            case OPTIONAL -> pipeline.addBefore(ChannelAdapter.NAME, "tls-sniffer", new TlsSniffer(this, connection));
            default ->
            {
                // Plain.
            }
        }
    }

    SslHandler newHandler(final Connection connection) throws Exception
    {
        final ByteBufAllocator allocator = connection.channel().alloc();
        final SslContext context = config.contexts().context();
        final SslHandler handler = config.peerEndpointVerified()
            ? verifying(context, allocator, connection.remoteAddress())
            : context.newHandler(allocator);
        handler.setHandshakeTimeout(config.handshakeTimeout().toMillis(), TimeUnit.MILLISECONDS);
        return handler;
    }

    private static SslHandler verifying(final SslContext context,
        final ByteBufAllocator allocator,
        final InetSocketAddress peer)
    {
        final SslHandler handler = context.newHandler(allocator, peer.getHostString(), peer.getPort());
        final SSLParameters parameters = handler.engine().getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        handler.engine().setSSLParameters(parameters);
        return handler;
    }
}
