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
package io.sluice.transport.sim;

import java.util.SplittableRandom;

/** All chance in a simulation comes from here, and all of it from one seed. Not thread safe. */
final class Dice
{
    private final SplittableRandom random;

    Dice(final long seed)
    {
        random = new SplittableRandom(seed);
    }

    /** 0..bound-1. */
    int below(final int bound)
    {
        return random.nextInt(bound);
    }

    /** from..to, both included. */
    int between(final int from, final int to)
    {
        return from + random.nextInt(to - from + 1);
    }

    /** True once in so many times. */
    boolean oneIn(final int times)
    {
        return random.nextInt(times) == 0;
    }

    boolean percent(final int percent)
    {
        return random.nextInt(100) < percent;
    }

    long next()
    {
        return random.nextLong();
    }

    @SafeVarargs
    final <T> T of(final T... choices)
    {
        return choices[random.nextInt(choices.length)];
    }

    /** Small most of the time, up to {@code most} now and then: sizes that meet both ends. */
    int size(final int most)
    {
        return switch (random.nextInt(8))
        {
            case 0 -> between(0, most);
            case 1 -> between(0, Math.min(most, 16 * 1024));
            case 2, 3 -> between(0, Math.min(most, 1024));
            default -> between(0, Math.min(most, 64));
        };
    }

    /** A cut of at least 1 and at most {@code most} bytes: often all of it, often very few. */
    int cut(final int most)
    {
        return switch (random.nextInt(6))
        {
            case 0 -> 1;
            case 1 -> between(1, Math.min(most, 12));
            case 2 -> between(1, most);
            default -> most;
        };
    }
}
