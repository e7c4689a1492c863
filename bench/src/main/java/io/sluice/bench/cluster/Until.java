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
package io.sluice.bench.cluster;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Waits for what a cluster does in its own time. Any thread. */
final class Until
{
    /** After this long it will not happen any more. */
    private static final long HANG_SECONDS = 300;
    private static final long POLL_MILLIS = 100;

    /** Looks once. */
    interface Condition
    {
        boolean holds() throws IOException;
    }

    private Until()
    {
    }

    /** Returns once the condition holds; throws if it hangs. */
    static void holds(final String what, final Condition condition) throws IOException, InterruptedException
    {
        final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(HANG_SECONDS);
        while (!condition.holds())
        {
            if (System.nanoTime() - deadline > 0)
            {
                throw new IOException("not after " + HANG_SECONDS + " s: " + what);
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }
}
