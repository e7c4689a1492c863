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
package io.sluice.framing.testkit;

import io.sluice.framing.ProtocolException;
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.envelope.EnvelopeReader;
import io.sluice.framing.segment.SegmentDecoder;
import io.sluice.framing.segment.SegmentFormat;
import io.sluice.framing.segment.SegmentScratch;
import io.sluice.memory.BufferPool;
import io.sluice.memory.DirectMemory;

/**
 * The receiving half of a connection as a transport puts it together: segments or not, envelopes, and what is held back
 * while the sink pauses.
 */
public final class InboundConnection implements AutoCloseable
{
    /** Longest body that is read or skipped. */
    public static final int DRAIN_LIMIT = 64 << 20;

    /** In front of what is read, so that no offset is right by chance. */
    private static final int MARGIN = 3;
    private static final byte STALE = (byte)0xDB;

    private final RecordingEnvelopeSink sink;
    private final EnvelopeReader reader;
    private final SegmentDecoder decoder;
    private DirectMemory memory = DirectMemory.allocate(4096);
    private byte[] held = new byte[0];
    private byte[] heldPayload = new byte[0];
    private boolean heldSelfContained;
    private boolean failed;

    /**
     * A connection after its handshake.
     *
     * @param format null: no segments
     * @param version null: STARTUP has not fixed it
     */
    public InboundConnection(final BufferPool pool,
        final SegmentFormat format,
        final ProtocolVersion version,
        final RecordingEnvelopeSink sink)
    {
        this(pool, format, version, sink, new SegmentScratch());
    }

    /** The same, with the scratch of its event loop. */
    public InboundConnection(final BufferPool pool,
        final SegmentFormat format,
        final ProtocolVersion version,
        final RecordingEnvelopeSink sink,
        final SegmentScratch scratch)
    {
        this.sink = sink;
        reader = new EnvelopeReader(pool, sink, () -> DRAIN_LIMIT);
        if (version != null)
        {
            reader.fixVersion(version);
        }
        decoder = format == null ? null : new SegmentDecoder(format, pool, scratch);
    }

    /** Reads what the socket gave. */
    public InboundConnection receive(final byte[] bytes)
    {
        held = Wire.concat(held, bytes);
        return resume();
    }

    /** Reads what the socket gave, part by part. */
    public InboundConnection receive(final byte[] bytes, final int[] ends)
    {
        int start = 0;
        for (final int end : ends)
        {
            receive(Wire.slice(bytes, start, end));
            start = end;
        }
        return this;
    }

    /** Goes on with what is held. */
    public InboundConnection resume()
    {
        if (failed || reader.isStopped() || !readHeldPayload())
        {
            return this;
        }
        final byte[] bytes = held;
        held = new byte[0];
        final int limit = MARGIN + bytes.length;
        fill(bytes, limit);
        final int end = decoder == null ? reader.readStream(memory, MARGIN, limit) : decode(limit);
        // Borrowed until here: whoever kept a view sees rubbish now.
        memory.buffer().setMemory(0, limit, STALE);
        held = Wire.slice(bytes, end - MARGIN, bytes.length);
        return this;
    }

    private void fill(final byte[] bytes, final int limit)
    {
        if (memory.capacity() < limit)
        {
            memory = DirectMemory.allocate(2 * limit);
        }
        memory.buffer().putBytes(MARGIN, bytes);
    }

    private int decode(final int limit)
    {
        try
        {
            return decoder.decode(memory, MARGIN, limit, this::onPayload);
        }
        catch (final ProtocolException e)
        {
            failed = true;
            sink.onProtocolError(e);
            return limit;
        }
    }

    private boolean onPayload(final DirectMemory payload,
        final int offset,
        final int length,
        final boolean selfContained)
    {
        final int end = reader.readPayload(payload, offset, length, selfContained);
        heldPayload = Hex.copy(payload, end, offset + length - end);
        heldSelfContained = selfContained;
        return heldPayload.length == 0 && !reader.isStopped();
    }

    private boolean readHeldPayload()
    {
        if (heldPayload.length == 0)
        {
            return true;
        }
        return onPayload(Hex.memory(heldPayload), 0, heldPayload.length, heldSelfContained);
    }

    /** True after a fatal error or a stop. */
    public boolean isOver()
    {
        return failed || reader.isStopped();
    }

    /** Bytes that nobody has used yet. */
    public int waitingBytes()
    {
        return held.length + heldPayload.length;
    }

    /** The one under test. */
    public EnvelopeReader reader()
    {
        return reader;
    }

    /** The one under test, null without segments. */
    public SegmentDecoder decoder()
    {
        return decoder;
    }

    @Override
    public void close()
    {
        reader.close();
        if (decoder != null)
        {
            decoder.close();
        }
    }
}
