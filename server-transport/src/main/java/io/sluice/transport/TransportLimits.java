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

import java.time.Duration;

/**
 * How much of everything clients may use. Immutable; sizes in bytes, 0 turns a timeout off, -1 a connection cap.
 *
 * @param maxFrameBytes largest envelope of versions 3 and 4, header included; larger ones are refused with INVALID
 * @param maxMessageBytes largest envelope of version 5, header included
 * @param inFlightBytes requests of all clients, from their header to the last byte of their answer
 * @param inFlightBytesPerAddress the same, per client address
 * @param inFlightBytesPerConnection the same, per connection
 * @param requestsPerConnection requests in service at once per connection
 * @param requestsPerSecond of all clients together; 0 for any number
 * @param requestBurst for how long requests may be saved up while fewer come
 * @param queueAge age of a connection's oldest request that waits for its handler at which no more of it are taken
 * @param queueBackoffLeast how long it waits at first before it is looked at again
 * @param queueBackoffMost how long at most, each time twice as long as before
 * @param answerBytes unread answers of all clients at which whoever has more than a small reserve of them is not read
 * from and not served
 * @param answerBytesPerAddress the same, per client address
 * @param answerBytesPerConnection unread answers at which a connection is not read from and not served
 * @param answerBytesHardLimit unread answers at which a connection is closed
 * @param maxConnections connections at once
 * @param maxConnectionsPerAddress connections at once, per client address
 * @param overloadAction what to do with a request that does not fit, unless STARTUP says otherwise
 * @param consecutiveErrors bad envelopes in a row, in one segment or read, that a connection survives
 * @param preLoginMessageBytes largest envelope before READY
 * @param preLoginMessages envelopes that a connection may send before READY
 * @param preLoginBytes memory of all clients that are not READY, but for a small reserve of each; and as much again for
 * tokens that are being checked
 * @param handshakeTimeout from accept to READY
 * @param loginAttempts failed logins that a connection survives
 * @param idleTimeout without a byte either way and without a request in service
 * @param stallTimeout without a byte taken while answers wait, or sent in the middle of a request
 * @param closeTimeout how long a closing connection waits for answers in work
 * @param lingerTimeout how long a closed output waits for the client to close
 * @param requestTimeout after which a request that waited for its handler is answered with OVERLOADED and not started
 * @param exchangeTimeout after which a request that the handler never completed is failed, and a connection closed
 * whose request is still not all there
 */
