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
package io.sluice.cassandra;

import io.netty.channel.Channel;
import io.sluice.transport.ClientConnection;
import io.sluice.transport.TrustedProxies;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * Whose PROXY headers the node believes, and what Cassandra sees of clients that came through one. cassandra.yaml takes
 * no settings that Cassandra does not know, hence system properties. Stateless.
 */
final class NodeProxies
{
    /** Networks, separated by commas; none by default. */
    static final String PROPERTY = "sluice.proxy_protocol_from";
    /** Milliseconds from accept to the end of the header; 5,000 by default. */
    static final String TIMEOUT_PROPERTY = "sluice.proxy_protocol_timeout_ms";

    private NodeProxies()
    {
    }

    /**
     * What the properties say.
     *
     * @throws IllegalArgumentException if that makes no sense
     */
    static TrustedProxies trusted()
    {
        final String networks = System.getProperty(PROPERTY, "").strip();
        if (networks.isEmpty())
        {
            return TrustedProxies.none();
        }
        try
        {
            final TrustedProxies proxies = TrustedProxies.of(networks.split("\\s*,\\s*", -1));
            final Long timeout = Long.getLong(TIMEOUT_PROPERTY);
            return timeout == null ? proxies : proxies.withHeaderTimeout(Duration.ofMillis(timeout));
        }
        catch (final IllegalArgumentException e)
        {
            throw new IllegalArgumentException(PROPERTY + ": " + e.getMessage(), e);
        }
    }

    /**
     * The client's channel as it is or, if it came through a proxy, one that differs from it in its remote address
     * alone: Cassandra asks the channel who the client is.
     */
    static Channel seenByNode(final ClientConnection connection)
    {
        final Channel channel = connection.channel();
        if (connection.proxyAddress() == null)
        {
            return channel;
        }
        final InetSocketAddress client = connection.remoteAddress();
        return (Channel)Proxy.newProxyInstance(NodeProxies.class.getClassLoader(), new Class<?>[]{Channel.class},
            (self, method, arguments) ->
            {
                if ("remoteAddress".equals(method.getName()))
                {
                    return client;
                }
                try
                {
                    return method.invoke(channel, arguments);
                }
                catch (final InvocationTargetException e)
                {
                    throw e.getCause();
                }
            });
    }
}
