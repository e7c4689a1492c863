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
import io.sluice.framing.ProtocolException;
import io.sluice.framing.segment.SegmentDecoder;
import io.sluice.framing.segment.SegmentEncoder;
import io.sluice.framing.segment.SegmentFormat;
import io.sluice.framing.segment.SegmentScratch;
import io.sluice.framing.segment.SegmentSink;
import io.sluice.memory.BufferPool;
import io.sluice.memory.DirectMemory;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import net.jpountz.lz4.LZ4Factory;
import org.agrona.concurrent.SystemNanoClock;

/**
 * A client's connection that sends EXECUTEs and tells which streams were answered; it makes no objects per request.
 * Confined to one thread.
 */
final class LoadConnection implements SegmentSink, AutoCloseable
{
    /** Hears of answers. */
    interface Answers
    {
        /** An answer came; {@code error} if it is one. */
        void onAnswer(int streamId, boolean error);
    }

    private static final int HEADER_BYTES = 9;
    private static final int OPCODE_OFFSET = 4;
    private static final int LENGTH_OFFSET = 5;
    private static final int COMPRESSED_FLAG = 0x01;
    private static final int MEMORY_BYTES = 1 << 20;
    private static final int MOST_IN_SEGMENT = 128 * 1024 - 1;
    private static final int ERROR = 0x00;
    private static final int READY = 0x02;
    private static final int FIRST_SEGMENTED_VERSION = 5;

    private final Answers answers;
    private final SegmentFormat format;
    private final Selector selector = Selector.open();
    private final SocketChannel channel;
    private final DirectMemory in = DirectMemory.allocate(MEMORY_BYTES);
    private final DirectMemory out = DirectMemory.allocate(MEMORY_BYTES);
    private final DirectMemory payload = DirectMemory.allocate(MOST_IN_SEGMENT);
    private final SegmentScratch scratch = new SegmentScratch();
    private final SegmentEncoder encoder = new SegmentEncoder(scratch);
    private final BufferPool pool = new BufferPool(SystemNanoClock.INSTANCE, 16 << 20, false);
    private final SegmentDecoder decoder;
    private final ReceivedSegments received;
    /** Sent in turns, each on the stream that is free. */
    private final byte[][] requests;
    private int nextRequest;
    private String firstError;
    private int payloadLength;
    private int outLength;
    private int inLength;

