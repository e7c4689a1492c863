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

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.cassandra.concurrent.SEPExecutor;
import org.apache.cassandra.utils.concurrent.Condition;

/**
 * One of Cassandra's shared pools, with what is not public about it. Any thread.
 * <p>
 * The pool counts its tasks and its free places in one number, and whoever works for it takes a place. A thread of
 * another pool may do so too.
 */
final class SharedPool
{
    /** Places are the upper half of the number. */
    private static final int PLACES_SHIFT = Integer.SIZE;
    private static final long ONE_PLACE = 1L << PLACES_SHIFT;

    private static final MethodHandle PERMITS;
    private static final MethodHandle SHUTDOWN;
    private static final MethodHandle ADD_TASK;
    private static final MethodHandle ON_COMPLETION;
    private static final MethodHandle MAYBE_SCHEDULE;
    static
    {
        try
        {
            final MethodHandles.Lookup pools = MethodHandles.privateLookupIn(SEPExecutor.class, MethodHandles.lookup());
            PERMITS = pools.findGetter(SEPExecutor.class, "permits", AtomicLong.class);
            SHUTDOWN = pools.findGetter(SEPExecutor.class, "shutdown", Condition.class);
            ADD_TASK = pools
                .findVirtual(SEPExecutor.class, "addTask", MethodType.methodType(Runnable.class, Runnable.class))
                .asType(MethodType.methodType(void.class, SEPExecutor.class, Runnable.class));
            ON_COMPLETION = pools.findVirtual(SEPExecutor.class, "onCompletion", MethodType.methodType(void.class));
            MAYBE_SCHEDULE = pools
                .findVirtual(SEPExecutor.class, "maybeSchedule", MethodType.methodType(boolean.class))
                .asType(MethodType.methodType(void.class, SEPExecutor.class));
        }
        catch (final ReflectiveOperationException e)
        {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final SEPExecutor pool;
    private final AtomicLong permits;
    private final Condition shutdown;

    SharedPool(final SEPExecutor pool)
    {
        this.pool = pool;
        try
        {
            permits = (AtomicLong)PERMITS.invokeExact(pool);
            shutdown = (Condition)SHUTDOWN.invokeExact(pool);
        }
        catch (final Throwable t)
        {
            throw CassandraInternals.unexpected(t);
        }
    }

    /** Queues a task as it is, which the pool's own methods wrap. */
    void addTask(final Runnable task)
    {
        try
        {
            ADD_TASK.invokeExact(pool, task);
        }
        catch (final Throwable t)
        {
            throw CassandraInternals.unexpected(t);
        }
    }

    /**
     * Takes a place for the calling thread, if one is free, fewer than {@code most} are taken and the pool is not shut
     * down. Whoever got one does one task and calls {@link #leave}.
     */
    boolean join(final int most)
    {
        long before = permits.get();
        while (isFree(before, most))
        {
            if (permits.compareAndSet(before, before - ONE_PLACE))
            {
                // Only now: a shutdown that comes later sees the place taken, and waits for it.
                if (!pool.isShutdown())
                {
                    return true;
                }
                giveBack();
                return false;
            }
            before = permits.get();
        }
        return false;
    }

    private boolean isFree(final long both, final int most)
    {
        final int free = (int)(both >> PLACES_SHIFT);
        return free > 0 && pool.getMaximumPoolSize() - free < most;
    }

    /** Counts a task of the calling thread as completed and gives its place back. */
    void leave()
    {
        try
        {
            ON_COMPLETION.invokeExact(pool);
        }
        catch (final Throwable t)
        {
            throw CassandraInternals.unexpected(t);
        }
        finally
        {
            giveBack();
        }
    }

    private void giveBack()
    {
        final long after = permits.addAndGet(ONE_PLACE);
        if (pool.isShutdown())
        {
            if (pool.getActiveTaskCount() == 0)
            {
                shutdown.signalAll();
            }
        }
        else if ((int)after != 0)
        {
            // Tasks that came while no place was free have called nobody.
            schedule();
        }
    }

    private void schedule()
    {
        try
        {
            MAYBE_SCHEDULE.invokeExact(pool);
        }
        catch (final Throwable t)
        {
            throw CassandraInternals.unexpected(t);
        }
    }
}
