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
package io.sluice.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/** Runs the same on many threads at once. */
final class ManyThreads
{
    private ManyThreads()
    {
    }

    /** Returns once all have ended, each of which has given the command every number from 0 to {@code times - 1}. */
    static void run(final int threads, final int times, final IntConsumer command) throws InterruptedException
    {
        final List<Thread> running = new ArrayList<>();
        for (int t = 0; t < threads; t++)
        {
            final Thread thread = new Thread(() ->
            {
                for (int i = 0; i < times; i++)
                {
                    command.accept(i);
                }
            });
            running.add(thread);
            thread.start();
        }
        for (final Thread thread : running)
        {
            thread.join();
        }
    }
}
