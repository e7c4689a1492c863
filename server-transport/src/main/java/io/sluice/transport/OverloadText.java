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

/** What a client is told about having asked for too much at once. Has no state, any thread. */
final class OverloadText
{
    private static final String OVERLOADED = " Server is currently in an overloaded state and cannot accept more " +
        "requests.";

    private OverloadText()
    {
    }

    /** The message of OVERLOADED. */
    static String refusal(final PauseCause cause, final TransportLimits limits)
    {
        return switch (cause)
        {
            case ADDRESS_BYTES -> "Too many request bytes in flight for this client address";
            case CONNECTION_BYTES -> "Too many request bytes in flight on this connection";
            case REQUEST_RATE -> rate(limits) + "." + OVERLOADED;
            case QUEUE_AGE -> "Requests wait too long for this server." + OVERLOADED;
            default -> "Too many request bytes in flight on this server";
        };
    }

    /** True for the causes that Cassandra warns of: those that are the server's, more than the client's own. */
    static boolean isTold(final PauseCause cause)
    {
        return switch (cause)
        {
            case CONNECTION_BYTES, ADDRESS_BYTES, GLOBAL_BYTES, REQUEST_RATE, QUEUE_AGE -> true;
            default -> false;
        };
    }

    /** The warning in the answer to a request that had to wait, as Cassandra's own transport gives it. */
    static String warning(final PauseCause cause, final TransportLimits limits)
    {
        return switch (cause)
        {
            case REQUEST_RATE -> rate(limits) + " and triggered backpressure.";
            case QUEUE_AGE -> "Request has spent over " + limits.queueAge().toMillis() + "ms in the queue";
            default -> "Request breached limit(s) on bytes in flight (Endpoint: " + limits.inFlightBytesPerAddress() +
                ", Global: " + limits.inFlightBytes() + ") and triggered backpressure.";
        };
    }

    private static String rate(final TransportLimits limits)
    {
        return "Request breached global limit of " + limits.requestsPerSecond() + " requests/second";
    }
}
