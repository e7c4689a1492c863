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

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.concurrent.ManyToManyConcurrentArrayQueue;

/**
 * The hand-over that Sluice does not use: a task of the pool runs requests until none waits. Before it runs one that
 * may block it offers the others to the pool, so none waits for another's end. Any thread.
 */
final class SeveralAtOnce implements Executor
{
    /** More than any load here has in flight. */
    private static final int CAPACITY = 1 << 16;

    private final Executor pool;
    private final ManyToManyConcurrentArrayQueue<Runnable> waiting = new ManyToManyConcurrentArrayQueue<>(CAPACITY);
    /** True while a runner is queued that has not looked yet. */
    private final AtomicBoolean isOffered = new AtomicBoolean();
    private final Runnable runner = this::runAll;

    SeveralAtOnce(final Executor pool)
    {
        this.pool = pool;
    }

    @Override
    public void execute(final Runnable command)
    {
        if (!waiting.offer(command))
        {
            pool.execute(command);
            return;
        }
        offer();
    }

    private void offer()
    {
        if (!isOffered.get() && isOffered.compareAndSet(false, true))
        {
            pool.execute(runner);
        }
    }

    private void runAll()
    {
        isOffered.set(false);
        for (Runnable command = waiting.poll(); command != null; command = waiting.poll())
        {
            if (!waiting.isEmpty())
            {
                offer();
            }
            command.run();
        }
    }
}
