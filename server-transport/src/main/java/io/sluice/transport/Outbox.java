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
import io.netty.channel.Channel;
import io.sluice.framing.envelope.EnvelopeHeader;
import io.sluice.framing.segment.SegmentBatcher;
import io.sluice.framing.segment.SegmentFormat;
import io.sluice.framing.segment.SegmentOutput;
import io.sluice.memory.BufferLease;
import io.sluice.memory.BufferPool;
import org.agrona.DirectBuffer;

/**
 * A connection's answers in order, until they are written: all of them at once, followed by one flush. Confined to
 * the connection's event loop.
 */
final class Outbox implements SegmentOutput
{
    /** Envelopes of this size and more are written where they lie; shorter ones are copied together. */
    private static final int COPY_LIMIT = 8 * 1024;
    /** Written at a time, but for the end of the last answer: then it is the turn of the loop's other connections. */
    static final int TURN_BYTES = 1 << 20;

    private final Connection connection;
    private final Channel channel;
    private final CompressionSample compressionSample;
    private PendingResponse first;
    private PendingResponse last;
    private long pendingBytes;
    /** So many of the first go out as bare envelopes although the version has segments: answers before the switch. */
    private int unframed;
    /** Written by the flush at hand. */
    private long turnBytes;
    /** When the flush at hand began. */
    private long flushNanos;
    private FlushToken idleTokens;
    private FlushToken token;
    private int flushesInFlight;
    private int segmentsWritten;
    private int bytesWritten;
    private long payloadBytes;
    /** Short envelopes of versions 3 and 4 gather here during one flush. */
    private BufferLease gathering;

    Outbox(final Connection connection, final Channel channel, final CompressionSample compressionSample)
    {
        this.connection = connection;
        this.compressionSample = compressionSample;
        this.channel = channel;
    }

    /** At the end; {@code bare} if there are no segments yet. */
    void append(final PendingResponse response, final boolean bare)
    {
        response.next = null;
        unframed += bare ? 1 : 0;
        if (first == null)
        {
            first = response;
        }
        else
        {
            last.next = response;
        }
        last = response;
        pendingBytes += response.answerBytes;
    }

    /** True if nothing waits to be written or to be taken by the socket. */
    boolean isDrained()
    {
        return first == null && flushesInFlight == 0;
    }

    /** True if something is left to be written. */
    boolean hasMore()
    {
        return first != null;
    }

    /** Writes all there is, up to a turn's worth, then flushes once. */
    void flush(final SegmentFormat format)
    {
        if (first == null)
        {
            return;
        }
        token = obtainToken();
        flushesInFlight++;
        segmentsWritten = 0;
        bytesWritten = 0;
        payloadBytes = 0;
        turnBytes = 0;
        flushNanos = connection.context.clock.nanoTime();
        int envelopes = 0;
        try
        {
            envelopes += writeUnframed();
            if (first != null && unframed == 0 && turnBytes < TURN_BYTES)
            {
                envelopes += writeSegments(format);
            }
        }
        finally
        {
            final FlushToken written = token;
            token = null;
            try
            {
                channel.flush();
                connection.ledger.flushes.increment();
                connection.ledger.bytesWritten.add(bytesWritten);
                connection.context.listener.onFlush(connection, envelopes, segmentsWritten, payloadBytes,
                    bytesWritten);
            }
            finally
            {
                written.seal();
            }
        }
    }

    private int writeSegments(final SegmentFormat format)
    {
        final SegmentBatcher batcher = connection.loop.batcher;
        final long segmentsBefore = batcher.segments();
        final long rawBefore = batcher.rawSegments();
        final long payloadBefore = batcher.payloadBytes();
        final long wireBefore = batcher.wireBytes();
        int envelopes = 0;
        boolean done = false;
        batcher.begin(format, (int)Math.min(pendingBytes, Math.max(TURN_BYTES, first.answerBytes)), compressionSample,
            this);
        try
        {
            while (first != null && turnBytes < TURN_BYTES)
            {
                final PendingResponse response = first;
                if (response.fixed != null)
                {
                    batcher.append(response.fixed.envelope(connection.version()), response.streamId());
                }
                else
                {
                    batcher.append(response.lease.memory(), 0, response.lease.length());
                }
                removeFirst();
                settle(response);
                connection.release(response);
                envelopes++;
            }
            batcher.finish();
            done = true;
        }
        finally
        {
            if (!done)
            {
                batcher.abort();
            }
        }
        payloadBytes += batcher.payloadBytes() - payloadBefore;
        if (format == SegmentFormat.LZ4)
        {
            final int segments = (int)(batcher.segments() - segmentsBefore);
            connection.context.listener.onCompression(connection, segments, (int)(batcher.rawSegments() - rawBefore),
                batcher.payloadBytes() - payloadBefore,
                batcher.wireBytes() - wireBefore - (long)segments * SegmentFormat.LZ4.overhead());
        }
        return envelopes;
    }

