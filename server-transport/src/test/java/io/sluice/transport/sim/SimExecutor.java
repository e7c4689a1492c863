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

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** The node's threads: tasks in any order, later; or at once on whatever thread hands them over. */
final class SimExecutor implements Executor
{
    private final SimThreads threads;
    private final Dice dice;
    private final Sabotage.Once sabotage;
    private final boolean inline;
    private final boolean rejects;
    private final List<Runnable> tasks = new ArrayList<>();

    SimExecutor(final SimThreads threads,
        final Dice dice,
        final Sabotage.Once sabotage,
        final boolean inline,
        final boolean rejects)
    {
        this.threads = threads;
        this.dice = dice;
        this.sabotage = sabotage;
        this.inline = inline;
        this.rejects = rejects;
    }

    @Override
    public void execute(final Runnable task)
    {
        if (rejects && dice.oneIn(20))
        {
            throw new RejectedExecutionException("full, says the simulation");
        }
        if (inline)
        {
            task.run();
        }
        else
        {
            tasks.add(task);
        }
    }

    int size()
    {
        return tasks.size();
    }

    /** Runs one task on a thread that is no loop's; false if there is none. */
    boolean runOne()
    {
        if (tasks.isEmpty())
        {
            return false;
        }
        final int index = dice.below(tasks.size());
        final Runnable task = tasks.get(index);
        tasks.set(index, tasks.get(tasks.size() - 1));
        tasks.remove(tasks.size() - 1);
        threads.on(null, task);
        if (sabotage.strikes(Sabotage.SERVE_TWICE))
        {
            threads.on(null, task);
        }
        return true;
    }
}
