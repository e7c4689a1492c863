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
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.NanoClock;

/** Stands still until it is moved. Any thread. */
final class ManualClock extends Clock implements NanoClock
{
    private final AtomicLong nanos = new AtomicLong(TimeUnit.DAYS.toNanos(1));

    void advance(final long amount, final TimeUnit unit)
    {
        nanos.addAndGet(unit.toNanos(amount));
    }

    @Override
    public long getTick()
    {
        return nanos.get();
    }

    @Override
    public long nanoTime()
    {
        return nanos.get();
    }
}
