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
import com.codahale.metrics.Histogram;
import com.codahale.metrics.Snapshot;
import com.codahale.metrics.UniformReservoir;

/**
 * A histogram that costs one increment per value: the library's own ones lock, look at the clock or allocate.
 * Any thread.
 */
final class BucketHistogram extends Histogram implements Buckets
{
    private final BucketCounts counts = new BucketCounts();
    private final RecentCounts recent;

    BucketHistogram(final Clock clock)
    {
        super(new UniformReservoir(1)); // never used
        recent = new RecentCounts(counts::totals, clock);
    }

    @Override
    public void update(final int value)
    {
        counts.add(value);
    }

    @Override
    public void update(final long value)
    {
        counts.add(value);
    }

    @Override
    public long getCount()
    {
        return counts.count();
    }

    @Override
    public Snapshot getSnapshot()
    {
        return recent.snapshot();
    }

    @Override
    public long[] totals()
    {
        return counts.totals();
    }
}
