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
package io.sluice.transport.sim;

import io.sluice.framing.ErrorCode;
import io.sluice.framing.EventType;
import io.sluice.framing.Opcode;
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.request.StartupRequest;
import io.sluice.transport.ClientConnection;
import io.sluice.transport.CloseReason;
import io.sluice.transport.ConnectionLifecycle;
import io.sluice.transport.PauseCause;
import io.sluice.transport.RefusalReason;
import io.sluice.transport.TransportListener;
import java.util.HashMap;
import java.util.Map;

/** Hears everything, checks that it adds up, and lets other threads cut in at each call. */
final class SimListener implements TransportListener, ConnectionLifecycle
{
    private final Simulation simulation;
    private final Map<ClientConnection, PauseCause> paused = new HashMap<>();
    private final Map<ClientConnection, Boolean> opened = new HashMap<>();

    SimListener(final Simulation simulation)
    {
        this.simulation = simulation;
    }

    int paused()
    {
        return paused.size();
    }

    int opened()
    {
        return opened.size();
    }

    private void heard(final String what, final ClientConnection connection, final Object detail)
    {
        simulation.trace(what, connection, detail);
        simulation.preempt();
    }

    @Override
    public void onConnectionOpened(final ClientConnection connection)
    {
        if (opened.put(connection, Boolean.TRUE) != null)
        {
            simulation.fail(new SimulationFailure("opened twice: " + connection));
        }
        heard("opened", connection, "");
    }

    @Override
    public void onConnectionRefused(final RefusalReason reason)
    {
        heard("refused", null, reason);
    }

    @Override
    public void onConnectionClosed(final ClientConnection connection, final CloseReason reason)
    {
        if (opened.remove(connection) == null)
        {
            simulation.fail(new SimulationFailure("closed without having been opened: " + connection));
        }
        heard("closed", connection, reason);
    }

    @Override
    public void onRequest(final ClientConnection connection, final Opcode opcode, final int bytes)
    {
        heard("request", connection, opcode);
    }

    @Override
    public void onResponse(final ClientConnection connection,
        final Opcode request,
        final Opcode response,
        final int bytes,
        final long latencyNanos)
    {
        if (latencyNanos < 0)
        {
            simulation.fail(new SimulationFailure("latency: " + latencyNanos));
        }
        heard("response", connection, response);
    }

    @Override
    public void onError(final ClientConnection connection, final ErrorCode code)
    {
        heard("error", connection, code);
    }

    @Override
    public void onProtocolError(final ClientConnection connection, final ProtocolVersion version, final boolean fatal)
    {
        heard("protocol error", connection, fatal);
    }

    @Override
    public void onShed(final ClientConnection connection, final PauseCause cause)
    {
        heard("shed", connection, cause);
    }

    @Override
    public void onPaused(final ClientConnection connection, final PauseCause cause)
    {
        if (paused.put(connection, cause) != null)
        {
            simulation.fail(new SimulationFailure("paused twice: " + connection));
        }
        heard("paused", connection, cause);
    }

    @Override
    public void onResumed(final ClientConnection connection, final PauseCause cause, final long pausedNanos)
    {
        if (paused.remove(connection) != cause || pausedNanos < 0)
        {
            simulation.fail(new SimulationFailure("resumed without having been paused: " + connection + ' ' + cause));
        }
        heard("resumed", connection, cause);
    }

    @Override
    public void onBytesRead(final ClientConnection connection, final int bytes)
    {
        heard("read", connection, bytes);
    }

    @Override
    public void onFlush(final ClientConnection connection,
        final int envelopes,
        final int segments,
        final long payloadBytes,
        final int bytes)
    {
        heard("flush", connection, envelopes);
    }

    @Override
    public void onLogin(final ClientConnection connection, final boolean success)
    {
        heard("login", connection, success);
    }

    @Override
    public void onStartup(final ClientConnection connection, final StartupRequest startup)
    {
        connection.attachment(simulation.clientOf(connection));
        heard("startup", connection, "");
    }

    @Override
    public void onReady(final ClientConnection connection)
    {
        heard("ready", connection, "");
    }

    @Override
    public void onAuthenticating(final ClientConnection connection)
    {
        heard("authenticating", connection, "");
    }

    @Override
    public void onRegister(final ClientConnection connection, final EventType type)
    {
        heard("register", connection, type);
    }

    @Override
    public void onClosed(final ClientConnection connection, final CloseReason reason)
    {
        simulation.closed(simulation.clientOf(connection), reason);
        heard("ended", connection, reason);
    }
}
