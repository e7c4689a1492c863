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
import io.netty.channel.ChannelOption;
import io.netty.channel.DefaultChannelConfig;
import java.util.Set;

/** Takes the options of TCP sockets, which mean nothing here but for half closure. */
final class SimChannelConfig extends DefaultChannelConfig
{
    private static final Set<ChannelOption<?>> OF_TCP = Set.of(ChannelOption.TCP_NODELAY, ChannelOption.SO_KEEPALIVE,
        ChannelOption.SO_REUSEADDR, ChannelOption.SO_BACKLOG);

    private final Runnable onAutoReadCleared;
    private boolean halfClosure;

    SimChannelConfig(final Channel channel, final Runnable onAutoReadCleared)
    {
        super(channel);
        this.onAutoReadCleared = onAutoReadCleared;
    }

    boolean isHalfClosure()
    {
        return halfClosure;
    }

    @Override
    public <T> boolean setOption(final ChannelOption<T> option, final T value)
    {
        if (ChannelOption.ALLOW_HALF_CLOSURE.equals(option))
        {
            halfClosure = (Boolean)value;
            return true;
        }
        return OF_TCP.contains(option) || super.setOption(option, value);
    }

    @Override
    protected void autoReadCleared()
    {
        onAutoReadCleared.run();
    }
}
