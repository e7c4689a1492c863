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

import javax.net.ssl.SSLSession;

/** Says who has to log in and how. Called on the event loop: must not block. */
public interface Authenticator
{
    /** Nobody has to. */
    Authenticator NONE = connection -> null;

    /**
     * The name that AUTHENTICATE carries, or null if this connection need not log in.
     *
     * @param connection has its STARTUP options and, under TLS, its {@link SSLSession}
     */
    String mechanism(ClientConnection connection);

    /** Starts a SASL exchange; called once per exchange, on the authentication executor. */
    default SaslNegotiation negotiate(final ClientConnection connection)
    {
        throw new UnsupportedOperationException("negotiate: not implemented by this authenticator");
    }
}
