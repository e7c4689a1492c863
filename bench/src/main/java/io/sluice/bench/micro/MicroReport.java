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
package io.sluice.bench.micro;

import io.sluice.bench.report.BarPlot;
import io.sluice.bench.report.HtmlReport;
import io.sluice.bench.report.Machine;
import io.sluice.bench.report.Ratios;
import io.sluice.bench.report.Table;
import io.sluice.bench.report.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** JMH's results with the implementations of each operation side by side. Confined to one thread. */
final class MicroReport
{
    private static final Map<String, String> NAMES = names();
    private static final int CODEC_LEAST_BYTES = 16_384;
    private static final String[] HEADINGS = {"operation", "implementation", "ns", "B", "time beside stock 5.0.8",
        "95 % interval", "target", "verdict", "B target", "B verdict"};

    private final MicroResults results;
    private final String method;

    MicroReport(final MicroResults results, final String method)
    {
        this.results = results;
        this.method = method;
    }

    private static Map<String, String> names()
    {
        final Map<String, String> names = new LinkedHashMap<>();
        names.put(MicroResults.SLUICE, "Sluice");
        names.put(MicroResults.STOCK, "stock 5.0.8");
        names.put(MicroResults.STOCK_6, "stock 6.0-alpha2");
        names.put("nativeProtocol", "native-protocol");
        names.put(MicroResults.FLOOR, "CRC + LZ4 + one copy");
        names.put(MicroResults.BARE, "Sluice, no metrics");
        names.put("openSegment", "copied into an open segment");
        return names;
    }

    private static String name(final String implementation)
    {
        return NAMES.getOrDefault(implementation, implementation);
    }

    private Table operations()
    {
        final Table table = new Table(HEADINGS);
        results.rows().forEach((row, implementations) -> implementations.forEach((implementation, samples) ->
        {
            final MicroTarget target = MicroResults.SLUICE.equals(implementation)
                ? MicroTarget.of(row)
                : new MicroTarget(Double.NaN, Double.NaN, 1);
            final MicroResults.Samples stock = implementations.get(MicroResults.STOCK);
            final Ratios beside = stock == null || MicroResults.STOCK.equals(implementation)
                ? null
                : samples.timeBeside(stock);
            table.add(row, name(implementation), text("%.1f", samples.time().median()),
                text("%.1f", samples.allocation().median()), beside == null ? "" : text("%.2f", beside.median()),
                beside == null ? "" : text("%.2f", beside.lower()) + ".." + text("%.2f", beside.upper()),
                Double.isNaN(target.time()) ? "" : text("%.2f", target.time()),
                beside == null ? "" : Verdict.ofRatio(beside, target.time()),
                Double.isNaN(target.bytes()) ? "" : text("at most %.0f", target.bytes() * target.parts()),
                Verdict.ofValue(samples.allocation(), target.bytes() * target.parts()));
        }));
        return table;
    }

    /** Segments beside what cannot be left out. */
    private Table codec()
    {
        return beside(MicroResults.FLOOR, "Sluice, ns", "floor, ns",
            row -> Integer.parseInt(row.substring(row.lastIndexOf(' ') + 1)) >= CODEC_LEAST_BYTES
                ? MicroTarget.CODEC
                : Double.NaN);
    }

    /** The whole transport beside itself without metrics. */
    private Table metrics()
    {
        return beside(MicroResults.BARE, "with metrics, ns", "without, ns", row -> MicroTarget.METRICS);
    }

    /** Sluice's times beside those of another, for each operation that has both; a target of NaN is none. */
    private Table beside(final String other,
        final String ours,
        final String theirs,
        final ToDoubleFunction<String> targets)
    {
        final Table table = new Table("operation", ours, theirs, "ratio", "95 % interval", "target", "verdict");
        results.rows().forEach((row, implementations) ->
        {
            final MicroResults.Samples base = implementations.get(other);
            final MicroResults.Samples sluice = implementations.get(MicroResults.SLUICE);
            if (base != null && sluice != null)
            {
                final Ratios ratios = sluice.timeBeside(base);
                final double target = targets.applyAsDouble(row);
                table.add(row, text("%.1f", sluice.time().median()), text("%.1f", base.time().median()),
                    text("%.2f", ratios.median()), text("%.2f", ratios.lower()) + ".." + text("%.2f", ratios.upper()),
                    Double.isNaN(target) ? "" : text("%.2f", target), Verdict.ofRatio(ratios, target));
            }
        });
        return table;
    }

    private static String text(final String format, final double value)
    {
        return String.format(Locale.ROOT, format, value);
    }

    String markdown(final Machine machine)
    {
        final Table codec = codec();
        final Table metrics = metrics();
        return machine + ". " + method + "\n\n" + operations().markdown() + (codec.isEmpty()
            ? ""
            : "\n### Segment codec against CRC + LZ4 + one copy\n\n" + codec.markdown()) +
            (metrics.isEmpty()
                ? ""
                : "\n### What metrics cost\n\n" + metrics.markdown());
    }

    void write(final Path file, final Machine machine) throws IOException
    {
        final HtmlReport report = new HtmlReport("Sluice beside stock Cassandra: single operations", machine)
            .paragraph(method);
        report.heading("Time beside stock 5.0.8").plots(plots(true));
        report.heading("Bytes per operation").plots(plots(false));
        final Table codec = codec();
        if (!codec.isEmpty())
        {
            report.heading("Segment codec against CRC + LZ4 + one copy").table(codec);
        }
        final Table metrics = metrics();
        if (!metrics.isEmpty())
        {
            report.heading("What metrics cost").table(metrics);
        }
        report.heading("All operations").table(operations()).write(file);
    }

    /** One picture for each benchmark, one group for each of its rows. */
    private List<String> plots(final boolean time)
    {
        final Map<String, BarPlot> plots = new LinkedHashMap<>();
        results.rows().forEach((row, implementations) ->
        {
            final MicroResults.Samples stock = implementations.get(MicroResults.STOCK);
            if (stock == null)
            {
                return;
            }
            final String[] words = row.split(" ", 2);
            final BarPlot plot = plots.computeIfAbsent(words[0],
                name -> new BarPlot(name, time ? "time, stock 5.0.8 = 1" : "B per operation"));
            implementations.forEach((implementation, samples) -> plot.add(words.length > 1 ? words[1] : "",
                name(implementation), time ? samples.timeBeside(stock).median() : samples.allocation().median()));
        });
        return plots.values().stream().map(BarPlot::svg).toList();
    }
}
