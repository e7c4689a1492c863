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

import java.util.List;

/**
 * What a load run does. Immutable.
 *
 * @param version 3, 4 or 5
 * @param lz4 compressed segments (version 5) or bodies
 * @param inFlight requests at once, in all; in an open loop the most
 * @param warmUpSeconds not counted
 * @param seconds counted; without meaning if {@code operations} are
 * @param operations how many requests are counted; 0 to count for some seconds
 * @param ratePerSecond requests per second of an open loop; 0 for a closed one
 * @param requests envelopes on stream 0, not compressed, sent in turns
 */
public record LoadPlan(
    String host,
    int port,
    int version,
    boolean lz4,
    int inFlight,
    double warmUpSeconds,
    double seconds,
    long operations,
    double ratePerSecond,
    List<byte[]> requests)
{

    private static final int MOST_STREAMS = 32_768;
    private static final int LOWEST_VERSION = 3;
    private static final int HIGHEST_VERSION = 5;

    /** Checked. */
    public LoadPlan
    {
        requests = List.copyOf(requests);
        if (requests.isEmpty())
        {
            throw new IllegalArgumentException("requests: none (expected: at least one)");
        }
        if (version < LOWEST_VERSION || version > HIGHEST_VERSION)
        {
            throw new IllegalArgumentException("version: " + version + " (expected: 3..5)");
        }
        if (inFlight < 1 || inFlight > MOST_STREAMS)
        {
            throw new IllegalArgumentException("in-flight: " + inFlight + " (expected: 1.." + MOST_STREAMS + ")");
        }
        if (!(seconds > 0) || !(warmUpSeconds >= 0))
        {
            throw new IllegalArgumentException("seconds: " + seconds + " after " + warmUpSeconds +
                " (expected: more than 0 after at least 0)");
        }
        if (operations < 0)
        {
            throw new IllegalArgumentException("operations: " + operations + " (expected: >= 0)");
        }
        if (!(ratePerSecond >= 0))
        {
            throw new IllegalArgumentException("rate: " + ratePerSecond + " (expected: >= 0)");
        }
    }

    /** True if requests are due at a rate. */
    public boolean isOpenLoop()
    {
        return ratePerSecond > 0;
    }
}
