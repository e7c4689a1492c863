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
package io.sluice.bench.micro;

import io.sluice.bench.RequestBytes;
import io.sluice.framing.ProtocolException;
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.envelope.EnvelopeHeader;
import io.sluice.framing.envelope.EnvelopeReader;
import io.sluice.framing.envelope.EnvelopeSink;
import io.sluice.framing.request.Request;
import io.sluice.framing.request.RequestDecoder;
import io.sluice.framing.request.StatementIdTable;
import io.sluice.framing.segment.SegmentDecoder;
import io.sluice.framing.segment.SegmentFormat;
import io.sluice.framing.segment.SegmentScratch;
import io.sluice.framing.segment.SegmentSink;
import io.sluice.memory.BufferPool;
import io.sluice.memory.DirectMemory;
import org.agrona.concurrent.SystemNanoClock;

/** Sluice's way in, from the bytes of one read to request objects. Confined to one thread. */
public final class SluiceInbound implements EnvelopeSink, SegmentSink, AutoCloseable
{
    private static final int POOL_BYTES = 16 << 20;

    private final byte[] wire;
    private final DirectMemory readMemory;
    private final BufferPool pool = new BufferPool(SystemNanoClock.INSTANCE, POOL_BYTES, false);
    private final SegmentDecoder segments;
    private final EnvelopeReader envelopes;
    private final RequestDecoder requests;
    private final boolean decodeRequests;
    private int count;
    private Request last;

    /**
     * A connection.
     *
     * @param wire what each read brings: whole segments
     * @param decodeRequests false to stop at payloads
     */
    public SluiceInbound(final SegmentFormat format, final byte[] wire, final boolean decodeRequests)
    {
        this.wire = wire.clone();
        this.decodeRequests = decodeRequests;
        readMemory = DirectMemory.allocate(wire.length);
        segments = new SegmentDecoder(format, pool, new SegmentScratch());
        envelopes = new EnvelopeReader(pool, this, () -> Integer.MAX_VALUE);
        envelopes.fixVersion(ProtocolVersion.V5);
        final StatementIdTable ids = new StatementIdTable();
        ids.learn(RequestBytes.statementId());
        ids.learn(RequestBytes.metadataId());
        requests = new RequestDecoder(ids);
    }

    /** Copies the bytes as a socket would and decodes them; returns how many requests (or payloads) there were. */
    public int read()
    {
        count = 0;
        readMemory.buffer().putBytes(0, wire);
        segments.decode(readMemory, 0, wire.length, this);
        return count;
    }

    /** The last request of the last read. */
    public Request last()
    {
        return last;
    }

    @Override
    public boolean onPayload(final DirectMemory memory,
        final int offset,
        final int length,
        final boolean selfContained)
    {
        if (!decodeRequests)
        {
            count++;
            return true;
        }
        return envelopes.readPayload(memory, offset, length, selfContained) == offset + length;
    }

    @Override
    public int onHeader(final EnvelopeHeader header)
    {
        return ADMIT;
    }

    @Override
    public boolean onEnvelope(final EnvelopeHeader header, final DirectMemory memory, final int bodyOffset)
    {
        last = requests.decode(header, ProtocolVersion.V5, memory.buffer(), bodyOffset, header.bodyLength());
        count++;
        return true;
    }

    @Override
    public void onDropped(final EnvelopeHeader header)
    {
        throw new AssertionError("dropped");
    }

    @Override
    public void onAborted(final EnvelopeHeader header)
    {
        // On closing: nothing is charged here.
    }

    @Override
    public boolean onProtocolError(final ProtocolException error)
    {
        throw error;
    }

    @Override
    public void close()
    {
        segments.close();
        envelopes.close();
        pool.close();
    }
}
