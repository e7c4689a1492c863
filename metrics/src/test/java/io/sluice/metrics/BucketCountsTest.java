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
package io.sluice.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BucketCountsTest
{
    private static int bucketOf(final long value)
    {
        final BucketCounts counts = new BucketCounts();
        counts.add(value);
        final long[] totals = counts.totals();
        for (int i = 0; i < totals.length; i++)
        {
            if (totals[i] == 1)
            {
                return i;
            }
        }
        throw new AssertionError("not counted: " + value);
    }

    @Test
    void bucketsFollowOneAnother()
    {
        assertEquals(0, BucketCounts.lowest(0));
        for (int i = 1; i < BucketCounts.LENGTH; i++)
        {
            assertEquals(BucketCounts.highest(i - 1) + 1, BucketCounts.lowest(i), "bucket " + i);
        }
        assertEquals(BucketCounts.HIGHEST, BucketCounts.highest(BucketCounts.LENGTH - 1));
    }

    @Test
    void everyValueFallsIntoItsBucket()
    {
        final long seed = System.nanoTime();
        final SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 300; i++)
        {
            final long value = random.nextLong(1L << random.nextInt(1, 42));
            final int bucket = bucketOf(value);
            final long lowest = BucketCounts.lowest(bucket);
            final long highest = BucketCounts.highest(bucket);
            assertTrue(lowest <= value && value <= highest, "seed " + seed + ", value " + value);
            assertTrue(highest - lowest <= lowest / 32, "seed " + seed + ", value " + value);
        }
    }

    @Test
    void valuesOutOfRangeCountAtTheEnds()
    {
        assertEquals(0, bucketOf(-1));
        assertEquals(0, bucketOf(Long.MIN_VALUE));
        assertEquals(BucketCounts.LENGTH - 1, bucketOf(Long.MAX_VALUE));
        assertEquals(BucketCounts.LENGTH - 1, bucketOf(BucketCounts.HIGHEST));
    }

    @Test
    void noCountIsLostBetweenThreads() throws InterruptedException
    {
        final BucketCounts counts = new BucketCounts();
        ManyThreads.run(20, 1000, counts::add);
        assertEquals(20_000, counts.count());
        assertEquals(20, counts.totals()[7]);
    }
}
