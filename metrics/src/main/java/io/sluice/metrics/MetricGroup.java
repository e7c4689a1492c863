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

import com.codahale.metrics.Clock;
import com.codahale.metrics.Counter;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.Metric;
import com.codahale.metrics.MetricRegistry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Metrics that come into a registry together and leave it together. Any thread. */
final class MetricGroup
{
    private final String prefix;
    private final Clock clock;
    private final Map<String, Metric> metrics = new LinkedHashMap<>();

    MetricGroup(final String prefix, final Clock clock)
    {
        this.prefix = prefix;
        this.clock = clock;
    }

    private <M extends Metric> M add(final String name, final M metric)
    {
        metrics.put(MetricRegistry.name(prefix, name), metric);
        return metric;
    }

    Counter counter(final String name)
    {
        return add(name, new LoopCounter());
    }

    BucketTimer timer(final String name)
    {
        return add(name, new BucketTimer(clock));
    }

    BucketHistogram histogram(final String name)
    {
        return add(name, new BucketHistogram(clock));
    }

    void gauge(final String name, final Gauge<? extends Number> gauge)
    {
        add(name, gauge);
    }

    /** Several timers as one. */
    void sum(final String name, final List<BucketTimer> parts)
    {
        add(name, new SumTimer(parts, clock));
    }

    /** Several counters as one. */
    void sum(final String name, final Counter... parts)
    {
        add(name, new SumCounter(List.of(parts)));
    }

    /** A counter for each constant, by ordinal: {@code prefix.constant-name}. */
    <E extends Enum<E>> Counter[] counters(final String name, final E[] constants)
    {
        final Counter[] counters = new Counter[constants.length];
        for (final E constant : constants)
        {
            counters[constant.ordinal()] = counter(name + "." + nameOf(constant));
        }
        return counters;
    }

    /** A timer for each constant, by ordinal: {@code prefix.constant-name}. */
    <E extends Enum<E>> BucketTimer[] timers(final String name, final E[] constants)
    {
        final BucketTimer[] timers = new BucketTimer[constants.length];
        for (final E constant : constants)
        {
            timers[constant.ordinal()] = timer(name + "." + nameOf(constant));
        }
        return timers;
    }

    static String nameOf(final Enum<?> constant)
    {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** All into the registry, or, if one of the names is taken, none. */
    void register(final MetricRegistry registry)
    {
        for (final String name : metrics.keySet())
        {
            if (registry.getNames().contains(name))
            {
                throw new IllegalArgumentException("name: " + name + " is in the registry already");
            }
        }
        metrics.forEach(registry::register);
    }

    /** Takes them out again. */
    void unregister(final MetricRegistry registry)
    {
        metrics.keySet().forEach(registry::remove);
    }
}
