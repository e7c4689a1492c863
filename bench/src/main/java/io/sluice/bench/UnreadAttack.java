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
package io.sluice.bench;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Map;

/** One connection that asks for many answers of 1 MiB and reads none. Confined to one thread. */
final class UnreadAttack implements AutoCloseable
{
    private static final int STARTUP_ROOM = 256;
    private static final int READY_BYTES = 9;

    private final SocketChannel channel;
    private int asked;

    /** Connects and sends the requests, as many as the server takes. */
    UnreadAttack(final HostileServer server, final int answers) throws IOException
    {
        channel = SocketChannel.open();
        channel.setOption(StandardSocketOptions.SO_RCVBUF, 1 << 16);
        channel.connect(server.address());
        channel.write(ByteBuffer.allocate(STARTUP_ROOM)
            .put(RequestBytes.startup(HostileServer.VERSION, Map.of()))
            .flip());
        final ByteBuffer ready = ByteBuffer.allocate(READY_BYTES);
        while (ready.hasRemaining())
        {
            if (channel.read(ready) < 0)
            {
                throw new IOException("closed before READY");
            }
        }
        channel.configureBlocking(false);
        for (asked = 0; asked < answers; asked++)
        {
            final byte[] request = server.bigRequest(asked);
            final ByteBuffer out = ByteBuffer.allocate(request.length).put(request).flip();
            // A server that stops reading has all of them in its socket's buffer or ours: they are small.
            for (int tries = 0; out.hasRemaining() && tries < 1_000; tries++)
            {
                if (channel.write(out) == 0)
                {
                    Thread.onSpinWait();
                }
            }
            if (out.hasRemaining())
            {
                return;
            }
        }
    }

    int asked()
    {
        return asked;
    }

    @Override
    public void close() throws IOException
    {
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        channel.close();
    }
}
