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

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Builds what a client sends, byte by byte, with nothing of the server's code. Not thread safe. */
final class WireBytes
{
    private byte[] bytes = new byte[128];
    private int length;

    WireBytes raw(final byte[] source)
    {
        ensure(source.length);
        System.arraycopy(source, 0, bytes, length, source.length);
        length += source.length;
        return this;
    }

    WireBytes byteOf(final int value)
    {
        ensure(1);
        bytes[length++] = (byte)value;
        return this;
    }

    WireBytes shortOf(final int value)
    {
        return byteOf(value >> 8).byteOf(value);
    }

    WireBytes intOf(final int value)
    {
        return shortOf(value >>> 16).shortOf(value);
    }

    WireBytes longOf(final long value)
    {
        return intOf((int)(value >>> 32)).intOf((int)value);
    }

    /** Least significant byte first. */
    WireBytes littleOf(final long value, final int size)
    {
        for (int i = 0; i < size; i++)
        {
            byteOf((int)(value >>> 8 * i));
        }
        return this;
    }

    WireBytes string(final String value)
    {
        final byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        return shortOf(utf8.length).raw(utf8);
    }

    WireBytes longString(final String value)
    {
        final byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        return intOf(utf8.length).raw(utf8);
    }

    WireBytes bytesOf(final byte[] value)
    {
        return value == null ? intOf(-1) : intOf(value.length).raw(value);
    }

    WireBytes shortBytes(final byte[] value)
    {
        return shortOf(value.length).raw(value);
    }

    int length()
    {
        return length;
    }

    byte[] take()
    {
        return Arrays.copyOf(bytes, length);
    }

    private void ensure(final int more)
    {
        if (more > bytes.length - length)
        {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
        }
    }

    /** Header and body; a length that lies can be given. */
    static byte[] envelope(final int version,
        final int flags,
        final int stream,
        final int opcode,
        final int claimedLength,
        final byte[] body)
    {
        return new WireBytes().byteOf(version)
            .byteOf(flags)
            .shortOf(stream)
            .byteOf(opcode)
            .intOf(claimedLength)
            .raw(body)
            .take();
    }

    static byte[] envelope(final int version, final int flags, final int stream, final int opcode, final byte[] body)
    {
        return envelope(version, flags, stream, opcode, body.length, body);
    }

    /** Bytes that tell where they belong: their owner and their place. */
    static byte[] pattern(final int owner, final int length)
    {
        final byte[] result = new byte[length];
        for (int i = 0; i < length; i++)
        {
            result[i] = patternAt(owner, i);
        }
        return result;
    }

    static byte patternAt(final int owner, final int index)
    {
        // Long runs, so that compression has something to do, and no two owners alike.
        return (byte)(owner * 31 + (index >>> 5) * 7 + owner / 200);
    }
}
