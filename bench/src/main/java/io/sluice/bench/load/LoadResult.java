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
package io.sluice.bench.load;

import io.sluice.bench.server.ServerUsage;
import org.HdrHistogram.Histogram;

/**
 * What a load run measured. Immutable.
 *
 * @param firstError what the first error said, or null
 * @param nanos how long it was counted
 * @param latencies in nanoseconds; in an open loop from the moment at which a request was due
 * @param receivedSegments see {@link ReceivedSegments}; -1 if unknown
 * @param usage of the server meanwhile, or null if it could not be asked
 */
public record LoadResult(
    long requests,
    long errors,
    String firstError,
    long nanos,
    Histogram latencies,
    long receivedSegments,
    ServerUsage usage)
{

    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MICRO = 1e3;

    /** Counted requests by counted time. */
    public double requestsPerSecond()
    {
        return requests * NANOS_PER_SECOND / nanos;
    }

    /** Of the server's process; 0 if unknown. */
    public double cpuMicrosPerRequest()
    {
        return usage == null || requests == 0 ? 0 : usage.cpuNanos() / NANOS_PER_MICRO / requests;
    }

    /** Of the server's threads; 0 if unknown. */
    public double allocatedBytesPerRequest()
    {
        return usage == null || requests == 0 ? 0 : (double)usage.allocatedBytes() / requests;
    }

    /** Of the counted requests. */
    public double percentileMicros(final double percentile)
    {
        return latencies.getValueAtPercentile(percentile) / NANOS_PER_MICRO;
    }

    /** TCP segments with data by answer: what send calls there were; 0 if unknown. */
    public double sendsPerAnswer()
    {
        return receivedSegments <= 0 || requests == 0 ? 0 : (double)receivedSegments / requests;
    }
}
