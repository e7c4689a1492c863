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

import io.sluice.transport.Exchange;
import java.lang.invoke.VarHandle;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.agrona.concurrent.ManyToManyConcurrentArrayQueue;
import org.apache.cassandra.concurrent.LocalAwareExecutorPlus;
import org.apache.cassandra.concurrent.ResizableThreadPool;
import org.apache.cassandra.concurrent.SEPExecutor;
import org.apache.cassandra.metrics.ThreadPoolMetrics;
import org.apache.cassandra.utils.MonotonicClock;

/**
 * Hands requests and the steps of logins to the threads of one of Cassandra's request pools. Any thread.
 * <p>
 * A task of Cassandra's pool for each request costs four objects and most often a thread that is woken for it. Here
 * requests wait in a queue of ours, and a task of the pool, a {@link RequestRunner}, runs them one after another.
 * Before it runs one that may block it sees to it that another runner is called for those behind, and a runner without
 * work stays for a while, so that the next request wakes it and not the pool.
 * <p>
 * Views, figures and resizing are still the pool's: each request that runs is in {@code system_views.queries} for
 * itself, and {@link #showFigures} makes {@code nodetool tpstats}, JMX and {@code system_views.thread_pools} count
 * requests.
 */
public final class RequestPool implements Executor
{
    /** More waiting requests than that cost an object each. A power of two. */
    private static final int CAPACITY = 1 << 14;
    /** How long a runner stays: long beside the gaps of any load that matters, short beside a drain. */
    private static final long STAY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    /** A request that takes no longer is over before another thread is awake. Cassandra's own take more. */
    private static final long QUICK_NANOS = 10_000;
    /** So many quick ones, and requests are taken to be quick. */
    private static final int MANY_QUICK = 64;
    /** One that is not quick weighs as much as so many that are. */
    private static final int SLOW_WEIGHT = 16;
    /** If more wait, another thread is of use even for quick ones. */
    private static final int FEW_WAITING = 32;
    /** How often the watcher looks: the longest that one that is slow all of a sudden keeps others waiting. */
    private static final long WATCH_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    /** So many looks that nobody has relied on, and it stops. */
    private static final int MOST_LOOKS_FOR_NOTHING = 20;

    private final SEPExecutor threads;
    private final SharedPool tasks;
    private final ManyToManyConcurrentArrayQueue<Runnable> waiting = new ManyToManyConcurrentArrayQueue<>(CAPACITY);
    /** What {@link #waiting} did not hold, and whatever comes until that has begun: first come, first served. */
    private final Queue<Runnable> spilled = new ConcurrentLinkedQueue<>();
    private final AtomicInteger spilledCount = new AtomicInteger();
    private final IdleRunners idle = new IdleRunners();
    /** True from when a runner is called until one looks: whoever comes in between need not call another. */
    private final AtomicBoolean isCalled = new AtomicBoolean();
    /** True while a runner waits for a thread of the pool, which never has more than one to start. */
    private final AtomicBoolean isQueued = new AtomicBoolean();
    private final AtomicInteger runners = new AtomicInteger();
    /** True while requests take no time worth speaking of. */
    private volatile boolean isQuick;
    /** True while a runner without work looks at the queue every now and then. */
    private final AtomicBoolean isWatched = new AtomicBoolean();
    /** True if nobody was called since there is a watcher, since its last look. */
    private volatile boolean isRelied;
    private final LongAdder completed = new LongAdder();

    /**
     * In front of a pool, which needs one such object for all who use it.
     *
     * @throws ClassCastException if it is not one of Cassandra's shared pools
     */
    public RequestPool(final LocalAwareExecutorPlus pool)
    {
        threads = (SEPExecutor)pool;
        tasks = new SharedPool(threads);
    }

    /**
     * Queues it. Whatever it throws goes to Cassandra's handler for uncaught exceptions.
     *
     * @param command an {@link Exchange} too, or a step of a login
     */
    @Override
    public void execute(final Runnable command)
    {
        if (spilledCount.get() > 0 || !waiting.offer(command))
        {
            spilledCount.incrementAndGet();
            spilled.add(command);
        }
        // The queue publishes without a fence: a runner that has reset the flag must see the command, or we the flag.
        VarHandle.fullFence();
        // A runner that is up will look before it sits down.
        if (runners.get() <= idle.count() || !relies())
        {
            call();
        }
    }

    /**
     * True if nobody need be called for those that wait: a runner that is up will be with them sooner than another
     * could be, and if not, the watcher sees them.
     */
    private boolean relies()
    {
        if (!isQuick || !isWatched.get() || pending() > FEW_WAITING)
        {
            return false;
        }
        if (!isRelied)
        {
            isRelied = true;
        }
        return true;
    }

    /** Sees to it that a runner looks at the queue from now on. */
    private void call()
    {
        if (!isCalled.get() && !isCalled.getAndSet(true) && !idle.wakeOne() && !isQueued.getAndSet(true))
        {
            tasks.addTask(new RequestRunner(this));
        }
    }

    /** By a runner on a thread of the pool, which was called by {@link #call}. */
    void runCalled(final RequestRunner runner)
    {
        isQueued.set(false);
        runners.incrementAndGet();
        final int seat = idle.takeSeat();
        isCalled.set(false);
        try
        {
            runWaiting(runner);
            while (seat >= 0 && !isSurplus() && awaitCall(seat))
            {
                runWaiting(runner);
            }
        }
        finally
        {
            idle.leaveSeat(seat);
            runners.decrementAndGet();
            // It may have left a queue that is not empty: because there are too many runners, or while it got up.
            callIfAnyWaits();
        }
    }

