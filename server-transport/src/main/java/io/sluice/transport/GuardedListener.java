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
 * Keeps what a listener throws from what it listens to: it is reported, and everything goes on. As thread safe as the
 * listener.
 */
final class GuardedListener implements TransportListener
{
    private final TransportListener listener;
    private final TransportContext context;

    GuardedListener(final TransportListener listener, final TransportContext context)
    {
        this.listener = listener;
        this.context = context;
    }

    private void failed(final Throwable error)
    {
        context.inspect(error);
        context.log.unexpected("a transport listener failed", null, error);
    }

    @Override
    public void onConnectionOpened(final ClientConnection connection)
    {
        try
        {
            listener.onConnectionOpened(connection);
        }
        catch (final Throwable t)
        {
            failed(t);
        }
    }

    @Override
    public void onConnectionRefused(final RefusalReason reason)
    {
        try
        {
            listener.onConnectionRefused(reason);
        }
        catch (final Throwable t)
        {
            failed(t);
        }
    }

    @Override
    public void onConnectionClosed(final ClientConnection connection, final CloseReason reason)
    {
        try
        {
            listener.onConnectionClosed(connection, reason);
        }
        catch (final Throwable t)
        {
            failed(t);
        }
    }

    @Override
    public void onRequest(final ClientConnection connection, final Opcode opcode, final int bytes)
    {
        try
        {
            listener.onRequest(connection, opcode, bytes);
        }
        catch (final Throwable t)
        {
            failed(t);
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
            listener.onResponse(connection, request, response, bytes, latencyNanos);
        }
        catch (final Throwable t)
        {
            failed(t);
        }
    }

    @Override
    public void onError(final ClientConnection connection, final ErrorCode code)
    {
        try
        {
            listener.onError(connection, code);
        }
        catch (final Throwable t)
        {
            failed(t);
        }
    }

    @Override
    public void onProtocolError(final ClientConnection connection,
        final ProtocolVersion version,
        final boolean fatal)
    {
        try
        {
            listener.onProtocolError(connection, version, fatal);
        }
        catch (final Throwable t)
        {
            failed(t);
        }
    }

    @Override
    public void onShed(final ClientConnection connection, final PauseCause cause)
    {
        try
        {
            listener.onShed(connection, cause);
        }
        catch (final Throwable t)
        {
            failed(t);
        }
    }

    @Override
    public void onPaused(final ClientConnection connection, final PauseCause cause)
    {
        try
        {
            listener.onPaused(connection, cause);
        }
        catch (final Throwable t)
        {
            failed(t);
        }
    }

    @Override
    public void onResumed(final ClientConnection connection, final PauseCause cause, final long pausedNanos)
    {
        try
        {
            listener.onResumed(connection, cause, pausedNanos);
        }
        catch (final Throwable t)
        {
            failed(t);
        }
    }

    @Override
    public void onBytesRead(final ClientConnection connection, final int bytes)
    {
        try
        {
            listener.onBytesRead(connection, bytes);
        }
        catch (final Throwable t)
        {
            failed(t);
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
            listener.onFlush(connection, envelopes, segments, payloadBytes, bytes);
        }
        catch (final Throwable t)
        {
            failed(t);
        }
    }

    @Override
    public void onLogin(final ClientConnection connection, final boolean success)
    {
        try
        {
            listener.onLogin(connection, success);
        }
        catch (final Throwable t)
        {
            failed(t);
        }
    }

    @Override
    public void onExpired(final ClientConnection connection, final Opcode opcode, final long queuedNanos)
    {
        try
        {
            listener.onExpired(connection, opcode, queuedNanos);
        }
        catch (final Throwable t)
        {
            failed(t);
        }
    }

    @Override
    public void onEventDropped(final ClientConnection connection)
    {
        try
        {
            listener.onEventDropped(connection);
        }
        catch (final Throwable t)
        {
            failed(t);
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
            listener.onCompression(connection, payloads, raw, plainBytes, wireBytes);
        }
        catch (final Throwable t)
        {
            failed(t);
        }
    }

    @Override
    public void onStages(final ClientConnection connection, final Opcode opcode, final StageTimes times)
    {
        try
        {
            listener.onStages(connection, opcode, times);
        }
        catch (final Throwable t)
        {
            failed(t);
        }
    }
}
