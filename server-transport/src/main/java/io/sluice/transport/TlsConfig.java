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

import io.netty.handler.ssl.SslContext;
import java.time.Duration;
import java.util.Objects;

/**
 * Whether and how clients speak TLS. Immutable.
 *
 * @param mode who has to
 * @param contexts gives the context for each new connection; null only if the mode is OFF
 * @param handshakeTimeout from the first byte to the end of the TLS handshake; more than 0
 * @param peerEndpointVerified true if a client's certificate must be one for the address that it connects from
 */
public record TlsConfig(Mode mode, ContextSource contexts, Duration handshakeTimeout, boolean peerEndpointVerified)
{
    /** Who has to speak TLS. */
    public enum Mode
    {
        /** Nobody may. */
        OFF,
        /** The first bytes decide. */
        OPTIONAL,
        /** Everybody has to. */
        REQUIRED
    }

    /**
     * Gives the context for a new connection: asked anew each time, so that certificates can change. Any event loop.
     */
    @FunctionalInterface
    public interface ContextSource
    {
        /** Borrowed; a server context. */
        SslContext context() throws Exception;
    }

    /** Checks that a context is there where one is needed. */
    public TlsConfig
    {
        Objects.requireNonNull(mode, "mode");
        if (mode != Mode.OFF)
        {
            Objects.requireNonNull(contexts, "contexts");
        }
        if (handshakeTimeout.isNegative() || handshakeTimeout.isZero())
        {
            throw new IllegalArgumentException("handshakeTimeout: " + handshakeTimeout + " (expected: > 0)");
        }
    }

    /** Plain connections only. */
    public static TlsConfig off()
    {
        return new TlsConfig(Mode.OFF, null, Duration.ofSeconds(10), false);
    }

    /** TLS or plain, as the client begins. */
    public static TlsConfig optional(final ContextSource contexts)
    {
        return new TlsConfig(Mode.OPTIONAL, contexts, Duration.ofSeconds(10), false);
    }

    /** TLS only. */
    public static TlsConfig required(final ContextSource contexts)
    {
        return new TlsConfig(Mode.REQUIRED, contexts, Duration.ofSeconds(10), false);
    }

    /** The same, but a client's certificate must be one for the address that it connects from. */
    public TlsConfig withPeerEndpointVerified()
    {
        return new TlsConfig(mode, contexts, handshakeTimeout, true);
    }
}
