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

import io.netty.util.concurrent.FastThreadLocal;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.Executor;
import org.apache.cassandra.concurrent.LocalAwareExecutorPlus;
import org.apache.cassandra.concurrent.SEPExecutor;

/**
 * Hands requests and the steps of logins to one of Cassandra's request pools, where its views, its metrics and its
 * resizing see them one by one. Any thread; meant for few, such as event loops.
 * <p>
 * A submitted task costs Cassandra three objects beside the node of its queue. Here it is one, a {@link RequestTask},
 * and the thread that hands over uses it again once it has run: the pool keeps no task that is done. Tasks go straight
 * into the pool's queue, without the hand-over of thread locals, of which event loops have none.
 */
public final class RequestPool implements Executor
{
    /** Of one thread: more requests than that in work make objects of their own. A power of two. */
    private static final int TASKS = 512;

    private static final MethodHandle ADD_TASK;
    static
    {
        try
        {
            ADD_TASK = MethodHandles.privateLookupIn(SEPExecutor.class, MethodHandles.lookup())
                .findVirtual(SEPExecutor.class, "addTask", MethodType.methodType(Runnable.class, Runnable.class))
                .asType(MethodType.methodType(void.class, SEPExecutor.class, Runnable.class));
        }
        catch (final ReflectiveOperationException e)
        {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Each thread's own, for all pools. */
    private static final FastThreadLocal<Tasks> OWN_TASKS = new FastThreadLocal<>()
    {
        @Override
        protected Tasks initialValue()
        {
            return new Tasks();
        }
    };

    private final SEPExecutor pool;

    /**
     * In front of a pool.
     *
     * @throws ClassCastException if it is not one of Cassandra's shared pools
     */
    public RequestPool(final LocalAwareExecutorPlus pool)
    {
        this.pool = (SEPExecutor)pool;
    }

    /**
     * Queues it.
     *
     * @param command an {@link io.sluice.transport.Exchange} too, or a step of a login
     */
    @Override
    public void execute(final Runnable command)
    {
        try
        {
            ADD_TASK.invokeExact(pool, (Runnable)OWN_TASKS.get().next(command));
        }
        catch (final RuntimeException | Error e)
        {
            throw e;
        }
        catch (final Throwable t)
        {
            throw new IllegalStateException(t);
        }
    }

    /** In the order of their last use, so that the next one is the likeliest to be done. */
    private static final class Tasks
    {
        private final RequestTask[] tasks = new RequestTask[TASKS];
        private int next;

        RequestTask next(final Runnable command)
        {
            final int index = next++ & TASKS - 1;
            RequestTask task = tasks[index];
            if (task == null || !task.isFree())
            {
                task = new RequestTask();
                tasks[index] = task;
            }
            task.prepare(command);
            return task;
        }
    }
}
