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

import org.agrona.DirectBuffer;

/**
 * The checksum of segment headers: polynomial 0x1974F0B, register 0x875060, most significant bit first, over 3 or 5
 * bytes. Five tables, one for each distance to the end, so that the look-ups do not wait for each other. Immutable.
 */
public final class Crc24
{
    private static final int INITIAL = 0x875060;
    private static final int POLYNOMIAL = 0x1974F0B;
    private static final int MASK = 0xFFFFFF;

    private static final int[] TABLE_0 = new int[256];
    private static final int[] TABLE_1 = new int[256];
    private static final int[] TABLE_2 = new int[256];
    private static final int[] TABLE_3 = new int[256];
    private static final int[] TABLE_4 = new int[256];
    static
    {
        for (int i = 0; i < 256; i++)
        {
            TABLE_0[i] = shiftByte(i << 16);
            TABLE_1[i] = shiftByte(TABLE_0[i]);
            TABLE_2[i] = shiftByte(TABLE_1[i]);
            TABLE_3[i] = shiftByte(TABLE_2[i]);
            TABLE_4[i] = shiftByte(TABLE_3[i]);
        }
    }

    private Crc24()
    {
    }

    private static int shiftByte(final int register)
    {
        int crc = register;
        for (int bit = 0; bit < 8; bit++)
        {
            crc <<= 1;
            if ((crc & 0x1000000) != 0)
            {
                crc ^= POLYNOMIAL;
            }
        }
        return crc & MASK;
    }

    /**
     * The checksum of bytes in a buffer.
     *
     * @param length 3 or 5
     * @return 24 bits, to be written least significant byte first
     */
    public static int of(final DirectBuffer buffer, final int offset, final int length)
    {
        long word = 0;
        for (int i = 0; i < length; i++)
        {
            word |= (buffer.getByte(offset + i) & 0xFFL) << (8 * i);
        }
        return of(word, length);
    }

    /**
     * The checksum of the low bytes of a little-endian word.
     *
     * @param length 3 or 5
     * @return 24 bits, to be written least significant byte first
     */
    public static int of(final long word, final int length)
    {
        if (length == 3)
        {
            return ofThree((int)word);
        }
        if (length == 5)
        {
            return ofFive(word);
        }
        throw new IllegalArgumentException("length: " + length + " (expected: 3 or 5)");
    }

    private static int ofThree(final int word)
    {
        return TABLE_2[(word ^ (INITIAL >>> 16)) & 0xFF] ^ TABLE_1[((word ^ INITIAL) >>> 8) & 0xFF] ^
            TABLE_0[((word >>> 16) ^ INITIAL) & 0xFF];
    }

    private static int ofFive(final long word)
    {
        final int low = (int)word;
        return TABLE_4[(low ^ (INITIAL >>> 16)) & 0xFF] ^ TABLE_3[((low ^ INITIAL) >>> 8) & 0xFF] ^
            TABLE_2[((low >>> 16) ^ INITIAL) & 0xFF] ^ TABLE_1[low >>> 24] ^ TABLE_0[(int)(word >>> 32) & 0xFF];
    }
}
