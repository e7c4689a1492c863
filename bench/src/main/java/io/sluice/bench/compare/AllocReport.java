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

import io.sluice.bench.load.Workload;
import io.sluice.bench.report.BarPlot;
import io.sluice.bench.report.HtmlReport;
import io.sluice.bench.report.Machine;
import io.sluice.bench.report.Ratios;
import io.sluice.bench.report.Table;
import io.sluice.bench.report.Verdict;
import io.sluice.bench.server.ServerKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What nodes allocate, as Markdown and as a page with the flame graphs in it. Confined to one thread. */
final class AllocReport
{
    private static final double BATCH_SHARE = 0.01;
    private static final double INSERT_SHARE = 0.018;
    private static final double ANSWER_RATIO = 0.5;
    private static final double PERCENT = 100;

    private final Measurements measured;
    private final List<Claim> claims;
    private final List<AllocationProfile> profiles;
    private final String method;

    AllocReport(final Measurements measured,
        final List<Claim> claims,
        final List<AllocationProfile> profiles,
        final String method)
    {
        this.measured = measured;
        this.claims = claims;
        this.profiles = profiles;
        this.method = method;
    }

    private Map<String, Table> tables()
    {
        final Map<String, Table> tables = new LinkedHashMap<>();
        for (final Claim claim : claims)
        {
            claim.addTo(tables.computeIfAbsent(claim.figure().toString(), figure -> new Table(Claim.HEADINGS)),
                measured);
        }
        tables.put("HeapByteBuffers", buffers());
        final Table answers = answers();
        if (!answers.isEmpty())
        {
            tables.put("SELECT: bytes in transport and result encoding", answers);
        }
        return tables;
    }

    private Table buffers()
    {
        final Table table = new Table("workload", "server", "B per row, one at a time", "seen by the profiler",
            "HeapByteBuffers per row", "share of all bytes", "target", "verdict");
        for (final AllocationProfile profile : profiles)
        {
            final Workload workload = profile.contestant().traffic().workload();
            final double target = profile.contestant().server() != ServerKind.SLUICE_NODE
                ? Double.NaN
                : workload == Workload.BATCH
                    ? BATCH_SHARE
                    : workload == Workload.INSERT ? INSERT_SHARE : Double.NaN;
            table.add(workload.toString(), profile.contestant().server().toString(),
                text("%.0f", profile.bytesPerRequest() / workload.rows()),
                text("%.0f %%", profile.seen() * PERCENT),
                text("%.2f", profile.heapByteBuffersPerRequest() / workload.rows()),
                text("%.2f %%", profile.heapByteBufferShare() * PERCENT),
                Double.isNaN(target) ? "" : text("at most %.1f %%", target * PERCENT),
                Verdict.ofValue(new Ratios(profile.heapByteBufferShare()), target));
        }
        return table;
    }

    private Table answers()
    {
        final Table table = new Table("server", "B per request", "beside stock 5.0.8", "target", "verdict");
        final List<AllocationProfile> selects = profiles.stream()
            .filter(profile -> profile.isOf(Workload.SELECT))
            .toList();
        final double stock = selects.stream()
            .filter(profile -> profile.contestant().server() == ServerKind.STOCK_NODE)
            .mapToDouble(AllocationProfile::answerBytesPerRequest)
            .findFirst()
            .orElse(Double.NaN);
        for (final AllocationProfile profile : selects)
        {
            final double target = profile.contestant().server() == ServerKind.SLUICE_NODE ? ANSWER_RATIO : Double.NaN;
            final double ratio = profile.answerBytesPerRequest() / stock;
            table.add(profile.contestant().server().toString(), text("%.0f", profile.answerBytesPerRequest()),
                text("%.2f", ratio), Double.isNaN(target) ? "" : text("%.2f", target),
                Verdict.ofValue(new Ratios(ratio), target));
        }
        return table;
    }

    private static String text(final String format, final double value)
    {
        return String.format(Locale.ROOT, format, value);
    }

    String markdown(final Machine machine)
    {
        final StringBuilder text = new StringBuilder();
        text.append(machine).append(". ").append(method).append("\n");
        tables().forEach((name, table) -> text.append("\n### ").append(name).append("\n\n").append(table.markdown()));
        return text.toString();
    }

    void write(final Path file, final Machine machine) throws IOException
    {
        final HtmlReport report = new HtmlReport("What a node allocates", machine).paragraph(method);
        final BarPlot bytes = new BarPlot("Bytes per row", "B, all threads of the node");
        final BarPlot buffers = new BarPlot("HeapByteBuffers", "objects per row");
        for (final AllocationProfile profile : profiles)
        {
            final Workload workload = profile.contestant().traffic().workload();
            final String server = profile.contestant().server().toString();
            bytes.add(workload.toString(), server, measured.values(profile.contestant(), Figure.BYTES).median());
            buffers.add(workload.toString(), server, profile.heapByteBuffersPerRequest() / workload.rows());
        }
        final List<String> plots = new ArrayList<>(List.of(bytes.svg(), buffers.svg()));
        report.heading("Bytes per operation").plots(plots);
        tables().forEach((name, table) -> report.heading(name).table(table));
        for (final AllocationProfile profile : profiles)
        {
            report.heading("Flame graph: " + profile.contestant().server() + ", " +
                profile.contestant().traffic().workload()).page(Files.readString(profile.flameGraph()));
        }
        report.write(file);
    }

    /** For JSON. */
    List<Map<String, Object>> records()
    {
        return profiles.stream().map(profile ->
        {
            final Map<String, Object> record = new LinkedHashMap<>();
            record.put("server", profile.contestant().server().name());
            record.put("traffic", profile.contestant().traffic());
            record.put("operations", profile.operations());
            record.put("bytesPerRequest", profile.bytesPerRequest());
            record.put("seen", profile.seen());
            record.put("heapByteBuffersPerRequest", profile.heapByteBuffersPerRequest());
            record.put("heapByteBufferShare", profile.heapByteBufferShare());
            record.put("answerBytesPerRequest", profile.answerBytesPerRequest());
            record.put("flameGraph", profile.flameGraph().toString());
            return record;
        }).toList();
    }
}
