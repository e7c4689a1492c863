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

/**
 * Why an accepted socket was closed before its client was let in: such a connection is neither opened nor closed, for
 * listeners. Immutable.
 */
public enum RefusalReason
{
    /** Over the number of connections in all: {@link TransportLimits#maxConnections}. */
    CONNECTION_LIMIT,
    /** Over the number of connections of its address: {@link TransportLimits#maxConnectionsPerAddress}. */
    ADDRESS_LIMIT,
    /** A trusted proxy did not say in time, or not in the right way, whom it speaks for. */
    PROXY_HEADER,
    /** The transport stops: it came while the listener was being closed, or its proxy had not said yet who it is. */
    SHUTDOWN,
    /** It could not be set up: no memory, no TLS certificates that can be used, something unforeseen. */
    SERVER_ERROR;

    /** What a connection was refused for that ended for this reason before its client was let in; null for nothing. */
    static RefusalReason of(final CloseReason reason)
    {
        return switch (reason)
        {
            case SHUTDOWN, SHUTDOWN_FORCED -> SHUTDOWN;
            case SERVER_ERROR, OUT_OF_MEMORY -> SERVER_ERROR;
            default -> null;
        };
    }
}
