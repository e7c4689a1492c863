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

import java.util.Arrays;

/** Bytes in at the back, out at the front. */
final class ByteQueue
{
    private byte[] bytes = new byte[4096];
    private int from;
    private int to;

    void add(final byte[] source, final int length)
    {
        if (length > bytes.length - to)
        {
            final byte[] bigger = length > bytes.length - length()
                ? new byte[Math.max(bytes.length * 2, length() + length)]
                : bytes;
            System.arraycopy(bytes, from, bigger, 0, length());
            to -= from;
            from = 0;
            bytes = bigger;
        }
        System.arraycopy(source, 0, bytes, to, length);
        to += length;
    }

    int length()
    {
        return to - from;
    }

    byte[] peek(final int offset, final int length)
    {
        return Arrays.copyOfRange(bytes, from + offset, from + offset + length);
    }

    int at(final int offset)
    {
        return bytes[from + offset] & 0xff;
    }

    long littleEndian(final int offset, final int width)
    {
        long value = 0;
        for (int i = width - 1; i >= 0; i--)
        {
            value = value << 8 | at(offset + i);
        }
        return value;
    }

    void remove(final int length)
    {
        from += length;
    }
}
