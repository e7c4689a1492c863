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
package io.sluice.conformance;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Locale;

/** A socket, and the parser that its inbound bytes go through at the moment. Confined to the thread of its check. */
final class WireConnection implements AutoCloseable
{
    /** Why {@link #receive} came back without an envelope. */
    enum Ending
    {
        /** Nothing came in the time given. */
        SILENT,
        /** The server shut its output, orderly. */
        CLOSED,
        /** The connection was torn down. */
        RESET
    }

    private final Socket socket = new Socket();
    private final byte[] chunk = new byte[65536];
    private InboundParser parser = new EnvelopeParser();
    private Ending ending;
    private boolean sendFailed;

    WireConnection(final InetSocketAddress address, final int timeoutMillis, final int receiveBuffer) throws IOException
    {
        socket.setTcpNoDelay(true);
        if (receiveBuffer > 0)
        {
            socket.setReceiveBufferSize(receiveBuffer);
        }
        socket.connect(address, timeoutMillis);
    }

    /** A failure to send is remembered: what the server said before may still be read. */
    void send(final byte[] bytes, final int offset, final int length)
    {
        if (sendFailed)
        {
            return;
        }
        try
        {
            socket.getOutputStream().write(bytes, offset, length);
        }
        catch (final IOException e)
        {
            sendFailed = true;
        }
    }

    /** The server speaks in segments from here on: bytes already read behind its reply to STARTUP are part of them. */
    void switchToSegments(final boolean lz4)
    {
        final byte[] behind = parser.takeUnread();
        parser = new SegmentParser(lz4);
        parser.feed(behind, behind.length);
    }

    /** Null if something else than an envelope came: see {@link #ending}. */
    Envelope receive(final int timeoutMillis)
    {
        ending = null;
        final long deadline = System.nanoTime() + timeoutMillis * 1_000_000L;
        try
        {
            final InputStream in = socket.getInputStream();
            while (true)
            {
                final Envelope envelope = parser.next();
                if (envelope != null)
                {
                    return envelope;
                }
                final long left = (deadline - System.nanoTime()) / 1_000_000L;
                if (left <= 0)
                {
                    return end(Ending.SILENT);
                }
                socket.setSoTimeout((int)left);
                final int length = in.read(chunk);
                if (length < 0)
                {
                    return end(sendFailed ? Ending.RESET : Ending.CLOSED);
                }
                parser.feed(chunk, length);
            }
        }
        catch (final SocketTimeoutException e)
        {
            return end(Ending.SILENT);
        }
        catch (final IOException e)
        {
            return end(Ending.RESET);
        }
    }

    Ending ending()
    {
        return ending;
    }

    /** Bytes of an unfinished segment or envelope. */
    int unread()
    {
        return parser.unread();
    }

    String endingName()
    {
        return ending.name().toLowerCase(Locale.ROOT);
    }

    void shutdownOutput() throws IOException
    {
        socket.shutdownOutput();
    }

    /** The peer sees a reset instead of an orderly end. */
    void resetAndClose() throws IOException
    {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close()
    {
        try
        {
            socket.close();
        }
        catch (final IOException e)
        {
            // Nothing is owed to anybody any more.
            sendFailed = true;
        }
    }

    private Envelope end(final Ending how)
    {
        ending = how;
        return null;
    }
}
