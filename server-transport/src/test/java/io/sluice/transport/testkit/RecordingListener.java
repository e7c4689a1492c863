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
package io.sluice.transport.testkit;

import io.sluice.framing.ErrorCode;
import io.sluice.framing.ProtocolVersion;
import io.sluice.transport.ClientConnection;
import io.sluice.transport.CloseReason;
import io.sluice.transport.PauseCause;
import io.sluice.transport.RefusalReason;
import io.sluice.transport.TransportListener;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Keeps what the transport tells. Any thread. */
public final class RecordingListener implements TransportListener
{
    private final Queue<CloseReason> closed = new ConcurrentLinkedQueue<>();
    private final Queue<RefusalReason> refused = new ConcurrentLinkedQueue<>();
    private final Queue<PauseCause> paused = new ConcurrentLinkedQueue<>();
    private final Queue<PauseCause> shed = new ConcurrentLinkedQueue<>();
    private final Queue<ErrorCode> errors = new ConcurrentLinkedQueue<>();
    private final Queue<Boolean> logins = new ConcurrentLinkedQueue<>();
    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger resumed = new AtomicInteger();
    private final AtomicInteger protocolErrors = new AtomicInteger();
    private final AtomicInteger flushes = new AtomicInteger();
    private final AtomicInteger reads = new AtomicInteger();

    @Override
    public void onConnectionOpened(final ClientConnection connection)
    {
        opened.incrementAndGet();
    }

    @Override
    public void onConnectionRefused(final RefusalReason reason)
    {
        refused.add(reason);
    }

    @Override
    public void onConnectionClosed(final ClientConnection connection, final CloseReason reason)
    {
        closed.add(reason);
    }

    @Override
    public void onError(final ClientConnection connection, final ErrorCode code)
    {
        errors.add(code);
    }

    @Override
    public void onProtocolError(final ClientConnection connection, final ProtocolVersion version, final boolean fatal)
    {
        protocolErrors.incrementAndGet();
    }

    @Override
    public void onShed(final ClientConnection connection, final PauseCause cause)
    {
        shed.add(cause);
    }

    @Override
    public void onPaused(final ClientConnection connection, final PauseCause cause)
    {
        paused.add(cause);
    }

    @Override
    public void onResumed(final ClientConnection connection, final PauseCause cause, final long pausedNanos)
    {
        resumed.incrementAndGet();
    }

    @Override
    public void onFlush(final ClientConnection connection,
        final int envelopes,
        final int segments,
        final long payloadBytes,
        final int bytes)
    {
        flushes.incrementAndGet();
    }

    @Override
    public void onBytesRead(final ClientConnection connection, final int bytes)
    {
        reads.incrementAndGet();
    }

    @Override
    public void onLogin(final ClientConnection connection, final boolean success)
    {
        logins.add(success);
    }

    /** Connections opened so far. */
    public int opened()
    {
        return opened.get();
    }

    /** Why connections ended, in order. */
    public List<CloseReason> closed()
    {
        return List.copyOf(closed);
    }

    /** Why connections were refused, in order. */
    public List<RefusalReason> refused()
    {
        return List.copyOf(refused);
    }

    /** Why reading stopped, in order. */
    public List<PauseCause> paused()
    {
        return List.copyOf(paused);
    }

    /** How often reading went on. */
    public int resumed()
    {
        return resumed.get();
    }

    /** Why requests were shed, in order. */
    public List<PauseCause> shed()
    {
        return List.copyOf(shed);
    }

    /** Codes of errors sent, in order. */
    public List<ErrorCode> errors()
    {
        return List.copyOf(errors);
    }

    /** Logins that succeeded or failed, in order. */
    public List<Boolean> logins()
    {
        return List.copyOf(logins);
    }

    /** How often clients broke the protocol. */
    public int protocolErrors()
    {
        return protocolErrors.get();
    }

    /** Flushes so far. */
    public int flushes()
    {
        return flushes.get();
    }

    /** Times that bytes came from a socket. */
    public int reads()
    {
        return reads.get();
    }
}
