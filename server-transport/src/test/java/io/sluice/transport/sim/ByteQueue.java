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

/** Bytes in order: one direction of a socket. Not thread safe. */
final class ByteQueue
{
    private byte[] bytes = new byte[256];
    private int head;
    private int tail;
    private long taken;

    int size()
    {
        return tail - head;
    }

    boolean isEmpty()
    {
        return head == tail;
    }

    /** Bytes ever taken out. */
    long taken()
    {
        return taken;
    }

    void put(final byte[] source, final int offset, final int length)
    {
        ensure(length);
        System.arraycopy(source, offset, bytes, tail, length);
        tail += length;
    }

    void put(final byte[] source)
    {
        put(source, 0, source.length);
    }

    private void ensure(final int length)
    {
        if (length <= bytes.length - tail)
        {
            return;
        }
        final int size = size();
        final byte[] target = length + size <= bytes.length
            ? bytes
            : new byte[Math.max(2 * bytes.length, size +
                length)];
        System.arraycopy(bytes, head, target, 0, size);
        bytes = target;
        head = 0;
        tail = size;
    }

    byte[] take(final int length)
    {
        final byte[] result = Arrays.copyOfRange(bytes, head, head + length);
        head += length;
        taken += length;
        return result;
    }

    byte peek(final int index)
    {
        return bytes[head + index];
    }

    int peekInt(final int index)
    {
        return (peek(index) & 0xFF) << 24 | (peek(index + 1) & 0xFF) << 16 | (peek(index + 2) & 0xFF) << 8 |
            peek(index + 3) & 0xFF;
    }

    byte[] peek(final int index, final int length)
    {
        return Arrays.copyOfRange(bytes, head + index, head + index + length);
    }

    void clear()
    {
        head = 0;
        tail = 0;
    }
}
