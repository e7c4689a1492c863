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

import io.sluice.framing.ErrorCode;
import io.sluice.framing.Opcode;
import io.sluice.framing.ProtocolVersion;

/**
 * Tells two listeners, one after the other, the second also if the first throws: see
 * {@link TransportListener#andThen}. As thread safe as both are.
 */
final class ListenerPair implements TransportListener
{
    private final TransportListener first;
    private final TransportListener second;

    ListenerPair(final TransportListener first, final TransportListener second)
    {
        this.first = first;
        this.second = second;
    }

    @Override
    public void onConnectionOpened(final ClientConnection connection)
    {
        try
        {
            first.onConnectionOpened(connection);
        }
        finally
        {
            second.onConnectionOpened(connection);
        }
    }

    @Override
    public void onConnectionRefused(final RefusalReason reason)
    {
        try
        {
            first.onConnectionRefused(reason);
        }
        finally
        {
            second.onConnectionRefused(reason);
        }
    }

    @Override
    public void onConnectionClosed(final ClientConnection connection, final CloseReason reason)
    {
        try
        {
            first.onConnectionClosed(connection, reason);
        }
        finally
        {
            second.onConnectionClosed(connection, reason);
        }
    }

    @Override
    public void onRequest(final ClientConnection connection, final Opcode opcode, final int bytes)
    {
        try
        {
            first.onRequest(connection, opcode, bytes);
        }
        finally
        {
            second.onRequest(connection, opcode, bytes);
        }
    }

    @Override
    public void onResponse(final ClientConnection connection,
        final Opcode request,
        final Opcode response,
        final int bytes,
        final long latencyNanos)
    {
        try
        {
            first.onResponse(connection, request, response, bytes, latencyNanos);
        }
        finally
        {
            second.onResponse(connection, request, response, bytes, latencyNanos);
        }
    }

    @Override
    public void onError(final ClientConnection connection, final ErrorCode code)
    {
        try
        {
            first.onError(connection, code);
        }
        finally
        {
            second.onError(connection, code);
        }
    }

    @Override
    public void onProtocolError(final ClientConnection connection, final ProtocolVersion version, final boolean fatal)
    {
        try
        {
            first.onProtocolError(connection, version, fatal);
        }
        finally
        {
            second.onProtocolError(connection, version, fatal);
        }
    }

    @Override
    public void onShed(final ClientConnection connection, final PauseCause cause)
    {
        try
        {
            first.onShed(connection, cause);
        }
        finally
        {
            second.onShed(connection, cause);
        }
    }

    @Override
    public void onPaused(final ClientConnection connection, final PauseCause cause)
    {
        try
        {
            first.onPaused(connection, cause);
        }
        finally
        {
            second.onPaused(connection, cause);
        }
    }

    @Override
    public void onResumed(final ClientConnection connection, final PauseCause cause, final long pausedNanos)
    {
        try
        {
            first.onResumed(connection, cause, pausedNanos);
        }
        finally
        {
            second.onResumed(connection, cause, pausedNanos);
        }
    }

    @Override
    public void onBytesRead(final ClientConnection connection, final int bytes)
    {
        try
        {
            first.onBytesRead(connection, bytes);
        }
        finally
        {
            second.onBytesRead(connection, bytes);
        }
    }

    @Override
    public void onFlush(final ClientConnection connection,
        final int envelopes,
        final int segments,
        final long payloadBytes,
        final int bytes)
    {
        try
        {
            first.onFlush(connection, envelopes, segments, payloadBytes, bytes);
        }
        finally
        {
            second.onFlush(connection, envelopes, segments, payloadBytes, bytes);
        }
    }

    @Override
    public void onCompression(final ClientConnection connection,
        final int payloads,
        final int raw,
        final long plainBytes,
        final long wireBytes)
    {
        try
        {
            first.onCompression(connection, payloads, raw, plainBytes, wireBytes);
        }
        finally
        {
            second.onCompression(connection, payloads, raw, plainBytes, wireBytes);
        }
    }

    @Override
    public void onLogin(final ClientConnection connection, final boolean success)
    {
        try
        {
            first.onLogin(connection, success);
        }
        finally
        {
            second.onLogin(connection, success);
        }
    }

    @Override
    public void onExpired(final ClientConnection connection, final Opcode opcode, final long queuedNanos)
    {
        try
        {
            first.onExpired(connection, opcode, queuedNanos);
        }
        finally
        {
            second.onExpired(connection, opcode, queuedNanos);
        }
    }

    @Override
    public void onEventDropped(final ClientConnection connection)
    {
        try
        {
            first.onEventDropped(connection);
        }
        finally
        {
            second.onEventDropped(connection);
        }
    }

    @Override
    public void onStages(final ClientConnection connection, final Opcode opcode, final StageTimes times)
    {
        try
        {
            first.onStages(connection, opcode, times);
        }
        finally
        {
            second.onStages(connection, opcode, times);
        }
    }
}
