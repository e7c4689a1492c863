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
package io.sluice.transport.testkit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for conditions, with a hang guard. Any thread. */
public final class Await
{
    /** After this long a test hangs: generous, since a guard that fires on a busy machine tells nothing. */
    public static final Duration HANG = Duration.ofSeconds(60);
    private static final long PARK_NANOS = 1_000_000;

    private Await()
    {
    }

    /**
     * Returns once the condition holds.
     *
     * @throws AssertionError if it does not within {@link #HANG}
     */
    public static void until(final String what, final BooleanSupplier condition)
    {
        final long deadlineNanos = System.nanoTime() + HANG.toNanos();
        while (!condition.getAsBoolean())
        {
            if (System.nanoTime() - deadlineNanos > 0)
            {
                throw new AssertionError("hangs: " + what);
            }
            LockSupport.parkNanos(PARK_NANOS);
        }
    }
}
