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
package org.apache.cassandra.transport;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.util.Map;
import org.apache.cassandra.config.EncryptionOptions;
import org.apache.cassandra.net.BufferPoolAllocator;
import org.apache.cassandra.net.GlobalBufferPoolAllocator;
import org.apache.cassandra.utils.MonotonicClock;

/**
 * All that the stock transport does for a read full of requests, on one thread and without a socket: decode, admit,
 * run against an engine that answers at once, encode, flush.
 */
public final class StockRound
{
    private final byte[] wire;
    private final EmbeddedChannel channel = new StockInbound.LoopbackChannel();
    private final BufferPoolAllocator allocator;
    private final StockOutbound.Sink sink = new StockOutbound.Sink();
    private final Flusher flusher;

    /**
     * A connection that is ready.
     *
     * @param wire what each read brings: whole segments of EXECUTEs
     */
    public StockRound(final boolean lz4, final byte[] wire)
    {
        StockRuntime.start();
        NullEngine.install();
        this.wire = wire.clone();
        allocator = GlobalBufferPoolAllocator.instance;
        flusher = Flusher.immediate(channel.eventLoop());
        final ServerConnection connection = new ServerConnection(channel, ProtocolVersion.V5,
            new StockRuntime.OpenTracker());
        connection.applyStateTransition(Message.Type.STARTUP, Message.Type.READY);
        channel.attr(Connection.attributeKey).set(connection);
        final PipelineConfigurator configurator = new Configurator();
        configurator.configureInitialPipeline(channel, (ch, version) -> connection);
        configurator.configureModernPipeline(channel.pipeline().lastContext(), connection,
            ClientResourceLimits.getAllocatorForEndpoint(InetAddress.getLoopbackAddress()), ProtocolVersion.V5,
            lz4 ? Map.of("COMPRESSION", "lz4") : Map.of());
        channel.pipeline().addFirst(sink);
    }

    /** One read and its answers; returns how many bytes went to the socket. */
    public int round()
    {
        sink.bytes = 0;
        final ByteBuf bytes = allocator.directBuffer(wire.length);
        bytes.writeBytes(wire);
        channel.pipeline().fireChannelRead(bytes);
        channel.pipeline().fireChannelReadComplete();
        flusher.run();
        channel.checkException();
        return sink.bytes;
    }

    /** The stock pipeline, with a dispatcher that runs requests where they were read. */
    private final class Configurator extends PipelineConfigurator
    {
        Configurator()
        {
            super(false, false, false, EncryptionOptions.TlsEncryptionPolicy.UNENCRYPTED);
        }

        @Override
        protected CQLMessageHandler.MessageConsumer<Message.Request> messageConsumer()
        {
            return new Consumer();
        }
    }

    /** Does on the spot what the stock dispatcher does on its executor. */
    private final class Consumer implements CQLMessageHandler.MessageConsumer<Message.Request>
    {
        @Override
        public void dispatch(final Channel from,
            final Message.Request request,
            final Dispatcher.FlushItemConverter toFlushItem,
            final ClientResourceLimits.Overload overload)
        {
            dispatch(from, request, toFlushItem, null, overload);
        }

        /** In 6.0 this is the method of the interface. */
        @SuppressWarnings({"MissingOverride", "EffectivelyPrivate"})
        public void dispatch(final Channel from,
            final Message request,
            final Dispatcher.FlushItemConverter toFlushItem,
            final Object along,
            final ClientResourceLimits.Overload overload)
        {
            run(from, (Message.Request)request, toFlushItem, along, overload);
        }

        private void run(final Channel from,
            final Message.Request request,
            final Dispatcher.FlushItemConverter toFlushItem,
            final Object along,
            final ClientResourceLimits.Overload overload)
        {
            final Message.Response response = Dispatcher.processRequest(from, request, overload,
                new Dispatcher.RequestTime(request.createdAtNanos, MonotonicClock.Global.preciseTime.now()));
            flusher.enqueue(StockVersion.toFlushItem(toFlushItem, along, from, request, response));
        }

        @Override
        public boolean hasQueueCapacity()
        {
            return true;
        }
    }
}
