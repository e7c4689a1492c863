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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sluice.framing.testkit.Hex;
import io.sluice.framing.testkit.Randoms;
import io.sluice.framing.testkit.Wire;
import io.sluice.memory.DirectMemory;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChecksumTest
{
    private final PayloadChecksum payloadChecksum = new PayloadChecksum();

    @ParameterizedTest
    @CsvSource({"ffffff, 7a86ff", "0102030405, 319669", "090002, c1c8a4"})
    void crc24MatchesKnownValues(final String bytes, final String expected)
    {
        final byte[] input = Hex.bytes(bytes);
        assertEquals(Integer.parseInt(expected, 16), Crc24.of(new UnsafeBuffer(input), 0, input.length));
    }

    /** One byte is not a header; these two show that the reference used below is right. */
    @ParameterizedTest
    @CsvSource({"00, 00e78d", "01, 97a886", "ffffff, 7a86ff", "0102030405, 319669"})
    void referenceMatchesKnownValues(final String bytes, final String expected)
    {
        final byte[] input = Hex.bytes(bytes);
        assertEquals(Integer.parseInt(expected, 16), Wire.crc24(input, input.length));
    }

    @Test
    void crc24MatchesTheBitByBitForm()
    {
        Randoms.forSeeds(2000, random ->
        {
            final byte[] bytes = new byte[8];
            random.nextBytes(bytes);
            final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
            assertEquals(Wire.crc24(bytes, 3), Crc24.of(buffer, 0, 3));
            assertEquals(Wire.crc24(bytes, 5), Crc24.of(buffer, 0, 5));
            assertEquals(Wire.crc24(Wire.slice(bytes, 2, 7), 5), Crc24.of(buffer, 2, 5));
        });
    }

    @Test
    void crc24IgnoresTheBitsAboveItsBytes()
    {
        assertEquals(Crc24.of(0x090002, 3), Crc24.of(0xFFFFFFFFFF090002L, 3));
        assertEquals(Crc24.of(0x0504030201L, 5), Crc24.of(0xFFFFFF0504030201L, 5));
        assertThrows(IllegalArgumentException.class, () -> Crc24.of(0, 4));
    }

    @Test
    void crc24DetectsEachBurstOfUpTo24Bits()
    {
        final long word = 0x04_0002_1234L;
        final long header = word | (long)Crc24.of(word, 5) << 40;
        for (int length = 1; length <= 24; length++)
        {
            for (int shift = 0; shift + length <= 64; shift++)
            {
                final long burst = (length == 1 ? 1L : 1L | 1L << (length - 1)) << shift;
                final long damaged = header ^ burst;
                final int sent = (int)(damaged >>> 40);
                assertEquals(false, sent == Crc24.of(damaged, 5), "burst " + length + " at " + shift);
            }
        }
    }

    @Test
    void payloadChecksumMatchesKnownValues()
    {
        assertEquals(0x44777ed3, payloadChecksum.of(DirectMemory.allocate(1), 0, 0));
        final byte[] digits = "123456789".getBytes(StandardCharsets.US_ASCII);
        assertEquals(0xe2a261a7, payloadChecksum.of(Hex.memory(digits), 0, digits.length));
    }

    @Test
    void payloadChecksumMatchesTheArrayForm()
    {
        Randoms.forSeeds(300, random ->
        {
            final byte[] bytes = new byte[random.nextInt(5000)];
            random.nextBytes(bytes);
            final DirectMemory memory = Hex.memory(Wire.concat(new byte[7], bytes, new byte[9]));
            assertEquals(Wire.crc32(bytes), payloadChecksum.of(memory, 7, bytes.length));
        });
    }
}
