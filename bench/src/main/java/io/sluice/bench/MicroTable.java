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

import java.io.PrintWriter;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.util.Statistics;

/** JMH results with the implementations of each operation in one row. */
final class MicroTable
{
    private static final String ALLOCATION = "gc.alloc.rate.norm";
    private static final String[] IMPLEMENTATIONS = {"sluice", "stock", "nativeProtocol"};
    private static final double NARROW = 0.05;

    /** By operation and parameters, then by implementation. */
    private final Map<String, Map<String, RunResult>> rows = new TreeMap<>();

    MicroTable(final Collection<RunResult> results)
    {
        for (final RunResult result : results)
        {
            final BenchmarkParams parameters = result.getParams();
            final String name = parameters.getBenchmark();
            final int method = name.lastIndexOf('.');
            final StringBuilder row = new StringBuilder(name.substring(name.lastIndexOf('.', method - 1) + 1, method)
                .replace("Benchmark", ""));
            for (final String key : parameters.getParamsKeys())
            {
                row.append(' ').append(parameters.getParam(key));
            }
            rows.computeIfAbsent(row.toString(), key -> new LinkedHashMap<>()).put(name.substring(method + 1), result);
        }
    }

    void print(final PrintWriter out)
    {
        out.printf(Locale.ROOT, "%n%-30s %-15s %12s %22s %12s %10s %10s%n", "operation", "implementation", "ns/op",
            "of all measurements", "B/op", "time/stock", "B/stock");
        rows.forEach((row, results) ->
        {
            final RunResult stock = results.get("stock");
            for (final String implementation : IMPLEMENTATIONS)
            {
                final RunResult result = results.get(implementation);
                if (result != null)
                {
                    print(out, row, implementation, result, stock);
                }
            }
        });
        out.println();
    }

    private static void print(final PrintWriter out,
        final String row,
        final String implementation,
        final RunResult result,
        final RunResult stock)
    {
        final Statistics time = result.getPrimaryResult().getStatistics();
        out.printf(Locale.ROOT, "%-30s %-15s %12.1f %10.1f .. %8.1f %12.1f %10s %10s%n", row, implementation,
            time.getMean(), time.getMin(), time.getMax(), allocation(result),
            ratio(time.getMean(), stock == null ? 0 : stock.getPrimaryResult().getScore()),
            ratio(allocation(result), stock == null ? 0 : allocation(stock)));
    }

    private static double allocation(final RunResult result)
    {
        final Result<?> allocation = result.getSecondaryResults().get(ALLOCATION);
        return allocation == null || allocation.getScore() < NARROW ? 0 : allocation.getScore();
    }

    private static String ratio(final double value, final double base)
    {
        return base <= 0 ? "-" : String.format(Locale.ROOT, "%.2f", value / base);
    }
}
