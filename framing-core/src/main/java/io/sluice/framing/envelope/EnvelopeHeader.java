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
package io.sluice.framing.envelope;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The nine bytes in front of every body, from version 3 on.
 *
 * <pre>
 *   0               1               2               3
 *   0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 *  +-+-------------+---------------+-------------------------------+
 *  |R|   version   |     flags     |           stream id           |
 *  +-+-------------+---------------+-------------------------------+
 *  |    opcode     |                  body length
 *  +---------------+-----------------------------------------------+
 *                  |
 *  +---------------+
 * </pre>
 *
 * All big endian. An instance holds the fields of the header that was read last, so that one object serves a whole
 * connection. Not thread safe.
 */
public final class EnvelopeHeader
{
    /** In bytes, versions 3 and later. */
    public static final int LENGTH = 9;
    /** In bytes, versions 1 and 2, which are only refused. */
    public static final int LEGACY_LENGTH = 8;
    /** Set in the version byte of responses. */
    public static final int RESPONSE_BIT = 0x80;

    private static final int FLAGS_OFFSET = 1;
    private static final int STREAM_ID_OFFSET = 2;
    private static final int OPCODE_OFFSET = 4;
    private static final int BODY_LENGTH_OFFSET = 5;

    private int versionByte;
    private int flags;
    private int streamId;
    private int opcode;
    private int bodyLength;

    /** Reads all fields; nothing is checked but that the caller has nine bytes there. */
    public void wrap(final DirectBuffer buffer, final int offset)
    {
        versionByte = buffer.getByte(offset) & 0xFF;
        flags = buffer.getByte(offset + FLAGS_OFFSET) & 0xFF;
        streamId = buffer.getShort(offset + STREAM_ID_OFFSET, ByteOrder.BIG_ENDIAN);
        opcode = buffer.getByte(offset + OPCODE_OFFSET) & 0xFF;
        bodyLength = buffer.getInt(offset + BODY_LENGTH_OFFSET, ByteOrder.BIG_ENDIAN);
    }

    /** Reads the eight bytes of a header of version 1 or 2, whose stream id is one signed byte. */
    public void wrapLegacy(final DirectBuffer buffer, final int offset)
    {
        versionByte = buffer.getByte(offset) & 0xFF;
        flags = buffer.getByte(offset + FLAGS_OFFSET) & 0xFF;
        streamId = buffer.getByte(offset + STREAM_ID_OFFSET);
        opcode = buffer.getByte(offset + OPCODE_OFFSET - 1) & 0xFF;
        bodyLength = buffer.getInt(offset + BODY_LENGTH_OFFSET - 1, ByteOrder.BIG_ENDIAN);
    }

    /** Writes the eight bytes of a response header of version 1 or 2, for nothing but refusing these versions. */
    public static void encodeLegacyResponse(final MutableDirectBuffer buffer,
        final int offset,
        final int version,
        final int streamId,
        final int opcode,
        final int bodyLength)
    {
        buffer.putByte(offset, (byte)(RESPONSE_BIT | version));
        buffer.putByte(offset + FLAGS_OFFSET, (byte)0);
        buffer.putByte(offset + STREAM_ID_OFFSET, (byte)streamId);
        buffer.putByte(offset + OPCODE_OFFSET - 1, (byte)opcode);
        buffer.putInt(offset + BODY_LENGTH_OFFSET - 1, bodyLength, ByteOrder.BIG_ENDIAN);
    }

    /** Writes a response header. */
    public static void encodeResponse(final MutableDirectBuffer buffer,
        final int offset,
        final int version,
        final int flags,
        final int streamId,
        final int opcode,
        final int bodyLength)
    {
        buffer.putByte(offset, (byte)(RESPONSE_BIT | version));
        buffer.putByte(offset + FLAGS_OFFSET, (byte)flags);
        buffer.putShort(offset + STREAM_ID_OFFSET, (short)streamId, ByteOrder.BIG_ENDIAN);
        buffer.putByte(offset + OPCODE_OFFSET, (byte)opcode);
        buffer.putInt(offset + BODY_LENGTH_OFFSET, bodyLength, ByteOrder.BIG_ENDIAN);
    }

    /** Changes the stream id alone. */
    public static void putStreamId(final MutableDirectBuffer buffer, final int offset, final int streamId)
    {
        buffer.putShort(offset + STREAM_ID_OFFSET, (short)streamId, ByteOrder.BIG_ENDIAN);
    }

    /** The opcode alone, without reading the other fields. */
    public static int opcode(final DirectBuffer buffer, final int offset)
    {
        return buffer.getByte(offset + OPCODE_OFFSET) & 0xFF;
    }

    /** The body length alone, without reading the other fields; negative in a header that lies. */
    public static int bodyLength(final DirectBuffer buffer, final int offset)
    {
        return buffer.getInt(offset + BODY_LENGTH_OFFSET, ByteOrder.BIG_ENDIAN);
    }

    /** Copies another header's fields. */
    public void set(final EnvelopeHeader other)
    {
        versionByte = other.versionByte;
        flags = other.flags;
        streamId = other.streamId;
        opcode = other.opcode;
        bodyLength = other.bodyLength;
    }

    /** The low seven bits of the first byte: may be any number. */
    public int version()
    {
        return versionByte & ~RESPONSE_BIT;
    }

    /** True if the direction bit says response: never right from a client. */
    public boolean isResponse()
    {
        return (versionByte & RESPONSE_BIT) != 0;
    }

    /** See {@link io.sluice.framing.EnvelopeFlags}. */
    public int flags()
    {
        return flags;
    }

    /** True if any bit of the mask is set. */
    public boolean hasFlag(final int mask)
    {
        return (flags & mask) != 0;
    }

    /** Signed; negative ids belong to server-pushed events. */
    public int streamId()
    {
        return streamId;
    }

    /** 0..255; see {@link io.sluice.framing.Opcode#of}. */
    public int opcode()
    {
        return opcode;
    }

    /** In bytes; negative in a header that lies. */
    public int bodyLength()
    {
        return bodyLength;
    }

    /** Header and body, in bytes; a long since a lying length may be near 2 GiB. */
    public long envelopeLength()
    {
        return (long)LENGTH + bodyLength;
    }
}
