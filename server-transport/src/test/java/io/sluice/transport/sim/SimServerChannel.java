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

import io.netty.channel.AbstractServerChannel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/** Where clients connect to. */
final class SimServerChannel extends AbstractServerChannel
{
    private final ChannelConfig config = new SimChannelConfig(this, () ->
    {
    });
    private SocketAddress local;
    private boolean open = true;

    /** On the listening loop: a client that got through. */
    void accept(final SimChannel channel)
    {
        pipeline().fireChannelRead(channel);
        pipeline().fireChannelReadComplete();
    }

    @Override
    public ChannelConfig config()
    {
        return config;
    }

    @Override
    public boolean isOpen()
    {
        return open;
    }

    @Override
    public boolean isActive()
    {
        return open && local != null;
    }

    @Override
    protected boolean isCompatible(final EventLoop loop)
    {
        return loop instanceof SimLoop;
    }

    @Override
    protected SocketAddress localAddress0()
    {
        return local;
    }

    @Override
    protected void doBind(final SocketAddress localAddress)
    {
        local = new InetSocketAddress(((InetSocketAddress)localAddress).getAddress(), 9042);
    }

    @Override
    protected void doClose()
    {
        open = false;
    }

    @Override
    protected void doBeginRead()
    {
        // Clients are accepted whenever the simulation says so.
    }
}
