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
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.util.concurrent.AbstractEventExecutorGroup;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A few loops for connections and one, which always runs at once, for listening. */
final class SimLoopGroup extends AbstractEventExecutorGroup implements EventLoopGroup
{
    private final List<SimLoop> loops = new ArrayList<>();
    private final SimLoop listening;
    private int nextLoop;

    SimLoopGroup(final SimThreads threads, final int count, final Sabotage.Once sabotage)
    {
        for (int i = 0; i < count; i++)
        {
            loops.add(new SimLoop(this, threads, sabotage, "loop " + i, false));
        }
        listening = new SimLoop(this, threads, sabotage, "listening loop", true);
    }

    List<SimLoop> loops()
    {
        return loops;
    }

    SimLoop listening()
    {
        return listening;
    }

    @Override
    public EventLoop next()
    {
        nextLoop = (nextLoop + 1) % loops.size();
        return loops.get(nextLoop);
    }

    @Override
    public Iterator<EventExecutor> iterator()
    {
        return Collections.<EventExecutor>unmodifiableList(loops).iterator();
    }

    @Override
    public ChannelFuture register(final Channel channel)
    {
        return channel instanceof ServerChannel ? listening.register(channel) : next().register(channel);
    }

    @Override
    public ChannelFuture register(final ChannelPromise promise)
    {
        return promise.channel() instanceof ServerChannel ? listening.register(promise) : next().register(promise);
    }

    @Deprecated
    @Override
    public ChannelFuture register(final Channel channel, final ChannelPromise promise)
    {
        throw new UnsupportedOperationException("register: deprecated, " + promise);
    }

    @Override
    public boolean isShuttingDown()
    {
        return false;
    }

    @Override
    public boolean isShutdown()
    {
        return false;
    }

    @Override
    public boolean isTerminated()
    {
        return false;
    }

    @Override
    public boolean awaitTermination(final long timeout, final TimeUnit unit)
    {
        return false;
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
}
