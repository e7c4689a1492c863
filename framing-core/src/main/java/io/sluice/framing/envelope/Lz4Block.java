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
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/** LZ4 blocks in direct memory, by the fastest code that works on this machine. Any thread. */
final class Lz4Block
{
    private static final LZ4Compressor COMPRESSOR = LZ4Factory.fastestInstance().fastCompressor();
    // Never the "fast" one: it trusts the length that a client declares (CVE-2025-12183).
    private static final LZ4SafeDecompressor DECOMPRESSOR = LZ4Factory.fastestInstance().safeDecompressor();

    private Lz4Block()
    {
    }

    /** How many bytes the block yielded, at most {@code maxLength}; negative if it is corrupt or longer. */
    static int decompress(final DirectMemory memory,
        final int offset,
        final int length,
        final DirectMemory target,
        final int maxLength)
    {
        try
        {
            return DECOMPRESSOR.decompress(memory.nioView(), offset, length, target.nioView(), 0, maxLength);
        }
        catch (final LZ4Exception | IndexOutOfBoundsException e)
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
        return COMPRESSOR.compress(
            source.nioView(),
            offset,
            length,
            target.nioView(),
            targetOffset,
            target.capacity() - targetOffset);
    }
}
