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
import io.sluice.memory.BufferLease;

/**
 * An encoded envelope on its way from the thread that made it to its connection's outbox. It is its own node of both
 * lists, so that answering allocates nothing here.
 * <p>
 * Written by the completing thread until it is offered, by the event loop from then on.
 */
abstract class PendingResponse
{
    /** In the loop's offer stack. */
    PendingResponse nextOffered;
    /** In the connection's outbox. */
    PendingResponse nextInOutbox;
    /** Owned: the whole envelope; null if not even an error could be encoded. */
    BufferLease lease;
    Opcode responseOpcode;
    /** What the connection's answer budget is charged with until the socket took it. */
    int answerBytes;
    /** True if it goes out as a bare envelope although the version uses segments: answers before the switch. */
    boolean unframed;

    final Connection connection;

    PendingResponse(final Connection connection)
    {
        this.connection = connection;
    }

    /** What the request was charged with and is to be given back once, in bytes; 0 for events. */
    abstract int takeCharge();

    /** True if nobody asked. */
    boolean isEvent()
    {
        return responseOpcode == Opcode.EVENT;
    }

    /** What was asked, or null for events. */
    abstract Opcode requestOpcode();

    /** When the request was read; 0 for events. */
    public abstract long receivedNanos();

    /** The loop took it over. */
    abstract void onTaken();
}
