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
package io.sluice.framing.fuzz;

import io.sluice.framing.ProtocolException;
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.envelope.EnvelopeHeader;
import io.sluice.framing.envelope.EnvelopeReader;
import io.sluice.framing.envelope.EnvelopeSink;
import io.sluice.framing.segment.SegmentDecoder;
import io.sluice.framing.segment.SegmentFormat;
import io.sluice.framing.testkit.Hex;
import io.sluice.memory.DirectMemory;

/** Envelopes, in segments or not, for a sink that does all that a sink may do. */
final class EnvelopeRun extends InboundRun implements EnvelopeSink
{
    /** Policy bit: each envelope has to wait a moment. */
    static final int PAUSES = 0x01;
    /** Policy bit: nothing is read on while an envelope is in work. */
    static final int HALTS = 0x02;
    /** Policy bit: drops each envelope whose stream id ends in 2. */
    static final int DROPS = 0x04;
    /** Policy bit: stops at an envelope whose stream id ends in 3. */
    static final int STOPS = 0x08;
    /** Policy bit: closes the reader while it lends an envelope whose stream id ends in 4. */
    static final int CLOSES = 0x10;
    /** Policy bit: stops at the first error. */
    static final int STOPS_ON_ERROR = 0x20;

    private static final int DRAIN_LIMIT = 1 << 26;
    private static final int LAST_DIGIT = 7;

    private final int policy;
    private final EnvelopeReader reader;
    private final SegmentDecoder decoder;
    private byte[] heldPayload = new byte[0];
    private boolean heldSelfContained;
    private boolean paused;
    private int charged;

    /**
     * A connection.
     *
     * @param format null: no segments
     * @param version null: no STARTUP has fixed it
     */
    EnvelopeRun(final Workbench bench,
        final boolean recording,
        final SegmentFormat format,
        final ProtocolVersion version,
        final int policy)
    {
        super(bench, recording);
        this.policy = policy;
        reader = new EnvelopeReader(bench.pool(), this, () -> DRAIN_LIMIT);
        if (version != null)
        {
            reader.fixVersion(version);
        }
        decoder = format == null ? null : new SegmentDecoder(format, bench.pool(), bench.scratch());
    }

    private boolean has(final int bit)
    {
        return (policy & bit) != 0;
    }

    @Override
    int read(final DirectMemory borrowed, final int offset, final int limit)
    {
        if (decoder == null)
        {
            return reader.readStream(borrowed, offset, limit);
        }
        if (holdsBytes() && !onPayload(Hex.memory(heldPayload), 0, heldPayload.length, heldSelfContained))
        {
            return offset;
        }
        return decoder.decode(borrowed, offset, limit, this::onPayload);
    }

    private boolean onPayload(final DirectMemory payload,
        final int offset,
        final int length,
        final boolean selfContained)
    {
        final int end = reader.readPayload(payload, offset, length, selfContained);
        check(end >= offset && end <= offset + length, "payload end", end);
        final int rest = offset + length - end;
        if (rest > 0 || holdsBytes())
        {
            heldPayload = Hex.copy(payload, end, rest);
            heldSelfContained = selfContained;
        }
        return rest == 0 && !isOver();
    }

    @Override
    boolean holdsBytes()
    {
        return heldPayload.length > 0;
    }

    @Override
    boolean isOver()
    {
        return super.isOver() || reader.isStopped();
    }

    @Override
    public int onHeader(final EnvelopeHeader header)
    {
        check(header.bodyLength() >= 0 && header.bodyLength() <= DRAIN_LIMIT, "body length", header.bodyLength());
        if (has(PAUSES) && !paused)
        {
            paused = true;
            return PAUSE;
        }
        paused = false;
        final int digit = header.streamId() & LAST_DIGIT;
        if (digit == 3 && has(STOPS))
        {
            record("stop", header.streamId(), header.opcode(), header.bodyLength());
            return STOP;
        }
        charged++;
        return digit == 2 && has(DROPS) ? DROP : ADMIT;
    }

    @Override
    public boolean onEnvelope(final EnvelopeHeader header, final DirectMemory memory, final int bodyOffset)
    {
        ended("envelope", header);
        check(bodyOffset >= 0 && header.bodyLength() <= memory.capacity() - bodyOffset, "body end",
            bodyOffset + (long)header.bodyLength());
        checkMemory();
        if (isRecording())
        {
            record("body", header.version(), header.flags(),
                SegmentRun.crc(memory, bodyOffset, header.bodyLength()));
        }
        if (has(CLOSES) && (header.streamId() & LAST_DIGIT) == 4)
        {
            closeBoth();
        }
        return !has(HALTS);
    }

    @Override
    public void onDropped(final EnvelopeHeader header)
    {
        ended("dropped", header);
    }

    @Override
    public void onAborted(final EnvelopeHeader header)
    {
        ended("aborted", header);
    }

    private void ended(final String how, final EnvelopeHeader header)
    {
        charged--;
        check(charged >= 0, "charged", charged);
        record(how, header.streamId(), header.opcode(), header.bodyLength());
    }

    @Override
    public boolean onProtocolError(final ProtocolException error)
    {
        onError(error);
        record("answer in version", reader.answerVersion(), 0, 0);
        return !has(STOPS_ON_ERROR);
    }

    /** Bytes of all good payloads. */
    long payloadBytes()
    {
        return decoder == null ? 0 : decoder.payloadBytes();
    }

    private void closeBoth()
    {
        reader.close();
        if (decoder != null)
        {
            decoder.close();
        }
    }

    @Override
    public void close()
    {
        closeBoth();
        check(charged == 0, "charged", charged);
        check(reader.heldBytes() == 0, "held", reader.heldBytes());
        super.close();
    }
}
