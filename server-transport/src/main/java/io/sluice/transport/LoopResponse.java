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

/**
 * An answer that was given on the event loop, where the request was read. Its connection uses it over and over, so
 * that such requests allocate nothing.
 * <p>
 * Confined to the connection's event loop.
 */
final class LoopResponse extends PendingResponse
{
    private int streamId;
    private int requestBytes;
    private long receivedNanos;

    LoopResponse(final Connection connection)
    {
        super(connection);
    }

    LoopResponse begin(final int newStreamId, final int newRequestBytes, final long newReceivedNanos)
    {
        streamId = newStreamId;
        requestBytes = newRequestBytes;
        receivedNanos = newReceivedNanos;
        return this;
    }

    @Override
    int streamId()
    {
        return streamId;
    }

    @Override
    int takeCharge()
    {
        final int charged = requestBytes;
        requestBytes = 0;
        return charged;
    }

    @Override
    Opcode requestOpcode()
    {
        return Opcode.EXECUTE;
    }

    @Override
    public long receivedNanos()
    {
        return receivedNanos;
    }

    @Override
    void onTaken()
    {
        // It was never in service: it was answered before anything else could happen.
    }

    @Override
    void onDone()
    {
        connection.recycle(this);
    }
}
