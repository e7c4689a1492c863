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

/**
 * How fast a count grows, per second: over all its life and as averages whose weights fade over 1, 5 and 15 minutes.
 * <p>
 * Worked out when somebody looks, from how much the count grew since the last look and how long ago that was, so that
 * counting itself needs no clock. Any thread.
 */
final class CountRates
{
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double[] FADING_SECONDS = {60, 300, 900};

    private final Clock clock;
    private final long firstTick;
    private final double[] averages = new double[FADING_SECONDS.length];
    private long lastTick;
    private long lastCount;
    private boolean started;

    CountRates(final Clock clock)
    {
        this.clock = clock;
        this.firstTick = clock.getTick();
        this.lastTick = firstTick;
    }

    double mean(final long count)
    {
        final double seconds = (clock.getTick() - firstTick) / NANOS_PER_SECOND;
        return count == 0 || seconds <= 0 ? 0 : count / seconds;
    }

    double oneMinute(final long count)
    {
        return average(0, count);
    }

    double fiveMinutes(final long count)
    {
        return average(1, count);
    }

    double fifteenMinutes(final long count)
    {
        return average(2, count);
    }

    private synchronized double average(final int which, final long count)
    {
        final long tick = clock.getTick();
        final double seconds = (tick - lastTick) / NANOS_PER_SECOND;
        if (seconds > 0 && count >= lastCount)
        {
            final double rate = (count - lastCount) / seconds;
            for (int i = 0; i < averages.length; i++)
            {
                final double kept = started ? Math.exp(-seconds / FADING_SECONDS[i]) : 0;
                averages[i] = rate + kept * (averages[i] - rate);
            }
            started = true;
            lastTick = tick;
            lastCount = count;
        }
        return averages[which];
    }
}
