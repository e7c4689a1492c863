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
package io.sluice.framing.fuzz;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** What code takes from the Java heap. */
final class HeapUse
{
    /** What the virtual machine does when code runs for the first time counts once, so it may fail that often. */
    private static final int ATTEMPTS = 5;
    /** In a search Jazzer's own hooks, at each comparison of strings and look-up in a map, allocate too. */
    private static final boolean INSTRUMENTED = System.getenv("JAZZER_FUZZ") != null;
    private static final int HOOKS_AT_LEAST = 64 * 1024;
    private static final int HOOKS_FACTOR = 2;
    private static final ThreadMXBean THREADS = (ThreadMXBean)ManagementFactory.getThreadMXBean();

    private HeapUse()
    {
    }

    /** Fails if each of several runs of the same code takes more than so many bytes. */
    static void check(final Runnable code, final long allowedBytes)
    {
        final long allowed = INSTRUMENTED ? HOOKS_AT_LEAST + HOOKS_FACTOR * allowedBytes : allowedBytes;
        long taken = Long.MAX_VALUE;
        for (int attempt = 0; attempt < ATTEMPTS && taken > allowed; attempt++)
        {
            final long before = THREADS.getCurrentThreadAllocatedBytes();
            code.run();
            taken = THREADS.getCurrentThreadAllocatedBytes() - before;
        }
        if (taken > allowed)
        {
            throw new AssertionError("heap: " + taken + " bytes (expected: 0.." + allowed + ")");
        }
    }
}
