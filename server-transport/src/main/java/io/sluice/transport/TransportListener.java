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
 * Hears what the transport does, for metrics. Called on hot paths, on event loops and (where said) request threads:
 * must be fast and must not throw; what is thrown is reported to
 * {@link NativeTransportBuilder#errorInspector} and changes nothing. All methods default to nothing.
 */
public interface TransportListener
{
    /** Hears nothing. */
    TransportListener NONE = new TransportListener()
    {
    };

    /** A socket was accepted, within all limits. */
    default void onConnectionOpened(final ClientConnection connection)
    {
    }

    /** An accepted socket is closed before its client was let in; it is neither opened nor closed. */
    default void onConnectionRefused(final RefusalReason reason)
    {
    }

    /** A connection has ended. */
    default void onConnectionClosed(final ClientConnection connection, final CloseReason reason)
    {
    }

    /**
     * A whole request envelope was read.
     *
     * @param bytes header and body before decompression of segments, after that of bodies
     */
    default void onRequest(final ClientConnection connection, final Opcode opcode, final int bytes)
    {
    }

    /**
     * An answer or event was put on the connection's way out.
     *
     * @param bytes header and body before compression
     * @param latencyNanos from the last byte read to here; 0 for events
     */
    default void onResponse(final ClientConnection connection,
        final Opcode request,
        final Opcode response,
        final int bytes,
        final long latencyNanos)
    {
    }

    /** An ERROR goes out, whatever made it. */
    default void onError(final ClientConnection connection, final ErrorCode code)
    {
    }

    /** A client broke the protocol. Drivers that ask for versions 65 and 66 first, of another server, do not. */
    default void onProtocolError(final ClientConnection connection,
        final ProtocolVersion version,
        final boolean fatal)
    {
    }

    /** A request was answered with OVERLOADED by admission. */
    default void onShed(final ClientConnection connection, final PauseCause cause)
    {
    }

    /**
     * A request was answered with OVERLOADED and not started: it had waited for its handler longer than
     * {@link TransportLimits#requestTimeout}, waits of other kinds included. On a request thread.
     *
     * @param queuedNanos how long it waited for its handler alone
     */
    default void onExpired(final ClientConnection connection, final Opcode opcode, final long queuedNanos)
    {
    }

    /**
     * How long the stages of a request took: of one request of an event loop at a time, and not of each, so that it
     * costs next to nothing. When the socket has taken the answer.
     *
     * @param times borrowed until return
     */
    default void onStages(final ClientConnection connection, final Opcode opcode, final StageTimes times)
    {
    }

    /** An event was not sent, since the client has too much unread. Any thread. */
    default void onEventDropped(final ClientConnection connection)
    {
    }

    /** Reading from a connection stopped. */
    default void onPaused(final ClientConnection connection, final PauseCause cause)
    {
    }

    /** Reading from a connection went on. */
    default void onResumed(final ClientConnection connection, final PauseCause cause, final long pausedNanos)
    {
    }

    /** Bytes came from the socket (after TLS). */
    default void onBytesRead(final ClientConnection connection, final int bytes)
    {
    }

    /**
     * Answers went to the socket (before TLS) in one flush.
     *
     * @param segments 0 if they went as they are
     * @param payloadBytes in the segments, before compression; 0 without segments
     * @param bytes of all of it, as it went
     */
    default void onFlush(final ClientConnection connection,
        final int envelopes,
        final int segments,
        final long payloadBytes,
        final int bytes)
    {
    }

    /**
     * On a connection with compression, payloads (version 5) or bodies (versions 3 and 4) were compressed or left as
     * they are. On the event loop in version 5, on whatever thread answers before it.
     *
     * @param payloads how many: those of one flush, or one body
     * @param raw how many of them went out raw
     * @param plainBytes all of them before
     * @param wireBytes all of them after
     */
    default void onCompression(final ClientConnection connection,
        final int payloads,
        final int raw,
        final long plainBytes,
        final long wireBytes)
    {
    }

    /** A login succeeded or failed. */
    default void onLogin(final ClientConnection connection, final boolean success)
    {
    }

    /** A listener that tells this one first and then the other. */
    default TransportListener andThen(final TransportListener next)
    {
        return new ListenerPair(this, next);
    }
}
