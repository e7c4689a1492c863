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
package io.sluice.framing.testkit;

import java.util.Random;

/** All ways to cut an input that every decoder test goes through. */
public final class Splits
{
    /** Inputs up to this length are cut in two at each place. */
    private static final int EVERY_SPLIT_LIMIT = 4096;
    private static final int AROUND_BOUNDARY = 12;
    private static final int SEEDED_SPLITS = 200;

    private Splits()
    {
    }

    /** Is given one way to cut. */
    @FunctionalInterface
    public interface Trial
    {
        /**
         * Passes {@code ends.length} parts, each up to its end.
         *
         * @param ends offsets in ascending order, the last one the length of the input
         */
        void run(int[] ends);
    }

    /**
     * Whole, byte by byte, and in two at each place up to 4 KiB; beyond that at 12 places on each side of every
     * boundary and 200 times in several parts at random.
     *
     * @param boundaries where structures begin or end
     */
    public static void forEach(final int length, final int[] boundaries, final Trial trial)
    {
        run(trial, "whole", new int[]{length});
        run(trial, "byte by byte", steps(length, 1));
        if (length <= EVERY_SPLIT_LIMIT)
        {
            for (int split = 1; split < length; split++)
            {
                inTwo(trial, split, length);
            }
            return;
        }
        for (final int boundary : boundaries)
        {
            final int last = Math.min(length - 1, boundary + AROUND_BOUNDARY);
            for (int split = Math.max(1, boundary - AROUND_BOUNDARY); split <= last; split++)
            {
                inTwo(trial, split, length);
            }
        }
        for (int seed = 1; seed <= SEEDED_SPLITS; seed++)
        {
            run(trial, "seed " + seed, random(length, new Random(seed)));
        }
    }

    private static void inTwo(final Trial trial, final int split, final int length)
    {
        run(trial, "at " + split, new int[]{split, length});
    }

    private static void run(final Trial trial, final String name, final int[] ends)
    {
        try
        {
            trial.run(ends);
        }
        catch (final RuntimeException | AssertionError e)
        {
            throw new AssertionError("input cut " + name + ": " + e.getMessage(), e);
        }
    }

    private static int[] steps(final int length, final int step)
    {
        final int[] ends = new int[(length + step - 1) / step];
        for (int i = 0; i < ends.length; i++)
        {
            ends[i] = Math.min(length, (i + 1) * step);
        }
        return ends;
    }

    /** Ends of 1 to 16 parts. */
    public static int[] random(final int length, final Random random)
    {
        return java.util.stream.IntStream
            .concat(random.ints(random.nextInt(16), 1, Math.max(2, length)), java.util.stream.IntStream.of(length))
            .sorted()
            .distinct()
            .toArray();
    }
}
