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
package io.sluice.bench;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * What a server's JVM has used since it started. Immutable.
 *
 * @param cpuNanos of all its threads
 * @param allocatedBytes of all threads that are alive
 */
record ServerUsage(long cpuNanos, long allocatedBytes)
{
    /** Of this JVM, now. */
    static ServerUsage ofThisJvm()
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        long allocated = 0;
        for (final long bytes : threads.getThreadAllocatedBytes(threads.getAllThreadIds()))
        {
            allocated += Math.max(0, bytes);
        }
        final OperatingSystemMXBean process = (OperatingSystemMXBean)ManagementFactory.getOperatingSystemMXBean();
        return new ServerUsage(process.getProcessCpuTime(), allocated);
    }

    /** What came on top of an earlier state. */
    ServerUsage since(final ServerUsage earlier)
    {
        return new ServerUsage(cpuNanos - earlier.cpuNanos, allocatedBytes - earlier.allocatedBytes);
    }
}
