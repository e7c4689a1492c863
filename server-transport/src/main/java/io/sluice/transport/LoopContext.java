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
package io.sluice.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.sluice.framing.request.RequestDecoder;
import io.sluice.framing.segment.SegmentBatcher;
import io.sluice.framing.segment.SegmentScratch;
import io.sluice.memory.DirectMemory;
import java.util.concurrent.TimeUnit;

/**
 * What the connections of one event loop share because only one of them is at work at any moment: the read buffer,
 * the scratch memory, the decoder, the way out. Confined to the loop, but for {@link #outbound}'s offers.
 */
final class LoopContext implements Runnable
{
    /** One socket read takes at most this much. */
    static final int READ_BYTES = 256 * 1024;
    private static final int COPY_BYTES = 64 * 1024;
    private static final long HOUSEKEEPING_MILLIS = 100;

    final EventLoop loop;
    final TransportContext context;
    final OutboundQueue outbound;
    final SegmentScratch scratch = new SegmentScratch();
    final SegmentBatcher batcher;
    final RequestDecoder decoder;
    /** For requests that are answered here, or null if the node answers none. */
    final LoopExchange inline;
    final DirectMemory readMemory = DirectMemory.allocate(READ_BYTES);
    /** The permanent wrapper of {@link #readMemory} that plain sockets are read into. */
    final ByteBuf readBuf = Unpooled.wrappedBuffer(readMemory.nioView());
    /** Where bytes of foreign buffers (TLS) are copied to, piece by piece. */
    final DirectMemory copyMemory = DirectMemory.allocate(COPY_BYTES);
    final HandshakePace handshakes;
    final StageSample stages;
    private Connection connections;
    /** Requests of clients that have left, still charged because the handler is at them. */
    private RequestExchange abandoned;
    private int requestsInService;
    private boolean stopped;

    LoopContext(final EventLoop loop, final TransportContext context)
    {
        this.loop = loop;
        this.context = context;
        this.handshakes = HandshakePace.of(loop);
        this.outbound = new OutboundQueue(this);
        this.batcher = new SegmentBatcher(context.pool, scratch);
        this.stages = new StageSample(context);
        this.decoder = new RequestDecoder(context.statementIds);
        this.inline = context.inlineExecute == null ? null : new LoopExchange(context, context.inlineExecute);
    }

    /** Starts looking after deadlines. */
    void start()
    {
        loop.schedule(this, HOUSEKEEPING_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** On the loop: ends that; the loop itself may live on. */
    void stop()
    {
        stopped = true;
        outbound.stop();
        releaseAbandoned(0, true);
    }

    /** On the loop: the charge of this request comes back when the handler completes it, or by the deadline. */
    void keepAbandoned(final RequestExchange exchange)
    {
        if (stopped)
        {
            exchange.releaseCharge();
            return;
        }
        exchange.nextInService = abandoned;
        abandoned = exchange;
    }

    private void releaseAbandoned(final long nowNanos, final boolean all)
    {
        final long timeout = context.control.limits().exchangeTimeout().toNanos();
        RequestExchange exchange = abandoned;
        RequestExchange kept = null;
        while (exchange != null)
        {
            final RequestExchange next = exchange.nextInService;
            exchange.nextInService = null;
            if (all || timeout > 0 && nowNanos - exchange.receivedNanos() >= timeout)
            {
                exchange.releaseCharge();
            }
            if (!exchange.isReleased())
            {
                exchange.nextInService = kept;
                kept = exchange;
            }
            exchange = next;
        }
        abandoned = kept;
    }

    /** On the loop, now and then: every deadline of every connection. */
    @Override
    public void run()
    {
        try
        {
            keepHouse(context.clock.nanoTime());
        }
        finally
        {
            if (!stopped && !loop.isShuttingDown())
            {
                loop.schedule(this, HOUSEKEEPING_MILLIS, TimeUnit.MILLISECONDS);
            }
        }
    }

    /** Checks all deadlines against this time. */
    void keepHouse(final long nowNanos)
    {
        Connection connection = connections;
        while (connection != null)
        {
            final Connection next = connection.nextOnLoop;
            check(connection, nowNanos);
            connection = next;
        }
        releaseAbandoned(nowNanos, false);
        outbound.flushDirty();
    }

    /** On the loop: whoever waits tries again under the settings that are in force now. */
    void settingsChanged()
    {
        Connection connection = connections;
        while (connection != null)
        {
            final Connection next = connection.nextOnLoop;
            connection.settingsChanged();
            connection = next;
        }
        outbound.flushDirty();
    }

    /** What goes wrong with one connection keeps nobody else from being looked after. */
    private static void check(final Connection connection, final long nowNanos)
    {
        try
        {
            connection.deadlines.check(nowNanos);
        }
        catch (final Throwable t)
        {
            connection.fail(t);
        }
    }

    /** A request was handed to the node: 1; its answer has come back, or its client has left: -1. */
    void countInService(final int change)
    {
        requestsInService += change;
    }

    /** Of all connections of this loop. */
    int requestsInService()
    {
        return requestsInService;
    }

    void add(final Connection connection)
    {
        connection.nextOnLoop = connections;
        if (connections != null)
        {
            connections.previousOnLoop = connection;
        }
        connections = connection;
    }

    /** Connections of this loop; walks them. */
    int connectionCount()
    {
        int count = 0;
        for (Connection connection = connections; connection != null; connection = connection.nextOnLoop)
        {
            count++;
        }
        return count;
    }

    void remove(final Connection connection)
    {
        if (connection.previousOnLoop != null)
        {
            connection.previousOnLoop.nextOnLoop = connection.nextOnLoop;
        }
        else if (connections == connection)
        {
            connections = connection.nextOnLoop;
        }
        if (connection.nextOnLoop != null)
        {
            connection.nextOnLoop.previousOnLoop = connection.previousOnLoop;
        }
        connection.previousOnLoop = null;
        connection.nextOnLoop = null;
    }
}
