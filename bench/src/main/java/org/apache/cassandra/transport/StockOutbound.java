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
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
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
    private Envelope[] kept;

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
        rows = cells.length == 0 ? null : Collections.singletonList(StockVersion.row(cells));
        metadata = cells.length == 0 ? null : metadata(cells.length);
    }

    static ResultSet.ResultMetadata metadata(final int columns)
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
            final Envelope envelope = encoded(i);
            final int size = CQLMessageHandler.envelopeSize(envelope.header);
            ClientMessageSizeMetrics.bytesSent.inc(size);
            ClientMessageSizeMetrics.bytesSentPerResponse.update(size);
            flusher.enqueue(StockVersion.framed(channel, envelope, allocator));
        }
        flusher.run();
        return sink.bytes;
    }

    /** Encodes alone; returns how many bytes there were. */
    public int encode()
    {
        int bytes = 0;
        for (int i = 0; i < answers; i++)
        {
            final Envelope envelope = encoded(i);
            bytes += CQLMessageHandler.envelopeSize(envelope.header);
            envelope.release();
        }
        return bytes;
    }

    /** Flushes what the first call encodes; returns how many bytes went to the socket. */
    public int flushEncoded()
    {
        if (kept == null)
        {
            kept = new Envelope[answers];
            Arrays.setAll(kept, this::encoded);
        }
        sink.bytes = 0;
        for (final Envelope envelope : kept)
        {
            envelope.retain();
            flusher.enqueue(StockVersion.framed(channel, envelope, allocator));
        }
        flusher.run();
        return sink.bytes;
    }

    private Envelope encoded(final int streamId)
    {
        final Message.Response response = rows == null
            ? new ResultMessage.Void()
            : new ResultMessage.Rows(new ResultSet(metadata, rows));
        return StockVersion.encoded(response, ProtocolVersion.V5, streamId);
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
