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
package io.sluice.transport.testkit;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Builds bytes in the notations of the protocol text, and anything that breaks it. Not thread safe. */
public final class WireBytes
{
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    /** One byte. */
    public WireBytes u8(final int value)
    {
        out.write(value);
        return this;
    }

    /** [short]. */
    public WireBytes u16(final int value)
    {
        return u8(value >>> 8).u8(value);
    }

    /** [int]. */
    public WireBytes i32(final int value)
    {
        return u16(value >>> 16).u16(value);
    }

    /** Little endian, this many bytes. */
    public WireBytes little(final long value, final int bytes)
    {
        for (int i = 0; i < bytes; i++)
        {
            u8((int)(value >>> 8 * i));
        }
        return this;
    }

    /** These bytes as they are. */
    public WireBytes raw(final byte... bytes)
    {
        out.write(bytes, 0, bytes.length);
        return this;
    }

    /** These bytes as they are. */
    public WireBytes hex(final String hex)
    {
        return raw(HexFormat.of().parseHex(hex));
    }

    /** [string]. */
    public WireBytes string(final String text)
    {
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return u16(bytes.length).raw(bytes);
    }

    /** [long string]. */
    public WireBytes longString(final String text)
    {
        return value(text.getBytes(StandardCharsets.UTF_8));
    }

    /** [bytes] or [value]; null is -1. */
    public WireBytes value(final byte[] bytes)
    {
        return bytes == null ? i32(-1) : i32(bytes.length).raw(bytes);
    }

    /** [short bytes]. */
    public WireBytes shortBytes(final byte[] bytes)
    {
        return u16(bytes.length).raw(bytes);
    }

    /** All so far. */
    public byte[] toArray()
    {
        return out.toByteArray();
    }

    /** Parts in one. */
    public static byte[] concat(final byte[]... parts)
    {
        final WireBytes all = new WireBytes();
        for (final byte[] part : parts)
        {
            all.raw(part);
        }
        return all.toArray();
    }

    /** Hexadecimal digits as bytes. */
    public static byte[] ofHex(final String hex)
    {
        return HexFormat.of().parseHex(hex);
    }
}
