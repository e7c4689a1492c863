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
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.response.ResponseBody;
import java.net.InetSocketAddress;
import java.util.Map;
import javax.net.ssl.SSLSession;

/** A client's connection as the node sees it. Any thread, unless a method says otherwise. */
public interface ClientConnection
{
    /** The peer, or the client that a trusted proxy named. */
    InetSocketAddress remoteAddress();

    /** The trusted proxy through which the client came, or null if it came by itself. */
    InetSocketAddress proxyAddress();

    /** What STARTUP fixed, or null before. */
    ProtocolVersion version();

    /** All of STARTUP's options, keys in upper case; empty before STARTUP. */
    Map<String, String> startupOptions();

    /** As STARTUP said, or null. */
    String driverName();

    /** As STARTUP said, or null. */
    String driverVersion();

    /** The TLS session, or null on a plain connection. */
    SSLSession tlsSession();

    /** What it has done so far, and where it stands. */
    ConnectionFigures figures();

    /** True once requests are served. */
    boolean isReady();

    /** False once the connection is being closed. */
    boolean isOpen();

    /** Whatever the node keeps with this connection, or null. */
    Object attachment();

    /** Keeps something of the node's with this connection. */
    void attachment(Object newAttachment);

    /**
     * Sends an event on stream -1, if the connection is open and ready; in order with other events of the same
     * thread.
     *
     * @return false if it was dropped: the connection is not ready, or its client does not read
     */
    boolean push(ResponseBody event);

    /** Closes with this reason: answers in work are dropped. */
    void close(CloseReason reason);

    /** The channel, for nodes that are made of Netty themselves. */
    Channel channel();
}
