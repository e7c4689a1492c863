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

import io.sluice.memory.DirectMemory;
import java.nio.ByteOrder;

/**
 * Seals payloads into segments: header, payload and trailer in one stretch of memory. Confined to one event loop.
 */
public final class SegmentEncoder
{
    private final SegmentScratch scratch;
    private boolean raw;

    /** An encoder with the event loop's scratch. */
    public SegmentEncoder(final SegmentScratch scratch)
    {
        this.scratch = scratch;
    }

    /** Room that a segment with this payload may need while it is made, in bytes; it may end up shorter. */
    public static int roomFor(final SegmentFormat format, final int payloadLength)
    {
        return format.overhead() +
            (format == SegmentFormat.LZ4 ? SegmentScratch.maxCompressedLength(payloadLength) : payloadLength);
    }

    /**
     * Writes header and trailer round a payload that lies {@code PLAIN.headerLength()} bytes behind {@code offset}.
     *
     * @return the offset behind the segment
     */
    public int sealPlain(final DirectMemory memory,
        final int offset,
        final int payloadLength,
        final boolean selfContained)
    {
        SegmentHeader.writePlain(memory.buffer(), offset, payloadLength, selfContained);
        return sealTrailer(memory, offset + SegmentFormat.PLAIN.headerLength(), payloadLength);
    }

    /**
     * Compresses a payload into a segment at {@code offset}, or stores it as it is if it does not get shorter.
     *
     * @param source borrowed; {@code payloadLength} bytes at {@code sourceOffset}
     * @param minCompressBytes shorter payloads are stored without trying
     * @param memory with {@link #roomFor} bytes from {@code offset}
     * @return the offset behind the segment; {@link #isRaw()} tells how it went
     */
    public int sealLz4(final DirectMemory source,
        final int sourceOffset,
        final int payloadLength,
        final boolean selfContained,
        final int minCompressBytes,
        final DirectMemory memory,
        final int offset)
    {
        final int payloadOffset = offset + SegmentFormat.LZ4.headerLength();
        final int compressedLength = payloadLength < minCompressBytes || payloadLength == 0
            ? payloadLength
            : scratch.compress(source, sourceOffset, payloadLength, memory, payloadOffset);
        raw = compressedLength >= payloadLength;
        if (raw)
        {
            memory.buffer().putBytes(payloadOffset, source.buffer(), sourceOffset, payloadLength);
            SegmentHeader.writeLz4(memory.buffer(), offset, payloadLength, 0, selfContained);
            return sealTrailer(memory, payloadOffset, payloadLength);
        }
        SegmentHeader.writeLz4(memory.buffer(), offset, compressedLength, payloadLength, selfContained);
        return sealTrailer(memory, payloadOffset, compressedLength);
    }

    private int sealTrailer(final DirectMemory memory, final int payloadOffset, final int length)
    {
        final int end = payloadOffset + length;
        memory.buffer().putInt(end, scratch.checksum().of(memory, payloadOffset, length), ByteOrder.LITTLE_ENDIAN);
        return end + SegmentFormat.TRAILER_LENGTH;
    }

    /** True if the last LZ4 segment was stored uncompressed. */
    public boolean isRaw()
    {
        return raw;
    }
}
