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
package io.sluice.framing.fuzz;

import io.sluice.framing.segment.SegmentFormat;
import io.sluice.framing.testkit.Wire;
import java.io.ByteArrayOutputStream;

/**
 * Makes segments of fuzzed bytes. No search finds a checksum by trying, so without help nearly every input would end at
 * the first one.
 */
final class Segments
{
    /** As they came. */
    static final int AS_IS = 0;
    /** Wherever the lengths say that a checksum is, the right one is put. */
    static final int REPAIRED = 1;
    /** The bytes are payloads: for each a byte of flags, a length of two bytes, and itself. */
    static final int WRAPPED = 2;

    private static final int MODES = 3;
    private static final int SELF_CONTAINED = 0x01;
    private static final int COMPRESSED = 0x02;

    private Segments()
    {
    }

    /** What goes over the wire for the rest of an input. */
    static byte[] of(final FuzzInput input, final SegmentFormat format)
    {
        return switch (input.next() % MODES)
        {
            case REPAIRED -> repaired(input.rest(), format);
            case WRAPPED -> wrapped(input, format);
            default -> input.rest();
        };
    }

    private static byte[] wrapped(final FuzzInput input, final SegmentFormat format)
    {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        while (input.hasMore())
        {
            final int flags = input.next();
            final int length = input.next() << 8 | input.next();
            out.writeBytes(segment(input.next(length), flags, format));
        }
        return out.toByteArray();
    }

    private static byte[] segment(final byte[] payload, final int flags, final SegmentFormat format)
    {
        final boolean selfContained = (flags & SELF_CONTAINED) != 0;
        if (format == SegmentFormat.PLAIN)
        {
            return Wire.plainSegment(payload, selfContained);
        }
        return (flags & COMPRESSED) != 0 && payload.length > 0
            ? Wire.compressedSegment(payload, selfContained)
            : Wire.rawSegment(payload, selfContained);
    }

    private static byte[] repaired(final byte[] bytes, final SegmentFormat format)
    {
        int position = 0;
        while (bytes.length - position >= format.headerLength())
        {
            final byte[] word = Wire.slice(bytes, position, position + format.wordLength());
            put(bytes, position + word.length, Wire.crc24(word, word.length), format.headerLength() - word.length);
            position += format.headerLength();
            final int length = word[0] & 0xFF | (word[1] & 0xFF) << 8 | (word[2] & 1) << 16;
            if (bytes.length - position < length + SegmentFormat.TRAILER_LENGTH)
            {
                break;
            }
            final byte[] payload = Wire.slice(bytes, position, position + length);
            put(bytes, position + length, Wire.crc32(payload), SegmentFormat.TRAILER_LENGTH);
            position += length + SegmentFormat.TRAILER_LENGTH;
        }
        return bytes;
    }

    private static void put(final byte[] bytes, final int offset, final int value, final int length)
    {
        for (int i = 0; i < length; i++)
        {
            bytes[offset + i] = (byte)(value >>> (Byte.SIZE * i));
        }
    }
}
