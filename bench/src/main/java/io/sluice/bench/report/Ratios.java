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
package io.sluice.bench.report;

import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;

/** Ratios of interleaved rounds: median, spread and a bootstrap interval of the median. Immutable. */
public final class Ratios
{
    private static final int RESAMPLES = 2000;
    private static final long SEED = 20_260_101;
    private static final double LOWER = 0.025;
    private static final double UPPER = 0.975;

    private final double[] sorted;
    private final double[] medians = new double[RESAMPLES];

    /** At least one ratio; the array is copied. */
    public Ratios(final double... values)
    {
        this(values.length, values);
    }

    private Ratios(final int perFork, final double[] values)
    {
        if (values.length == 0)
        {
            throw new IllegalArgumentException("values: none (expected: at least one)");
        }
        sorted = values.clone();
        Arrays.sort(sorted);
        // A fixed seed: the same rounds always give the same interval.
        final SplittableRandom random = new SplittableRandom(SEED);
        final double[] sample = new double[values.length];
        for (int i = 0; i < RESAMPLES; i++)
        {
            for (int j = 0; j < sample.length; j += perFork)
            {
                final int fork = perFork * random.nextInt(values.length / perFork);
                for (int k = 0; k < perFork; k++)
                {
                    sample[j + k] = values[fork + random.nextInt(perFork)];
                }
            }
            Arrays.sort(sample);
            medians[i] = middle(sample);
        }
        Arrays.sort(medians);
    }

    /**
     * Rounds of several JVMs each. What one of them was compiled to is the same in all of its rounds, so the interval
     * comes from forks drawn anew and rounds drawn anew within these.
     *
     * @param perFork rounds of each fork, at least 1; they lie together
     * @param values as many for each fork
     */
    public static Ratios ofForks(final int perFork, final double... values)
    {
        if (perFork < 1 || values.length % perFork != 0)
        {
            throw new IllegalArgumentException("perFork: " + perFork + " (expected: a divisor of " + values.length +
                ")");
        }
        return new Ratios(perFork, values);
    }

    private static double middle(final double[] ascending)
    {
        final int half = ascending.length / 2;
        return ascending.length % 2 == 1 ? ascending[half] : (ascending[half - 1] + ascending[half]) / 2;
    }

    /** How many there are. */
    public int count()
    {
        return sorted.length;
    }

    /** The middle one. */
    public double median()
    {
        return middle(sorted);
    }

    /** The least. */
    public double least()
    {
        return sorted[0];
    }

    /** The greatest. */
    public double most()
    {
        return sorted[sorted.length - 1];
    }

    /** As text: the median, and in brackets the least and the greatest. */
    public String spread()
    {
        return String.format(Locale.ROOT, "%.2f (%.2f..%.2f)", median(), least(), most());
    }

    /** Lower end of the 95 % bootstrap interval of the median. */
    public double lower()
    {
        return medians[(int)(LOWER * RESAMPLES)];
    }

    /** Upper end of the 95 % bootstrap interval of the median. */
    public double upper()
    {
        return medians[(int)(UPPER * RESAMPLES)];
    }
}
