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

/** What the transport itself answers, and events. */
final class ControlResponse extends PendingResponse
{
    private final int requestBytes;
    private final Opcode requestOpcode;
    private final int streamId;
    private final long receivedNanos;
    /** Told and not read from the bytes: an error for versions 1 and 2 has another header. */
    Opcode responseOpcode;

    ControlResponse(final Connection connection,
        final Opcode requestOpcode,
        final int streamId,
        final int requestBytes,
        final long receivedNanos,
        final BufferLease lease,
        final Opcode responseOpcode)
    {
        super(connection);
        this.requestOpcode = requestOpcode;
        this.streamId = streamId;
        this.requestBytes = requestBytes;
        this.receivedNanos = receivedNanos;
        this.lease = lease;
        this.responseOpcode = responseOpcode;
    }

    @Override
    Opcode responseOpcode()
    {
        return responseOpcode;
    }

    @Override
    boolean isEvent()
    {
        return responseOpcode == Opcode.EVENT;
    }

    @Override
    int streamId()
    {
        return streamId;
    }

    @Override
    int takeCharge()
    {
        return requestBytes;
    }

    @Override
    Opcode requestOpcode()
    {
        return requestOpcode;
    }

    @Override
    public long receivedNanos()
    {
        return receivedNanos;
    }

    @Override
    void onTaken()
    {
        // Nothing waits for it.
    }
}
