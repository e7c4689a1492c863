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
package io.sluice.conformance;

import java.io.PrintStream;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Prints outcomes for a reader: one server, or two side by side. */
final class OutcomeTable
{
    private static final int ID = 52;
    private static final int WORDS = 54;

    private final PrintStream out;
    private final boolean verbose;

    OutcomeTable(final PrintStream out, final boolean verbose)
    {
        this.out = out;
        this.verbose = verbose;
    }

    void header(final String... servers)
    {
        final StringBuilder line = new StringBuilder(pad("check", ID)).append(pad("expected", WORDS));
        for (final String server : servers)
        {
            line.append(servers.length > 1 ? pad(server, WORDS) : "verdict: got");
        }
        out.println(line.toString().stripTrailing());
    }

    void row(final Outcome outcome)
    {
        out.println(pad(outcome.check().id(), ID) + pad(outcome.check().expected(), WORDS) + outcome.verdict().label() +
            ": " + shorten(outcome.got(), verbose || outcome.verdict().isFailure() ? 400 : 60));
        details("", outcome);
    }

    void row(final Outcome left, final Outcome right)
    {
        out.println((pad(left.check().id(), ID) + pad(left.check().expected(), WORDS) +
            pad(left.verdict().label() + ": " + left.got(), WORDS) +
            shorten(right.verdict().label() + ": " + right.got(), WORDS)).stripTrailing());
        details("left: ", left);
        details("right: ", right);
    }

    void summary(final String server, final List<Outcome> outcomes)
    {
        final Map<Verdict, Integer> counts = new EnumMap<>(Verdict.class);
        outcomes.forEach(outcome -> counts.merge(outcome.verdict(), 1, Integer::sum));
        out.printf(Locale.ROOT, "%n%s: %d checks, %d passed, %d failed (%d of them as stock 5.0.8 does), %d skipped%n",
            server, outcomes.size(), counts.getOrDefault(Verdict.PASS, 0),
            counts.getOrDefault(Verdict.FAIL, 0) + counts.getOrDefault(Verdict.FAIL_AS_STOCK, 0),
            counts.getOrDefault(Verdict.FAIL_AS_STOCK, 0), counts.getOrDefault(Verdict.SKIPPED, 0));
    }

    private void details(final String side, final Outcome outcome)
    {
        if (verbose || outcome.verdict() == Verdict.FAIL)
        {
            if (!outcome.check().source().isEmpty())
            {
                out.println("    " + side + "see " + outcome.check().source());
            }
            if (outcome.verdict() == Verdict.FAIL)
            {
                out.println("    " + side + "accepted: " + outcome.check().accepted());
            }
            outcome.errorTexts()
                .stream()
                .distinct()
                .limit(3)
                .forEach(text -> out.println("    " + side + "\"" + shorten(text.replace('\n', ' '), 300) + "\""));
        }
    }

    private static String pad(final String text, final int width)
    {
        final String fitting = shorten(text, width - 2);
        return fitting + " ".repeat(width - fitting.length());
    }

    private static String shorten(final String text, final int width)
    {
        return text.length() <= width ? text : text.substring(0, width - 2) + "..";
    }
}
