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

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Where values lie between two edges, straight or by their logarithm, and which of them are marked. Immutable. */
final class Axis
{
    private static final int MARKS = 5;
    private static final int[] STEPS = {1, 2, 5};

    private final double least;
    private final double most;
    private final boolean logarithmic;
    private final double from;
    private final double to;

    /** From {@code from} to {@code to}, in the picture's coordinates. */
    Axis(final double least, final double most, final boolean logarithmic, final double from, final double to)
    {
        this.logarithmic = logarithmic;
        this.least = logarithmic ? Math.max(least, Double.MIN_NORMAL) : least;
        this.most = most > this.least ? most : this.least * 2 + 1;
        this.from = from;
        this.to = to;
    }

    double at(final double value)
    {
        final double share = logarithmic
            ? Math.log(Math.max(value, least) / least) / Math.log(most / least)
            : (value - least) / (most - least);
        return from + share * (to - from);
    }

    /** Round values between the edges. */
    List<Double> marks()
    {
        final List<Double> marks = new ArrayList<>();
        if (logarithmic)
        {
            final boolean wide = most / least > 1000;
            for (double power = Math.pow(10, Math.floor(Math.log10(least))); power <= most; power *= 10)
            {
                for (final int step : STEPS)
                {
                    if (step * power >= least * 0.999 && step * power <= most * 1.001 && (step == 1 || !wide))
                    {
                        marks.add(step * power);
                    }
                }
            }
            return marks;
        }
        final double rough = (most - least) / MARKS;
        final double power = Math.pow(10, Math.floor(Math.log10(rough)));
        final double step = rough / power < 1.5
            ? power
            : rough / power < 3.5
                ? 2 * power
                : rough / power < 7.5
                    ? 5 * power
                    : 10 * power;
        for (double mark = Math.ceil(least / step) * step; mark <= most * 1.0001; mark += step)
        {
            marks.add(mark);
        }
        return marks;
    }

    static String text(final double value)
    {
        if (value >= 1000 || value == Math.rint(value))
        {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        return String.format(Locale.ROOT, value < 0.1 ? "%.3f" : value < 1 ? "%.2f" : "%.1f", value);
    }
}
