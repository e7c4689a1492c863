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
import io.sluice.memory.DirectMemory;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/**
 * What all connections of an event loop share while one of them is coded: room for one decompressed payload, room for
 * one payload that waits to be compressed, and the LZ4 and CRC32 instances.
 * <p>
 * Confined to one event loop.
 */
public final class SegmentScratch
{
    private final DirectMemory decompressed = DirectMemory.allocate(SegmentFormat.MAX_PAYLOAD);
    private final DirectMemory gathered = DirectMemory.allocate(SegmentFormat.MAX_PAYLOAD);
    private final PayloadChecksum checksum = new PayloadChecksum();
    private final LZ4Compressor compressor;
    // Never the "fast" one: it trusts the length that a client declares (CVE-2025-12183).
    private final LZ4SafeDecompressor decompressor;
    private boolean lent;

    /** With the fastest LZ4 that works on this machine: native code if it loads, else Java. */
    public SegmentScratch()
    {
        final LZ4Factory factory = LZ4Factory.fastestInstance();
        compressor = factory.fastCompressor();
        decompressor = factory.safeDecompressor();
    }

    /** For payloads on the wire. */
    PayloadChecksum checksum()
    {
        return checksum;
    }

    /** Room for a payload that waits to be compressed. */
    DirectMemory gathered()
    {
        return gathered;
    }

    /** Lends the room for one decompressed payload until {@link #takeBack}. */
    DirectMemory lend()
    {
        if (lent)
        {
            throw new IllegalStateException("scratch: in use (expected: one payload at a time)");
        }
        lent = true;
        return decompressed;
    }

    void takeBack()
    {
        lent = false;
    }

    /**
     * Decompresses a block into the lent room.
     *
     * @throws ProtocolException fatal, if the block does not yield exactly {@code expectedLength} bytes: less would
     * leave another connection's bytes at the end
     */
    void decompress(final DirectMemory memory, final int offset, final int length, final int expectedLength)
    {
        final int yielded;
        try
        {
            yielded = decompressor.decompress(
                memory.nioView(),
                offset,
                length,
                decompressed.nioView(),
                0,
                expectedLength);
        }
        catch (final LZ4Exception | IndexOutOfBoundsException e)
        {
            throw corrupt("LZ4 block: does not decompress (expected: " + expectedLength + " bytes)");
        }
        if (yielded != expectedLength)
        {
            throw corrupt("LZ4 block: yields " + yielded + " bytes (expected: " + expectedLength + ")");
        }
    }

    private static ProtocolException corrupt(final String message)
    {
        return ProtocolException.fatal(ProtocolException.UNKNOWN_STREAM, message);
    }

    /** Room that compressed output may need, in bytes, for a payload of this length. */
    static int maxCompressedLength(final int length)
    {
        return length + length / 255 + 16;
    }

    /** The compressed length; the destination must have {@link #maxCompressedLength} bytes of room. */
    int compress(final DirectMemory source,
        final int offset,
        final int length,
        final DirectMemory destination,
        final int destinationOffset)
    {
        return compressor.compress(
            source.nioView(),
            offset,
            length,
            destination.nioView(),
            destinationOffset,
            maxCompressedLength(length));
    }
}
