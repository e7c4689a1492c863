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

import io.sluice.memory.BufferLease;
import io.sluice.memory.BufferPool;
import io.sluice.memory.ByteGatherer;
import org.agrona.DirectBuffer;

/**
 * The one envelope of a connection whose body is still coming: gathered if it was admitted, else only counted.
 * Confined to the connection's event loop.
 */
final class LargeEnvelopeAssembler
{
    /** Nothing is unfinished. */
    static final int NONE = 0;
    /** Admitted: the body is kept. */
    static final int GATHER = 1;
    /** Dropped by the sink, which hears of the last byte. */
    static final int DROP = 2;
    /** Refused by the reader, of which the sink has heard. */
    static final int SKIP = 3;

    private final ByteGatherer body;
    private final EnvelopeHeader header = new EnvelopeHeader();
    private int mode;
    private int remaining;

    LargeEnvelopeAssembler(final BufferPool pool)
    {
        body = new ByteGatherer(pool, "envelope");
    }

    /** Starts an envelope of which {@code newRemaining} body bytes, at least 1, are to come. */
    void begin(final EnvelopeHeader newHeader, final int newMode, final int newRemaining)
    {
        header.set(newHeader);
        mode = newMode;
        remaining = newRemaining;
        if (newMode == GATHER)
        {
            body.begin(newRemaining);
        }
    }

    boolean isActive()
    {
        return mode != NONE;
    }

    int mode()
    {
        return mode;
    }

    /** Of the envelope that is, or was last, unfinished. */
    EnvelopeHeader header()
    {
        return header;
    }

    /** Body bytes still to come. */
    int remaining()
    {
        return remaining;
    }

    int heldBytes()
    {
        return body.heldBytes();
    }

    int reservedBytes()
    {
        return body.reservedBytes();
    }

    /** Takes body bytes, at most {@link #remaining()}. If there is no memory for them, nothing has changed. */
    void accept(final DirectBuffer buffer, final int offset, final int length)
    {
        if (mode == GATHER)
        {
            body.gather(buffer, offset, length);
        }
        remaining -= length;
    }

    /** Goes on without keeping anything; what was kept is given back. */
    void skipRest()
    {
        body.close();
        mode = SKIP;
    }

    /** The whole body, owned by the caller. Then nothing is unfinished. */
    BufferLease take()
    {
        final BufferLease lease = body.take();
        mode = NONE;
        return lease;
    }

    /** Forgets what is unfinished and gives its memory back. */
    void reset()
    {
        body.close();
        mode = NONE;
        remaining = 0;
    }
}
