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
package io.sluice.transport.sim;

/** Which thread the one real thread plays at the moment: a loop, or null for any other. */
final class SimThreads
{
    private final SimClock clock;
    private SimLoop current;

    SimThreads(final SimClock clock)
    {
        this.clock = clock;
    }

    SimClock clock()
    {
        return clock;
    }

    SimLoop current()
    {
        return current;
    }

    /** Runs as this thread, then goes back to the one that it interrupts. */
    void on(final SimLoop loop, final Runnable action)
    {
        final SimLoop before = current;
        current = loop;
        try
        {
            action.run();
        }
        finally
        {
            current = before;
        }
    }
}
