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
package io.sluice.bench.cluster;

import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.api.core.tracker.RequestTracker;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what one node failed to answer, whatever came of the request elsewhere. Any thread. */
final class RetryCounter implements RequestTracker
{
    private final Map<String, AtomicLong> counts;

    RetryCounter(final Map<String, AtomicLong> counts)
    {
        this.counts = counts;
    }

    @Override
    public void onNodeError(final Request request,
        final Throwable error,
        final long latencyNanos,
        final DriverExecutionProfile profile,
        final Node node,
        final String prefix)
    {
        counts.computeIfAbsent(error.getClass().getSimpleName(), name -> new AtomicLong()).incrementAndGet();
    }

    @Override
    public void close()
    {
        // Nothing is held.
    }
}
