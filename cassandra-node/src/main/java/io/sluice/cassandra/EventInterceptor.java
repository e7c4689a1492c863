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

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.sluice.transport.ClientConnection;
import org.apache.cassandra.transport.messages.EventMessage;

/**
 * Takes the events that Cassandra writes into the pipelines of clients of versions 3 and 4, and sends them the
 * transport's way. Confined to the channel's event loop.
 */
final class EventInterceptor extends ChannelOutboundHandlerAdapter
{
    static final String NAME = "cassandra-events";

    private final ClientConnection connection;

    EventInterceptor(final ClientConnection connection)
    {
        this.connection = connection;
    }

    @Override
    public void write(final ChannelHandlerContext ctx, final Object message, final ChannelPromise promise)
    {
        if (message instanceof EventMessage event)
        {
            connection.push(new CassandraResponse(event));
            promise.trySuccess();
        }
        else
        {
            ctx.write(message, promise);
        }
    }
}
