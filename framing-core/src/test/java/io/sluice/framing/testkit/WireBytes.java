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
package io.sluice.framing.testkit;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.agrona.concurrent.UnsafeBuffer;

/** Builds bytes of the native protocol one primitive after another, by nothing but arithmetic. Not thread safe. */
public final class WireBytes
{
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    /** Bytes from hexadecimal digits; blanks, line ends and text in double quotes (as ASCII) are allowed. */
    public static byte[] hex(final String text)
    {
        final StringBuilder digits = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < text.length(); i++)
        {
            final char c = text.charAt(i);
            if (c == '"')
            {
                quoted = !quoted;
            }
            else if (quoted)
            {
                digits.append(HexFormat.of().toHexDigits((byte)c));
            }
            else if (!Character.isWhitespace(c))
            {
                digits.append(c);
            }
        }
        return HexFormat.of().parseHex(digits);
    }

    /** Digits of these bytes. */
    public static String toHex(final byte[] bytes)
    {
        return HexFormat.of().formatHex(bytes);
    }

    /** Digits of part of a buffer. */
    public static String toHex(final UnsafeBuffer buffer, final int offset, final int length)
    {
        final byte[] copy = new byte[length];
        buffer.getBytes(offset, copy);
        return toHex(copy);
    }

    /** [byte]. */
    public WireBytes int1(final int value)
    {
        bytes.write(value);
        return this;
    }

    /** [short]. */
    public WireBytes int2(final int value)
    {
        return int1(value >>> 8).int1(value);
    }

    /** [int]. */
    public WireBytes int4(final int value)
    {
        return int2(value >>> 16).int2(value);
    }

    /** [long]. */
    public WireBytes int8(final long value)
    {
        return int4((int)(value >>> 32)).int4((int)value);
    }

    /** Bytes as they are. */
    public WireBytes raw(final byte[] value)
    {
        bytes.writeBytes(value);
        return this;
    }

    /** Bytes from {@link #hex} text. */
    public WireBytes raw(final String hex)
    {
        return raw(hex(hex));
    }

    /** [string]. */
    public WireBytes string(final String value)
    {
        return shortBytes(value.getBytes(StandardCharsets.UTF_8));
    }

    /** [long string]. */
    public WireBytes longString(final String value)
    {
        return bytes(value.getBytes(StandardCharsets.UTF_8));
    }

    /** [bytes]; null is -1. */
    public WireBytes bytes(final byte[] value)
    {
        return value == null ? int4(-1) : int4(value.length).raw(value);
    }

    /** [short bytes]. */
    public WireBytes shortBytes(final byte[] value)
    {
        return int2(value.length).raw(value);
    }

    /** How many so far. */
    public int length()
    {
        return bytes.size();
    }

    /** All so far. */
    public byte[] toArray()
    {
        return bytes.toByteArray();
    }

    /** An envelope with a body, its header in front: a request if the version byte has no direction bit. */
    public static byte[] envelope(final int versionByte,
        final int flags,
        final int streamId,
        final int opcode,
        final byte[] body)
    {
        return new WireBytes().int1(versionByte)
            .int1(flags)
            .int2(streamId)
            .int1(opcode)
            .int4(body.length)
            .raw(body)
            .toArray();
    }
}
