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
package io.sluice.bench.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;

class MemoryTrendTest
{
    private static final long BOUND = 1_000;

    private static MemoryTrend trend(final int samples, final IntToLongFunction heap)
    {
        final List<MemorySample> all = new ArrayList<>();
        for (int i = 0; i < samples; i++)
        {
            all.add(new MemorySample(60.0 * i, heap.applyAsLong(i), 0, 0, 0));
        }
        return MemoryTrend.of("heap", all, MemorySample::heap, BOUND);
    }

    @Test
    void warmUpDoesNotCount()
    {
        final MemoryTrend trend = trend(30, i -> i < 10 ? i * 10_000L : 100_000);
        assertEquals(20, trend.samples());
        assertEquals(100_000, trend.firstBytes());
        assertEquals(0, trend.growthBytes());
        assertTrue(trend.isFlat());
    }

    @Test
    void steadyGrowthShows()
    {
        final MemoryTrend trend = trend(30, i -> 5_000 + i * 100L);
        assertEquals(1_900, trend.growthBytes());
        assertTrue(trend.isJudged());
        assertFalse(trend.isFlat());
    }

    @Test
    void noiseIsNoGrowth()
    {
        assertTrue(trend(30, i -> 5_000 + i % 2 * 3_000L).isFlat());
    }

    @Test
    void fewSamplesAreNotJudged()
    {
        assertFalse(trend(9, i -> i * 1_000_000L).isJudged());
        assertFalse(trend(0, i -> 0).isJudged());
    }
}
