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
package io.sluice.framing.segment;

import io.sluice.framing.ProtocolException;
import io.sluice.memory.BufferLease;
import io.sluice.memory.BufferPool;
import io.sluice.memory.DirectMemory;
import java.nio.ByteOrder;

/**
 * Turns one connection's bytes into payloads, checked and decompressed.
 * <p>
 * A segment that lies whole in what was read is used where it lies. Only one that the end of a read cuts is copied.
 * After an exception the connection is beyond repair and every further call throws {@link IllegalStateException}.
 * <p>
 * Confined to the connection's event loop. The sink may close the decoder; it must not call {@link #decode}.
 */
public final class SegmentDecoder implements AutoCloseable
{
    private final SegmentFormat format;
    private final SegmentScratch scratch;
    private final SegmentAccumulator accumulator;
    private long segments;
    private long rawSegments;
    private long wireBytes;
    private long payloadBytes;
    private boolean decoding;
    private boolean failed;
    private boolean closed;

    /**
     * A decoder at the start of a segment.
     *
     * @param pool lends memory for cut segments
     * @param scratch the event loop's
     */
    public SegmentDecoder(final SegmentFormat format, final BufferPool pool, final SegmentScratch scratch)
    {
        this.format = format;
        this.scratch = scratch;
        this.accumulator = new SegmentAccumulator(format, pool);
    }

    /**
     * Hands the payload of each segment that ends before {@code limit} to the sink, and keeps the rest.
     *
     * @param memory borrowed until return; new bytes from {@code offset} to {@code limit}
     * @return the offset behind the last byte used: {@code limit}, or less if the sink returned false; then the caller
     * keeps what is left and passes it again later
     * @throws ProtocolException fatal, without a stream: a checksum or a block is wrong
     * @throws io.sluice.memory.MemoryExhaustedException if there is no memory for a cut segment
     * @throws IllegalStateException after an exception or after closing
     */
    public int decode(final DirectMemory memory, final int offset, final int limit, final SegmentSink sink)
    {
        checkState();
        checkRange(memory, offset, limit);
        decoding = true;
        failed = true;
        try
        {
            final int position = decodeAll(memory, offset, limit, sink);
            failed = false;
            return position;
        }
        finally
        {
            decoding = false;
            if (failed)
            {
                accumulator.close();
            }
        }
    }

    private void checkState()
    {
        if (decoding || failed || closed)
        {
            throw new IllegalStateException(
                "decode: " + (closed ? "closed" : decoding ? "called from its own sink" : "called after an error"));
        }
    }

    private static void checkRange(final DirectMemory memory, final int offset, final int limit)
    {
        if (offset < 0 || limit < offset || limit > memory.capacity())
        {
            throw new IllegalArgumentException(
                "range: " + offset + ".." + limit + " (expected: within 0.." + memory.capacity() + ")");
        }
    }

    private int decodeAll(final DirectMemory memory, final int offset, final int limit, final SegmentSink sink)
    {
        int position = offset;
        boolean more = true;
        while (more && !closed && position < limit)
        {
            final int end = accumulator.isActive() ? position : segmentEnd(memory, position, limit);
            if (end > position)
            {
                more = deliver(
                    SegmentHeader.read(memory.buffer(), position, format),
                    memory,
                    position + format.headerLength(),
                    sink);
                position = end;
            }
            else
            {
                position = accumulator.accept(memory.buffer(), position, limit);
                more = !accumulator.isComplete() || deliverAccumulated(sink);
            }
        }
        return position;
    }

    /** Where the segment at this position ends, or the position itself if not all of it is there. */
    private int segmentEnd(final DirectMemory memory, final int position, final int limit)
    {
        final int available = limit - position;
        if (available < format.overhead())
        {
            return position;
        }
        final long bits = SegmentHeader.read(memory.buffer(), position, format);
        SegmentHeader.verify(bits, format);
        final int length = SegmentHeader.payloadLength(bits) + format.overhead();
        return length <= available ? position + length : position;
    }

    private boolean deliverAccumulated(final SegmentSink sink)
    {
        final long bits = accumulator.headerBits();
        try (BufferLease lease = accumulator.take())
        {
            return deliver(bits, lease.memory(), 0, sink);
        }
    }

    private boolean deliver(final long bits, final DirectMemory memory, final int offset, final SegmentSink sink)
    {
        final int length = SegmentHeader.payloadLength(bits);
        verifyPayload(memory, offset, length);
        final boolean selfContained = SegmentHeader.isSelfContained(bits, format);
        final int uncompressedLength = SegmentHeader.uncompressedLength(bits, format);
        if (uncompressedLength != 0)
        {
            return deliverCompressed(memory, offset, length, uncompressedLength, selfContained, sink);
        }
        count(length, length);
        rawSegments += format == SegmentFormat.LZ4 ? 1 : 0;
        return sink.onPayload(memory, offset, length, selfContained);
    }

    private boolean deliverCompressed(final DirectMemory memory,
        final int offset,
        final int length,
        final int uncompressedLength,
        final boolean selfContained,
        final SegmentSink sink)
    {
        final DirectMemory payload = scratch.lend();
        try
        {
            scratch.decompress(memory, offset, length, uncompressedLength);
            count(length, uncompressedLength);
            return sink.onPayload(payload, 0, uncompressedLength, selfContained);
        }
        finally
        {
            scratch.takeBack();
        }
    }

    private void verifyPayload(final DirectMemory memory, final int offset, final int length)
    {
        final int read = memory.buffer().getInt(offset + length, ByteOrder.LITTLE_ENDIAN);
        final int computed = scratch.checksum().of(memory, offset, length);
        if (read != computed)
        {
            throw SegmentHeader.mismatch("body", read, computed);
        }
    }

    private void count(final int length, final int uncompressedLength)
    {
        segments++;
        wireBytes += length + format.overhead();
        payloadBytes += uncompressedLength;
    }

    /** Bytes kept of a segment that is not complete yet. */
    public int heldBytes()
    {
        return accumulator.heldBytes();
    }

    /** Memory that is taken up by a segment that is not complete yet, in bytes. */
    public int reservedBytes()
    {
        return accumulator.reservedBytes();
    }

    /** Good segments so far. */
    public long segments()
    {
        return segments;
    }

    /** Good segments so far that were sent uncompressed although LZ4 was agreed. */
    public long rawSegments()
    {
        return rawSegments;
    }

    /** Bytes of good segments so far as on the wire, headers and trailers included. */
    public long wireBytes()
    {
        return wireBytes;
    }

    /** Bytes of good payloads so far, decompressed. */
    public long payloadBytes()
    {
        return payloadBytes;
    }

    /** True once {@link #decode} has thrown. */
    public boolean isFailed()
    {
        return failed && !decoding;
    }

    /** Gives back what is kept. A second call does nothing. */
    @Override
    public void close()
    {
        closed = true;
        accumulator.close();
    }
}
