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

import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.jmx.JmxReporter;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Shows a registry's metrics, also those that come later, as MBeans of this JVM's platform server:
 * {@code <domain>:name=<metric>,type=<counters, gauges, histograms or timers>}; durations in microseconds. Any thread.
 */
public final class JmxMetrics implements AutoCloseable
{
    private final JmxReporter reporter;

    private JmxMetrics(final JmxReporter reporter)
    {
        this.reporter = reporter;
    }

    /** Starts to show them, until {@link #close}. */
    public static JmxMetrics start(final MetricRegistry registry, final String domain)
    {
        Objects.requireNonNull(domain, "domain");
        final JmxReporter reporter = JmxReporter.forRegistry(Objects.requireNonNull(registry, "registry"))
            .inDomain(domain)
            .convertDurationsTo(TimeUnit.MICROSECONDS)
            .build();
        reporter.start();
        return new JmxMetrics(reporter);
    }

    /** Takes the MBeans away; the registry stays as it is. */
    @Override
    public void close()
    {
        reporter.close();
    }
}
