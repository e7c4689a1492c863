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
package io.sluice.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.Histogram;
import com.codahale.metrics.Metric;
import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.Timer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The table of metrics in docs/operations.md has every metric, and no other, under the names that it really has. */
class OperationsPageTest
{
    private static final Pattern ROW = Pattern.compile(
        "(?m)^\\| `([a-z0-9<>.-]+)` \\| (counter|gauge|timer|histogram) \\| (?:`([a-z0-9_{},]+)`)? *\\| .*\\|$");
    private static final String PREFIX = "sluice.transport.";

    private record Row(String kind, String prometheus, List<String> found)
    {
    }

    private static Map<String, Row> rows() throws IOException
    {
        final Map<String, Row> rows = new LinkedHashMap<>();
        ROW.matcher(Files.readString(Path.of("..", "docs", "operations.md")))
            .results()
            .forEach(row -> rows.put(row.group(1), new Row(row.group(2), row.group(3), new ArrayList<>())));
        return rows;
    }

    private static String kind(final Metric metric)
    {
        if (metric instanceof Counter)
        {
            return "counter";
        }
        if (metric instanceof Timer)
        {
            return "timer";
        }
        return metric instanceof Histogram ? "histogram" : metric instanceof Gauge ? "gauge" : "none";
    }

    private static String prometheus(final String name, final String kind)
    {
        final PrometheusNames.Name known = PrometheusNames.of("sluice", name);
        if (known == null)
        {
            return null;
        }
        final String family = known.family() + ("counter".equals(kind)
            ? "_total"
            : "timer".equals(kind)
                ? "_seconds"
                : "");
        return known.labels().isEmpty() ? family : family + "{" + String.join(",", known.labels()) + "}";
    }

    @Test
    void listsEveryMetric() throws IOException
    {
        final Map<String, Row> rows = rows();
        assertTrue(rows.size() > 50, () -> rows.keySet().toString());
        final MetricRegistry registry = new MetricRegistry();
        DropwizardTransportListener.register(registry);
        final List<String> missing = new ArrayList<>();
        registry.getMetrics().forEach((full, metric) ->
        {
            final String name = full.substring(PREFIX.length());
            final Row row = rows.containsKey(name) ? rows.get(name) : matching(rows, name);
            if (row == null)
            {
                missing.add(name);
                return;
            }
            row.found.add(name);
            assertEquals(row.kind, kind(metric), name);
            assertEquals(row.prometheus, prometheus(name, row.kind), name);
        });
        assertEquals(List.of(), missing);
        final TreeSet<String> gone = new TreeSet<>(rows.keySet());
        gone.removeIf(name -> !rows.get(name).found.isEmpty());
        assertEquals(new TreeSet<>(), gone, "listed and not there");
    }

    /** What the page calls the metrics, with {@code <version>} and the like for what is not always the same. */
    static Set<String> names() throws IOException
    {
        return rows().keySet();
    }

    /** The metrics that one such name stands for. */
    static String pattern(final String name)
    {
        return name.replace(".", "\\.").replace("<version>", "(v[0-9]|none)").replaceAll("<[a-z]+>", "[a-z-]+");
    }

    private static Row matching(final Map<String, Row> rows, final String name)
    {
        Row best = null;
        for (final Map.Entry<String, Row> row : rows.entrySet())
        {
            if (name.matches(pattern(row.getKey())))
            {
                best = row.getValue();
            }
        }
        return best;
    }
}
