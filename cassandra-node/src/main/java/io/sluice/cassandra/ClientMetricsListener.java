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
package io.sluice.cassandra;

import io.sluice.framing.Opcode;
import io.sluice.framing.ProtocolVersion;
import io.sluice.transport.ClientConnection;
import io.sluice.transport.CloseReason;
import io.sluice.transport.PauseCause;
import io.sluice.transport.TransportListener;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.metrics.ClientMessageSizeMetrics;
import org.apache.cassandra.metrics.ClientMetrics;

/** Feeds Cassandra's own client metrics, so that dashboards go on working. Any thread. */
final class ClientMetricsListener implements TransportListener
{
    @Override
    public void onRequest(final ClientConnection connection, final Opcode opcode, final int bytes)
    {
        ClientMessageSizeMetrics.bytesReceived.inc(bytes);
        ClientMessageSizeMetrics.bytesReceivedPerRequest.update(bytes);
        switch (opcode)
        {
            // The transport's own business once there is a session; the other kinds are counted when they are served.
            case OPTIONS, REGISTER, AUTH_RESPONSE ->
            {
                final ClientSession session = ClientSession.of(connection);
                if (session != null)
                {
                    session.countRequest();
                }
            }
            default ->
            {
                // Counted elsewhere.
            }
        }
    }

    @Override
    public void onResponse(final ClientConnection connection,
        final Opcode request,
        final Opcode response,
        final int bytes,
        final long latencyNanos)
    {
        ClientMessageSizeMetrics.bytesSent.inc(bytes);
        ClientMessageSizeMetrics.bytesSentPerResponse.update(bytes);
    }

    @Override
    public void onProtocolError(final ClientConnection connection, final ProtocolVersion version, final boolean fatal)
    {
        if (!UnexpectedErrors.isExcluded(connection.remoteAddress()))
        {
            ClientMetrics.instance.markProtocolException();
        }
    }

    @Override
    public void onConnectionClosed(final ClientConnection connection, final CloseReason reason)
    {
        if (reason == CloseReason.SERVER_ERROR && !UnexpectedErrors.isExcluded(connection.remoteAddress()))
        {
            ClientMetrics.instance.markUnknownException();
        }
    }

    @Override
    public void onShed(final ClientConnection connection, final PauseCause cause)
    {
        ClientMetrics.instance.markRequestDiscarded();
    }

    @Override
    public void onExpired(final ClientConnection connection, final Opcode opcode, final long queuedNanos)
    {
        ClientMetrics.instance.queueTime(queuedNanos, TimeUnit.NANOSECONDS);
        ClientMetrics.instance.markTimedOutBeforeProcessing();
    }

    @Override
    public void onPaused(final ClientConnection connection, final PauseCause cause)
    {
        ClientMetrics.instance.pauseConnection();
    }

    @Override
    public void onResumed(final ClientConnection connection, final PauseCause cause, final long pausedNanos)
    {
        ClientMetrics.instance.unpauseConnection();
    }
}
