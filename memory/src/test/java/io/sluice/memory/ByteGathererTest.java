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
package io.sluice.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ByteGathererTest
{
    private final BufferPool pool = new BufferPool(() -> 0, 8 << 20, true);
    private final ByteGatherer gatherer = new ByteGatherer(pool, "test");

    @AfterEach
    void nothingIsOut()
    {
        assertEquals(0, pool.outstandingLeases());
        pool.close();
    }

    @Test
    void gathersPartsOfAnySize()
    {
        for (long seed = 1; seed <= 50; seed++)
        {
            final Random random = new Random(seed);
            final byte[] expected = new byte[1 + random.nextInt(1 << (1 + random.nextInt(20)))];
            random.nextBytes(expected);
            assertArrayEquals(expected, gather(expected, random), "seed " + seed);
        }
    }

    private byte[] gather(final byte[] expected, final Random random)
    {
        final UnsafeBuffer source = new UnsafeBuffer(expected);
        gatherer.begin(expected.length);
        int offset = 0;
        while (gatherer.missingBytes() > 0)
        {
            final int length = 1 + random.nextInt(expected.length - offset);
            assertEquals(length, gatherer.gather(source, offset, length));
            offset += length;
            assertEquals(offset, gatherer.heldBytes());
        }
        try (BufferLease lease = gatherer.take())
        {
            assertFalse(gatherer.isActive());
            final byte[] bytes = new byte[lease.length()];
            lease.buffer().getBytes(0, bytes);
            return bytes;
        }
    }

    @Test
    void takesNoMoreThanIsMissing()
    {
        gatherer.begin(3);
        assertEquals(3, gatherer.gather(new UnsafeBuffer(new byte[10]), 0, 10));
        assertEquals(0, gatherer.gather(new UnsafeBuffer(new byte[10]), 3, 7));
        gatherer.take().close();
    }

    @Test
    void pinsLittleForAClaimWithNothingBehind()
    {
        gatherer.begin(7 << 20);
        assertEquals(0, pool.outstandingBytes(), "before the first byte");
        gatherer.gather(new UnsafeBuffer(new byte[1]), 0, 1);
        assertEquals(ByteGatherer.INITIAL_BYTES, pool.outstandingBytes());
        gatherer.close();
    }

    @Test
    void growsWithWhatArrives()
    {
        final UnsafeBuffer part = new UnsafeBuffer(new byte[10_000]);
        gatherer.begin(4 << 20);
        while (gatherer.heldBytes() < 2_000_000)
        {
            gatherer.gather(part, 0, part.capacity());
            final long bound = Math.max(BufferPool.SEGMENT_CAPACITY, 16L * gatherer.heldBytes());
            assertTrue(pool.outstandingBytes() <= bound, pool.outstandingBytes() + " for " + gatherer.heldBytes());
        }
        gatherer.close();
        assertEquals(0, gatherer.heldBytes());
    }

    @Test
    void keepsWhatItHasIfThereIsNoMemory()
    {
        gatherer.begin(7 << 20);
        gatherer.gather(new UnsafeBuffer(new byte[]{7}), 0, 1);
        try (BufferLease hog = pool.claim(7 << 20, "hog"))
        {
            assertTrue(hog.isClaimed());
            assertThrows(
                MemoryExhaustedException.class,
                () -> gatherer.gather(new UnsafeBuffer(new byte[2 << 20]), 0, 2 << 20));
        }
        assertEquals(1, gatherer.heldBytes());
        gatherer.close();
        gatherer.close();
    }

    @Test
    void refusesWhatIsOutOfOrder()
    {
        assertThrows(IllegalStateException.class, gatherer::take);
        assertThrows(IllegalArgumentException.class, () -> gatherer.begin(0));
        gatherer.begin(1);
        assertThrows(IllegalStateException.class, gatherer::take);
        assertThrows(IllegalStateException.class, () -> gatherer.begin(1));
        gatherer.close();
    }
}
