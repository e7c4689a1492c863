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

import io.sluice.framing.Opcode;
import io.sluice.framing.envelope.EnvelopeHeader;
import io.sluice.framing.response.FixedBody;
import io.sluice.memory.BufferLease;

/**
 * An encoded envelope on its way from the thread that made it to its connection's outbox. It is its own node of both
 * lists, so that answering allocates nothing here. Every byte of it is allocated once per request: fields are few.
 * <p>
 * Written by the completing thread until it is offered, by the event loop from then on.
 */
abstract class PendingResponse
{
    /** In the loop's offer stack, then in the connection's outbox: never in both. */
    PendingResponse next;
    /** Owned: the whole envelope; null for a fixed body, or if not even an error could be encoded. */
    BufferLease lease;
    /** In place of a lease: a body that needs no memory of its own; else null. */
    FixedBody fixed;
    /** What the connection's answer budget is charged with until the socket took it. */
    int answerBytes;

    final Connection connection;

    PendingResponse(final Connection connection)
    {
        this.connection = connection;
    }

    /** False if there was no memory even for an error. */
    final boolean isEncoded()
    {
        return lease != null || fixed != null;
    }

    /** What it turned out to be: what was meant, or an error in its place. Once encoded. */
    Opcode responseOpcode()
    {
        return fixed != null ? fixed.opcode() : Opcode.of(EnvelopeHeader.opcode(lease.buffer(), 0));
    }

    /** The request's. */
    abstract int streamId();

    /** What the request was charged with and is to be given back once, in bytes; 0 for events. */
    abstract int takeCharge();

    /** True if nobody asked. */
    boolean isEvent()
    {
        return false;
    }

    /** What was asked, or null for events. */
    abstract Opcode requestOpcode();

    /** When the request was read; 0 for events. */
    public abstract long receivedNanos();

    /** The loop took it over. */
    abstract void onTaken();

    /** It was written or thrown away, and nothing refers to it any more. On the loop, if it was offered there. */
    void onDone()
    {
        // Most are left to the garbage collector.
    }
}
