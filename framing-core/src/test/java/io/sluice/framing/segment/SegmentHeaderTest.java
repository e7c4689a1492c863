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

import static io.sluice.framing.segment.SegmentFormat.LZ4;
import static io.sluice.framing.segment.SegmentFormat.MAX_PAYLOAD;
import static io.sluice.framing.segment.SegmentFormat.PLAIN;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.framing.ProtocolException;
import io.sluice.framing.testkit.Hex;
import io.sluice.framing.testkit.Randoms;
import io.sluice.framing.testkit.Wire;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SegmentHeaderTest
{
    private final byte[] bytes = new byte[8];
    private final UnsafeBuffer buffer = new UnsafeBuffer(bytes);

    @ParameterizedTest
    @CsvSource({"9, true, 090002a4c8c1", "16, false, 100000dbdaa6", "0, true, 0000026a36c4",
        "131071, false, ffff013891fe"})
    void writesPlain(final int length, final boolean selfContained, final String expected)
    {
        SegmentHeader.writePlain(buffer, 0, length, selfContained);
        assertEquals(expected, Hex.text(Wire.slice(bytes, 0, 6)));
    }

    @ParameterizedTest
    @CsvSource({"17, 41, true, 1100520004b40bea", "16, 0, true, 1000000004b37a6a",
        "524, 131071, false, 0c02feff034bec49",
        "62, 94, true, 3e00bc0004fa1018", "9, 0, true, 0900000004c2b895", "0, 0, true, 00000000043b414e"})
    void writesLz4(final int length, final int uncompressed, final boolean selfContained, final String expected)
    {
        SegmentHeader.writeLz4(buffer, 0, length, uncompressed, selfContained);
        assertEquals(expected, Hex.text(bytes));
    }

    @Test
    void readsBackWhatItWrote()
    {
        Randoms.forSeeds(1000, random ->
        {
            final int length = random.nextInt(MAX_PAYLOAD + 1);
            final int uncompressed = random.nextInt(MAX_PAYLOAD + 1);
            final boolean selfContained = random.nextBoolean();
            SegmentHeader.writePlain(buffer, 1, length, selfContained);
            assertFields(PLAIN, SegmentHeader.read(buffer, 1, PLAIN), length, 0, selfContained);
            SegmentHeader.writeLz4(buffer, 0, length, uncompressed, selfContained);
            assertFields(LZ4, SegmentHeader.read(buffer, 0, LZ4), length, uncompressed, selfContained);
        });
    }

    private static void assertFields(final SegmentFormat format,
        final long bits,
        final int length,
        final int uncompressed,
        final boolean selfContained)
    {
        SegmentHeader.verify(bits, format);
        assertEquals(length, SegmentHeader.payloadLength(bits));
        assertEquals(uncompressed, SegmentHeader.uncompressedLength(bits, format));
        assertEquals(selfContained, SegmentHeader.isSelfContained(bits, format));
    }

    @Test
    void touchesNothingButItsBytes()
    {
        final byte[] around = Hex.bytes("eeeeeeeeeeeeeeeeeeeeeeee");
        SegmentHeader.writePlain(new UnsafeBuffer(around), 2, 9, true);
        assertArrayEquals(Hex.bytes("eeee090002a4c8c1eeeeeeee"), around);
    }

    @Test
    void ignoresPadding()
    {
        final byte[] segment = Wire.plainSegment(new byte[9], true, 0x3F);
        assertFields(PLAIN, SegmentHeader.read(new UnsafeBuffer(segment), 0, PLAIN), 9, 0, true);
    }

    @Test
    void refusesLengthsThatDoNotFit()
    {
        assertThrows(IllegalArgumentException.class, () -> SegmentHeader.writePlain(buffer, 0, MAX_PAYLOAD + 1, true));
        assertThrows(IllegalArgumentException.class, () -> SegmentHeader.writePlain(buffer, 0, -1, true));
        assertThrows(IllegalArgumentException.class, () -> SegmentHeader.writeLz4(buffer, 0, MAX_PAYLOAD + 1, 0, true));
        assertThrows(IllegalArgumentException.class, () -> SegmentHeader.writeLz4(buffer, 0, 0, MAX_PAYLOAD + 1, true));
    }

    @Test
    void everyFlippedBitIsNoticed()
    {
        for (final SegmentFormat format : SegmentFormat.values())
        {
            SegmentHeader.writeLz4(buffer, 0, 1234, 5678, true);
            if (format == PLAIN)
            {
                SegmentHeader.writePlain(buffer, 0, 1234, true);
            }
            for (int bit = 0; bit < 8 * format.headerLength(); bit++)
            {
                final long damaged = SegmentHeader.read(buffer, 0, format) ^ 1L << bit;
                final ProtocolException error = assertThrows(
                    ProtocolException.class,
                    () -> SegmentHeader.verify(damaged, format));
                assertTrue(error.isFatal());
            }
        }
    }
}
