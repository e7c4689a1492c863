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

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** What threads have allocated on the heap. */
final class Allocations
{
    private Allocations()
    {
    }

    /** Bytes allocated so far by all threads but the caller's. */
    static long ofOtherThreads()
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        long sum = 0;
        for (final long id : threads.getAllThreadIds())
        {
            sum += id == Thread.currentThread().getId() ? 0 : Math.max(0, threads.getThreadAllocatedBytes(id));
        }
        return sum;
    }
}
