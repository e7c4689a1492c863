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
import static org.junit.jupiter.api.Assertions.assertNotNull;

import com.codahale.metrics.Counting;
import com.codahale.metrics.Metric;
import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.Snapshot;
import com.codahale.metrics.Timer;
import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** What metrics say, and which of them have said anything. Confined to the test's thread. */
final class MetricAnswers
{
    private static final String PREFIX = DropwizardTransportListener.DEFAULT_PREFIX + ".";
    private static final long HANG_SECONDS = 60;
    private static final long POLL_NANOS = 100_000;

    private final MetricRegistry registry;
    private final Set<String> told = new HashSet<>();

    MetricAnswers(final MetricRegistry registry)
    {
        this.registry = registry;
    }

    private Metric metric(final String name)
    {
        final Metric metric = registry.getMetrics().get(PREFIX + name);
        assertNotNull(metric, name);
        return metric;
    }

    private void tell(final String name, final double value)
    {
        if (value != 0)
        {
            told.add(name);
        }
    }

    long count(final String name)
    {
        final long count = ((Counting)metric(name)).getCount();
        tell(name, (double)count);
        return count;
    }

    long gauge(final String name)
    {
        return (long)share(name);
    }

    double share(final String name)
    {
        metric(name);
        final double value = ((Number)registry.getGauges().get(PREFIX + name).getValue()).doubleValue();
        tell(name, value);
        return value;
    }

    Snapshot histogram(final String name)
    {
        count(name);
        return registry.getHistograms().get(PREFIX + name).getSnapshot();
    }

    Timer timer(final String name)
    {
        count(name);
        return registry.getTimers().get(PREFIX + name);
    }

    /** Within the width of a bucket. */
    void expectMillis(final String name, final long count, final long millis)
    {
        final Timer timer = timer(name);
        assertEquals(count, timer.getCount(), name);
        final double nanos = 1e6 * millis;
        assertEquals(nanos, (double)timer.getSnapshot().getMax(), nanos / 32, name);
    }

    /** Everything that this test {@link Shows} was looked at, and was not 0. */
    void expectShown(final Method test)
    {
        final Shows shows = test.getAnnotation(Shows.class);
        if (shows != null)
        {
            final Set<String> missing = names(registry, shows);
            missing.removeAll(told);
            assertEquals(Set.of(), missing, "shown, says the test");
        }
    }

    /** The metrics of this registry that are meant. */
    static Set<String> names(final MetricRegistry registry, final Shows shows)
    {
        final Set<String> names = new TreeSet<>();
        for (final String name : shows.value())
        {
            if (name.endsWith("*"))
            {
                final String family = PREFIX + name.substring(0, name.length() - 1);
                registry.getNames()
                    .stream()
                    .filter(full -> full.startsWith(family))
                    .forEach(full -> names.add(full.substring(PREFIX.length())));
            }
            else
            {
                names.add(name);
            }
        }
        return names;
    }

    /** The listener hears some things after the client does. */
    static void await(final BooleanSupplier condition)
    {
        final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(HANG_SECONDS);
        while (!condition.getAsBoolean())
        {
            if (System.nanoTime() - deadline > 0)
            {
                throw new AssertionError("hangs");
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }
}
