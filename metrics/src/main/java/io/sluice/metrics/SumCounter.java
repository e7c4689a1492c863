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

import com.codahale.metrics.Counter;
import java.util.List;

/** Several counters as one. Counts nothing itself. Any thread. */
final class SumCounter extends Counter
{
    private final List<Counter> parts;

    SumCounter(final List<Counter> parts)
    {
        this.parts = List.copyOf(parts);
    }

    @Override
    public void inc(final long n)
    {
        throw new UnsupportedOperationException("inc: this is a sum (expected: one of its parts)");
    }

    @Override
    public void dec(final long n)
    {
        throw new UnsupportedOperationException("dec: this is a sum (expected: one of its parts)");
    }

    @Override
    public long getCount()
    {
        return parts.stream().mapToLong(Counter::getCount).sum();
    }
}