    LoadConnection(final LoadPlan plan, final Answers answers) throws IOException
    {
        this.answers = answers;
        final boolean segmented = plan.version() >= FIRST_SEGMENTED_VERSION;
        format = segmented ? plan.lz4() ? SegmentFormat.LZ4 : SegmentFormat.PLAIN : null;
        decoder = segmented ? new SegmentDecoder(format, pool, scratch) : null;
        requests = plan.requests().toArray(byte[][]::new);
        if (plan.lz4() && !segmented)
        {
            Arrays.setAll(requests, i -> compressed(requests[i]));
        }
        channel = SocketChannel.open(new InetSocketAddress(plan.host(), plan.port()));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        received = new ReceivedSegments(channel);
        start(plan);
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ);
    }

    /** An envelope of version 3 or 4 with its body as an LZ4 block behind its length. */
    private static byte[] compressed(final byte[] envelope)
    {
        final byte[] block = LZ4Factory.fastestInstance().fastCompressor().compress(RequestBytes.body(envelope));
        final ByteBuffer bytes = ByteBuffer.allocate(HEADER_BYTES + Integer.BYTES + block.length);
        bytes.put(envelope, 0, HEADER_BYTES);
        bytes.put(1, (byte)COMPRESSED_FLAG);
        bytes.putInt(LENGTH_OFFSET, Integer.BYTES + block.length);
        bytes.putInt(envelope.length - HEADER_BYTES).put(block);
        return bytes.array();
    }

    private void start(final LoadPlan plan) throws IOException
    {
        final byte[] startup = RequestBytes.startup(plan.version(),
            plan.lz4() ? Map.of("COMPRESSION", "lz4") : Map.of());
        out.buffer().putBytes(0, startup);
        writeAll(startup.length);
        final ByteBuffer view = in.nioView(0, HEADER_BYTES);
        readAll(view);
        final int opcode = in.buffer().getByte(OPCODE_OFFSET);
        readAll(in.nioView(HEADER_BYTES, in.buffer().getInt(LENGTH_OFFSET, ByteOrder.BIG_ENDIAN)));
        if (opcode != READY)
        {
            throw new IOException("STARTUP: opcode " + opcode + " came back (expected: READY)");
        }
    }

    private void readAll(final ByteBuffer view) throws IOException
    {
        while (view.hasRemaining())
        {
            if (channel.read(view) < 0)
            {
                throw new EOFException("the server has closed the connection");
            }
        }
    }

    private void writeAll(final int length) throws IOException
    {
        final ByteBuffer view = out.nioView(0, length);
        while (view.hasRemaining())
        {
            if (channel.write(view) == 0)
            {
                Thread.onSpinWait();
            }
        }
    }

    /** One more request for the next {@link #flush}. */
    void add(final int streamId) throws IOException
    {
        final byte[] request = requests[nextRequest];
        nextRequest = nextRequest + 1 == requests.length ? 0 : nextRequest + 1;
        if (format == null)
        {
            if (request.length > out.capacity() - outLength)
            {
                flush();
            }
            out.buffer().putBytes(outLength, request);
            out.buffer().putShort(outLength + 2, (short)streamId, ByteOrder.BIG_ENDIAN);
            outLength += request.length;
            return;
        }
        if (request.length > MOST_IN_SEGMENT - payloadLength)
        {
            seal();
        }
        payload.buffer().putBytes(payloadLength, request);
        payload.buffer().putShort(payloadLength + 2, (short)streamId, ByteOrder.BIG_ENDIAN);
        payloadLength += request.length;
    }

    private void seal() throws IOException
    {
        if (payloadLength == 0)
        {
            return;
        }
        if (SegmentEncoder.roomFor(format, payloadLength) > out.capacity() - outLength)
        {
            writeAll(outLength);
            outLength = 0;
        }
        if (format == SegmentFormat.PLAIN)
        {
            out.buffer().putBytes(outLength + format.headerLength(), payload.buffer(), 0, payloadLength);
            outLength = encoder.sealPlain(out, outLength, payloadLength, true);
        }
        else
        {
            outLength = encoder.sealLz4(payload, 0, payloadLength, true, 0, out, outLength);
        }
        payloadLength = 0;
    }

    /** Sends what was added. */
    void flush() throws IOException
    {
        seal();
        if (outLength > 0)
        {
            writeAll(outLength);
            outLength = 0;
        }
    }

    /** Waits for answers at most this long (0: not at all, negative: for ever) and reports them. */
    void poll(final long timeoutMillis) throws IOException
    {
        if (timeoutMillis == 0)
        {
            selector.selectNow();
        }
        else
        {
            selector.select(Math.max(0, timeoutMillis));
        }
        selector.selectedKeys().clear();
        final int read = channel.read(in.nioView(inLength, in.capacity() - inLength));
        if (read < 0)
        {
            throw new EOFException("the server has closed the connection");
        }
        if (read == 0)
        {
            return;
        }
        if (decoder == null)
        {
            inLength += read;
            readEnvelopes(in, 0, inLength);
        }
        else
        {
            decodeSegments(read);
        }
    }

    private void decodeSegments(final int read) throws IOException
    {
        try
        {
            decoder.decode(in, 0, read, this);
        }
        catch (final ProtocolException e)
        {
            throw new IOException("the server sent a damaged segment", e);
        }
    }

    /** Reports whole envelopes and keeps the beginning of one that is cut. */
    private void readEnvelopes(final DirectMemory memory, final int offset, final int limit)
    {
        int position = offset;
        while (limit - position >= HEADER_BYTES)
        {
            final int length = memory.buffer().getInt(position + LENGTH_OFFSET, ByteOrder.BIG_ENDIAN);
            if (length > limit - position - HEADER_BYTES)
            {
                break;
            }
            final boolean error = memory.buffer().getByte(position + OPCODE_OFFSET) == ERROR;
            if (error && firstError == null)
            {
                firstError = errorText(memory, position);
            }
            answers.onAnswer(memory.buffer().getShort(position + 2, ByteOrder.BIG_ENDIAN), error);
            position += HEADER_BYTES + length;
        }
        if (decoder == null)
        {
            inLength = limit - position;
            if (inLength > 0 && position > 0)
            {
                memory.buffer().putBytes(0, memory.buffer(), position, inLength);
            }
        }
    }

    /** Of an error that is not compressed. */
    private static String errorText(final DirectMemory memory, final int envelope)
    {
        if ((memory.buffer().getByte(envelope + 1) & COMPRESSED_FLAG) != 0)
        {
            return "a compressed error";
        }
        final int body = envelope + HEADER_BYTES;
        final byte[] text = new byte[memory.buffer().getShort(body + Integer.BYTES, ByteOrder.BIG_ENDIAN) & 0xFFFF];
        memory.buffer().getBytes(body + Integer.BYTES + Short.BYTES, text);
        return new String(text, StandardCharsets.UTF_8);
    }

    /** What the first error said, or null. */
    String firstError()
    {
        return firstError;
    }

    /** See {@link ReceivedSegments#count}. */
    long receivedSegments()
    {
        return received.count();
    }

    @Override
    public boolean onPayload(final DirectMemory memory,
        final int offset,
        final int length,
        final boolean selfContained)
    {
        readEnvelopes(memory, offset, offset + length);
        return true;
    }

    @Override
    public void close() throws IOException
    {
        channel.close();
        selector.close();
        if (decoder != null)
        {
            decoder.close();
        }
        pool.close();
    }
}
