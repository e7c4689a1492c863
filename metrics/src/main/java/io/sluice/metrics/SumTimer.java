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
import com.codahale.metrics.Timer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Several timers as one: what they have counted, together. Counts nothing itself. Any thread. */
final class SumTimer extends CountedTimer
{
    private final List<BucketTimer> parts;

    SumTimer(final List<BucketTimer> parts, final Clock clock)
    {
        super(clock);
        this.parts = List.copyOf(parts);
    }

    @Override
    long[] totals()
    {
        final long[] sum = new long[BucketCounts.LENGTH];
        for (final BucketTimer part : parts)
        {
            final long[] counts = part.totals();
            for (int i = 0; i < sum.length; i++)
            {
                sum[i] += counts[i];
            }
        }
        return sum;
    }

    @Override
    public void update(final long duration, final TimeUnit unit)
    {
        throw new UnsupportedOperationException("update: this is a sum (expected: one of its parts)");
    }

    @Override
    public void update(final Duration duration)
    {
        throw new UnsupportedOperationException("update: this is a sum (expected: one of its parts)");
    }

    @Override
    public long getCount()
    {
        return parts.stream().mapToLong(Timer::getCount).sum();
    }
}
