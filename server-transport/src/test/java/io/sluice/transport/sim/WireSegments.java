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
package io.sluice.transport.sim;

import java.util.Arrays;
import java.util.zip.CRC32;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;

/** Segments of version 5 as a client writes and checks them, with nothing of the server's code. */
final class WireSegments
{
    static final int MAX_PAYLOAD = 131_071;
    private static final LZ4Factory LZ4 = LZ4Factory.safeInstance();
    private static final byte[] SEED = {(byte)0xFA, 0x2D, 0x55, (byte)0xCA};

    private WireSegments()
    {
    }

    static int crc24(final long word, final int bytes)
    {
        int crc = 0x875060;
        for (int i = 0; i < bytes; i++)
        {
            crc ^= (int)(word >>> 8 * i & 0xFF) << 16;
            for (int bit = 0; bit < 8; bit++)
            {
                crc <<= 1;
                if ((crc & 0x1000000) != 0)
                {
                    crc ^= 0x1974F0B;
                }
            }
        }
        return crc & 0xFFFFFF;
    }

    static int crc32(final byte[] bytes, final int offset, final int length)
    {
        final CRC32 crc = new CRC32();
        crc.update(SEED);
        crc.update(bytes, offset, length);
        return (int)crc.getValue();
    }

    static byte[] plain(final byte[] payload, final boolean selfContained)
    {
        final long word = payload.length | (selfContained ? 1L << 17 : 0);
        return new WireBytes().littleOf(word, 3)
            .littleOf(crc24(word, 3), 3)
            .raw(payload)
            .littleOf(crc32(payload, 0,
                payload.length), 4)
            .take();
    }

    /** Compressed if that is asked for and pays. */
    static byte[] lz4(final byte[] payload, final boolean selfContained, final boolean compress)
    {
        byte[] block = payload;
        int uncompressedLength = 0;
        if (compress && payload.length > 0)
        {
            final byte[] compressed = LZ4.fastCompressor().compress(payload);
            if (compressed.length <= MAX_PAYLOAD)
            {
                block = compressed;
                uncompressedLength = payload.length;
            }
        }
        return lz4(block, uncompressedLength, selfContained);
    }

    static byte[] lz4(final byte[] block, final int uncompressedLength, final boolean selfContained)
    {
        final long word = block.length | (long)uncompressedLength << 17 | (selfContained ? 1L << 34 : 0);
        return new WireBytes().littleOf(word, 5)
            .littleOf(crc24(word, 5), 3)
            .raw(block)
            .littleOf(crc32(block, 0,
                block.length), 4)
            .take();
    }

    static byte[] lz4Block(final byte[] bytes)
    {
        return LZ4.fastCompressor().compress(bytes);
    }

    static byte[] unLz4(final byte[] block, final int offset, final int length, final int uncompressedLength)
    {
        try
        {
            final byte[] plain = new byte[uncompressedLength];
            final int got = LZ4.safeDecompressor().decompress(block, offset, length, plain, 0);
            return Arrays.copyOf(plain, got);
        }
        catch (final LZ4Exception e)
        {
            throw new SimulationFailure("LZ4 block of " + length + " bytes does not decompress", e);
        }
    }
}
