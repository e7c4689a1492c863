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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads big-endian protocol primitives and complains with {@link GarbledBytes} as soon as something does not fit. */
final class ByteParser
{
    private final byte[] bytes;
    private int position;

    ByteParser(final byte[] bytes)
    {
        this.bytes = bytes;
    }

    int remaining()
    {
        return bytes.length - position;
    }

    int uint8()
    {
        require(1, "byte");
        return bytes[position++] & 0xff;
    }

    int uint16()
    {
        require(2, "short");
        return uint8() << 8 | uint8();
    }

    int int32()
    {
        require(4, "int");
        return uint16() << 16 | uint16();
    }

    long int64()
    {
        require(8, "long");
        return (long)int32() << 32 | int32() & 0xffff_ffffL;
    }

    byte[] raw(final int length, final String what)
    {
        require(length, what);
        position += length;
        return Arrays.copyOfRange(bytes, position - length, position);
    }

    String string()
    {
        return new String(raw(uint16(), "string"), StandardCharsets.UTF_8);
    }

    /** Null if the length is negative. */
    byte[] bytes()
    {
        final int length = int32();
        return length < 0 ? null : raw(length, "bytes");
    }

    byte[] shortBytes()
    {
        return raw(uint16(), "short bytes");
    }

    List<String> stringList()
    {
        final int count = uint16();
        final List<String> values = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            values.add(string());
        }
        return values;
    }

    Map<String, List<String>> stringMultimap()
    {
        final int count = uint16();
        final Map<String, List<String>> values = new LinkedHashMap<>();
        for (int i = 0; i < count; i++)
        {
            values.put(string(), stringList());
        }
        return values;
    }

    Map<String, byte[]> bytesMap()
    {
        final int count = uint16();
        final Map<String, byte[]> values = new LinkedHashMap<>();
        for (int i = 0; i < count; i++)
        {
            values.put(string(), bytes());
        }
        return values;
    }

    void end()
    {
        if (remaining() != 0)
        {
            throw new GarbledBytes(remaining() + " bytes behind the end of the body");
        }
    }

    private void require(final int length, final String what)
    {
        if (length < 0 || length > remaining())
        {
            throw new GarbledBytes(what + " of " + length + " bytes where " + remaining() + " are left");
        }
    }
}
