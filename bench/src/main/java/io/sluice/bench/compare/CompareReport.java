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

import io.sluice.bench.load.Traffic;
import io.sluice.bench.load.Workload;
import io.sluice.bench.report.BarPlot;
import io.sluice.bench.report.HtmlReport;
import io.sluice.bench.report.LinePlot;
import io.sluice.bench.report.Machine;
import io.sluice.bench.report.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** The comparison as Markdown and as a page with plots. Confined to one thread. */
final class CompareReport
{
    private static final double[] PERCENTILES = {50, 75, 90, 95, 99, 99.9};
    private static final double NANOS_PER_MICRO = 1e3;

    private final Measurements measured;
    private final List<Claim> claims;
    private final String method;

    CompareReport(final Measurements measured, final List<Claim> claims, final String method)
    {
        this.measured = measured;
        this.claims = claims;
        this.method = method;
    }

    private Map<Figure, Table> tables()
    {
        final Map<Figure, Table> tables = new EnumMap<>(Figure.class);
        for (final Claim claim : claims)
        {
            claim.addTo(tables.computeIfAbsent(claim.figure(), figure -> new Table(Claim.HEADINGS)), measured);
        }
        return tables;
    }

    String markdown(final Machine machine)
    {
        final StringBuilder text = new StringBuilder();
        text.append(machine).append(". ").append(method).append("\n");
        tables().forEach((figure, table) -> text.append("\n### ")
            .append(figure)
            .append("\n\n")
            .append(table
                .markdown()));
        return text.toString();
    }

    void write(final Path file, final Machine machine) throws IOException
    {
        final HtmlReport report = new HtmlReport("Sluice beside stock Cassandra", machine).paragraph(method);
        report.heading("In-flight sweep: CPU per request").plots(sweeps(Figure.CPU, true));
        report.heading("Bytes per request").plots(sweeps(Figure.BYTES, true));
        report.heading("Latency by percentile").plots(latencies());
        report.heading("Segment fill: answers per send call").plots(fills());
        final List<String> compression = compression();
        if (!compression.isEmpty())
        {
            report.heading("Compression on and off").plots(compression);
        }
        tables().forEach((figure, table) -> report.heading(figure.toString()).table(table));
        report.write(file);
    }

    private List<String> flavours()
    {
        return measured.contestants()
            .stream()
            .map(contestant -> group(contestant))
            .distinct()
            .toList();
    }

    private static String group(final Contestant contestant)
    {
        final Traffic traffic = contestant.traffic();
        return contestant.server().isNode()
            ? "node, " + traffic.workload() + ", " + traffic.flavour()
            : traffic.flavour() + (traffic.workload() == Workload.VOID ? "" : ", " + traffic.workload());
    }

    private List<String> sweeps(final Figure figure, final boolean logarithmic)
    {
        final List<String> plots = new ArrayList<>();
        for (final String flavour : flavours())
        {
            final LinePlot plot = new LinePlot(flavour, "requests in flight", figure.toString(), logarithmic);
            measured.contestants()
                .stream()
                .filter(contestant -> group(contestant).equals(flavour))
                .sorted((one, other) -> Integer.compare(one.traffic().inFlight(), other.traffic().inFlight()))
                .forEach(contestant -> plot.add(contestant.server().toString(), contestant.traffic().inFlight(),
                    measured.values(contestant, figure).median(), Integer.toString(contestant.traffic().inFlight())));
            plots.add(plot.svg());
        }
        return plots;
    }

    private List<String> latencies()
    {
        final List<String> plots = new ArrayList<>();
        for (final Traffic traffic : measured.contestants().stream().map(Contestant::traffic).distinct().toList())
        {
            final LinePlot plot = new LinePlot(traffic.toString(), "percentile", "us", true);
            for (final Contestant contestant : measured.contestants())
            {
                if (contestant.traffic().equals(traffic))
                {
                    final Histogram latencies = measured.latencies(contestant);
                    for (final double percentile : PERCENTILES)
                    {
                        plot.add(contestant.server().toString(), 100 / (100 - percentile),
                            latencies.getValueAtPercentile(percentile) / NANOS_PER_MICRO,
                            Double.toString(percentile).replace(".0", ""));
                    }
                }
            }
            plots.add(plot.svg());
        }
        return plots;
    }

    private List<String> fills()
    {
        final Map<String, BarPlot> plots = new LinkedHashMap<>();
        for (final Contestant contestant : measured.contestants())
        {
            final double sends = measured.values(contestant, Figure.SENDS).median();
            if (sends > 0)
            {
                plots.computeIfAbsent(group(contestant), name -> new BarPlot(name, "answers per send call"))
                    .add(contestant.traffic().inFlight() + " in flight", contestant.server().toString(), 1 / sends);
            }
        }
        return plots.values().stream().map(BarPlot::svg).toList();
    }

    private List<String> compression()
    {
        final List<String> plots = new ArrayList<>();
        for (final Figure figure : List.of(Figure.CPU, Figure.P50))
        {
            final BarPlot plot = new BarPlot("answers of 1 kB of text, 64 in flight", figure.toString());
            for (final Contestant contestant : measured.contestants())
            {
                if (contestant.traffic().workload() == Workload.TEXT)
                {
                    plot.add(contestant.server().toString(), contestant.traffic().lz4() ? "lz4" : "plain",
                        measured.values(contestant, figure).median());
                }
            }
            if (!plot.isEmpty())
            {
                plots.add(plot.svg());
            }
        }
        return plots;
    }
}
