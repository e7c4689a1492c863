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
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.apache.cassandra.cql3.ColumnIdentifier;
import org.apache.cassandra.cql3.ColumnSpecification;
import org.apache.cassandra.cql3.ResultSet;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.metrics.ClientMessageSizeMetrics;
import org.apache.cassandra.net.FrameEncoder;
import org.apache.cassandra.net.FrameEncoderCrc;
import org.apache.cassandra.net.FrameEncoderLZ4;
import org.apache.cassandra.transport.messages.ResultMessage;

/** The stock way out of version 5, from answers to the bytes of one flush. Confined to one thread. */
public final class StockOutbound
{
    private final int answers;
    private final List<List<ByteBuffer>> rows;
    private final ResultSet.ResultMetadata metadata;
    private final EmbeddedChannel channel;
    private final FrameEncoder.PayloadAllocator allocator;
    private final Flusher flusher;
    private final Sink sink = new Sink();
    private final Consumer<Flusher.FlushItem<Envelope>> release = item -> item.response.release();

    /**
     * A connection.
     *
     * @param cells of the one row of each answer; none for VOID
     */
    public StockOutbound(final boolean lz4, final int answers, final byte[]... cells)
    {
        StockRuntime.start();
        this.answers = answers;
        final FrameEncoder encoder = lz4 ? FrameEncoderLZ4.fastInstance : FrameEncoderCrc.instance;
        allocator = encoder.allocator();
        channel = new EmbeddedChannel(sink, encoder);
        flusher = Flusher.immediate(channel.eventLoop());
        rows = cells.length == 0 ? null : Collections.singletonList(row(cells));
        metadata = cells.length == 0 ? null : metadata(cells.length);
    }

    @SuppressWarnings("ByteBufferBackingArray")
    private static List<ByteBuffer> row(final byte[][] cells)
    {
        final List<ByteBuffer> row = new ArrayList<>();
        for (final byte[] cell : cells)
        {
            row.add(ByteBuffer.wrap(cell));
        }
        return row;
    }

    private static ResultSet.ResultMetadata metadata(final int columns)
    {
        final List<ColumnSpecification> names = new ArrayList<>();
        for (int i = 0; i < columns; i++)
        {
            names.add(new ColumnSpecification("bench", "t", new ColumnIdentifier("c" + i, true), UTF8Type.instance));
        }
        final ResultSet.ResultMetadata metadata = new ResultSet.ResultMetadata(names);
        metadata.setSkipMetadata();
        return metadata;
    }

    /** Encodes and flushes; returns how many bytes went to the socket. */
    public int flush()
    {
        sink.bytes = 0;
        for (int i = 0; i < answers; i++)
        {
            final Message.Response response = rows == null
                ? new ResultMessage.Void()
                : new ResultMessage.Rows(new ResultSet(metadata, rows));
            response.setStreamId(i);
            final Envelope envelope = response.encode(ProtocolVersion.V5);
            final int size = CQLMessageHandler.envelopeSize(envelope.header);
            ClientMessageSizeMetrics.bytesSent.inc(size);
            ClientMessageSizeMetrics.bytesSentPerResponse.update(size);
            flusher.enqueue(new Flusher.FlushItem.Framed(channel, envelope, null, allocator, release));
        }
        flusher.run();
        return sink.bytes;
    }

    /** In place of the socket. */
    static final class Sink extends ChannelOutboundHandlerAdapter
    {
        int bytes;

        @Override
        public void write(final ChannelHandlerContext ctx, final Object message, final ChannelPromise promise)
        {
            final ByteBuf buffer = (ByteBuf)message;
            bytes += buffer.readableBytes();
            buffer.release();
        }

        @Override
        public void flush(final ChannelHandlerContext ctx)
        {
            // Written already.
        }
    }
}
