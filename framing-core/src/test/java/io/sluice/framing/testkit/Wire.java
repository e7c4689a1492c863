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
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;
import net.jpountz.lz4.LZ4Factory;

/** Envelopes and segments built byte by byte, slowly and independently of the code under test. */
public final class Wire
{
    /** The request without a body. */
    public static final int OPTIONS = 0x05;
    /** A request with a body. */
    public static final int QUERY = 0x07;
    /** What clients must not send. */
    public static final int RESULT = 0x08;

    private Wire()
    {
    }

    /** An envelope whose header says what its body is. */
    public static byte[] envelope(final int version,
        final int flags,
        final int streamId,
        final int opcode,
        final byte[] body)
    {
        return concat(header(version, flags, streamId, opcode, body.length), body);
    }

    /** Nine bytes that may lie about what follows. */
    public static byte[] header(final int version,
        final int flags,
        final int streamId,
        final int opcode,
        final int bodyLength)
    {
        return new byte[]{(byte)version, (byte)flags, (byte)(streamId >> 8), (byte)streamId, (byte)opcode,
            (byte)(bodyLength >> 24), (byte)(bodyLength >> 16), (byte)(bodyLength >> 8), (byte)bodyLength};
    }

    /** The eight bytes of versions 1 and 2. */
    public static byte[] legacyHeader(final int version, final int streamId, final int opcode, final int bodyLength)
    {
        return new byte[]{(byte)version, 0, (byte)streamId, (byte)opcode, (byte)(bodyLength >> 24),
            (byte)(bodyLength >> 16), (byte)(bodyLength >> 8), (byte)bodyLength};
    }

    /** OPTIONS. */
    public static byte[] options(final int version, final int streamId)
    {
        return envelope(version, 0, streamId, OPTIONS, new byte[0]);
    }

    /** A QUERY whose text is filled up so that the whole envelope has this length, at least 20 bytes. */
    public static byte[] query(final int version, final int streamId, final int envelopeLength)
    {
        final boolean wideFlags = version >= 5;
        final int textLength = envelopeLength - 9 - 4 - 2 - (wideFlags ? 4 : 1);
        final byte[] text = new byte[textLength];
        Arrays.fill(text, (byte)' ');
        final byte[] start = "SELECT".getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(start, 0, text, 0, Math.min(start.length, textLength));
        final byte[] length = ByteBuffer.allocate(4).putInt(textLength).array();
        final byte[] tail = wideFlags ? new byte[]{0, 1, 0, 0, 0, 0} : new byte[]{0, 1, 0};
        return envelope(version, 0, streamId, QUERY, concat(length, text, tail));
    }

    /** A segment of 6 + n + 4 bytes. */
    public static byte[] plainSegment(final byte[] payload, final boolean selfContained)
    {
        return plainSegment(payload, selfContained, 0);
    }

    /** A segment of 6 + n + 4 bytes with some of the six padding bits set. */
    public static byte[] plainSegment(final byte[] payload, final boolean selfContained, final int padding)
    {
        final int word = payload.length | (selfContained ? 1 << 17 : 0) | padding << 18;
        return concat(word(word, 3), payload, trailer(payload));
    }

    /** A segment of 8 + n + 4 bytes, not compressed. */
    public static byte[] rawSegment(final byte[] payload, final boolean selfContained)
    {
        return lz4Segment(payload, 0, selfContained);
    }

    /** A segment of 8 + n + 4 bytes that claims any uncompressed length for its block. */
    public static byte[] lz4Segment(final byte[] block, final int uncompressedLength, final boolean selfContained)
    {
        final long word = block.length | (long)uncompressedLength << 17 | (selfContained ? 1L << 34 : 0);
        return concat(word(word, 5), block, trailer(block));
    }

    /** A segment of 8 + n + 4 bytes, compressed whether it pays or not. */
    public static byte[] compressedSegment(final byte[] payload, final boolean selfContained)
    {
        return lz4Segment(lz4Block(payload), payload.length, selfContained);
    }

    /** One LZ4 block. */
    public static byte[] lz4Block(final byte[] content)
    {
        return LZ4Factory.safeInstance().fastCompressor().compress(content);
    }

    private static byte[] word(final long word, final int length)
    {
        final byte[] bytes = new byte[length + 3];
        for (int i = 0; i < length; i++)
        {
            bytes[i] = (byte)(word >>> (8 * i));
        }
        final int crc = crc24(bytes, length);
        bytes[length] = (byte)crc;
        bytes[length + 1] = (byte)(crc >>> 8);
        bytes[length + 2] = (byte)(crc >>> 16);
        return bytes;
    }

    /** The header checksum, bit by bit. */
    public static int crc24(final byte[] bytes, final int length)
    {
        int crc = 0x875060;
        for (int i = 0; i < length; i++)
        {
            crc ^= (bytes[i] & 0xFF) << 16;
            for (int bit = 0; bit < 8; bit++)
            {
                crc <<= 1;
                if ((crc & 0x1000000) != 0)
                {
                    crc ^= 0x1974F0B;
                }
            }
        }
        return crc;
    }

    /** The payload checksum. */
    public static int crc32(final byte[] payload)
    {
        final CRC32 crc = new CRC32();
        crc.update(new byte[]{(byte)0xFA, 0x2D, 0x55, (byte)0xCA});
        crc.update(payload);
        return (int)crc.getValue();
    }

    private static byte[] trailer(final byte[] payload)
    {
        return ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(crc32(payload)).array();
    }

    /** All parts one after another. */
    public static byte[] concat(final byte[]... parts)
    {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (final byte[] part : parts)
        {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    /** From one offset to another. */
    public static byte[] slice(final byte[] bytes, final int from, final int to)
    {
        return Arrays.copyOfRange(bytes, from, to);
    }

    /** Bytes that LZ4 cannot make shorter and that differ from place to place. */
    public static byte[] noise(final int length, final long seed)
    {
        final byte[] bytes = new byte[length];
        new java.util.Random(seed).nextBytes(bytes);
        return bytes;
    }
}