public record TransportLimits(
    int maxFrameBytes,
    int maxMessageBytes,
    long inFlightBytes,
    long inFlightBytesPerAddress,
    long inFlightBytesPerConnection,
    int requestsPerConnection,
    int requestsPerSecond,
    Duration requestBurst,
    Duration queueAge,
    Duration queueBackoffLeast,
    Duration queueBackoffMost,
    long answerBytes,
    long answerBytesPerAddress,
    long answerBytesPerConnection,
    long answerBytesHardLimit,
    int maxConnections,
    int maxConnectionsPerAddress,
    OverloadAction overloadAction,
    int consecutiveErrors,
    int preLoginMessageBytes,
    int preLoginMessages,
    long preLoginBytes,
    Duration handshakeTimeout,
    int loginAttempts,
    Duration idleTimeout,
    Duration stallTimeout,
    Duration closeTimeout,
    Duration lingerTimeout,
    Duration requestTimeout,
    Duration exchangeTimeout)
{

    /** No envelope is larger, whatever the settings: section 2.5 of the protocol. */
    public static final int ENVELOPE_LIMIT = 256 << 20;

    /** Checks each range, and that the largest message fits into each budget. */
    public TransportLimits
    {
        range("maxFrameBytes", maxFrameBytes, 1 << 10, ENVELOPE_LIMIT);
        range("maxMessageBytes", maxMessageBytes, 1 << 10, ENVELOPE_LIMIT);
        final long largest = Math.max(maxFrameBytes, maxMessageBytes);
        range("inFlightBytes", inFlightBytes, largest, Long.MAX_VALUE);
        range("inFlightBytesPerAddress", inFlightBytesPerAddress, largest, Long.MAX_VALUE);
        range("inFlightBytesPerConnection", inFlightBytesPerConnection, largest, Long.MAX_VALUE);
        range("requestsPerConnection", requestsPerConnection, 1, Integer.MAX_VALUE);
        range("requestsPerSecond", requestsPerSecond, 0, Integer.MAX_VALUE);
        timeout("requestBurst", requestBurst);
        timeout("queueAge", queueAge);
        timeout("queueBackoffLeast", queueBackoffLeast);
        backoff(queueBackoffLeast, queueBackoffMost);
        range("answerBytes", answerBytes, 1, Long.MAX_VALUE);
        range("answerBytesPerAddress", answerBytesPerAddress, 1, Long.MAX_VALUE);
        range("answerBytesPerConnection", answerBytesPerConnection, 1, Long.MAX_VALUE);
        range("answerBytesHardLimit", answerBytesHardLimit, answerBytesPerConnection, Long.MAX_VALUE);
        range("maxConnections", maxConnections, -1, Integer.MAX_VALUE);
        range("maxConnectionsPerAddress", maxConnectionsPerAddress, -1, Integer.MAX_VALUE);
        range("consecutiveErrors", consecutiveErrors, 0, Integer.MAX_VALUE);
        range("preLoginMessageBytes", preLoginMessageBytes, 1 << 10, ENVELOPE_LIMIT);
        range("preLoginMessages", preLoginMessages, 1, Integer.MAX_VALUE);
        // Room for the parts of at least one message, in buffers that are larger than what is in them.
        range("preLoginBytes", preLoginBytes, Math.max(1 << 20, 4L * preLoginMessageBytes), Long.MAX_VALUE);
        range("loginAttempts", loginAttempts, 1, Integer.MAX_VALUE);
        timeout("handshakeTimeout", handshakeTimeout);
        timeout("idleTimeout", idleTimeout);
        timeout("stallTimeout", stallTimeout);
        timeout("closeTimeout", closeTimeout);
        timeout("lingerTimeout", lingerTimeout);
        timeout("requestTimeout", requestTimeout);
        timeout("exchangeTimeout", exchangeTimeout);
    }

    private static void range(final String name, final long value, final long lowest, final long highest)
    {
        if (value < lowest || value > highest)
        {
            throw new IllegalArgumentException(
                name + ": " + value + " (expected: " + lowest + ".." + highest + ")");
        }
    }

    private static void timeout(final String name, final Duration value)
    {
        if (value.isNegative())
        {
            throw new IllegalArgumentException(name + ": " + value + " (expected: >= 0)");
        }
    }

    private static void backoff(final Duration least, final Duration most)
    {
        if (least.isZero())
        {
            throw new IllegalArgumentException("queueBackoffLeast: " + least + " (expected: > 0)");
        }
        if (most.compareTo(least) < 0)
        {
            throw new IllegalArgumentException(
                "queueBackoffMost: " + most + " (expected: at least queueBackoffLeast, " + least + ")");
        }
    }

    /** For a heap of this process's size, like the stock transport where it has the same limit. */
    public static TransportLimits defaults()
    {
        final long heap = Runtime.getRuntime().maxMemory();
        final int largest = 16 << 20;
        return new TransportLimits(largest, largest, Math.max(largest, heap / 10), Math.max(largest, heap / 40),
            Math.max(largest, heap / 40), 1024, 0, Duration.ofSeconds(1), Duration.ZERO, Duration.ofMillis(10),
            Duration.ofMillis(200), Math.max(4 * largest, heap / 10), Math.max(largest, heap / 40),
            8 << 20, 64 << 20, -1, -1, OverloadAction.PAUSE, 1, 100_000, 256, Math.max(largest, heap / 100),
            Duration.ofSeconds(30), 3, Duration.ZERO, Duration.ofSeconds(60), Duration.ofSeconds(10),
            Duration.ofSeconds(2), Duration.ofSeconds(12), Duration.ofMinutes(10));
    }

    /** A builder that starts from these values. */
    public TransportLimitsBuilder with()
    {
        return new TransportLimitsBuilder(this);
    }
}
