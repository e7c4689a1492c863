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

import io.sluice.bench.load.LoadResult;
import io.sluice.bench.report.Ratios;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.HdrHistogram.Histogram;

/** The results of all counted rounds. Confined to one thread. */
final class Measurements
{
    private final int perFork;
    private final Map<Contestant, List<LoadResult>> results = new LinkedHashMap<>();

    /** Of servers that run as long as the measurement. */
    Measurements()
    {
        this(0);
    }

    /** @param perFork rounds of each JVM of a server; 0 if one plays them all */
    Measurements(final int perFork)
    {
        this.perFork = perFork;
    }

    void add(final Contestant contestant, final LoadResult result)
    {
        results.computeIfAbsent(contestant, key -> new ArrayList<>()).add(result);
    }

    Set<Contestant> contestants()
    {
        return results.keySet();
    }

    boolean has(final Contestant contestant)
    {
        return results.containsKey(contestant);
    }

    List<LoadResult> of(final Contestant contestant)
    {
        return results.get(contestant);
    }

    /** A value per round. */
    Ratios values(final Contestant contestant, final Figure figure)
    {
        final int rows = figure.isPerRow() ? contestant.traffic().workload().rows() : 1;
        return spread(results.get(contestant).stream().mapToDouble(result -> figure.of(result) / rows).toArray());
    }

    /** A ratio per round, each of two results that were measured one soon after the other. */
    Ratios ratios(final Contestant ours, final Contestant base, final Figure figure)
    {
        final List<LoadResult> over = results.get(ours);
        final List<LoadResult> under = results.get(base);
        final double[] ratios = new double[over.size()];
        for (int i = 0; i < ratios.length; i++)
        {
            ratios[i] = figure.of(over.get(i)) / figure.of(under.get(i));
        }
        return spread(ratios);
    }

    private Ratios spread(final double[] values)
    {
        return perFork == 0 ? new Ratios(values) : Ratios.ofForks(perFork, values);
    }

    /** Latencies of all rounds, in nanoseconds. */
    Histogram latencies(final Contestant contestant)
    {
        final List<LoadResult> all = results.get(contestant);
        final Histogram sum = all.get(0).latencies().copy();
        all.stream().skip(1).forEach(result -> sum.add(result.latencies()));
        return sum;
    }
}
