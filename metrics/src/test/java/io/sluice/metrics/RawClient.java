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
package io.sluice.metrics;

import io.sluice.framing.Opcode;
import io.sluice.framing.segment.SegmentEncoder;
import io.sluice.framing.segment.SegmentFormat;
import io.sluice.framing.segment.SegmentScratch;
import io.sluice.memory.DirectMemory;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** A client on a plain socket that counts its bytes. Confined to one thread. */
final class RawClient implements AutoCloseable
{
    /** An answer's header, without its body. */
    record Answer(Opcode opcode, int streamId, int bodyLength)
    {
    }

    private static final int TIMEOUT_MILLIS = 60_000;

    private final int version;
    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;
    private final SegmentEncoder encoder = new SegmentEncoder(new SegmentScratch());
    private boolean framed;
    private int payloadLeft;
    long bytesOut;
    long bytesIn;

    RawClient(final InetSocketAddress address, final int version) throws IOException
    {
        this(address, version, "127.0.0.1", 0);
    }

    /**
     * One that connects from another address of this machine.
     *
     * @param receiveBytes room for what it does not read, 0 for what the system gives
     */
    RawClient(final InetSocketAddress address, final int version, final String from, final int receiveBytes)
        throws IOException
    {
        this.version = version;
        socket = new Socket();
        if (receiveBytes > 0)
        {
            socket.setReceiveBufferSize(receiveBytes);
        }
        socket.bind(new InetSocketAddress(InetAddress.getByName(from), 0));
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), address.getPort()));
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(socket.getInputStream());
        out = new DataOutputStream(socket.getOutputStream());
    }

    byte[] envelope(final Opcode opcode, final int streamId, final byte[] body)
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream data = new DataOutputStream(bytes))
        {
            data.writeByte(version);
            data.writeByte(0);
            data.writeShort(streamId);
            data.writeByte(opcode.code());
            data.writeInt(body.length);
            data.write(body);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    byte[] query(final int streamId, final String text)
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream data = new DataOutputStream(bytes))
        {
            final byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            data.writeInt(utf8.length);
            data.write(utf8);
            data.writeShort(1); // consistency ONE
            data.write(new byte[version >= 5 ? 4 : 1]); // no flags
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
        return envelope(Opcode.QUERY, streamId, bytes.toByteArray());
    }

    /** PREPARE, EXECUTE or BATCH of a statement without values, as version 4 has them. */
    byte[] statement(final Opcode opcode, final int streamId, final String text)
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream data = new DataOutputStream(bytes))
        {
            final byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            if (opcode == Opcode.BATCH)
            {
                data.writeByte(1); // unlogged
                data.writeShort(1);
                data.writeByte(0); // a text, not an id
            }
            if (opcode == Opcode.EXECUTE)
            {
                data.writeShort(utf8.length);
            }
            else
            {
                data.writeInt(utf8.length);
            }
            data.write(utf8);
            if (opcode == Opcode.BATCH)
            {
                data.writeShort(0);
            }
            if (opcode != Opcode.PREPARE)
            {
                data.writeShort(1); // consistency ONE
                data.writeByte(0); // no flags
            }
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
        return envelope(opcode, streamId, bytes.toByteArray());
    }

    /** REGISTER for one type of event. */
    byte[] register(final String type)
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream data = new DataOutputStream(bytes))
        {
            data.writeShort(1);
            data.writeUTF(type);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
        return envelope(Opcode.REGISTER, 1, bytes.toByteArray());
    }

    byte[] startup(final Map<String, String> options)
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream data = new DataOutputStream(bytes))
        {
            data.writeShort(1 + options.size());
            data.writeUTF("CQL_VERSION");
            data.writeUTF("3.0.0");
            for (final Map.Entry<String, String> option : options.entrySet())
            {
                data.writeUTF(option.getKey());
                data.writeUTF(option.getValue());
            }
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
        return envelope(Opcode.STARTUP, 0, bytes.toByteArray());
    }

    /** STARTUP and its answer; from version 5 on all that follows is in segments. */
    Answer start(final Map<String, String> options) throws IOException
    {
        send(startup(options));
        final Answer answer = receive();
        framed = version >= 5 && answer.opcode() != Opcode.ERROR;
        return answer;
    }

    /** All envelopes in one write and, if framed, in one segment. */
    void send(final byte[]... envelopes) throws IOException
    {
        final ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (final byte[] envelope : envelopes)
        {
            all.write(envelope);
        }
        final byte[] bytes = framed ? segment(all.toByteArray()) : all.toByteArray();
        out.write(bytes);
        bytesOut += bytes.length;
    }

    private byte[] segment(final byte[] payload)
    {
        final DirectMemory memory = DirectMemory
            .allocate(SegmentEncoder.roomFor(SegmentFormat.PLAIN, payload.length));
        memory.buffer().putBytes(SegmentFormat.PLAIN.headerLength(), payload);
        final byte[] bytes = new byte[encoder.sealPlain(memory, 0, payload.length, true)];
        memory.buffer().getBytes(0, bytes);
        return bytes;
    }

    /** These bytes as they are. */
    void sendBytes(final byte... bytes) throws IOException
    {
        out.write(bytes);
        bytesOut += bytes.length;
    }

    Answer receive() throws IOException
    {
        if (framed && payloadLeft == 0)
        {
            final int low = in.readUnsignedByte() | in.readUnsignedByte() << 8 | in.readUnsignedByte() << 16;
            payloadLeft = low & SegmentFormat.MAX_PAYLOAD;
            in.readFully(new byte[SegmentFormat.PLAIN.headerLength() - 3]);
            bytesIn += SegmentFormat.PLAIN.headerLength();
        }
        in.readByte();
        in.readByte();
        final int streamId = in.readShort();
        final Opcode opcode = Opcode.of(in.readByte());
        final int length = in.readInt();
        in.readFully(new byte[length]);
        bytesIn += 9 + length;
        if (framed)
        {
            payloadLeft -= 9 + length;
            if (payloadLeft == 0)
            {
                in.readFully(new byte[SegmentFormat.TRAILER_LENGTH]);
                bytesIn += SegmentFormat.TRAILER_LENGTH;
            }
        }
        return new Answer(opcode, streamId, length);
    }

    /** True if the server has closed and nothing more came. */
    boolean isAtEnd() throws IOException
    {
        return in.read() < 0;
    }

    @Override
    public void close() throws IOException
    {
        socket.close();
    }
}
