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

import com.codahale.metrics.Clock;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * What was counted lately: since a reading that is at least one minute back, or since the beginning.
 * <p>
 * Only readers pay: whoever counts neither looks at a clock nor ages anything. Read often, a snapshot covers one to two
 * minutes; read every five minutes, it covers five, so that no value is missed. Any thread.
 */
final class RecentCounts
{
    private static final long WINDOW_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Supplier<long[]> totals;
    private final Clock clock;
    private long[] base = new long[BucketCounts.LENGTH];
    private long[] nextBase = base;
    private long nextBaseTick;

    RecentCounts(final Supplier<long[]> totals, final Clock clock)
    {
        this.totals = totals;
        this.clock = clock;
        this.nextBaseTick = clock.getTick();
    }

    synchronized BucketSnapshot snapshot()
    {
        final long[] counts = totals.get();
        final long tick = clock.getTick();
        if (tick - nextBaseTick >= WINDOW_NANOS)
        {
            base = nextBase;
            nextBase = counts.clone();
            nextBaseTick = tick;
        }
        for (int i = 0; i < counts.length; i++)
        {
            counts[i] -= base[i];
        }
        return new BucketSnapshot(counts);
    }
}
