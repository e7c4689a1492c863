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
package io.sluice.bench.soak;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Tells all clients when to come to an end. Any thread. */
final class SoakStop
{
    private final CountDownLatch asked = new CountDownLatch(1);

    void ask()
    {
        asked.countDown();
    }

    boolean isAsked()
    {
        return asked.getCount() == 0;
    }

    /** Waits at most so long; true if the end came meanwhile. */
    boolean await(final long millis)
    {
        try
        {
            return asked.await(millis, TimeUnit.MILLISECONDS);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
