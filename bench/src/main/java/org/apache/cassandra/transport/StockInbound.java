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
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Map;
import org.apache.cassandra.config.EncryptionOptions;
import org.apache.cassandra.net.BufferPoolAllocator;
import org.apache.cassandra.net.FrameDecoder;
import org.apache.cassandra.net.FrameDecoderCrc;
import org.apache.cassandra.net.FrameDecoderLZ4;
import org.apache.cassandra.net.GlobalBufferPoolAllocator;

/** The stock way in of version 5, from the bytes of one read to request objects. Confined to one thread. */
public final class StockInbound
{
    private final byte[] wire;
    private final EmbeddedChannel channel;
    private final BufferPoolAllocator allocator;
    private int count;
    private Message.Request last;

    /**
     * A connection.
     *
     * @param wire what each read brings: whole segments
     * @param decodeRequests false to stop at payloads
     */
    public StockInbound(final boolean lz4, final byte[] wire, final boolean decodeRequests)
    {
        StockRuntime.start();
        this.wire = wire.clone();
        allocator = GlobalBufferPoolAllocator.instance;
        channel = decodeRequests ? requestChannel(lz4) : payloadChannel(lz4);
    }

    private EmbeddedChannel payloadChannel(final boolean lz4)
    {
        final FrameDecoder decoder = lz4 ? FrameDecoderLZ4.fast(allocator) : FrameDecoderCrc.create(allocator);
        final EmbeddedChannel payloads = new EmbeddedChannel(decoder);
        decoder.activate(frame ->
        {
            ((FrameDecoder.IntactFrame)frame).consume();
            count++;
            return true;
        });
        return payloads;
    }

    private EmbeddedChannel requestChannel(final boolean lz4)
    {
        final EmbeddedChannel requests = new LoopbackChannel();
        final PipelineConfigurator configurator = new Configurator();
        final ServerConnection connection = new ServerConnection(requests, ProtocolVersion.V5,
            new StockRuntime.OpenTracker());
        requests.attr(Connection.attributeKey).set(connection);
        configurator.configureInitialPipeline(requests, (ch, version) -> connection);
        configurator.configureModernPipeline(requests.pipeline().lastContext(), connection,
            ClientResourceLimits.getAllocatorForEndpoint(InetAddress.getLoopbackAddress()), ProtocolVersion.V5,
            lz4 ? Map.of("COMPRESSION", "lz4") : Map.of());
        return requests;
    }

    /** Copies the bytes as a socket would and decodes them; returns how many requests (or payloads) there were. */
    public int read()
    {
        count = 0;
        final ByteBuf bytes = allocator.directBuffer(wire.length);
        bytes.writeBytes(wire);
        channel.pipeline().fireChannelRead(bytes);
        channel.pipeline().fireChannelReadComplete();
        channel.checkException();
        return count;
    }

    /** The last request of the last read. */
    public Message.Request last()
    {
        return last;
    }

    /** An embedded channel with an address that client state can be made of. */
    static final class LoopbackChannel extends EmbeddedChannel
    {
        @Override
        protected SocketAddress remoteAddress0()
        {
            return new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
        }
    }

    /** The stock pipeline, with a consumer of requests in place of the dispatcher. */
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

    /** Counts requests and gives back at once what they were charged, which stock does after the answer. */
    private final class Consumer implements CQLMessageHandler.MessageConsumer<Message.Request>
    {
        private static final MethodHandle RELEASE = release();
        private CQLMessageHandler<?> handler;

        private static MethodHandle release()
        {
            try
            {
                return MethodHandles.privateLookupIn(CQLMessageHandler.class, MethodHandles.lookup())
                    .findVirtual(CQLMessageHandler.class, "release",
                        MethodType.methodType(void.class, Envelope.Header.class));
            }
            catch (final ReflectiveOperationException e)
            {
                throw new ExceptionInInitializerError(e);
            }
        }

        @Override
        public void dispatch(final Channel from,
            final Message.Request request,
            final Dispatcher.FlushItemConverter toFlushItem,
            final ClientResourceLimits.Overload overload)
        {
            count(from, request);
        }

        /** In 6.0 this is the method of the interface. */
        @SuppressWarnings({"MissingOverride", "EffectivelyPrivate", "UnusedMethod", "UnusedVariable"})
        public void dispatch(final Channel from,
            final Message request,
            final Dispatcher.FlushItemConverter toFlushItem,
            final Object along,
            final ClientResourceLimits.Overload overload)
        {
            count(from, (Message.Request)request);
        }

        private void count(final Channel from, final Message.Request request)
        {
            if (handler == null)
            {
                handler = from.pipeline().get(CQLMessageHandler.class);
            }
            try
            {
                RELEASE.invokeExact((CQLMessageHandler)handler, request.getSource().header);
            }
            catch (final Throwable e)
            {
                throw new IllegalStateException(e);
            }
            request.getSource().release();
            last = request;
            count++;
        }

        @Override
        public boolean hasQueueCapacity()
        {
            return true;
        }
    }
}
