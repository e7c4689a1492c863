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
package io.sluice.transport;

import java.time.Duration;

/**
 * How long answers may wait on their event loop for others to go out with them. Pure: what it decides depends on what
 * it is told alone. Immutable.
 * <p>
 * Waiting pays where a loop's answers come so close together that it would spend its time in system calls; it costs
 * latency where they do not. So the window is a part of the time in which the loop's requests in flight will be
 * answered at the present rate:
 * <ul>
 * <li>With fewer than four in flight, one alone above all, nothing ever waits: no two others could be waited for.
 * <li>Up to {@link #free} in flight, answers wait for the grace at most, and only if at least two more are due in it.
 * <li>Beyond, half of the time that those above {@link #free} will take: the more there are, the less one flush early
 * or late counts for each.
 * <li>A window closes early when half of what is in flight has been answered: while the client is at that half, the
 * server is at the other. It closes as well on {@link #fillBytes} bytes and on an answer of {@link #largeBytes}.
 * </ul>
 *
 * @param longestHold hard cap on any window; zero turns waiting off. 0..100 ms
 * @param grace the window that a moderate number in flight may take; 0..{@code longestHold}
 * @param free how many requests in flight do not widen the window; 0..65,535
 * @param fillBytes so many bytes waiting close a window: 1 and more
 * @param largeBytes an answer of this size does not wait, and what waits goes out ahead of it: 1 and more
 */
public record FlushPolicy(Duration longestHold, Duration grace, int free, int fillBytes, int largeBytes)
{

    private static final Duration MOST = Duration.ofMillis(100);
    private static final int MOST_FREE = 65_535;
    private static final int FEWEST_IN_FLIGHT = 4;

    /** Flushes whatever is there at once. */
    public static final FlushPolicy IMMEDIATE = new FlushPolicy(Duration.ZERO, Duration.ZERO, 0, 1, 1);

    /** Checks the ranges. */
    public FlushPolicy
    {
        if (longestHold.isNegative() || longestHold.compareTo(MOST) > 0)
        {
            throw new IllegalArgumentException("longestHold: " + longestHold + " (expected: 0.." + MOST + ")");
        }
        if (grace.isNegative() || grace.compareTo(longestHold) > 0)
        {
            throw new IllegalArgumentException("grace: " + grace + " (expected: 0.." + longestHold + ")");
        }
        if (free < 0 || free > MOST_FREE)
        {
            throw new IllegalArgumentException("free: " + free + " (expected: 0.." + MOST_FREE + ")");
        }
        if (fillBytes < 1)
        {
            throw new IllegalArgumentException("fillBytes: " + fillBytes + " (expected: >= 1)");
        }
        if (largeBytes < 1)
        {
            throw new IllegalArgumentException("largeBytes: " + largeBytes + " (expected: >= 1)");
        }
    }

    /** At most a millisecond, 20 microseconds of grace, 16 free, 64 KiB, 16 KiB. */
    public static FlushPolicy defaults()
    {
        return new FlushPolicy(Duration.ofMillis(1), Duration.ofNanos(20_000), 16, 64 << 10, 16 << 10);
    }

    /** The same with another cap; the grace is cut to it. */
    public FlushPolicy withLongestHold(final Duration hold)
    {
        return new FlushPolicy(hold, grace.compareTo(hold) > 0 ? hold : grace, free, fillBytes, largeBytes);
    }

    /**
     * How long the oldest waiting answer may have waited before all go out.
     *
     * @param inFlight requests of the loop that were read and whose answers were not written: those that wait included
     * @param gapNanos mean time between two answers of late
     * @return in nanoseconds; 0 for not at all
     */
    public long holdNanos(final int inFlight, final long gapNanos)
    {
        if (inFlight < FEWEST_IN_FLIGHT || gapNanos < 0)
        {
            return 0;
        }
        final long cap = longestHold.toNanos();
        final long gap = Math.min(gapNanos, cap);
        final long beyond = Math.max(0, inFlight - free) * gap / 2;
        final long hold = Math.min(cap, Math.max(beyond, Math.min(grace.toNanos(), inFlight * gap / 2)));
        return hold < 2 * gap ? 0 : hold;
    }

    /** How many waiting answers close the window, with this many in flight. */
    public int fill(final int inFlight)
    {
        return Math.max(1, inFlight / 2);
    }
}
