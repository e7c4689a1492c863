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
package io.sluice.bench.server;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * What a server's JVM has used since it started. Immutable.
 *
 * @param cpuNanos of all its threads, garbage collection and compiler included
 * @param allocatedBytes of all its threads
 */
public record ServerUsage(long cpuNanos, long allocatedBytes)
{
    private static final AllocatedBytes ALLOCATED = new AllocatedBytes();

    /** Of this JVM, now. */
    static ServerUsage ofThisJvm()
    {
        final OperatingSystemMXBean process = (OperatingSystemMXBean)ManagementFactory.getOperatingSystemMXBean();
        return new ServerUsage(process.getProcessCpuTime(), ALLOCATED.total());
    }

    /** What came on top of an earlier state. */
    public ServerUsage since(final ServerUsage earlier)
    {
        return new ServerUsage(cpuNanos - earlier.cpuNanos, allocatedBytes - earlier.allocatedBytes);
    }
}
