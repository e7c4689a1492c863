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
import com.codahale.metrics.Snapshot;
import com.codahale.metrics.Timer;
import com.codahale.metrics.UniformReservoir;

/** A timer whose rates and percentiles follow from what was counted, when somebody asks. Any thread. */
abstract class CountedTimer extends Timer
{
    private final RecentCounts recent;
    private final CountRates rates;

    CountedTimer(final Clock clock)
    {
        super(new UniformReservoir(1), clock); // the reservoir is never used
        recent = new RecentCounts(this::totals, clock);
        rates = new CountRates(clock);
    }

    /** As {@link Buckets#totals}. */
    abstract long[] totals();

    @Override
    public double getMeanRate()
    {
        return rates.mean(getCount());
    }

    @Override
    public double getOneMinuteRate()
    {
        return rates.oneMinute(getCount());
    }

    @Override
    public double getFiveMinuteRate()
    {
        return rates.fiveMinutes(getCount());
    }

    @Override
    public double getFifteenMinuteRate()
    {
        return rates.fifteenMinutes(getCount());
    }

    @Override
    public Snapshot getSnapshot()
    {
        return recent.snapshot();
    }
}
