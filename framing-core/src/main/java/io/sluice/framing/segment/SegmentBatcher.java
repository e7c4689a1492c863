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
package io.sluice.framing.segment;

import io.sluice.framing.CompressionGate;
import io.sluice.framing.envelope.EnvelopeHeader;
import io.sluice.memory.BufferPool;
import io.sluice.memory.DirectMemory;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Packs envelopes into segments and segments into leases, for one connection at a time.
 * <p>
 * Whole envelopes share self-contained segments of up to 131,071 payload bytes. An envelope that does not fit into one
 * becomes a run of pieces of its own, behind all that came before it. Order is kept.
 * <p>
 * {@link #begin}, any number of {@link #append}, then {@link #finish} or {@link #abort}. After an exception only
 * {@link #abort} makes sense; what was handed out by then stands and may end inside an envelope, so that the
 * connection has to be closed. Confined to one event loop.
 */
public final class SegmentBatcher
{
    /** Payloads below this many bytes are not worth compressing. */
    public static final int DEFAULT_MIN_COMPRESS_BYTES = 64;

    private final SegmentScratch scratch;
    private final SegmentEncoder encoder;
    private final OutputLease out;

    private SegmentFormat format;
    private CompressionGate gate;
    private final LengthGate lengthGate = new LengthGate();
    /** What is still to come, as far as the caller knew. */
    private long expectedBytes;
    /** Payload of the segment that is open: behind the sealed ones (plain) or in the scratch (LZ4). */
    private int openPayload;
    private int openEnvelopes;
    /** Nothing was appended to this batch. LZ4 only. */
    private boolean empty;

    private long segments;
    private long rawSegments;
    private long payloadBytes;
    private long wireBytes;
    private long envelopes;

    /**
     * A batcher.
     *
     * @param pool lends the memory for finished segments
     * @param scratch the event loop's
     */
    public SegmentBatcher(final BufferPool pool, final SegmentScratch scratch)
    {
        this.scratch = scratch;
        this.encoder = new SegmentEncoder(scratch);
        this.out = new OutputLease(pool);
    }

    /** Starts a batch with {@link #DEFAULT_MIN_COMPRESS_BYTES}. */
    public void begin(final SegmentFormat newFormat, final int expectedPayloadBytes, final SegmentOutput output)
    {
        begin(newFormat, expectedPayloadBytes, DEFAULT_MIN_COMPRESS_BYTES, output);
    }

    /**
     * Starts a batch.
     *
     * @param expectedPayloadBytes all envelopes together; a guess, to claim memory of the right size
     * @param newMinCompressBytes shorter payloads are not compressed; LZ4 only
     */
    public void begin(final SegmentFormat newFormat,
        final int expectedPayloadBytes,
        final int newMinCompressBytes,
        final SegmentOutput output)
    {
        lengthGate.minimumBytes = newMinCompressBytes;
        begin(newFormat, expectedPayloadBytes, lengthGate, output);
    }

    /**
     * Starts a batch.
     *
     * @param expectedPayloadBytes all envelopes together; a guess, to claim memory of the right size
     * @param newGate says which payloads are tried; LZ4 only. Borrowed until the end of the batch
     */
    public void begin(final SegmentFormat newFormat,
        final int expectedPayloadBytes,
        final CompressionGate newGate,
        final SegmentOutput output)
    {
        if (out.isActive())
        {
            throw new IllegalStateException("begin: called twice (expected: finish or abort first)");
        }
        format = newFormat;
        expectedBytes = expectedPayloadBytes;
        gate = newGate;
        empty = true;
        out.begin(output);
    }

    /**
     * Appends one envelope.
     *
     * @param source borrowed until return; header and body, {@code length} bytes at {@code offset}
     * @throws io.sluice.memory.MemoryExhaustedException if there is no memory for output; see above
     */
    public void append(final DirectMemory source, final int offset, final int length)
    {
        checkAppend(source, offset, length);
        expectedBytes = Math.max(0, expectedBytes - length);
        if (length > SegmentFormat.MAX_PAYLOAD)
        {
            appendLarge(source, offset, length);
        }
        else if (format == SegmentFormat.LZ4)
        {
            appendToScratch(source, offset, length);
        }
        else
        {
            appendToLease(source, offset, length);
        }
    }

    /**
     * Appends a copy of one short envelope, which stays as it is, for another stream.
     *
     * @param envelope borrowed until return; shorter than a segment's payload may be
     * @throws io.sluice.memory.MemoryExhaustedException if there is no memory for output; see above
     */
    public void append(final DirectBuffer envelope, final int streamId)
    {
        checkActive();
        final int length = envelope.capacity();
        expectedBytes = Math.max(0, expectedBytes - length);
        if (format == SegmentFormat.LZ4)
        {
            empty = false;
            if (length <= SegmentFormat.MAX_PAYLOAD - openPayload || sealOpen())
            {
                putCopy(scratch.gathered().buffer(), openPayload, envelope, length, streamId);
            }
        }
        else if (openInLease(length))
        {
            putCopy(out.memory().buffer(), leasePayloadEnd(), envelope, length, streamId);
        }
    }

    private void putCopy(final UnsafeBuffer target,
        final int offset,
        final DirectBuffer envelope,
        final int length,
        final int streamId)
    {
        target.putBytes(offset, envelope, 0, length);
        EnvelopeHeader.putStreamId(target, offset, streamId);
        openPayload += length;
        openEnvelopes++;
    }

    private void checkActive()
    {
        if (!out.isActive())
        {
            throw new IllegalStateException("append: no batch (expected: begin first)");
        }
    }

    private void checkAppend(final DirectMemory source, final int offset, final int length)
    {
        checkActive();
        if (length <= 0 || offset < 0 || length > source.capacity() - offset)
        {
            throw new IllegalArgumentException(
                "range: " + length + " bytes at " + offset + " (expected: within " + source.capacity() + ")");
        }
    }

    private void appendToScratch(final DirectMemory source, final int offset, final int length)
    {
        if (length > SegmentFormat.MAX_PAYLOAD - openPayload && !sealOpen())
        {
            return;
        }
        if (empty && expectedBytes == 0)
        {
            // Alone in its segment: it need not be gathered first.
            empty = false;
            sealAlone(source, offset, length);
            return;
        }
        empty = false;
        scratch.gathered().buffer().putBytes(openPayload, source.buffer(), offset, length);
        openPayload += length;
        openEnvelopes++;
    }

    private void sealAlone(final DirectMemory source, final int offset, final int length)
    {
        final int needed = SegmentEncoder.roomFor(format, length);
        if (out.ensureRoom(needed, needed, needed))
        {
            sealLz4(source, offset, length, true);
            envelopesEnded(1);
        }
    }

    private void appendToLease(final DirectMemory source, final int offset, final int length)
    {
        if (openInLease(length))
        {
            out.memory().buffer().putBytes(leasePayloadEnd(), source.buffer(), offset, length);
            openPayload += length;
            openEnvelopes++;
        }
    }

    /** Makes room for this much more in the open segment of a plain batch, or in the next; false if aborted. */
    private boolean openInLease(final int length)
    {
        if (openPayload > 0 && length > openRoom())
        {
            sealOpen();
        }
        if (openPayload > 0)
        {
            return true;
        }
        // A segment begins in the old memory only if all that is expected fits: else it would be a short one.
        final long wanted = SegmentFormat.PLAIN.overhead() + length + expectedBytes;
        return out.ensureRoom(SegmentFormat.PLAIN.overhead() + length, wanted, wanted);
    }

    private int leasePayloadEnd()
    {
        return out.end() + SegmentFormat.PLAIN.headerLength() + openPayload;
    }

    /** How many payload bytes the open segment of a plain batch can still take. */
    private int openRoom()
    {
        return Math.min(SegmentFormat.MAX_PAYLOAD, out.room() - SegmentFormat.PLAIN.overhead()) - openPayload;
    }

    private void appendLarge(final DirectMemory source, final int offset, final int length)
    {
        empty = false;
        boolean active = sealOpen();
        int sent = 0;
        while (active && sent < length)
        {
            final int piece = Math.min(SegmentFormat.MAX_PAYLOAD, length - sent);
            final int needed = SegmentEncoder.roomFor(format, piece);
            active = out.ensureRoom(needed, needed, needed + expectedBytes);
            if (active)
            {
                sealPiece(source, offset + sent, piece);
                sent += piece;
            }
        }
        if (active)
        {
            envelopesEnded(1);
        }
    }

    private void sealPiece(final DirectMemory source, final int offset, final int length)
    {
        if (format == SegmentFormat.PLAIN)
        {
            final int payloadOffset = out.end() + SegmentFormat.PLAIN.headerLength();
            out.memory().buffer().putBytes(payloadOffset, source.buffer(), offset, length);
            sealPlain(length, false);
        }
        else
        {
            sealLz4(source, offset, length, false);
        }
    }

    /** Seals the segment that is open, if one is; false if the batch was aborted meanwhile. */
    private boolean sealOpen()
    {
        if (openPayload == 0)
        {
            return true;
        }
        if (format == SegmentFormat.PLAIN)
        {
            sealPlain(openPayload, true);
        }
        else
        {
            final int needed = SegmentEncoder.roomFor(format, openPayload);
            if (!out.ensureRoom(needed, needed, needed))
            {
                return false;
            }
            sealLz4(scratch.gathered(), 0, openPayload, true);
        }
        envelopesEnded(openEnvelopes);
        openPayload = 0;
        openEnvelopes = 0;
        return true;
    }

    private void sealPlain(final int length, final boolean selfContained)
    {
        sealed(encoder.sealPlain(out.memory(), out.end(), length, selfContained), length);
    }

    private void sealLz4(final DirectMemory source, final int offset, final int length, final boolean selfContained)
    {
        final boolean tried = gate.opens(length);
        final int end = encoder
            .sealLz4(source, offset, length, selfContained, tried ? 0 : Integer.MAX_VALUE, out.memory(), out.end());
        if (tried)
        {
            gate.onTried(length, encoder.isRaw() ? length : end - out.end() - SegmentFormat.LZ4.overhead());
        }
        rawSegments += encoder.isRaw() ? 1 : 0;
        sealed(end, length);
    }

    private void sealed(final int end, final int length)
    {
        segments++;
        payloadBytes += length;
        wireBytes += end - out.end();
        out.sealed(end);
    }

    private void envelopesEnded(final int count)
    {
        envelopes += count;
        out.envelopesEnded(count);
    }

    /** Hands out the rest and ends the batch. */
    public void finish()
    {
        if (!out.isActive())
        {
            throw new IllegalStateException("finish: no batch (expected: begin first)");
        }
        if (sealOpen())
        {
            out.emit();
        }
        abort();
    }

    /** Ends the batch, if there is one: gives back the memory of all that was not handed out. */
    public void abort()
    {
        openPayload = 0;
        openEnvelopes = 0;
        out.close();
    }

    /** Segments sealed since this batcher was made, over all connections; so are the other counts. */
    public long segments()
    {
        return segments;
    }

    /** Segments that were stored uncompressed although LZ4 was agreed. */
    public long rawSegments()
    {
        return rawSegments;
    }

    /** Payload before compression, in bytes. */
    public long payloadBytes()
    {
        return payloadBytes;
    }

    /** Whole segments as on the wire, in bytes. */
    public long wireBytes()
    {
        return wireBytes;
    }

    /** Envelopes whose last byte was sealed. */
    public long envelopes()
    {
        return envelopes;
    }

    /** By length alone. */
    private static final class LengthGate implements CompressionGate
    {
        private int minimumBytes;

        @Override
        public boolean opens(final int length)
        {
            return length >= minimumBytes;
        }

        @Override
        public void onTried(final int length, final int compressedLength)
        {
            // It learns nothing.
        }
    }
}
