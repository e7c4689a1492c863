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
package io.sluice.framing.envelope;

import io.sluice.framing.ErrorCode;
import io.sluice.framing.ProtocolException;
import io.sluice.framing.ProtocolVersion;
import io.sluice.memory.BufferLease;
import io.sluice.memory.BufferPool;
import io.sluice.memory.DirectMemory;
import io.sluice.memory.MemoryExhaustedException;
import java.util.function.LongSupplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Finds the envelopes in one connection's bytes: in payloads of segments, or back to back.
 * <p>
 * An envelope that lies whole in what was passed is used where it lies; only the body of one that goes on elsewhere is
 * copied. Errors go to the sink, never to the caller. After a fatal one, after {@link EnvelopeSink#STOP} and after
 * {@link #close} nothing more is read and nothing more is reported.
 * <p>
 * Confined to the connection's event loop. The sink may close the reader; it must not read.
 */
public final class EnvelopeReader implements AutoCloseable
{
    private static final int UNKNOWN_STREAM = ProtocolException.UNKNOWN_STREAM;

    private final EnvelopeSink sink;
    private final LongSupplier drainLimitBytes;
    private final EnvelopeVerifier verifier = new EnvelopeVerifier();
    private final EnvelopeHeader header = new EnvelopeHeader();
    private final LargeEnvelopeAssembler large;
    /** Beginning of a header that the end of a read has cut. */
    private final UnsafeBuffer cut = new UnsafeBuffer(new byte[EnvelopeHeader.LENGTH]);
    private int cutLength;
    private boolean reading;
    private boolean halted;
    private boolean stopped;
    private boolean closed;

    /**
     * A reader at the start of an envelope.
     *
     * @param pool lends memory for bodies that do not come in one part
     * @param drainLimitBytes the longest body, in bytes, that is read or skipped; a header that says more is a fatal
     * error at once. Asked for each envelope
     */
    public EnvelopeReader(final BufferPool pool, final EnvelopeSink sink, final LongSupplier drainLimitBytes)
    {
        this.sink = sink;
        this.drainLimitBytes = drainLimitBytes;
        this.large = new LargeEnvelopeAssembler(pool);
    }

    /** From now on every envelope must have this version. */
    public void fixVersion(final ProtocolVersion version)
    {
        verifier.fixVersion(version);
    }

    /**
     * Which version's header the answer to the envelope read last must have: the connection's once it is fixed, else
     * that of the envelope. 1 and 2 stand for the header of eight bytes; an unknown version is answered in version 5.
     */
    public int answerVersion()
    {
        return verifier.answerVersion(header);
    }

    /** The header read last, good or bad. Borrowed: its fields change with the next one. */
    public EnvelopeHeader lastHeader()
    {
        return header;
    }

    /**
     * Reads the payload of a segment.
     *
     * @param memory borrowed until return; {@code length} bytes at {@code offset}
     * @param selfContained true: whole envelopes; false: a piece of one
     * @return the offset behind the last byte used. If it is less than {@code offset + length}, the sink has paused or
     * stopped, and the caller passes the rest again later, with the same flag
     */
    public int readPayload(final DirectMemory memory, final int offset, final int length, final boolean selfContained)
    {
        enter();
        try
        {
            final int end = selfContained
                ? readEnvelopes(memory, offset, offset + length)
                : readPiece(memory, offset, length);
            reading = false;
            return end;
        }
        finally
        {
            leave();
        }
    }

    /**
     * Reads bytes that are not in segments: versions 3 and 4, and every version before STARTUP has been answered.
     *
     * @param memory borrowed until return; bytes from {@code offset} to {@code limit}
     * @return the offset behind the last byte used. If it is less than {@code limit}, the sink has paused or stopped,
     * and the caller passes the rest again later
     */
    public int readStream(final DirectMemory memory, final int offset, final int limit)
    {
        enter();
        try
        {
            int position = offset;
            while (position < limit && isRunning())
            {
                position = large.isActive()
                    ? acceptBody(memory, position, Math.min(limit - position, large.remaining()))
                    : readStreamHeader(memory, position, limit);
            }
            reading = false;
            return position;
        }
        finally
        {
            leave();
        }
    }

    private void enter()
    {
        if (reading)
        {
            throw new IllegalStateException("read: called from its own sink");
        }
        reading = true;
        halted = false;
    }

    private void leave()
    {
        // Still set after an exception from the sink: then nobody knows where the next envelope starts.
        if (reading)
        {
            reading = false;
            stopped = true;
        }
    }

    private boolean isRunning()
    {
        return !halted && !stopped;
    }

    // Self-contained payloads

    private int readEnvelopes(final DirectMemory memory, final int offset, final int limit)
    {
        int position = offset;
        while (position < limit && isRunning())
        {
            position = readEnvelope(memory, position, limit - position);
        }
        return position;
    }

    private int readEnvelope(final DirectMemory memory, final int offset, final int available)
    {
        final ProtocolException error = readPayloadHeader(memory, offset, available, true);
        if (error == null)
        {
            return offer(memory, offset, offset + EnvelopeHeader.LENGTH);
        }
        final int end = offset + (error.isFatal() ? 0 : (int)header.envelopeLength());
        report(error);
        return end;
    }

    /** What is wrong with the header at this place in a payload, or null. */
    private ProtocolException readPayloadHeader(final DirectMemory memory,
        final int offset,
        final int available,
        final boolean whole)
    {
        if (available < EnvelopeHeader.LENGTH)
        {
            return ProtocolException.fatal(
                UNKNOWN_STREAM,
                "envelope header: " + available + " bytes (expected: " + EnvelopeHeader.LENGTH + ")");
        }
        header.wrap(memory.buffer(), offset);
        final ProtocolException error = verifier.verify(header, drainLimitBytes.getAsLong(), true);
        if (error != null && error.isFatal())
        {
            return error;
        }
        final int bodyBytes = available - EnvelopeHeader.LENGTH;
        final int bodyLength = header.bodyLength();
        if (whole ? bodyLength > bodyBytes : bodyLength < bodyBytes)
        {
            return ProtocolException.fatal(
                header.streamId(),
                "body length: " + bodyLength + " (expected: at " + (whole ? "most " : "least ") + bodyBytes + ")");
        }
        return error;
    }

    // Pieces

    private int readPiece(final DirectMemory memory, final int offset, final int length)
    {
        if (stopped)
        {
            return offset;
        }
        if (!large.isActive())
        {
            return readFirstPiece(memory, offset, length);
        }
        if (length == 0 || length > large.remaining())
        {
            report(
                ProtocolException.fatal(
                    large.header().streamId(),
                    "envelope piece: " + length + " bytes (expected: 1.." + large.remaining() + ")"));
            return offset;
        }
        return acceptBody(memory, offset, length);
    }

    private int readFirstPiece(final DirectMemory memory, final int offset, final int length)
    {
        final ProtocolException error = readPayloadHeader(memory, offset, length, false);
        final int bodyOffset = offset + EnvelopeHeader.LENGTH;
        if (error == null)
        {
            return offerOpen(memory, offset, bodyOffset, offset + length);
        }
        if (report(error))
        {
            return skip(bodyOffset, offset + length);
        }
        return error.isFatal() ? offset : offset + length;
    }

    // Bytes without segments

    private int readStreamHeader(final DirectMemory memory, final int offset, final int limit)
    {
        if (cutLength > 0)
        {
            return completeHeader(memory, offset, limit);
        }
        final DirectBuffer buffer = memory.buffer();
        final int length = headerLength(buffer.getByte(offset));
        if (limit - offset < length)
        {
            cutLength = limit - offset;
            cut.putBytes(0, buffer, offset, cutLength);
            return limit;
        }
        wrapHeader(buffer, offset);
        return readStreamEnvelope(memory, offset, offset + length, limit);
    }

    private int completeHeader(final DirectMemory memory, final int offset, final int limit)
    {
        final int held = cutLength;
        final int length = headerLength(cut.getByte(0));
        final int taken = Math.min(length - held, limit - offset);
        cut.putBytes(held, memory.buffer(), offset, taken);
        if (held + taken < length)
        {
            cutLength = held + taken;
            return limit;
        }
        cutLength = 0;
        wrapHeader(cut, 0);
        final int end = readStreamEnvelope(memory, offset, offset + taken, limit);
        if (end == offset && !stopped)
        {
            // Not now: the bytes of this read are offered again, so those before them have to stay.
            cutLength = held;
        }
        return end;
    }

    private static int headerLength(final byte versionByte)
    {
        return EnvelopeVerifier.isLegacy(versionByte) ? EnvelopeHeader.LEGACY_LENGTH : EnvelopeHeader.LENGTH;
    }

    private void wrapHeader(final DirectBuffer buffer, final int offset)
    {
        if (EnvelopeVerifier.isLegacy(buffer.getByte(offset)))
        {
            header.wrapLegacy(buffer, offset);
        }
        else
        {
            header.wrap(buffer, offset);
        }
    }

    private int readStreamEnvelope(final DirectMemory memory, final int offset, final int bodyOffset, final int limit)
    {
        final ProtocolException error = verifier.verify(header, drainLimitBytes.getAsLong(), false);
        if (error == null)
        {
            return header.bodyLength() <= limit - bodyOffset
                ? offer(memory, offset, bodyOffset)
                : offerOpen(memory, offset, bodyOffset, limit);
        }
        if (report(error))
        {
            return skip(bodyOffset, limit);
        }
        return error.isFatal() ? offset : bodyOffset;
    }

    // Both

    /** Offers an envelope whose body lies whole at {@code bodyOffset}. Returns where to go on. */
    private int offer(final DirectMemory memory, final int offset, final int bodyOffset)
    {
        final int end = bodyOffset + header.bodyLength();
        final int decision = decide();
        if (decision == EnvelopeSink.ADMIT)
        {
            halted = !sink.onEnvelope(header, memory, bodyOffset);
            return end;
        }
        if (decision == EnvelopeSink.DROP)
        {
            sink.onDropped(header);
            return end;
        }
        return offset;
    }

    /** Offers an envelope of whose body the bytes up to {@code limit} are there. Returns where to go on. */
    private int offerOpen(final DirectMemory memory, final int offset, final int bodyOffset, final int limit)
    {
        if (header.bodyLength() == limit - bodyOffset)
        {
            return offer(memory, offset, bodyOffset);
        }
        final int decision = decide();
        if (decision != EnvelopeSink.ADMIT && decision != EnvelopeSink.DROP)
        {
            return offset;
        }
        large.begin(
            header,
            decision == EnvelopeSink.ADMIT ? LargeEnvelopeAssembler.GATHER : LargeEnvelopeAssembler.DROP,
            header.bodyLength());
        return acceptBody(memory, bodyOffset, limit - bodyOffset);
    }

    /** ADMIT, DROP, or anything else for: not now, or never. */
    private int decide()
    {
        final int decision = sink.onHeader(header);
        if (decision != EnvelopeSink.ADMIT && decision != EnvelopeSink.DROP)
        {
            halted = true;
            stopped |= decision != EnvelopeSink.PAUSE;
            return EnvelopeSink.PAUSE;
        }
        if (closed)
        {
            sink.onAborted(header);
            return EnvelopeSink.STOP;
        }
        return decision;
    }

    /** Skips a refused envelope's body as far as it is there, and notes the rest. Returns where to go on. */
    private int skip(final int bodyOffset, final int limit)
    {
        final int missing = header.bodyLength() - (limit - bodyOffset);
        if (missing <= 0)
        {
            return bodyOffset + header.bodyLength();
        }
        large.begin(header, LargeEnvelopeAssembler.SKIP, missing);
        return limit;
    }

    /** Takes body bytes of the unfinished envelope, which may be the last ones. Returns the offset behind them. */
    private int acceptBody(final DirectMemory memory, final int offset, final int length)
    {
        try
        {
            large.accept(memory.buffer(), offset, length);
        }
        catch (final MemoryExhaustedException e)
        {
            shed();
            if (large.isActive())
            {
                large.accept(memory.buffer(), offset, length);
            }
        }
        if (large.isActive() && large.remaining() == 0)
        {
            complete();
        }
        return offset + length;
    }

    /** There is no memory for the unfinished envelope: the client may try again, the connection goes on. */
    private void shed()
    {
        large.skipRest();
        sink.onAborted(large.header());
        report(
            ProtocolException.refused(
                ErrorCode.OVERLOADED,
                large.header().streamId(),
                "body length: " + large.header().bodyLength() + " (no memory left for it)"));
    }

    private void complete()
    {
        header.set(large.header());
        final int mode = large.mode();
        if (mode == LargeEnvelopeAssembler.GATHER)
        {
            // Nothing is unfinished from here on, so that a close by the sink leaves this lease alone.
            try (BufferLease lease = large.take())
            {
                halted = !sink.onEnvelope(header, lease.memory(), 0);
            }
            return;
        }
        large.reset();
        if (mode == LargeEnvelopeAssembler.DROP)
        {
            sink.onDropped(header);
        }
    }

    /** Returns true if reading can go on. */
    private boolean report(final ProtocolException error)
    {
        if (error.isFatal())
        {
            stopped = true;
            abortLarge();
        }
        if (!closed && !sink.onProtocolError(error))
        {
            stopped = true;
        }
        halted |= sink.isPaused();
        return !stopped;
    }

    private void abortLarge()
    {
        final int mode = large.mode();
        large.reset();
        if (mode == LargeEnvelopeAssembler.GATHER || mode == LargeEnvelopeAssembler.DROP)
        {
            sink.onAborted(large.header());
        }
    }

    /** Bytes kept of an envelope that is not complete yet. */
    public int heldBytes()
    {
        return cutLength + large.heldBytes();
    }

    /** Memory that is taken up by an envelope that is not complete yet, in bytes. */
    public int reservedBytes()
    {
        return large.reservedBytes();
    }

    /** True if an envelope has begun and not ended: of one that is skipped or dropped too. */
    public boolean isInsideEnvelope()
    {
        return cutLength > 0 || large.isActive();
    }

    /** True once nothing more will be read. */
    public boolean isStopped()
    {
        return stopped;
    }

    /** Gives back what is kept and says so to the sink. A second call does nothing. */
    @Override
    public void close()
    {
        if (!closed)
        {
            closed = true;
            stopped = true;
            cutLength = 0;
            abortLarge();
        }
    }
}
