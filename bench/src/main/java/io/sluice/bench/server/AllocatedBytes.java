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

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;

/**
 * What all threads of this JVM have allocated, those included that have ended: each keeps what it was last seen with.
 * Never goes down. Any thread.
 */
final class AllocatedBytes
{
    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private final Map<Long, Long> alive = new HashMap<>();
    private long ended;

    /** Up to now. */
    synchronized long total()
    {
        final long[] ids = threads.getAllThreadIds();
        final long[] bytes = threads.getThreadAllocatedBytes(ids);
        final Map<Long, Long> before = new HashMap<>(alive);
        alive.clear();
        long sum = 0;
        for (int i = 0; i < ids.length; i++)
        {
            if (bytes[i] >= 0)
            {
                alive.put(ids[i], bytes[i]);
                before.remove(ids[i]);
                sum += bytes[i];
            }
        }
        for (final long lost : before.values())
        {
            ended += lost;
        }
        return sum + ended;
    }
}
