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
package io.sluice.bench.compare;

import io.sluice.bench.report.Ratios;
import io.sluice.bench.report.Table;
import io.sluice.bench.report.Verdict;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What is said of one contestant beside another. Immutable.
 *
 * @param base what it is divided by
 * @param target the most that the ratio (or, if {@code absolute}, the value itself) may be; NaN if there is none
 */
record Claim(Figure figure, Contestant ours, Contestant base, double target, boolean absolute)
{

    static final String[] HEADINGS = {"traffic", "server", "median", "beside", "median there", "ratio", "95 % interval",
        "least..most", "target", "verdict"};

    void addTo(final Table table, final Measurements measured)
    {
        final Ratios values = measured.values(ours, figure);
        final Ratios there = measured.values(base, figure);
        final Ratios ratios = measured.ratios(ours, base, figure);
        table.add(ours.traffic().toString(), ours.server().toString(), figure.show(values.median()), baseName(),
            figure.show(there.median()), number(ratios.median()),
            number(ratios.lower()) + ".." + number(ratios.upper()),
            number(ratios.least()) + ".." + number(ratios.most()),
            Double.isNaN(target) ? "" : absolute ? "at most " + figure.show(target) : number(target),
            verdict(values, ratios));
    }

    private String baseName()
    {
        return ours.traffic().equals(base.traffic())
            ? base.server().toString()
            : ours.server() == base.server()
                ? base.traffic().flavour()
                : base.server() + " " + base.traffic().flavour();
    }

    private String verdict(final Ratios values, final Ratios ratios)
    {
        return absolute ? Verdict.ofValue(values, target) : Verdict.ofRatio(ratios, target);
    }

    /** For JSON. */
    Map<String, Object> record(final Measurements measured)
    {
        final Ratios values = measured.values(ours, figure);
        final Ratios ratios = measured.ratios(ours, base, figure);
        final Map<String, Object> record = new LinkedHashMap<>();
        record.put("figure", figure.name());
        record.put("traffic", ours.traffic());
        record.put("server", ours.server().name());
        record.put("median", values.median());
        record.put("baseServer", base.server().name());
        record.put("baseTraffic", base.traffic());
        record.put("baseMedian", measured.values(base, figure).median());
        record.put("ratio", ratios.median());
        record.put("lower95", ratios.lower());
        record.put("upper95", ratios.upper());
        record.put("least", ratios.least());
        record.put("most", ratios.most());
        record.put("target", Double.isNaN(target) ? null : target);
        record.put("targetIsAbsolute", absolute);
        record.put("verdict", verdict(values, ratios));
        return record;
    }

    private static String number(final double ratio)
    {
        return String.format(Locale.ROOT, ratio < 0.1 ? "%.3f" : "%.2f", ratio);
    }
}
