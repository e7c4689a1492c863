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

import io.netty.channel.Channel;
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

    /** In front of everything else in a new channel's pipeline. */
    void install(final Channel channel) throws Exception
    {
        switch (config.mode())
        {
            case REQUIRED -> channel.pipeline().addFirst(HANDLER_NAME, newHandler(channel));
            case OPTIONAL -> channel.pipeline().addFirst("tls-sniffer", new TlsSniffer(this));
            default ->
            {
                // Plain.
            }
        }
    }

    SslHandler newHandler(final Channel channel) throws Exception
    {
        final SslContext context = config.contexts().context();
        final SslHandler handler = config.peerEndpointVerified()
            ? verifying(context, channel)
            : context.newHandler(channel.alloc());
        handler.setHandshakeTimeout(config.handshakeTimeout().toMillis(), TimeUnit.MILLISECONDS);
        return handler;
    }

    private static SslHandler verifying(final SslContext context, final Channel channel)
    {
        final InetSocketAddress peer = (InetSocketAddress)channel.remoteAddress();
        final SslHandler handler = context.newHandler(channel.alloc(), peer.getHostString(), peer.getPort());
        final SSLParameters parameters = handler.engine().getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        handler.engine().setSSLParameters(parameters);
        return handler;
    }
}
