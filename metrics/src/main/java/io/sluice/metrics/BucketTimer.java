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
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A timer that costs one increment per value: the library's own one looks at the clock and allocates.
 * Any thread.
 */
final class BucketTimer extends CountedTimer implements Buckets
{
    private final BucketCounts counts = new BucketCounts();

    BucketTimer(final Clock clock)
    {
        super(clock);
    }

    /** Counts one duration. */
    void update(final long nanos)
    {
        counts.add(nanos);
    }

    @Override
    public void update(final long duration, final TimeUnit unit)
    {
        counts.add(unit.toNanos(duration));
    }

    @Override
    public void update(final Duration duration)
    {
        counts.add(duration.toNanos());
    }

    @Override
    public long getCount()
    {
        return counts.count();
    }

    @Override
    public long[] totals()
    {
        return counts.totals();
    }
}
