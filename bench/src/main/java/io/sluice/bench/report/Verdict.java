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

import java.util.Locale;

/** Whether measurements reach a target that they must not exceed. Stateless. */
public final class Verdict
{
    /** Where ratios are near 1, what the machine does alone moves them: more rounds, and a little room. */
    private static final double NEAR_LEAST = 0.67;
    private static final double NEAR_MOST = 1.5;
    private static final int NEAR_ROUNDS = 20;
    private static final double NEAR_ROOM = 0.05;

    private Verdict()
    {
    }

    /** Of ratios; an empty text without a target (NaN). */
    public static String ofRatio(final Ratios ratios, final double target)
    {
        final boolean near = ratios.median() >= NEAR_LEAST && ratios.median() <= NEAR_MOST;
        return of(ratios, target, target + (near ? NEAR_ROOM : 0), near && ratios.count() < NEAR_ROUNDS);
    }

    /** Of absolute values. */
    public static String ofValue(final Ratios values, final double target)
    {
        return of(values, target, target, false);
    }

    private static String of(final Ratios values, final double target, final double limit, final boolean tooFew)
    {
        if (Double.isNaN(target))
        {
            return "";
        }
        if (values.upper() <= limit)
        {
            return tooFew ? "reached in " + values.count() + " rounds (" + NEAR_ROUNDS + " needed)" : "reached";
        }
        if (values.median() <= target)
        {
            return String.format(Locale.ROOT, "open: spread up to %.3g", values.upper());
        }
        if (target == 0)
        {
            return String.format(Locale.ROOT, "missed by %.3g", values.median());
        }
        return String.format(Locale.ROOT, "missed by %.0f %%", (values.median() / target - 1) * 100);
    }
}
