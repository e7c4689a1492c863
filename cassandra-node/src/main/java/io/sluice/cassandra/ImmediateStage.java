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
package io.sluice.cassandra;

import java.util.function.IntSupplier;
import org.apache.cassandra.concurrent.ExecutionFailure;
import org.apache.cassandra.concurrent.SEPExecutor;
import org.apache.cassandra.concurrent.WrappedExecutorPlus;

/**
 * One of Cassandra's stages whose work a request's thread does itself, if it may and a place in the stage is free, in
 * place of another thread that is woken for it while the first one waits. Any thread.
 * <p>
 * Cassandra means it to be so, but its pool lets the caller work only while other tasks wait (CASSANDRA-21429): a lone
 * write costs two threads and a hand-over. What may work at once and what may not is in
 * docs/decisions/0011-local-work-at-once.md.
 */
final class ImmediateStage extends WrappedExecutorPlus
{
    /** At most one of so many request threads is in a stage, where nothing ends its wait. */
    private static final int SHARE = 4;

    private final SharedPool places;
    private final IntSupplier requestThreads;
    private volatile boolean isOn;

    /**
     * In front of a stage's pool.
     *
     * @param requestThreads how many threads serve requests at most
     */
    ImmediateStage(final SEPExecutor pool, final IntSupplier requestThreads, final boolean isOn)
    {
        super(pool);
        this.places = new SharedPool(pool);
        this.requestThreads = requestThreads;
        this.isOn = isOn;
    }

    boolean isOn()
    {
        return isOn;
    }

    void turn(final boolean on)
    {
        isOn = on;
    }

    /** Runs it here and now, for a request's thread that may; else it is Cassandra's to run. */
    @Override
    public void maybeExecuteImmediately(final Runnable task)
    {
        final RequestRunner runner = isOn ? RequestRunner.current() : null;
        if (runner == null)
        {
            super.maybeExecuteImmediately(task);
            return;
        }
        // Work within work, of a view for instance, might wait for a lock that the outer one holds.
        if (runner.isInStage || !places.join(requestThreads.getAsInt() / SHARE))
        {
            super.execute(task);
            return;
        }
        runner.isInStage = true;
        try
        {
            task.run();
        }
        catch (final Throwable t)
        {
            // As on a thread of the stage: whoever waits is told by other means, if at all.
            ExecutionFailure.handle(t);
        }
        finally
        {
            runner.isInStage = false;
            places.leave();
        }
    }
}
