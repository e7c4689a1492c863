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
package io.sluice.framing.response;

import io.sluice.framing.Opcode;
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.envelope.EnvelopeHeader;
import io.sluice.memory.BufferLease;
import io.sluice.memory.BufferPool;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A short body that is the same for every request: encoded once for each version, so that an answer with it needs no
 * memory until it is copied into a segment, where only the stream id is put in. Immutable.
 */
public final class FixedBody implements ResponseBody
{
    /** Longer bodies are refused: copying them would cost more than a lease, and they might compress. */
    public static final int MOST_BYTES = 63;

    /** Enough for a few envelopes, and the least that a pool takes. */
    private static final int POOL_BYTES = 1 << 20;

    private final ResponseBody body;
    private final Opcode opcode;
    /** By version: whole envelopes for stream 0. */
    private final UnsafeBuffer[] envelopes;

    private FixedBody(final ResponseBody body, final UnsafeBuffer[] envelopes)
    {
        this.body = body;
        this.opcode = body.opcode();
        this.envelopes = envelopes;
    }

    /**
     * The fixed form of a body.
     *
     * @param body writes the same bytes at each call
     * @throws IllegalArgumentException if it takes more than {@link #MOST_BYTES} bytes in some version
     */
    public static FixedBody of(final ResponseBody body)
    {
        final ProtocolVersion[] versions = ProtocolVersion.values();
        final UnsafeBuffer[] envelopes = new UnsafeBuffer[versions.length];
        try (BufferPool pool = new BufferPool(() -> 0L, POOL_BYTES, false))
        {
            final EnvelopeEncoder encoder = new EnvelopeEncoder(pool);
            for (final ProtocolVersion version : versions)
            {
                envelopes[version.ordinal()] = encode(encoder, version, body);
            }
        }
        return new FixedBody(body, envelopes);
    }

    private static UnsafeBuffer encode(final EnvelopeEncoder encoder,
        final ProtocolVersion version,
        final ResponseBody body)
    {
        final int most = EnvelopeHeader.LENGTH + MOST_BYTES;
        try (BufferLease lease = encoder.encode(version, 0, body, null, null, null, most))
        {
            final byte[] envelope = new byte[lease.length()];
            lease.buffer().getBytes(0, envelope);
            return new UnsafeBuffer(envelope);
        }
        catch (final BodyTooLargeException e)
        {
            throw new IllegalArgumentException("body: too long (expected: at most " + MOST_BYTES + " bytes)", e);
        }
    }

    /** The whole envelope, for stream 0. Borrowed, not to be changed. */
    public DirectBuffer envelope(final ProtocolVersion version)
    {
        return envelopes[version.ordinal()];
    }

    @Override
    public Opcode opcode()
    {
        return opcode;
    }

    @Override
    public FixedBody fixed()
    {
        return this;
    }

    @Override
    public int encodedLengthHint(final ProtocolVersion version)
    {
        return envelopes[version.ordinal()].capacity() - EnvelopeHeader.LENGTH;
    }

    @Override
    public void encode(final BodyWriter out, final ProtocolVersion version)
    {
        body.encode(out, version);
    }
}
