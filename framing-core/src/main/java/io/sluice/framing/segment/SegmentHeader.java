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
package io.sluice.framing.segment;

import io.sluice.framing.ProtocolException;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The bytes in front of every payload, read as one number: little endian, least significant bit first.
 *
 * <pre>
 *  PLAIN, 6 bytes
 *    bit 0                     17  18       24                      48
 *    +-------------------------+--+---------+-----------------------+
 *    |     payload length      |SC| padding |         CRC24         |
 *    +-------------------------+--+---------+-----------------------+
 *
 *  LZ4, 8 bytes
 *    bit 0                     17                     34 35       40                      64
 *    +-------------------------+----------------------+--+---------+-----------------------+
 *    |     payload length      | uncompressed length  |SC| padding |         CRC24         |
 *    +-------------------------+----------------------+--+---------+-----------------------+
 * </pre>
 *
 * The payload length counts bytes on the wire. An uncompressed length of 0 says that the payload is not compressed.
 * SC says self-contained: whole envelopes. Padding is 0 when sent and ignored when read. Static, no state.
 */
public final class SegmentHeader
{
    private static final int LENGTH_BITS = 17;
    private static final int LENGTH_MASK = (1 << LENGTH_BITS) - 1;
    private static final int PLAIN_SELF_CONTAINED_BIT = 17;
    private static final int LZ4_SELF_CONTAINED_BIT = 34;
    private static final int CRC_MASK = 0xFFFFFF;

    private SegmentHeader()
    {
    }

    /** All bits of a header, unchecked; {@code format.headerLength()} bytes must be there. */
    public static long read(final DirectBuffer buffer, final int offset, final SegmentFormat format)
    {
        if (format == SegmentFormat.LZ4)
        {
            return buffer.getLong(offset, ByteOrder.LITTLE_ENDIAN);
        }
        return (buffer.getInt(offset, ByteOrder.LITTLE_ENDIAN) & 0xFFFFFFFFL) |
            (buffer.getShort(offset + Integer.BYTES, ByteOrder.LITTLE_ENDIAN) & 0xFFFFL) << Integer.SIZE;
    }

    /**
     * Throws if the header's CRC24 is wrong. Nothing behind it can be trusted then, its length least of all.
     *
     * @throws ProtocolException fatal, without a stream
     */
    public static void verify(final long bits, final SegmentFormat format)
    {
        final int read = checksum(bits, format);
        final int computed = Crc24.of(bits, format.wordLength());
        if (read != computed)
        {
            throw mismatch("header", read, computed);
        }
    }

    static ProtocolException mismatch(final String part, final int read, final int computed)
    {
        return ProtocolException.fatal(
            ProtocolException.UNKNOWN_STREAM,
            "invalid, unrecoverable CRC mismatch detected in frame " + part + ". Read " + read + ", Computed " +
                computed);
    }

    /** The CRC24 as sent. */
    public static int checksum(final long bits, final SegmentFormat format)
    {
        return (int)(bits >>> (8 * format.wordLength())) & CRC_MASK;
    }

    /** Bytes on the wire between header and trailer: 0..131,071. */
    public static int payloadLength(final long bits)
    {
        return (int)bits & LENGTH_MASK;
    }

    /** 0 if the payload is not compressed, else what its block must yield exactly, in bytes. */
    public static int uncompressedLength(final long bits, final SegmentFormat format)
    {
        return format == SegmentFormat.LZ4 ? (int)(bits >>> LENGTH_BITS) & LENGTH_MASK : 0;
    }

    /** True: whole envelopes; false: a piece of one. */
    public static boolean isSelfContained(final long bits, final SegmentFormat format)
    {
        final int bit = format == SegmentFormat.LZ4 ? LZ4_SELF_CONTAINED_BIT : PLAIN_SELF_CONTAINED_BIT;
        return (bits >>> bit & 1) != 0;
    }

    /** Writes a header of 6 bytes. */
    public static void writePlain(final MutableDirectBuffer buffer,
        final int offset,
        final int payloadLength,
        final boolean selfContained)
    {
        final int word = checkLength(payloadLength) | (selfContained ? 1 << PLAIN_SELF_CONTAINED_BIT : 0);
        final int crc = Crc24.of(word, SegmentFormat.PLAIN.wordLength());
        buffer.putInt(offset, word | crc << 24, ByteOrder.LITTLE_ENDIAN);
        buffer.putShort(offset + Integer.BYTES, (short)(crc >>> 8), ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Writes a header of 8 bytes.
     *
     * @param uncompressedLength in bytes; 0 if the payload is sent as it is
     */
    public static void writeLz4(final MutableDirectBuffer buffer,
        final int offset,
        final int payloadLength,
        final int uncompressedLength,
        final boolean selfContained)
    {
        final long word = checkLength(payloadLength) | (long)checkLength(uncompressedLength) << LENGTH_BITS |
            (selfContained ? 1L << LZ4_SELF_CONTAINED_BIT : 0);
        final long crc = Crc24.of(word, SegmentFormat.LZ4.wordLength());
        buffer.putLong(offset, word | crc << 40, ByteOrder.LITTLE_ENDIAN);
    }

    private static int checkLength(final int length)
    {
        if (length < 0 || length > SegmentFormat.MAX_PAYLOAD)
        {
            throw new IllegalArgumentException(
                "length: " + length + " (expected: 0.." + SegmentFormat.MAX_PAYLOAD + ")");
        }
        return length;
    }
}
