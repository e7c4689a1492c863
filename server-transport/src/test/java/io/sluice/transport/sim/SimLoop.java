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

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.AbstractScheduledEventExecutor;
import io.netty.util.concurrent.Future;
import java.util.ArrayDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * An event loop that runs one task when it is told to, in virtual time. "On the loop" is where the simulation says
 * it is, not a thread.
 */
final class SimLoop extends AbstractScheduledEventExecutor implements EventLoop
{
    private final SimThreads threads;
    private final Sabotage.Once sabotage;
    private final String name;
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private boolean immediate;
    private boolean draining;
    private boolean shut;

    SimLoop(final SimLoopGroup group,
        final SimThreads threads,
        final Sabotage.Once sabotage,
        final String name,
        final boolean immediate)
    {
        super(group);
        this.threads = threads;
        this.sabotage = sabotage;
        this.name = name;
        this.immediate = immediate;
    }

    /** True if whatever is handed over runs at once: for the calls that block until a loop has done its part. */
    void immediate(final boolean now)
    {
        immediate = now;
        if (now)
        {
            drain();
        }
    }

    /** Takes nothing more. */
    void shut()
    {
        shut = true;
        tasks.clear();
        threads.on(this, this::cancelScheduledTasks);
    }

    @Override
    public void execute(final Runnable task)
    {
        if (shut)
        {
            throw new RejectedExecutionException(name + " has ended");
        }
        if (threads.current() == null && !immediate && sabotage.strikes(Sabotage.LOSE_WAKE))
        {
            return;
        }
        tasks.add(task);
        if (immediate)
        {
            drain();
        }
    }

    private void drain()
    {
        if (draining)
        {
            return;
        }
        draining = true;
        try
        {
            while (hasTask())
            {
                runOne();
            }
        }
        finally
        {
            draining = false;
        }
    }

    /** True if {@link #runOne} has something to do now. */
    boolean hasTask()
    {
        return !tasks.isEmpty();
    }

    void runOne()
    {
        threads.on(this, tasks.poll());
    }

    /** Moves what is due to the tasks. */
    void takeDue()
    {
        threads.on(this, () ->
        {
            for (Runnable due = pollScheduledTask(); due != null; due = pollScheduledTask())
            {
                tasks.add(due);
            }
        });
    }

    /** In nanoseconds from now, or -1 if nothing is scheduled. */
    long nextTimerNanos()
    {
        return nextScheduledTaskNano();
    }

    @Override
    protected long getCurrentTimeNanos()
    {
        return threads.clock().loopNanos();
    }

    @Override
    public boolean inEventLoop(final Thread thread)
    {
        return threads.current() == this;
    }

    @Override
    public EventLoopGroup parent()
    {
        return (EventLoopGroup)super.parent();
    }

    @Override
    public EventLoop next()
    {
        return this;
    }

    @Override
    public ChannelFuture register(final Channel channel)
    {
        return register(new DefaultChannelPromise(channel, this));
    }

    @Override
    public ChannelFuture register(final ChannelPromise promise)
    {
        promise.channel().unsafe().register(this, promise);
        return promise;
    }

    @Deprecated
    @Override
    public ChannelFuture register(final Channel channel, final ChannelPromise promise)
    {
        channel.unsafe().register(this, promise);
        return promise;
    }

    @Override
    public boolean isShuttingDown()
    {
        return shut;
    }

    @Override
    public boolean isShutdown()
    {
        return shut;
    }

    @Override
    public boolean isTerminated()
    {
        return shut;
    }

    @Override
    public boolean awaitTermination(final long timeout, final TimeUnit unit)
    {
        return shut;
    }

    @Override
    public Future<?> shutdownGracefully(final long quietPeriod, final long timeout, final TimeUnit unit)
    {
        throw new UnsupportedOperationException("the loops stay the simulation's");
    }

    @Override
    public Future<?> terminationFuture()
    {
        throw new UnsupportedOperationException("the loops stay the simulation's");
    }

    @Deprecated
    @Override
    public void shutdown()
    {
        throw new UnsupportedOperationException("the loops stay the simulation's");
    }

    @Override
    public String toString()
    {
        return name;
    }
}
