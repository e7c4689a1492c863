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
package io.sluice.framing.request;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/** Checks UTF-8 strictly (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF. */
final class Utf8
{
    private static final long HIGH_BITS = 0x8080808080808080L;

    private Utf8()
    {
    }

    /** How far into the bytes the first malformed sequence starts, or -1 if there is none. The range must be there. */
    static int firstMalformed(final DirectBuffer buffer, final int offset, final int length)
    {
        final int limit = offset + length;
        int position = offset;
        while (position < limit)
        {
            if (limit - position >= Long.BYTES &&
                (buffer.getLong(position, ByteOrder.LITTLE_ENDIAN) & HIGH_BITS) == 0)
            {
                position += Long.BYTES;
                continue;
            }
            final int sequence = sequenceLength(buffer, position, limit);
            if (sequence == 0)
            {
                return position - offset;
            }
            position += sequence;
        }
        return -1;
    }

    /** Bytes of the character that starts here, or 0 if none does. */
    private static int sequenceLength(final DirectBuffer buffer, final int position, final int limit)
    {
        final int first = buffer.getByte(position) & 0xFF;
        if (first < 0x80)
        {
            return 1;
        }
        if (first < 0xC2 || first > 0xF4)
        {
            return 0;
        }
        final int length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
        if (length > limit - position || !isSecond(first, buffer.getByte(position + 1) & 0xFF))
        {
            return 0;
        }
        for (int i = 2; i < length; i++)
        {
            if ((buffer.getByte(position + i) & 0xC0) != 0x80)
            {
                return 0;
            }
        }
        return length;
    }

    /** Overlong forms, surrogates and code points beyond the last all show in the second byte. */
    private static boolean isSecond(final int first, final int second)
    {
        final int low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
        final int high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
        return second >= low && second <= high;
    }
}
