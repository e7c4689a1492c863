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
package io.sluice.bench.load;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;

/**
 * How many TCP segments with data a connection has received, as Linux counts them ({@code tcpi_data_segs_in} of
 * {@code TCP_INFO}). On the loopback interface without delay a send call of up to 64 KiB makes one, so that this
 * counts any server's send calls from outside. Confined to one thread.
 */
final class ReceivedSegments
{
    private static final int IPPROTO_TCP = 6;
    private static final int TCP_INFO = 11;
    private static final int DATA_SEGMENTS_IN_OFFSET = 152;

    private final Socket socket;
    private final ByteBuffer info = ByteBuffer.allocateDirect(DATA_SEGMENTS_IN_OFFSET + Integer.BYTES)
        .order(ByteOrder.nativeOrder());

    /** The channel stays its owner's. */
    ReceivedSegments(final SocketChannel channel)
    {
        socket = Epoll.isAvailable() ? socketOf(channel) : null;
    }

    private static Socket socketOf(final SocketChannel channel)
    {
        try
        {
            final Class<?> holder = Class.forName("sun.nio.ch.SelChImpl");
            return new Socket((int)holder.getMethod("getFDVal").invoke(channel));
        }
        catch (final ReflectiveOperationException e)
        {
            return null;
        }
    }

    /** Since the connection began; -1 where this cannot be told. */
    long count()
    {
        if (socket == null)
        {
            return -1;
        }
        try
        {
            info.clear();
            socket.getRawOpt(IPPROTO_TCP, TCP_INFO, info);
            return info.getInt(DATA_SEGMENTS_IN_OFFSET) & 0xFFFF_FFFFL;
        }
        catch (final IOException e)
        {
            return -1;
        }
    }
}
