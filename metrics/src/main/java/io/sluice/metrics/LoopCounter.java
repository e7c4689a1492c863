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

/** A counter that event loops add to without an atomic instruction. Any thread. */
final class LoopCounter extends Counter
{
    private final OwnedCounts owned = new OwnedCounts(1);

    @Override
    public void inc()
    {
        inc(1);
    }

    @Override
    public void inc(final long n)
    {
        if (!owned.add(0, n))
        {
            super.inc(n);
        }
    }

    @Override
    public void dec()
    {
        inc(-1);
    }

    @Override
    public void dec(final long n)
    {
        inc(-n);
    }

    @Override
    public long getCount()
    {
        final long[] count = {super.getCount()};
        owned.addTo(count);
        return count[0];
    }
}
