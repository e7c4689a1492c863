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
package io.sluice.framing.testkit;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** What the current thread takes from the heap. */
public final class Allocations
{
    private static final int WARM_UP_ROUNDS = 2000;
    private static final int ATTEMPTS = 5;

    private Allocations()
    {
    }

    /**
     * Bytes allocated by this many rounds after a warm-up: the least of a few attempts, since the JVM allocates in the
     * name of a thread when it compiles or links something.
     */
    public static long perThread(final Runnable round, final int rounds)
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        repeat(round, WARM_UP_ROUNDS);
        long least = Long.MAX_VALUE;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++)
        {
            final long before = threads.getCurrentThreadAllocatedBytes();
            repeat(round, rounds);
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        return least;
    }

    private static void repeat(final Runnable round, final int rounds)
    {
        for (int i = 0; i < rounds; i++)
        {
            round.run();
        }
    }
}
