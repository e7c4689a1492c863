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
package io.sluice.bench.soak;

import io.sluice.conformance.RawAnswer;
import io.sluice.conformance.RawClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.SplittableRandom;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * Where the node is, and every way to connect to it. Immutable; any thread.
 *
 * @param address where CQL listens
 * @param user null if the node asks for no login
 * @param password the user's
 * @param tls null if the node speaks none; it trusts any certificate, as nothing here is secret
 */
record SoakTarget(InetSocketAddress address, String user, String password, SSLContext tls)
{

    static final int PATIENCE_MILLIS = 120_000;
    /** The engine's own timeouts: longer than the slowest reader of ten large answers lets its last request wait. */
    static final int ENGINE_PATIENCE_MILLIS = 600_000;
    private static final List<String> COMPRESSIONS = List.of("none", "lz4", "snappy");
    private static final int FIRST_VERSION = 3;
    private static final int SEGMENTED_VERSION = 5;

    /** A connected socket with a receive buffer of that many bytes, 0 for the system's own choice. */
    Socket connect(final int receiveBuffer) throws IOException
    {
        final Socket socket = new Socket();
        boolean connected = false;
        try
        {
            socket.setTcpNoDelay(true);
            if (receiveBuffer > 0)
            {
                socket.setReceiveBufferSize(receiveBuffer);
            }
            socket.connect(address, PATIENCE_MILLIS);
            connected = true;
            return socket;
        }
        finally
        {
            if (!connected)
            {
                socket.close();
            }
        }
    }

    /** As {@link #connect}, inside TLS. */
    Socket connectTls() throws IOException
    {
        final Socket plain = connect(0);
        plain.setSoTimeout(PATIENCE_MILLIS);
        final SSLSocket socket = (SSLSocket)tls.getSocketFactory()
            .createSocket(plain, address.getHostString(), address.getPort(), true);
        socket.startHandshake();
        return socket;
    }

    /** A connection of a version and compression of chance, now and then inside TLS; nothing is said on it yet. */
    RawClient any(final SplittableRandom random) throws IOException
    {
        final boolean secret = tls != null && random.nextInt(4) == 0;
        final int version = FIRST_VERSION + random.nextInt(SEGMENTED_VERSION - FIRST_VERSION + 1);
        return new RawClient(secret ? connectTls() : connect(0), version, compression(random, version));
    }

    /** A plain connection of that version. */
    RawClient of(final int version, final SplittableRandom random, final int receiveBuffer) throws IOException
    {
        return new RawClient(connect(receiveBuffer), version, compression(random, version));
    }

    private static String compression(final SplittableRandom random, final int version)
    {
        return COMPRESSIONS.get(random.nextInt(version >= SEGMENTED_VERSION ? 2 : COMPRESSIONS.size()));
    }

    /** The same connection, past STARTUP and login. */
    RawClient ready(final RawClient client) throws IOException
    {
        final RawAnswer answer = client.start(user, password, PATIENCE_MILLIS);
        if (answer == null || !answer.is("READY") && !answer.is("AUTH_SUCCESS"))
        {
            client.close();
            throw new IOException("login: " + (answer == null ? client.end() : answer.describe()));
        }
        return client;
    }
}
