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
package io.sluice.transport.testkit;

import io.sluice.framing.EnvelopeFlags;
import io.sluice.framing.Opcode;
import io.sluice.framing.segment.SegmentFormat;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;
import net.jpountz.lz4.LZ4Factory;
import org.xerial.snappy.Snappy;

/**
 * A client made of a blocking socket, which sends any bytes and understands whatever a good server answers: bare
 * envelopes, segments, compression. It checks all that it reads. One thread at a time, but one may send while another
 * reads.
 */
public final class WireClient implements AutoCloseable
{
    private static final int HEADER_BYTES = 9;
    private static final int READ_BYTES = 4096;
    /** What would tell a client about the server's insides. */
    private static final Pattern INSIDES = Pattern.compile("Exception|\\b(io|java|javax|jdk|sun|com|org)\\.[a-z]");

    private final Socket socket;
    private final DataInputStream in;
    private final Deque<WireEnvelope> read = new ArrayDeque<>();
    private SegmentFormat format;
    private String bodyCompression;
    private int version = 5;
    private int segmentsRead;
    private int storedSegmentsRead;

    private WireClient(final Socket socket) throws IOException
    {
        this.socket = socket;
        socket.setSoTimeout((int)Await.HANG.toMillis());
        socket.setTcpNoDelay(true);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), READ_BYTES));
    }

    /** Connects. */
    public static WireClient connect(final InetSocketAddress address) throws IOException
    {
        return new WireClient(new Socket(address.getAddress(), address.getPort()));
    }

    /** Connects with little room for what it does not read. */
    public static WireClient connectNarrow(final InetSocketAddress address, final int receiveBytes) throws IOException
    {
        final Socket socket = new Socket();
        socket.setReceiveBufferSize(receiveBytes);
        socket.connect(address);
        return new WireClient(socket);
    }

    /** Over a socket that is connected, TLS for instance. */
    public static WireClient over(final Socket connected) throws IOException
    {
        return new WireClient(connected);
    }

    /** Connects and gets READY. */
    public static WireClient ready(final InetSocketAddress address, final int version, final String compression)
        throws IOException
    {
        final WireClient client = connect(address);
        client.startUp(version, compression);
        return client;
    }

    /** STARTUP, and switches as its answer says, which must be READY. */
    public void startUp(final int newVersion, final String compression) throws IOException
    {
        send(Requests.startup(newVersion, 0, compression));
        switchTo(newVersion, compression);
        final WireEnvelope answer = readBare();
        if (answer.type() != Opcode.READY)
        {
            throw new AssertionError("STARTUP answered by " + answer);
        }
    }

    /** From here on what STARTUP agreed on. */
    public void switchTo(final int newVersion, final String compression)
    {
        version = newVersion;
        if (newVersion >= 5)
        {
            format = compression == null ? SegmentFormat.PLAIN : SegmentFormat.LZ4;
        }
        else
        {
            bodyCompression = compression;
        }
    }

    /** The socket itself. */
    public Socket socket()
    {
        return socket;
    }

    /** Sends these bytes as they are, in one write. */
    public void send(final byte[]... parts) throws IOException
    {
        socket.getOutputStream().write(WireBytes.concat(parts));
        socket.getOutputStream().flush();
    }

    /** Sends envelopes in one write, each in a segment of its own (or in pieces) if segments are spoken. */
    public void request(final byte[]... envelopes) throws IOException
    {
        final WireBytes all = new WireBytes();
        for (final byte[] envelope : envelopes)
        {
            all.raw(framed(envelope));
        }
        send(all.toArray());
    }

    private byte[] framed(final byte[] envelope)
    {
        if (format == null)
        {
            return envelope;
        }
        if (envelope.length > Segments.MAX_PAYLOAD)
        {
            return Segments.pieces(format, Segments.MAX_PAYLOAD, envelope);
        }
        return format == SegmentFormat.LZ4
            ? Segments.lz4(true, false, envelope)
            : Segments.plain(true, envelope);
    }

    /** Sends one request and reads one answer, which must be on the same stream. */
    public WireEnvelope ask(final byte[] envelope) throws IOException
    {
        request(envelope);
        final WireEnvelope answer = readEnvelope();
        final int streamId = (short)((envelope[2] & 0xFF) << 8 | envelope[3] & 0xFF);
        if (answer.streamId() != streamId)
        {
            throw new AssertionError("stream " + streamId + " answered by " + answer);
        }
        return answer;
    }

    /** The next envelope. */
    public WireEnvelope readEnvelope() throws IOException
    {
        if (format == null)
        {
            return readBare();
        }
        while (read.isEmpty())
        {
            readSegment();
        }
        return read.poll();
    }

    /** This many envelopes. */
    public List<WireEnvelope> readEnvelopes(final int count) throws IOException
    {
        final List<WireEnvelope> envelopes = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            envelopes.add(readEnvelope());
        }
        return envelopes;
    }

    /** The next envelope, not in a segment. */
    public WireEnvelope readBare() throws IOException
    {
        return readFrom(in);
    }

    /** An answer with the header of eight bytes of versions 1 and 2. */
    public WireEnvelope readLegacy() throws IOException
    {
        final int versionByte = in.readUnsignedByte();
        final int flags = in.readUnsignedByte();
        final int streamId = in.readByte();
        final int opcode = in.readUnsignedByte();
        final byte[] body = in.readNBytes(in.readInt());
        return new WireEnvelope(versionByte & 0x7F, flags, streamId, opcode, body);
    }

    private WireEnvelope readFrom(final DataInputStream from) throws IOException
    {
        final int versionByte = from.readUnsignedByte();
        final int flags = from.readUnsignedByte();
        final int streamId = from.readShort();
        final int opcode = from.readUnsignedByte();
        final int length = from.readInt();
        if ((versionByte & 0x80) == 0 || length < 0 || Opcode.of(opcode) == null)
        {
            throw new AssertionError("not a response: version byte " + versionByte + ", opcode " + opcode +
                ", length " + length);
        }
        final byte[] body = from.readNBytes(length);
        if (body.length != length)
        {
            throw new EOFException("body: " + body.length + " of " + length);
        }
        final WireEnvelope envelope = new WireEnvelope(versionByte & 0x7F, flags, streamId, opcode, body);
        return checked((flags & 1) == 0 ? envelope : decompressed(envelope));
    }

    /** No error may tell of Java's classes, exceptions or packages. */
    private static WireEnvelope checked(final WireEnvelope envelope)
    {
        if (envelope.type() == Opcode.ERROR && (envelope.flags() & ~EnvelopeFlags.COMPRESSED) == 0 &&
            INSIDES.matcher(envelope.errorMessage()).find())
        {
            throw new AssertionError("the server's insides: " + envelope);
        }
        return envelope;
    }

    private WireEnvelope decompressed(final WireEnvelope envelope) throws IOException
    {
        if (bodyCompression == null)
        {
            throw new AssertionError("compressed without agreement: " + envelope);
        }
        final byte[] body = envelope.body();
        if ("snappy".equals(bodyCompression))
        {
            return envelope.withBody(Snappy.uncompress(body));
        }
        final byte[] plain = new byte[envelope.intAt(0)];
        final int length = LZ4Factory.safeInstance()
            .safeDecompressor()
            .decompress(body, 4, body.length - 4, plain, 0);
        if (length != plain.length)
        {
            throw new AssertionError("LZ4 body: " + length + " of " + plain.length);
        }
        return envelope.withBody(plain);
    }

    private void readSegment() throws IOException
    {
        final Segment segment = nextSegment();
        if (segment.selfContained())
        {
            final DataInputStream payload = new DataInputStream(new ByteArrayInputStream(segment.payload()));
            while (payload.available() > 0)
            {
                read.add(readFrom(payload));
            }
        }
        else
        {
            read.add(readPieces(segment.payload()));
        }
    }

    private WireEnvelope readPieces(final byte[] first) throws IOException
    {
        int missing = HEADER_BYTES + new WireEnvelope(0, 0, 0, 0, first).intAt(5) - first.length;
        InputStream all = new ByteArrayInputStream(first);
        final WireBytes rest = new WireBytes();
        while (missing > 0)
        {
            final Segment piece = nextSegment();
            if (piece.selfContained())
            {
                throw new AssertionError("self-contained segment between pieces");
            }
            rest.raw(piece.payload());
            missing -= piece.payload().length;
        }
        if (missing < 0)
        {
            throw new AssertionError("pieces overrun their envelope by " + -missing);
        }
        all = new SequenceInputStream(all, new ByteArrayInputStream(rest.toArray()));
        return readFrom(new DataInputStream(all));
    }

    private record Segment(boolean selfContained, byte[] payload)
    {
    }

    private Segment nextSegment() throws IOException
    {
        final int headerBytes = format == SegmentFormat.LZ4 ? 5 : 3;
        final long header = readLittle(headerBytes);
        if (readLittle(3) != Segments.crc24(header, headerBytes))
        {
            throw new AssertionError("CRC24 wrong of segment " + segmentsRead);
        }
        final byte[] payload = in.readNBytes((int)(header & 0x1FFFF));
        if (readLittle(4) != Segments.crc32(payload))
        {
            throw new AssertionError("CRC32 wrong of segment " + segmentsRead);
        }
        segmentsRead++;
        if (format == SegmentFormat.PLAIN)
        {
            return new Segment((header >> 17 & 1) == 1, payload);
        }
        final int uncompressed = (int)(header >> 17 & 0x1FFFF);
        storedSegmentsRead += uncompressed == 0 ? 1 : 0;
        return new Segment((header >> 34 & 1) == 1, uncompressed == 0
            ? payload
            : Segments.decompress(payload, uncompressed));
    }

    private long readLittle(final int bytes) throws IOException
    {
        long value = 0;
        for (int i = 0; i < bytes; i++)
        {
            value |= (long)in.readUnsignedByte() << 8 * i;
        }
        return value;
    }

    /** Segments read so far. */
    public int segmentsRead()
    {
        return segmentsRead;
    }

    /** How many of these, on a compressed connection, were stored as they are. */
    public int storedSegmentsRead()
    {
        return storedSegmentsRead;
    }

    /** This envelope with its body compressed, if the connection compresses bodies; else as it is. */
    public byte[] squeezed(final byte[] envelope) throws IOException
    {
        return bodyCompression == null ? envelope : Requests.compressed(bodyCompression, envelope);
    }

    /** The compression of segments: lz4 or nothing; null if this speaks no segments. */
    public SegmentFormat format()
    {
        return format;
    }

    /** What STARTUP agreed on. */
    public int version()
    {
        return version;
    }

    /** Sends no more; still reads. */
    public void shutOutput() throws IOException
    {
        socket.shutdownOutput();
    }

    /**
     * Reads up to the end, which must be in order: a reset is an IOException.
     *
     * @return bytes that came before the end, beside envelopes already read
     */
    public byte[] readToEnd() throws IOException
    {
        if (!read.isEmpty())
        {
            throw new AssertionError("unread: " + read);
        }
        return in.readAllBytes();
    }

    /** Reads up to the end, which must come at once and in order. */
    public void expectEnd() throws IOException
    {
        final byte[] rest = readToEnd();
        if (rest.length > 0)
        {
            throw new AssertionError("unexpected bytes: " + java.util.HexFormat.of()
                .formatHex(Arrays.copyOf(rest, Math.min(rest.length, 200))));
        }
    }

    /** Closes; another close does nothing. */
    public void leave() throws IOException
    {
        socket.close();
    }

    /** Closes with a reset. */
    public void reset() throws IOException
    {
        socket.setSoLinger(true, 0);
        // Else the JDK's TLS waits that long for the server's goodbye, which one that does not read will not say.
        socket.setSoTimeout(1);
        socket.close();
    }

    @Override
    public void close() throws IOException
    {
        socket.close();
    }
}
