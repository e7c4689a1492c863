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

import io.sluice.bench.report.Ratios;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/** What the forks measured: by operation and parameters, then by implementation. Confined to one thread. */
final class MicroResults
{
    static final String SLUICE = "sluice";
    static final String STOCK = "stock";
    static final String STOCK_6 = "stock6";
    static final String FLOOR = "floor";
    static final String BARE = "withoutMetrics";

    private static final String ALLOCATION = "gc.alloc.rate.norm";
    /** Less than any object: what JMH itself allocates in an iteration, spread over its operations. */
    private static final double NOTHING_BYTES = 2;

    /** Of one implementation, a value per fork. */
    record Samples(List<Double> nanos, List<Double> bytes)
    {
        Ratios time()
        {
            return new Ratios(nanos.stream().mapToDouble(Double::doubleValue).toArray());
        }

        Ratios allocation()
        {
            return new Ratios(bytes.stream().mapToDouble(Double::doubleValue).toArray());
        }

        Ratios timeBeside(final Samples base)
        {
            final double[] ratios = new double[Math.min(nanos.size(), base.nanos.size())];
            for (int i = 0; i < ratios.length; i++)
            {
                ratios[i] = nanos.get(i) / base.nanos.get(i);
            }
            return new Ratios(ratios);
        }
    }

    private final Map<String, Map<String, Samples>> rows = new TreeMap<>();

    /** One fork of each; {@code sixth} if the stock that was measured is that of 6.0. */
    void add(final Collection<RunResult> results, final boolean sixth)
    {
        for (final RunResult result : results)
        {
            final BenchmarkParams parameters = result.getParams();
            final String name = parameters.getBenchmark();
            final int method = name.lastIndexOf('.');
            final Samples samples = rows.computeIfAbsent(row(parameters), key -> new LinkedHashMap<>())
                .computeIfAbsent(sixth ? STOCK_6 : name.substring(method + 1),
                    key -> new Samples(new ArrayList<>(), new ArrayList<>()));
            samples.nanos().add(result.getPrimaryResult().getScore());
            samples.bytes().add(allocation(result));
        }
    }

    /** For instance {@code Inbound PLAIN 100}: format first, then the other parameters. */
    private static String row(final BenchmarkParams parameters)
    {
        final String name = parameters.getBenchmark();
        final int method = name.lastIndexOf('.');
        final StringBuilder row = new StringBuilder(
            name.substring(name.lastIndexOf('.', method - 1) + 1, method).replace("Benchmark", ""));
        if (parameters.getParamsKeys().contains("format"))
        {
            row.append(' ').append(parameters.getParam("format"));
        }
        for (final String key : parameters.getParamsKeys())
        {
            if (!"format".equals(key))
            {
                row.append(' ').append(parameters.getParam(key));
            }
        }
        return row.toString();
    }

    private static double allocation(final RunResult result)
    {
        final Result<?> allocation = result.getSecondaryResults().get(ALLOCATION);
        return allocation == null || allocation.getScore() < NOTHING_BYTES ? 0 : allocation.getScore();
    }

    boolean isEmpty()
    {
        return rows.isEmpty();
    }

    Map<String, Map<String, Samples>> rows()
    {
        return rows;
    }

    /** For JSON. */
    List<Map<String, Object>> records()
    {
        final List<Map<String, Object>> records = new ArrayList<>();
        rows.forEach((row, implementations) -> implementations.forEach((implementation, samples) ->
        {
            final Map<String, Object> record = new LinkedHashMap<>();
            record.put("operation", row);
            record.put("implementation", implementation);
            record.put("nanosPerOperation", samples.nanos());
            record.put("bytesPerOperation", samples.bytes());
            records.add(record);
        }));
        return records;
    }
}
