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
package io.sluice.conformance;

import java.util.zip.CRC32;

/** The two checksums of a v5 segment. */
final class SegmentChecksums
{
    private static final int CRC24_SEED = 0x875060;
    private static final int CRC24_POLYNOMIAL = 0x1974F0B;
    private static final byte[] CRC32_SEED = {(byte)0xfa, 0x2d, 0x55, (byte)0xca};

    private SegmentChecksums()
    {
    }

    /** Over the low {@code width} bytes of the header word, least significant first. */
    static int crc24(final long word, final int width)
    {
        int crc = CRC24_SEED;
        for (int i = 0; i < width; i++)
        {
            crc ^= (int)(word >>> (8 * i) & 0xff) << 16;
            for (int bit = 0; bit < 8; bit++)
            {
                crc <<= 1;
                if ((crc & 0x1000000) != 0)
                {
                    crc ^= CRC24_POLYNOMIAL;
                }
            }
        }
        return crc;
    }

    /** Seeded with four bytes that the protocol text does not mention. */
    static int crc32(final byte[] bytes, final int offset, final int length)
    {
        final CRC32 crc = new CRC32();
        crc.update(CRC32_SEED);
        crc.update(bytes, offset, length);
        return (int)crc.getValue();
    }
}
