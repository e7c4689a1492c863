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

/**
 * One envelope: header and body. Versions 1 and 2 have a header of 8 bytes, with one byte of stream id.
 *
 * <pre>
 * | direction and version 1 | flags 1 | stream 2 (v1, v2: 1) | opcode 1 | body length 4 | body |
 * </pre>
 */
final class Envelope
{
    static final int HEADER_LENGTH = 9;
    static final int RESPONSE = 0x80;
    static final int COMPRESSED = 0x01;
    static final int TRACING = 0x02;
    static final int CUSTOM_PAYLOAD = 0x04;
    static final int WARNING = 0x08;
    static final int USE_BETA = 0x10;

    private static final int LARGEST_BELIEVABLE = 512 << 20;

    private final int versionByte;
    private final int flags;
    private final int stream;
    private final int opcode;
    private final byte[] body;

    Envelope(final int versionByte, final int flags, final int stream, final int opcode, final byte[] body)
    {
        this.versionByte = versionByte;
        this.flags = flags;
        this.stream = stream;
        this.opcode = opcode;
        this.body = body;
    }

    /** Null if the bytes end inside the envelope. */
    static Envelope parse(final byte[] bytes, final int offset, final int length)
    {
        if (length < 1)
        {
            return null;
        }
        final int version = bytes[offset] & 0x7f;
        final int streamWidth = version <= 2 ? 1 : 2;
        final int headerLength = 7 + streamWidth;
        if (version < 1 || version > 6)
        {
            throw new GarbledBytes(
                "version byte " + Integer.toHexString(bytes[offset] & 0xff) + " (expected: 81..86): " +
                    Segments.hex(Arrays.copyOfRange(bytes, offset, offset + Math.min(16, length))));
        }
        if (length < headerLength)
        {
            return null;
        }
        final ByteParser header = new ByteParser(Arrays.copyOfRange(bytes, offset, offset + headerLength));
        final int versionByte = header.uint8();
        final int flags = header.uint8();
        final int stream = streamWidth == 1 ? (byte)header.uint8() : (short)header.uint16();
        final int opcode = header.uint8();
        final int bodyLength = header.int32();
        if (bodyLength < 0 || bodyLength > LARGEST_BELIEVABLE)
        {
            throw new GarbledBytes("body length " + bodyLength);
        }
        if (bodyLength > length - headerLength)
        {
            return null;
        }
        final int bodyOffset = offset + headerLength;
        return new Envelope(versionByte, flags, stream, opcode,
            Arrays.copyOfRange(bytes, bodyOffset, bodyOffset + bodyLength));
    }

    /** How many bytes the envelope at the start of {@code head} takes; 0 if its header is not whole. */
    static int lengthNeeded(final byte[] head)
    {
        if (head.length < HEADER_LENGTH)
        {
            return 0;
        }
        final int headerLength = (head[0] & 0x7f) <= 2 ? HEADER_LENGTH - 1 : HEADER_LENGTH;
        final ByteParser parser = new ByteParser(head);
        parser.raw(headerLength - 4, "header");
        return headerLength + parser.int32();
    }

    /** A request's bytes, with the length that belongs to them. */
    static byte[] of(final int versionByte, final int flags, final int stream, final int opcode, final byte[] body)
    {
        return claiming(versionByte, flags, stream, opcode, body.length, body);
    }

    /** A request's bytes with a length that need not be right. */
    static byte[] claiming(final int versionByte,
        final int flags,
        final int stream,
        final int opcode,
        final int claimedLength,
        final byte[] body)
    {
        final ByteBuilder envelope = new ByteBuilder().int8(versionByte).int8(flags);
        if ((versionByte & 0x7f) == 1 || (versionByte & 0x7f) == 2)
        {
            envelope.int8(stream);
        }
        else
        {
            envelope.int16(stream);
        }
        return envelope.int8(opcode).int32(claimedLength).raw(body).toBytes();
    }

    int length()
    {
        return (version() <= 2 ? HEADER_LENGTH - 1 : HEADER_LENGTH) + body.length;
    }

    boolean isResponse()
    {
        return (versionByte & RESPONSE) != 0;
    }

    int version()
    {
        return versionByte & 0x7f;
    }

    int flags()
    {
        return flags;
    }

    boolean has(final int flag)
    {
        return (flags & flag) != 0;
    }

    int stream()
    {
        return stream;
    }

    int opcode()
    {
        return opcode;
    }

    byte[] body()
    {
        return body;
    }

    Envelope withBody(final byte[] other)
    {
        return new Envelope(versionByte, flags, stream, opcode, other);
    }
}
