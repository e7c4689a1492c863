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
package io.sluice.framing.envelope;

import io.sluice.memory.DirectMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.agrona.DirectBuffer;
import org.xerial.snappy.Snappy;
import org.xerial.snappy.SnappyError;

/** Raw snappy blocks in direct memory. Any thread. */
final class SnappyBlock
{
    /** 32 bits in groups of seven. */
    private static final int MAX_VARINT_BYTES = 5;

    private SnappyBlock()
    {
    }

    /** Asks for the native library once, and only when somebody wants to know. */
    private static final class Library
    {
        static final boolean AVAILABLE = load();

        private static boolean load()
        {
            try
            {
                return Snappy.maxCompressedLength(1) > 0;
            }
            catch (final LinkageError | SnappyError e)
            {
                return false;
            }
        }
    }

    static boolean isAvailable()
    {
        return Library.AVAILABLE;
    }

    /** The length that the block declares, 0..2^32-1, or -1 if there is none. */
    static long uncompressedLength(final DirectBuffer buffer, final int offset, final int length)
    {
        long value = 0;
        final int bytes = Math.min(length, MAX_VARINT_BYTES);
        for (int i = 0; i < bytes; i++)
        {
            final int next = buffer.getByte(offset + i);
            value |= (next & 0x7FL) << (7 * i);
            if (next >= 0)
            {
                return value <= 0xFFFFFFFFL ? value : -1;
            }
        }
        return -1;
    }

    /** How many bytes the block yielded: what it declared, for which there must be room; -1 if it is corrupt. */
    static int decompress(final DirectMemory memory, final int offset, final int length, final DirectMemory target)
    {
        try
        {
            return Snappy.uncompress(memory.nioView(offset, length), target.nioView(0, target.capacity()));
        }
        catch (final IOException | SnappyError e)
        {
            return -1;
        }
    }

    static int compress(final DirectMemory source,
        final int offset,
        final int length,
        final DirectMemory target,
        final int targetOffset)
    {
        final ByteBuffer room = target.nioView(targetOffset, target.capacity() - targetOffset);
        try
        {
            return Snappy.compress(source.nioView(offset, length), room);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException("snappy: could not compress " + length + " bytes", e);
        }
    }
}
