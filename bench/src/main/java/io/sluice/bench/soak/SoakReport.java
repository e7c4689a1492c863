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

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a run showed, as text and as JSON. Immutable.
 *
 * @param seed of all choices
 * @param seconds how long clients were at it
 * @param ledger what they did
 * @param atRest gauges once all were gone
 * @param restSeconds how long it took until all gauges were zero
 * @param counters what the node counted
 * @param samples memory, in order
 * @param trends memory judged
 */
record SoakReport(
    long seed,
    double seconds,
    Ledger ledger,
    Map<String, Long> atRest,
    double restSeconds,
    Map<String, Long> counters,
    List<MemorySample> samples,
    List<MemoryTrend> trends)
{

    private static final double MEBIBYTE = 1 << 20;

    /** True if nothing went wrong. */
    boolean passed()
    {
        return ledger.faultCount() == 0;
    }

    void print(final PrintWriter out)
    {
        out.printf(Locale.ROOT, "%nSoak of %.0f s, seed %d%n", seconds, seed);
        out.printf(Locale.ROOT, "%n%-28s %12s   %s%n", "client", "actions", "outcomes");
        ledger.actions()
            .forEach((kind, count) -> out.printf(Locale.ROOT, "%-28s %,12d   %s%n", kind, count,
                words(ledger.outcomes(kind))));
        out.printf(Locale.ROOT, "%n%-28s %s%n", "node's counters", words(counters));
        out.printf(Locale.ROOT, "%nAt rest, %.1f s after the last client left: %s%n", restSeconds, words(atRest));
        out.printf(Locale.ROOT, "%n%10s %10s %10s %12s %10s%n", "seconds", "heap MiB", "direct MiB", "Sluice MiB",
            "RSS MiB");
        for (final MemorySample sample : samples)
        {
            out.printf(Locale.ROOT, "%10.0f %10.1f %10.1f %12.1f %10.1f%n", sample.seconds(), sample.heap() / MEBIBYTE,
                sample.direct() / MEBIBYTE, sample.buffers() / MEBIBYTE, sample.resident() / MEBIBYTE);
        }
        for (final MemoryTrend trend : trends)
        {
            out.printf(Locale.ROOT, "%-34s from %.1f MiB, growth %+.1f MiB over %d samples (at most %+.1f): %s%n",
                trend.name(), trend.firstBytes() / MEBIBYTE, trend.growthBytes() / MEBIBYTE, trend.samples(),
                trend.boundBytes() / MEBIBYTE, verdict(trend));
        }
        out.println();
        ledger.faults().forEach(fault -> out.println("FAULT " + fault));
        out.println(passed()
            ? "PASSED: every request one right answer, all gauges zero at rest, memory flat where judged."
            : "FAILED: " + ledger.faultCount() + " faults" + (ledger.faultCount() > ledger.faults().size()
                ? ", the first of them above."
                : "."));
        out.flush();
    }

    private static String verdict(final MemoryTrend trend)
    {
        if (!trend.isJudged())
        {
            return "not judged, too few samples";
        }
        return trend.isFlat() ? "flat" : "GROWS";
    }

    private static String words(final Map<String, Long> counts)
    {
        return counts.entrySet()
            .stream()
            .map(entry -> entry.getKey() + " " + String.format(Locale.ROOT, "%,d", entry.getValue()))
            .collect(Collectors.joining(", "));
    }

    String json()
    {
        final List<String> fields = new ArrayList<>();
        fields.add("\"seed\":" + seed);
        fields.add(String.format(Locale.ROOT, "\"seconds\":%.1f", seconds));
        fields.add("\"passed\":" + passed());
        fields.add("\"actions\":" + json(ledger.actions()));
        fields.add("\"outcomes\":{" + ledger.actions()
            .keySet()
            .stream()
            .map(kind -> quoted(kind) + ":" + json(ledger.outcomes(kind)))
            .collect(Collectors.joining(",")) + "}");
        fields.add("\"counters\":" + json(counters));
        fields.add(String.format(Locale.ROOT, "\"restSeconds\":%.1f", restSeconds));
        fields.add("\"atRest\":" + json(atRest));
        fields.add("\"samples\":[" + samples.stream().map(SoakReport::json).collect(Collectors.joining(",")) + "]");
        fields.add("\"trends\":[" + trends.stream().map(SoakReport::json).collect(Collectors.joining(",")) + "]");
        fields.add("\"faultCount\":" + ledger.faultCount());
        fields.add("\"faults\":[" + ledger.faults()
            .stream()
            .map(SoakReport::quoted)
            .collect(Collectors.joining(",")) + "]");
        return "{" + String.join(",\n", fields) + "}\n";
    }

    private static String json(final MemorySample sample)
    {
        return String.format(Locale.ROOT,
            "{\"seconds\":%.1f,\"heap\":%d,\"direct\":%d,\"buffers\":%d,\"resident\":%d}", sample.seconds(),
            sample.heap(), sample.direct(), sample.buffers(), sample.resident());
    }

    private static String json(final MemoryTrend trend)
    {
        return String.format(Locale.ROOT,
            "{\"name\":%s,\"samples\":%d,\"first\":%d,\"growth\":%d,\"bound\":%d,\"judged\":%b,\"flat\":%b}",
            quoted(trend.name()), trend.samples(), trend.firstBytes(), trend.growthBytes(), trend.boundBytes(),
            trend.isJudged(), trend.isFlat());
    }

    private static String json(final Map<String, Long> counts)
    {
        return counts.entrySet()
            .stream()
            .map(entry -> quoted(entry.getKey()) + ":" + entry.getValue())
            .collect(Collectors.joining(",", "{", "}"));
    }

    private static String quoted(final String text)
    {
        final StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++)
        {
            final char c = text.charAt(i);
            if (c == '"' || c == '\\')
            {
                quoted.append('\\').append(c);
            }
            else if (c < ' ')
            {
                quoted.append(String.format(Locale.ROOT, "\\u%04x", (int)c));
            }
            else
            {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