    /** Bare envelopes: all of versions 3 and 4, and what comes before the switch to segments. */
    private int writeUnframed()
    {
        int envelopes = 0;
        while (unframed > 0 && turnBytes < TURN_BYTES)
        {
            final PendingResponse response = first;
            final BufferLease lease = response.lease;
            if (lease != null && lease.length() >= COPY_LIMIT)
            {
                writeGathered();
                removeFirst();
                settle(response);
                response.lease = null;
                write(lease);
            }
            else
            {
                gather(response);
                removeFirst();
                settle(response);
            }
            connection.release(response);
            envelopes++;
        }
        writeGathered();
        return envelopes;
    }

    private void gather(final PendingResponse response)
    {
        if (response.fixed != null)
        {
            final DirectBuffer envelope = response.fixed.envelope(connection.version());
            final int position = gather(envelope, envelope.capacity());
            EnvelopeHeader.putStreamId(gathering.buffer(), position, response.streamId());
        }
        else
        {
            gather(response.lease.buffer(), response.lease.length());
        }
    }

    /** Copies an envelope behind the others; returns where it is. */
    private int gather(final DirectBuffer envelope, final int length)
    {
        if (gathering != null && length > gathering.capacity() - gathering.length())
        {
            writeGathered();
        }
        if (gathering == null)
        {
            gathering = connection.context.pool.claim(
                (int)Math.max(length, Math.min(pendingBytes, BufferPool.SEGMENT_CAPACITY)), "outbox");
        }
        final int position = gathering.length();
        gathering.buffer().putBytes(position, envelope, 0, length);
        gathering.length(position + length);
        return position;
    }

    private void writeGathered()
    {
        if (gathering != null)
        {
            final BufferLease full = gathering;
            gathering = null;
            write(full);
        }
    }

    private void removeFirst()
    {
        final PendingResponse response = first;
        first = response.next;
        response.next = null;
        unframed = Math.max(0, unframed - 1);
        pendingBytes -= response.answerBytes;
        turnBytes += response.answerBytes;
        if (first == null)
        {
            last = null;
        }
    }

    private void settle(final PendingResponse response)
    {
        token.addAnswer(response.takeCharge(), response.answerBytes);
        (response.isEvent() ? connection.ledger.events : connection.ledger.answers).increment();
        connection.ledger.answerBytes.add(response.answerBytes);
        if (connection.loop.stages.isOf(response))
        {
            connection.loop.stages.flushed(token, flushNanos);
        }
        final long received = response.receivedNanos();
        connection.context.listener.onResponse(connection, response.requestOpcode(), response.responseOpcode(),
            response.answerBytes, received == 0 ? 0 : Math.max(0, flushNanos - received));
    }

    /** Sealed segments; owned from here on. */
    @Override
    public void onOutput(final BufferLease lease, final int segments, final int envelopes)
    {
        segmentsWritten += segments;
        write(lease);
    }

    private void write(final BufferLease lease)
    {
        bytesWritten += lease.length();
        final ByteBuf buf;
        try
        {
            buf = LeaseByteBuf.of(lease);
            token.addWrite(lease);
        }
        catch (final RuntimeException | Error e)
        {
            lease.close();
            throw e;
        }
        buf.setIndex(0, lease.length()).retain();
        channel.write(buf, token);
    }

    private FlushToken obtainToken()
    {
        final FlushToken idle = idleTokens;
        if (idle == null)
        {
            return new FlushToken(channel, connection);
        }
        idleTokens = idle.nextIdle;
        idle.nextIdle = null;
        return idle;
    }

    /** The socket took a flush, or never will. */
    void recycle(final FlushToken done)
    {
        flushesInFlight--;
        done.nextIdle = idleTokens;
        idleTokens = done;
    }

    /** Throws away what was not written. */
    void discard()
    {
        while (first != null)
        {
            final PendingResponse response = first;
            removeFirst();
            connection.discard(response);
        }
        if (gathering != null)
        {
            gathering.close();
            gathering = null;
        }
    }
}
