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

import com.codahale.metrics.Counting;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.Histogram;
import com.codahale.metrics.Metric;
import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.Sampling;
import com.codahale.metrics.Snapshot;
import com.codahale.metrics.Timer;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.Quantile;
import io.prometheus.metrics.model.snapshots.Quantiles;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import io.prometheus.metrics.model.snapshots.SummarySnapshot.SummaryDataPointSnapshot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Turns a Dropwizard registry into Prometheus families at each scrape: counters and meters into counters, gauges that
 * are numbers into gauges, this library's own timers and histograms into histograms with buckets (timers in seconds),
 * others' into summaries. Any thread.
 */
final class DropwizardCollector implements MultiCollector
{
    private static final double NANOS = 1e9;
    private static final double[] SECONDS = {0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1,
        0.25, 0.5, 1, 2.5, 5, 10};
    private static final double[] SIZES = {1, 2, 5, 10, 20, 50, 100, 250, 1_000, 4_000, 16_000, 64_000, 256_000,
        1_000_000, 4_000_000, 16_000_000};
    private static final double[] QUANTILES = {0.5, 0.95, 0.99, 0.999};

    private final MetricRegistry registry;
    private final Predicate<String> filter;
    private final String prefix;
    private final String group;
    private final boolean own;

    /**
     * @param filter which names are shown
     * @param prefix is cut off them
     * @param group what all families begin with
     * @param own true for metrics of this library
     */
    DropwizardCollector(final MetricRegistry registry,
        final Predicate<String> filter,
        final String prefix,
        final String group,
        final boolean own)
    {
        this.registry = registry;
        this.filter = filter;
        this.prefix = prefix;
        this.group = group;
        this.own = own;
    }

    @Override
    public MetricSnapshots collect()
    {
        final Map<String, Family> families = new TreeMap<>();
        registry.getMetrics().forEach((name, metric) ->
        {
            if (filter.test(name) && name.startsWith(prefix))
            {
                final String rest = name.substring(prefix.length());
                final PrometheusNames.Name known = own
                    ? PrometheusNames.of(group, rest)
                    : PrometheusNames.plain(group, rest);
                if (known != null)
                {
                    add(families, known, name, metric);
                }
            }
        });
        final Collection<MetricSnapshot> snapshots = new ArrayList<>();
        families.values().forEach(family -> snapshots.add(family.snapshot()));
        return new MetricSnapshots(snapshots);
    }

    private void add(final Map<String, Family> families,
        final PrometheusNames.Name name,
        final String source,
        final Metric metric)
    {
        final Labels labels = Labels.of(name.labels(), name.values());
        if (metric instanceof Gauge<?> gauge)
        {
            if (valueOf(gauge) instanceof Number number)
            {
                put(families, name.family(), source, Kind.GAUGE, new GaugeDataPointSnapshot(number.doubleValue(),
                    labels, null));
            }
        }
        else if (metric instanceof Buckets buckets)
        {
            final boolean time = metric instanceof Timer;
            put(families, time ? name.family() + "_seconds" : name.family(), source, Kind.HISTOGRAM, histogram(buckets
                .totals(), time ? SECONDS : SIZES, time ? NANOS : 1, labels));
        }
        else if (metric instanceof Timer || metric instanceof Histogram)
        {
            final boolean time = metric instanceof Timer;
            put(families, time ? name.family() + "_seconds" : name.family(), source, Kind.SUMMARY, summary(metric, time
                ? NANOS
                : 1, labels));
        }
        else if (metric instanceof Counting counting)
        {
            put(families, name.family(), source, Kind.COUNTER, new CounterDataPointSnapshot(counting.getCount(),
                labels, null, 0));
        }
    }

    /** Null for one that is broken: it must not take all others from whoever scrapes. */
    private static Object valueOf(final Gauge<?> gauge)
    {
        try
        {
            return gauge.getValue();
        }
        catch (final RuntimeException e)
        {
            return null;
        }
    }

    private static void put(final Map<String, Family> families,
        final String name,
        final String source,
        final Kind kind,
        final DataPointSnapshot point)
    {
        final Family family = families.computeIfAbsent(name, absent -> new Family(name, source, kind));
        if (family.kind == kind)
        {
            // Two names may be the same in words, and a scrape with a doubled one would fail as a whole.
            family.points.putIfAbsent(point.getLabels(), point);
        }
    }

    private static DataPointSnapshot histogram(final long[] counts,
        final double[] bounds,
        final double divisor,
        final Labels labels)
    {
        final long[] buckets = new long[bounds.length + 1];
        double sum = 0;
        for (int i = 0; i < counts.length; i++)
        {
            if (counts[i] > 0)
            {
                int bucket = 0;
                while (bucket < bounds.length && BucketCounts.lowest(i) / divisor > bounds[bucket])
                {
                    bucket++;
                }
                buckets[bucket] += counts[i];
                sum += counts[i] * (BucketCounts.lowest(i) + BucketCounts.highest(i)) / 2.0 / divisor;
            }
        }
        final List<Double> ends = new ArrayList<>();
        final List<Long> values = new ArrayList<>();
        for (int i = 0; i < buckets.length; i++)
        {
            ends.add(i < bounds.length ? bounds[i] : Double.POSITIVE_INFINITY);
            values.add(buckets[i]);
        }
        return new HistogramDataPointSnapshot(ClassicHistogramBuckets.of(ends, values), sum, labels, null, 0);
    }

    private static DataPointSnapshot summary(final Metric metric, final double divisor, final Labels labels)
    {
        final Snapshot snapshot = ((Sampling)metric).getSnapshot();
        final List<Quantile> quantiles = new ArrayList<>();
        for (final double quantile : QUANTILES)
        {
            quantiles.add(new Quantile(quantile, snapshot.getValue(quantile) / divisor));
        }
        return SummaryDataPointSnapshot.builder()
            .count(((Counting)metric).getCount())
            .quantiles(Quantiles.of(quantiles))
            .labels(labels)
            .build();
    }

    private enum Kind
    {
        COUNTER, GAUGE, HISTOGRAM, SUMMARY
    }

    /** Metrics of one name, told apart by their labels. */
    private static final class Family
    {
        private final String name;
        private final String source;
        private final Kind kind;
        private final Map<Labels, DataPointSnapshot> points = new LinkedHashMap<>();

        Family(final String name, final String source, final Kind kind)
        {
            this.name = name;
            this.source = source;
            this.kind = kind;
        }

        MetricSnapshot snapshot()
        {
            final MetricMetadata metadata = new MetricMetadata(name, "From " + source);
            return switch (kind)
            {
                case COUNTER -> new CounterSnapshot(metadata, cast(CounterDataPointSnapshot.class));
                case GAUGE -> new GaugeSnapshot(metadata, cast(GaugeDataPointSnapshot.class));
                case HISTOGRAM -> new HistogramSnapshot(metadata, cast(HistogramDataPointSnapshot.class));
                case SUMMARY -> new SummarySnapshot(metadata, cast(SummaryDataPointSnapshot.class));
            };
        }

        private <T extends DataPointSnapshot> List<T> cast(final Class<T> type)
        {
            return points.values().stream().map(type::cast).toList();
        }
    }
}
