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

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * Grows an array of big-endian protocol primitives. Any length or count may also be written as a lie: the builder
 * checks
 * nothing, that is what it is for.
 */
final class ByteBuilder
{
    private byte[] bytes = new byte[64];
    private int length;

    static byte[] fromHex(final String hex)
    {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    static byte[] join(final byte[]... parts)
    {
        final ByteBuilder joined = new ByteBuilder();
        for (final byte[] part : parts)
        {
            joined.raw(part);
        }
        return joined.toBytes();
    }

    ByteBuilder int8(final int value)
    {
        reserve(1);
        bytes[length++] = (byte)value;
        return this;
    }

    ByteBuilder int16(final int value)
    {
        return int8(value >>> 8).int8(value);
    }

    ByteBuilder int32(final int value)
    {
        return int16(value >>> 16).int16(value);
    }

    ByteBuilder int64(final long value)
    {
        return int32((int)(value >>> 32)).int32((int)value);
    }

    /** The low {@code width} bytes of the value, least significant first: for segment headers and trailers. */
    ByteBuilder littleEndian(final long value, final int width)
    {
        for (int i = 0; i < width; i++)
        {
            int8((int)(value >>> (8 * i)));
        }
        return this;
    }

    ByteBuilder raw(final byte[] value)
    {
        reserve(value.length);
        System.arraycopy(value, 0, bytes, length, value.length);
        length += value.length;
        return this;
    }

    ByteBuilder hex(final String hex)
    {
        return raw(fromHex(hex));
    }

    ByteBuilder string(final String value)
    {
        return shortBytes(value.getBytes(StandardCharsets.UTF_8));
    }

    ByteBuilder longString(final String value)
    {
        return bytes(value.getBytes(StandardCharsets.UTF_8));
    }

    /** {@code [bytes]}: a null array is length -1. */
    ByteBuilder bytes(final byte[] value)
    {
        return value == null ? int32(-1) : int32(value.length).raw(value);
    }

    ByteBuilder shortBytes(final byte[] value)
    {
        return int16(value.length).raw(value);
    }

    ByteBuilder stringList(final List<String> values)
    {
        int16(values.size());
        values.forEach(this::string);
        return this;
    }

    ByteBuilder stringMap(final Map<String, String> values)
    {
        int16(values.size());
        values.forEach((key, value) -> string(key).string(value));
        return this;
    }

    ByteBuilder bytesMap(final Map<String, byte[]> values)
    {
        int16(values.size());
        values.forEach((key, value) -> string(key).bytes(value));
        return this;
    }

    int length()
    {
        return length;
    }

    byte[] toBytes()
    {
        return Arrays.copyOf(bytes, length);
    }

    private void reserve(final int extra)
    {
        if (extra > bytes.length - length)
        {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + extra));
        }
    }
}
