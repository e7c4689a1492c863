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
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/**
 * One connection of the native protocol with nothing between it and its socket: it sends whatever bytes it is given and
 * checks every byte that comes back. One thread may send while another receives.
 */
public final class RawClient implements AutoCloseable
{
    /** Why {@link #receive} came back without an answer. */
    public enum End
    {
        /** Nothing came in time. */
        SILENT,
        /** The server shut its output in order. */
        CLOSED,
        /** The connection was torn down. */
        RESET
    }

    private final Socket socket;
    private final Profile profile;
    private final RawRequests requests;
    private final byte[] chunk = new byte[1 << 16];
    private InboundParser parser = new EnvelopeParser();
    private Compression agreed = Compression.NONE;
    private boolean segmented;
    private End end;

    /**
     * Says nothing yet.
     *
     * @param socket connected; closed with this
     * @param version 3, 4 or 5
     * @param compression none, lz4 or snappy
     */
    public RawClient(final Socket socket, final int version, final String compression)
    {
        this.socket = socket;
        profile = new Profile(version, Profile.compressionOf(compression));
        requests = new RawRequests(version);
    }

    /** Builds this version's requests. */
    public RawRequests requests()
    {
        return requests;
    }

    /** For example {@code v4-snappy}. */
    public String label()
    {
        return profile.label();
    }

    /** The STARTUP of this connection's compression. */
    public byte[] startup(final int stream)
    {
        return new Requests(profile.version()).startup(stream, profile.compression());
    }

    /**
     * STARTUP, and the login if the server wants one.
     *
     * @return READY, AUTH_SUCCESS or what came in their place; null if nothing came, see {@link #end}
     */
    public RawAnswer start(final String user, final String password, final int timeoutMillis) throws IOException
    {
        send(startup(0));
        agreed = profile.isSegmented() ? Compression.NONE : profile.compression();
        final RawAnswer first = receive(timeoutMillis);
        if (first == null || !first.is("READY") && !first.is("AUTHENTICATE"))
        {
            return first;
        }
        if (profile.isSegmented())
        {
            segmented = true;
            final byte[] behind = parser.takeUnread();
            parser = new SegmentParser(profile.isLz4Segmented());
            parser.feed(behind, behind.length);
        }
        return first.is("READY") ? first : logIn(user, password, timeoutMillis);
    }

    /** One more try of a login. */
    public RawAnswer logIn(final String user, final String password, final int timeoutMillis) throws IOException
    {
        final byte[] token = ("\0" + user + "\0" + password).getBytes(StandardCharsets.UTF_8);
        send(wrap(new Requests(profile.version()).authResponse(0, token)));
        return receive(timeoutMillis);
    }

    /** The envelopes as this connection carries them now: in segments, with compressed bodies, or as they are. */
    public byte[] wrap(final byte[]... envelopes)
    {
        if (segmented)
        {
            final byte[] payload = ByteBuilder.join(envelopes);
            if (payload.length <= Segments.MAX_PAYLOAD)
            {
                return segment(payload, true);
            }
        }
        final ByteBuilder wire = new ByteBuilder();
        for (final byte[] envelope : envelopes)
        {
            wire.raw(segmented ? segments(envelope) : compressed(envelope));
        }
        return wire.toBytes();
    }

    private byte[] segments(final byte[] envelope)
    {
        return envelope.length <= Segments.MAX_PAYLOAD
            ? segment(envelope, true)
            : Segments.pieces(envelope, Segments.MAX_PAYLOAD, Segments.MAX_PAYLOAD, profile.isLz4Segmented());
    }

    private byte[] compressed(final byte[] envelope)
    {
        if (agreed == Compression.NONE || envelope.length == Envelope.HEADER_LENGTH)
        {
            return envelope;
        }
        final Envelope parsed = Envelope.parse(envelope, 0, envelope.length);
        return Envelope.of(parsed.version(), parsed.flags() | Envelope.COMPRESSED, parsed.stream(), parsed.opcode(),
            agreed.compress(parsed.body()));
    }

    /** One segment around whatever is given, as this connection compresses. */
    public byte[] segment(final byte[] payload, final boolean selfContained)
    {
        return profile.isLz4Segmented() ? Segments.lz4(payload, selfContained) : Segments.plain(payload, selfContained);
    }

    /** A segment of an LZ4 connection that says of its block what it likes. */
    public static byte[] lyingSegment(final byte[] block, final int declaredLength)
    {
        return Segments.block(block, declaredLength, true, 0);
    }

    /** True once both sides speak in segments. */
    public boolean isSegmented()
    {
        return segmented;
    }

    /** True if segments are LZ4. */
    public boolean isLz4Segmented()
    {
        return profile.isLz4Segmented();
    }

    /** Sends bytes as they are. */
    public void send(final byte[] bytes) throws IOException
    {
        socket.getOutputStream().write(bytes);
    }

    /**
     * The next answer or event.
     *
     * @return null if none came: {@link #end} says why
     * @throws IllegalStateException if the server broke a rule of the protocol
     */
    public RawAnswer receive(final int timeoutMillis)
    {
        final long deadline = System.nanoTime() + timeoutMillis * 1_000_000L;
        try
        {
            while (true)
            {
                final Envelope envelope = parser.next();
                if (envelope != null)
                {
                    return RawAnswer.of(Answer.of(envelope, agreed));
                }
                final long left = (deadline - System.nanoTime()) / 1_000_000L;
                if (left <= 0)
                {
                    return ended(End.SILENT);
                }
                socket.setSoTimeout((int)left);
                final int length = socket.getInputStream().read(chunk);
                if (length < 0)
                {
                    return ended(End.CLOSED);
                }
                parser.feed(chunk, length);
            }
        }
        catch (final GarbledBytes e)
        {
            throw new IllegalStateException("garbled: " + e.getMessage(), e);
        }
        catch (final SocketTimeoutException e)
        {
            return ended(End.SILENT);
        }
        catch (final IOException e)
        {
            return ended(End.RESET);
        }
    }

    private RawAnswer ended(final End how)
    {
        end = how;
        return null;
    }

    /** Why the last {@link #receive} brought nothing. */
    public End end()
    {
        return end;
    }

    /** The raw socket. */
    public Socket socket()
    {
        return socket;
    }

    /** The peer sees a reset in place of an orderly end. */
    public void reset() throws IOException
    {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException
    {
        socket.close();
    }
}
