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
package io.sluice.bench;

import io.sluice.bench.load.LoadPlan;
import io.sluice.bench.load.LoadResult;
import io.sluice.bench.report.HtmlReport;
import io.sluice.bench.report.Json;
import io.sluice.bench.report.LinePlot;
import io.sluice.bench.report.Machine;
import io.sluice.bench.report.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** One load run as JSON and as a page. Confined to one thread. */
final class LoadReport
{
    private static final double[] PERCENTILES = {50, 75, 90, 95, 99, 99.9, 99.99};

    private final LoadPlan plan;
    private final LoadResult result;
    private final String method;

    LoadReport(final LoadPlan plan, final LoadResult result, final String method)
    {
        this.plan = plan;
        this.result = result;
        this.method = method;
    }

    private Map<String, Object> figures()
    {
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("requests", result.requests());
        figures.put("errors", result.errors());
        figures.put("requestsPerSecond", result.requestsPerSecond());
        for (final double percentile : PERCENTILES)
        {
            figures.put("p" + name(percentile) + "Micros", result.percentileMicros(percentile));
        }
        figures.put("maxMicros", result.percentileMicros(100));
        figures.put("sendsPerAnswer", result.sendsPerAnswer());
        figures.put("serverCpuMicrosPerRequest", result.cpuMicrosPerRequest());
        figures.put("serverBytesPerRequest", result.allocatedBytesPerRequest());
        return figures;
    }

    private static String name(final double percentile)
    {
        return Double.toString(percentile).replace(".0", "");
    }

    void write(final Path json, final Path html) throws IOException
    {
        final Machine machine = Machine.here();
        final Map<String, Object> all = new LinkedHashMap<>();
        all.put("machine", machine);
        all.put("version", plan.version());
        all.put("lz4", plan.lz4());
        all.put("inFlight", plan.inFlight());
        all.put("ratePerSecond", plan.ratePerSecond());
        all.putAll(figures());
        Json.write(json, all);
        final Table table = new Table("figure", "value");
        figures().forEach((figure, value) -> table.add(figure, value instanceof Double number
            ? String.format(Locale.ROOT, "%.2f", number)
            : String.valueOf(value)));
        final HtmlReport report = new HtmlReport("Load", machine).paragraph(method).table(table);
        if (result.requests() > 0)
        {
            final LinePlot plot = new LinePlot("Latency by percentile", "percentile", "us", true);
            for (final double percentile : PERCENTILES)
            {
                plot.add(plan.host() + ":" + plan.port(), 100 / (100 - percentile),
                    result.percentileMicros(percentile), name(percentile));
            }
            report.plots(List.of(plot.svg()));
        }
        report.write(html);
    }
}