    private void runWaiting(final RequestRunner runner)
    {
        while (!isSurplus())
        {
            final Runnable command = next();
            if (command == null)
            {
                return;
            }
            if (anyWaits() && !relies())
            {
                call();
            }
            final long begun = System.nanoTime();
            runner.runOne(command);
            completed.increment();
            judge(runner, System.nanoTime() - begun);
        }
    }

    private void judge(final RequestRunner runner, final long nanos)
    {
        if (nanos > QUICK_NANOS)
        {
            runner.quickOnes = Math.max(0, runner.quickOnes - SLOW_WEIGHT);
            if (isQuick && runner.quickOnes < MANY_QUICK / 2)
            {
                isQuick = false;
            }
        }
        else if (runner.quickOnes < MANY_QUICK)
        {
            runner.quickOnes++;
            if (runner.quickOnes == MANY_QUICK && !isQuick)
            {
                isQuick = true;
            }
        }
    }

    private Runnable next()
    {
        final Runnable first = waiting.poll();
        if (first != null || spilledCount.get() == 0)
        {
            return first;
        }
        final Runnable late = spilled.poll();
        if (late != null)
        {
            spilledCount.decrementAndGet();
        }
        return late;
    }

    private void callIfAnyWaits()
    {
        if (anyWaits())
        {
            call();
        }
    }

    private boolean anyWaits()
    {
        return first() != null;
    }

    /** Not the queue's own idea of being empty, which counts commands that are not there yet. */
    private Runnable first()
    {
        final Runnable first = waiting.peek();
        return first != null || spilledCount.get() == 0 ? first : spilled.peek();
    }

    /** True once the pool was made smaller. */
    private boolean isSurplus()
    {
        return runners.get() > threads.getMaximumPoolSize();
    }

    /** True if there is something to look for, false if the runner is to go. */
    private boolean awaitCall(final int seat)
    {
        if (!watch(seat) && !sit(seat, STAY_NANOS))
        {
            return false;
        }
        isCalled.set(false);
        return true;
    }

    /** True if it was called, or something waits; false if it sat in vain and is up again. */
    private boolean sit(final int seat, final long nanos)
    {
        idle.sit(seat);
        // Whoever queued before that has seen nobody sitting, and whoever queues from here on does.
        // Nor would anybody call it while another that is called waits for a thread, perhaps for this one.
        final boolean isUp = (anyWaits() || isCalled.get()) && idle.getUp(seat);
        return isUp || idle.awaitCall(seat, nanos);
    }

    /**
     * Sits as the watcher, if requests are quick and there is none. True if there is something to look for; false if it
     * need not or may not watch any more. It is not the watcher when it returns.
     */
    private boolean watch(final int seat)
    {
        if (!isQuick || isWatched.get() || isWatched.getAndSet(true))
        {
            return false;
        }
        try
        {
            int inVain = 0;
            while (isQuick && inVain < MOST_LOOKS_FOR_NOTHING && !isSurplus())
            {
                if (sit(seat, WATCH_NANOS))
                {
                    return true;
                }
                inVain = isRelied ? 0 : inVain + 1;
                isRelied = false;
            }
            return false;
        }
        finally
        {
            isWatched.set(false);
            // Whoever has relied on it queued before that: the look at the queue that follows must see it.
            VarHandle.fullFence();
        }
    }

    /** Requests that run at this moment, roughly. */
    public int active()
    {
        return Math.max(0, threads.getActiveTaskCount() - idle.count());
    }

    /** Requests that wait for a thread, roughly. */
    public int pending()
    {
        return waiting.size() + spilledCount.get();
    }

    /** How long the first of those has waited, in nanoseconds; 0 if none waits. */
    long oldestNanos()
    {
        return first() instanceof Exchange exchange
            ? Math.max(0, MonotonicClock.Global.approxTime.now() - exchange.submittedNanos())
            : 0;
    }

    /** Makes the pool's figures, wherever Cassandra shows them, those of requests. Once. */
    public RequestPool showFigures()
    {
        final String path = threads.metrics.path;
        final String name = threads.metrics.poolName;
        threads.metrics.release();
        new ThreadPoolMetrics(new Figures(), path, name).register();
        return this;
    }

    private final class Figures implements ResizableThreadPool
    {
        @Override
        public int getActiveTaskCount()
        {
            return active();
        }

        @Override
        public int getPendingTaskCount()
        {
            return pending();
        }

        @Override
        public long getCompletedTaskCount()
        {
            return completed.sum();
        }

        @Override
        public long oldestTaskQueueTime()
        {
            return oldestNanos();
        }

        @Override
        public int getMaxTasksQueued()
        {
            return threads.getMaxTasksQueued();
        }

        @Override
        public int getCorePoolSize()
        {
            return threads.getCorePoolSize();
        }

        @Override
        public void setCorePoolSize(final int size)
        {
            threads.setCorePoolSize(size);
        }

        @Override
        public int getMaximumPoolSize()
        {
            return threads.getMaximumPoolSize();
        }

        @Override
        public void setMaximumPoolSize(final int size)
        {
            threads.setMaximumPoolSize(size);
        }
    }
}
