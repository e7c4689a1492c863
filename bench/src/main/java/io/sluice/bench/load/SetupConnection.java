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

import io.sluice.bench.RequestBytes;
import io.sluice.bench.WireSegments;
import io.sluice.framing.segment.SegmentFormat;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Asks one thing at a time, before a load begins: version 5, no compression. Confined to one thread. */
public final class SetupConnection implements AutoCloseable
{
    /** What a node calls a statement and its result. */
    public record Prepared(byte[] id, byte[] metadataId)
    {
    }

    private static final int VERSION = 5;
    private static final int HEADER_BYTES = 9;
    private static final int OPCODE_OFFSET = 4;
    private static final int LENGTH_OFFSET = 5;
    private static final int CRC24_BYTES = 3;
    private static final int CRC32_BYTES = 4;
    private static final int PAYLOAD_LENGTH = 0x1FFFF;
    private static final int ERROR = 0x00;
    private static final int READY = 0x02;
    private static final int RESULT = 0x08;
    private static final int PREPARED = 4;
    private static final int TIMEOUT_MILLIS = 60_000;

    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;
    private final WireSegments segments = new WireSegments();

    /** Connects and starts. */
    public SetupConnection(final String host, final int port) throws IOException
    {
        socket = new Socket(host, port);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(socket.getInputStream());
        out = socket.getOutputStream();
        out.write(RequestBytes.startup(VERSION, Map.of()));
        final byte[] header = in.readNBytes(HEADER_BYTES);
        in.readNBytes(ByteBuffer.wrap(header).getInt(LENGTH_OFFSET));
        if (header[OPCODE_OFFSET] != READY)
        {
            throw new IOException("STARTUP: opcode " + header[OPCODE_OFFSET] + " came back (expected: READY)");
        }
    }

    /** Runs a statement whose answer does not matter. */
    public void query(final String cql) throws IOException
    {
        ask(RequestBytes.query(VERSION, cql));
    }

    /** Prepares a statement. */
    public Prepared prepare(final String cql) throws IOException
    {
        final ByteBuffer body = ask(RequestBytes.prepare(VERSION, cql));
        if (body.getInt() != PREPARED)
        {
            throw new IOException("PREPARE: another result came back");
        }
        return new Prepared(shortBytes(body), shortBytes(body));
    }

    private static byte[] shortBytes(final ByteBuffer body)
    {
        final byte[] bytes = new byte[body.getShort() & 0xFFFF];
        body.get(bytes);
        return bytes;
    }

    private ByteBuffer ask(final byte[] request) throws IOException
    {
        out.write(segments.of(SegmentFormat.PLAIN, request));
        final ByteBuffer envelope = ByteBuffer.wrap(readSegment());
        final int opcode = envelope.get(OPCODE_OFFSET);
        envelope.position(HEADER_BYTES);
        if (opcode == ERROR)
        {
            final int code = envelope.getInt();
            throw new IOException("the node answered " + Integer.toHexString(code) + ": " +
                new String(shortBytes(envelope), StandardCharsets.UTF_8));
        }
        if (opcode != RESULT)
        {
            throw new IOException("opcode " + opcode + " came back (expected: RESULT)");
        }
        return envelope;
    }

    /** These answers are short: each fits a segment of its own. */
    private byte[] readSegment() throws IOException
    {
        final int header = in.readUnsignedByte() | in.readUnsignedByte() << 8 | in.readUnsignedByte() << 16;
        in.skipNBytes(CRC24_BYTES);
        final byte[] payload = new byte[header & PAYLOAD_LENGTH];
        in.readFully(payload);
        in.skipNBytes(CRC32_BYTES);
        return payload;
    }

    @Override
    public void close() throws IOException
    {
        socket.close();
    }
}
