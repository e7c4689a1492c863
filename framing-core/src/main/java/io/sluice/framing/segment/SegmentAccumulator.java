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

import io.sluice.memory.BufferLease;
import io.sluice.memory.BufferPool;
import io.sluice.memory.ByteGatherer;
import org.agrona.DirectBuffer;

/**
 * Keeps the beginning of a segment that the end of a read has cut: the header in a field, the rest in leased memory
 * that is claimed once the header has been read and found right. Confined to the connection's event loop.
 */
final class SegmentAccumulator implements AutoCloseable
{
    private final SegmentFormat format;
    private final ByteGatherer rest;
    private long headerBits;
    private int headerBytes;

    SegmentAccumulator(final SegmentFormat format, final BufferPool pool)
    {
        this.format = format;
        this.rest = new ByteGatherer(pool, "segment");
    }

    /** True if the beginning of a segment is held. */
    boolean isActive()
    {
        return headerBytes > 0;
    }

    /** Takes what belongs to the segment; returns the offset behind it. */
    int accept(final DirectBuffer buffer, final int offset, final int limit)
    {
        final int position = acceptHeader(buffer, offset, limit);
        if (headerBytes < format.headerLength())
        {
            return position;
        }
        if (!rest.isActive())
        {
            SegmentHeader.verify(headerBits, format);
            rest.begin(SegmentHeader.payloadLength(headerBits) + SegmentFormat.TRAILER_LENGTH);
        }
        return position + rest.gather(buffer, position, limit - position);
    }

    private int acceptHeader(final DirectBuffer buffer, final int offset, final int limit)
    {
        int position = offset;
        while (headerBytes < format.headerLength() && position < limit)
        {
            headerBits |= (buffer.getByte(position) & 0xFFL) << (Byte.SIZE * headerBytes);
            headerBytes++;
            position++;
        }
        return position;
    }

    boolean isComplete()
    {
        return rest.isActive() && rest.missingBytes() == 0;
    }

    long headerBits()
    {
        return headerBits;
    }

    int heldBytes()
    {
        return headerBytes + rest.heldBytes();
    }

    int reservedBytes()
    {
        return rest.reservedBytes();
    }

    /** Payload and trailer of a complete segment, from offset 0. Owned by the caller; then nothing is held. */
    BufferLease take()
    {
        final BufferLease lease = rest.take();
        reset();
        return lease;
    }

    @Override
    public void close()
    {
        rest.close();
        reset();
    }

    private void reset()
    {
        headerBits = 0;
        headerBytes = 0;
    }
}
