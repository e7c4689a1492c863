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
package io.sluice.bench.soak;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The keys that one client alone writes, with the generation that each has now. A key is in one request at a time, so
 * that every read has one right answer. Taken by the asking thread, given back by the reading one.
 */
final class GoodKeys
{
    private final int first;
    private final AtomicIntegerArray busy;
    private final AtomicIntegerArray generations;

    GoodKeys(final int first, final int count)
    {
        this.first = first;
        busy = new AtomicIntegerArray(count);
        generations = new AtomicIntegerArray(count);
    }

    /** An index that is nobody's until {@link #giveBack}; negative if all are taken. */
    int take(final SplittableRandom random)
    {
        final int start = random.nextInt(busy.length());
        for (int i = 0; i < busy.length(); i++)
        {
            final int index = (start + i) % busy.length();
            if (busy.compareAndSet(index, 0, 1))
            {
                return index;
            }
        }
        return -1;
    }

    void giveBack(final int index)
    {
        busy.set(index, 0);
    }

    int key(final int index)
    {
        return first + index;
    }

    /** 0 if it was never written. */
    int generation(final int index)
    {
        return generations.get(index);
    }

    int nextGeneration(final int index)
    {
        return generations.incrementAndGet(index);
    }
}
