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

import io.sluice.framing.EventType;
import io.sluice.framing.request.StartupRequest;

/**
 * How the node takes part in a connection's life. Called on the connection's event loop: must not block. All methods
 * default to nothing.
 */
public interface ConnectionLifecycle
{
    /** Takes no part. */
    ConnectionLifecycle NONE = new ConnectionLifecycle()
    {
    };

    /**
     * STARTUP was understood; its answer comes next. Throwing a
     * {@link io.sluice.framing.ProtocolException} refuses it with that error.
     */
    default void onStartup(final ClientConnection connection, final StartupRequest startup)
    {
    }

    /** READY or AUTH_SUCCESS was written: requests are served from now on. */
    default void onReady(final ClientConnection connection)
    {
    }

    /** AUTHENTICATE was written: the SASL exchange is awaited. */
    default void onAuthenticating(final ClientConnection connection)
    {
    }

    /**
     * The client asks for a kind of event; READY goes out before any event that is pushed from here on.
     */
    default void onRegister(final ClientConnection connection, final EventType type)
    {
    }

    /** Who has logged in, for lists of connections; null if nobody has. Any thread. */
    default String user(final ClientConnection connection)
    {
        return null;
    }

    /** The connection has ended, once for every connection that was accepted and got its pipeline. */
    default void onClosed(final ClientConnection connection, final CloseReason reason)
    {
    }
}
