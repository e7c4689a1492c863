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
package io.sluice.framing.request;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** What the calling thread has allocated. */
final class Allocation
{
    private static final ThreadMXBean THREADS = (ThreadMXBean)ManagementFactory.getThreadMXBean();

    private Allocation()
    {
    }

    /** Bytes on the Java heap so far. */
    static long allocatedBytes()
    {
        return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
    }

    /**
     * Bytes per run once the code is warm: the least of several rounds, since the compiler's own doings may show in
     * one.
     */
    static long bytesPerRun(final Runnable run)
    {
        final int runs = 500;
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 20; round++)
        {
            final long before = allocatedBytes();
            for (int i = 0; i < runs; i++)
            {
                run.run();
            }
            least = Math.min(least, (allocatedBytes() - before) / runs);
        }
        return least;
    }
}
