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
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.codahale.metrics.Snapshot;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BucketTimerTest
{
    private final ManualClock clock = new ManualClock();
    private final BucketTimer timer = new BucketTimer(clock);

    @Test
    void quantilesAreThoseOfTheValues()
    {
        for (int i = 1; i <= 1000; i++)
        {
            timer.update(i * 1000L);
        }
        final Snapshot snapshot = timer.getSnapshot();
        assertEquals(1000, snapshot.size());
        assertEquals(500_000, snapshot.getMedian(), 16_000);
        assertEquals(990_000, snapshot.get99thPercentile(), 31_000);
        assertEquals(1_000_000, (double)snapshot.getMax(), 31_000);
        assertEquals(1000, (double)snapshot.getMin(), 32);
        assertEquals(500_500, snapshot.getMean(), 5000);
        assertEquals(288_819, snapshot.getStdDev(), 5000);
        assertEquals(1000, snapshot.getValues().length);
        assertThrows(IllegalArgumentException.class, () -> snapshot.getValue(1.01));
    }

    @Test
    void smallValuesAreExact()
    {
        timer.update(Duration.ofNanos(7));
        timer.update(63, TimeUnit.NANOSECONDS);
        final Snapshot snapshot = timer.getSnapshot();
        assertEquals(7, snapshot.getMin());
        assertEquals(63, snapshot.getMax());
        assertEquals(35, snapshot.getMean());
        final ByteArrayOutputStream dumped = new ByteArrayOutputStream();
        snapshot.dump(dumped);
        assertEquals(String.format("7 1%n63 1%n"), dumped.toString(StandardCharsets.UTF_8));
    }

    @Test
    void nothingCountedIsAllZero()
    {
        final Snapshot snapshot = timer.getSnapshot();
        assertEquals(0, snapshot.size());
        assertEquals(0, snapshot.getMax());
        assertEquals(0, snapshot.getMin());
        assertEquals(0, snapshot.getMean());
        assertEquals(0, snapshot.getStdDev());
        assertEquals(0, snapshot.get999thPercentile());
        assertEquals(0, timer.getMeanRate());
        assertEquals(0, timer.getOneMinuteRate());
    }

    @Test
    void oldValuesLeaveTheSnapshotButNotTheCount()
    {
        timer.update(1000);
        clock.advance(61, TimeUnit.SECONDS);
        assertEquals(1, timer.getSnapshot().size());
        timer.update(50);
        clock.advance(61, TimeUnit.SECONDS);
        assertEquals(1, timer.getSnapshot().size());
        assertEquals(50, timer.getSnapshot().getMax());
        clock.advance(61, TimeUnit.SECONDS);
        assertEquals(0, timer.getSnapshot().size());
        assertEquals(2, timer.getCount());
    }

    @Test
    void rarelyReadItStillMissesNothing()
    {
        timer.getSnapshot();
        clock.advance(1, TimeUnit.HOURS);
        timer.getSnapshot();
        timer.update(40);
        clock.advance(1, TimeUnit.HOURS);
        assertEquals(1, timer.getSnapshot().size());
    }

    @Test
    void ratesFollowASteadyStream()
    {
        for (int second = 0; second < 60; second++)
        {
            count(10);
            clock.advance(1, TimeUnit.SECONDS);
        }
        assertEquals(10, timer.getMeanRate(), 1e-9);
        assertEquals(10, timer.getOneMinuteRate(), 1e-9);
        assertEquals(10, timer.getFifteenMinuteRate(), 1e-9);
    }

    @Test
    void ratesFadeWithTheirTimes()
    {
        count(600);
        clock.advance(1, TimeUnit.MINUTES);
        assertEquals(10, timer.getOneMinuteRate(), 1e-9);
        clock.advance(1, TimeUnit.MINUTES);
        assertEquals(10 * Math.exp(-1), timer.getOneMinuteRate(), 1e-9);
        assertEquals(10 * Math.exp(-0.2), timer.getFiveMinuteRate(), 1e-9);
        assertEquals(10 * Math.exp(-1 / 15.0), timer.getFifteenMinuteRate(), 1e-9);
        assertEquals(5, timer.getMeanRate(), 1e-9);
    }

    private void count(final int values)
    {
        for (int i = 0; i < values; i++)
        {
            timer.update(1);
        }
    }
}
