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

/** Changes some of a {@link TransportLimits}; {@link #build} checks them all together. Not thread safe. */
public final class TransportLimitsBuilder
{
    private int maxFrameBytes;
    private int maxMessageBytes;
    private long inFlightBytes;
    private long inFlightBytesPerAddress;
    private long inFlightBytesPerConnection;
    private int requestsPerConnection;
    private int requestsPerSecond;
    private Duration requestBurst;
    private Duration queueAge;
    private Duration queueBackoffLeast;
    private Duration queueBackoffMost;
    private long answerBytes;
    private long answerBytesPerAddress;
    private long answerBytesPerConnection;
    private long answerBytesHardLimit;
    private int maxConnections;
    private int maxConnectionsPerAddress;
    private OverloadAction overloadAction;
    private int consecutiveErrors;
    private int preLoginMessageBytes;
    private int preLoginMessages;
    private long preLoginBytes;
    private Duration handshakeTimeout;
    private int loginAttempts;
    private Duration idleTimeout;
    private Duration stallTimeout;
    private Duration closeTimeout;
    private Duration lingerTimeout;
    private Duration requestTimeout;
    private Duration exchangeTimeout;

    TransportLimitsBuilder(final TransportLimits from)
    {
        maxFrameBytes = from.maxFrameBytes();
        maxMessageBytes = from.maxMessageBytes();
        inFlightBytes = from.inFlightBytes();
        inFlightBytesPerAddress = from.inFlightBytesPerAddress();
        inFlightBytesPerConnection = from.inFlightBytesPerConnection();
        requestsPerConnection = from.requestsPerConnection();
        requestsPerSecond = from.requestsPerSecond();
        requestBurst = from.requestBurst();
        queueAge = from.queueAge();
        queueBackoffLeast = from.queueBackoffLeast();
        queueBackoffMost = from.queueBackoffMost();
        answerBytes = from.answerBytes();
        answerBytesPerAddress = from.answerBytesPerAddress();
        answerBytesPerConnection = from.answerBytesPerConnection();
        answerBytesHardLimit = from.answerBytesHardLimit();
        maxConnections = from.maxConnections();
        maxConnectionsPerAddress = from.maxConnectionsPerAddress();
        overloadAction = from.overloadAction();
        consecutiveErrors = from.consecutiveErrors();
        preLoginMessageBytes = from.preLoginMessageBytes();
        preLoginMessages = from.preLoginMessages();
        preLoginBytes = from.preLoginBytes();
        handshakeTimeout = from.handshakeTimeout();
        loginAttempts = from.loginAttempts();
        idleTimeout = from.idleTimeout();
        stallTimeout = from.stallTimeout();
        closeTimeout = from.closeTimeout();
        lingerTimeout = from.lingerTimeout();
        requestTimeout = from.requestTimeout();
        exchangeTimeout = from.exchangeTimeout();
    }

    /** See {@link TransportLimits#maxFrameBytes}. */
    public TransportLimitsBuilder maxFrameBytes(final int value)
    {
        maxFrameBytes = value;
        return this;
    }

    /** See {@link TransportLimits#maxMessageBytes}. */
    public TransportLimitsBuilder maxMessageBytes(final int value)
    {
        maxMessageBytes = value;
        return this;
    }

    /** See {@link TransportLimits#inFlightBytes}. */
    public TransportLimitsBuilder inFlightBytes(final long value)
    {
        inFlightBytes = value;
        return this;
    }

    /** See {@link TransportLimits#inFlightBytesPerAddress}. */
    public TransportLimitsBuilder inFlightBytesPerAddress(final long value)
    {
        inFlightBytesPerAddress = value;
        return this;
    }

    /** See {@link TransportLimits#inFlightBytesPerConnection}. */
    public TransportLimitsBuilder inFlightBytesPerConnection(final long value)
    {
        inFlightBytesPerConnection = value;
        return this;
    }

    /** See {@link TransportLimits#requestsPerConnection}. */
    public TransportLimitsBuilder requestsPerConnection(final int value)
    {
        requestsPerConnection = value;
        return this;
    }

    /** See {@link TransportLimits#requestsPerSecond}. */
    public TransportLimitsBuilder requestsPerSecond(final int value)
    {
        requestsPerSecond = value;
        return this;
    }

    /** See {@link TransportLimits#requestBurst}. */
    public TransportLimitsBuilder requestBurst(final Duration value)
    {
        requestBurst = value;
        return this;
    }

    /** See {@link TransportLimits#queueAge}. */
    public TransportLimitsBuilder queueAge(final Duration value)
    {
        queueAge = value;
        return this;
    }

    /** See {@link TransportLimits#queueBackoffLeast}. */
    public TransportLimitsBuilder queueBackoffLeast(final Duration value)
    {
        queueBackoffLeast = value;
        return this;
    }

    /** See {@link TransportLimits#queueBackoffMost}. */
    public TransportLimitsBuilder queueBackoffMost(final Duration value)
    {
        queueBackoffMost = value;
        return this;
    }

    /** See {@link TransportLimits#answerBytes}. */
    public TransportLimitsBuilder answerBytes(final long value)
    {
        answerBytes = value;
        return this;
    }

    /** See {@link TransportLimits#answerBytesPerAddress}. */
    public TransportLimitsBuilder answerBytesPerAddress(final long value)
    {
        answerBytesPerAddress = value;
        return this;
    }

    /** See {@link TransportLimits#answerBytesPerConnection}. */
    public TransportLimitsBuilder answerBytesPerConnection(final long value)
    {
        answerBytesPerConnection = value;
        return this;
    }

    /** See {@link TransportLimits#answerBytesHardLimit}. */
    public TransportLimitsBuilder answerBytesHardLimit(final long value)
    {
        answerBytesHardLimit = value;
        return this;
    }

    /** See {@link TransportLimits#maxConnections}. */
    public TransportLimitsBuilder maxConnections(final int value)
    {
        maxConnections = value;
        return this;
    }

    /** See {@link TransportLimits#maxConnectionsPerAddress}. */
    public TransportLimitsBuilder maxConnectionsPerAddress(final int value)
    {
        maxConnectionsPerAddress = value;
        return this;
    }

    /** See {@link TransportLimits#overloadAction}. */
    public TransportLimitsBuilder overloadAction(final OverloadAction value)
    {
        overloadAction = value;
        return this;
    }

    /** See {@link TransportLimits#consecutiveErrors}. */
    public TransportLimitsBuilder consecutiveErrors(final int value)
    {
        consecutiveErrors = value;
        return this;
    }

    /** See {@link TransportLimits#preLoginMessageBytes}. */
    public TransportLimitsBuilder preLoginMessageBytes(final int value)
    {
        preLoginMessageBytes = value;
        return this;
    }

    /** See {@link TransportLimits#preLoginMessages}. */
    public TransportLimitsBuilder preLoginMessages(final int value)
    {
        preLoginMessages = value;
        return this;
    }

    /** See {@link TransportLimits#preLoginBytes}. */
    public TransportLimitsBuilder preLoginBytes(final long value)
    {
        preLoginBytes = value;
        return this;
    }

    /** See {@link TransportLimits#handshakeTimeout}. */
    public TransportLimitsBuilder handshakeTimeout(final Duration value)
    {
        handshakeTimeout = value;
        return this;
    }

    /** See {@link TransportLimits#loginAttempts}. */
    public TransportLimitsBuilder loginAttempts(final int value)
    {
        loginAttempts = value;
        return this;
    }

    /** See {@link TransportLimits#idleTimeout}. */
    public TransportLimitsBuilder idleTimeout(final Duration value)
    {
        idleTimeout = value;
        return this;
    }

    /** See {@link TransportLimits#stallTimeout}. */
    public TransportLimitsBuilder stallTimeout(final Duration value)
    {
        stallTimeout = value;
        return this;
    }

    /** See {@link TransportLimits#closeTimeout}. */
    public TransportLimitsBuilder closeTimeout(final Duration value)
    {
        closeTimeout = value;
        return this;
    }

    /** See {@link TransportLimits#lingerTimeout}. */
    public TransportLimitsBuilder lingerTimeout(final Duration value)
    {
        lingerTimeout = value;
        return this;
    }

    /** See {@link TransportLimits#requestTimeout}. */
    public TransportLimitsBuilder requestTimeout(final Duration value)
    {
        requestTimeout = value;
        return this;
    }

    /** See {@link TransportLimits#exchangeTimeout}. */
    public TransportLimitsBuilder exchangeTimeout(final Duration value)
    {
        exchangeTimeout = value;
        return this;
    }

    /**
     * The limits.
     *
     * @throws IllegalArgumentException if a value is out of range or two do not go together
     */
    public TransportLimits build()
    {
        return new TransportLimits(maxFrameBytes, maxMessageBytes, inFlightBytes, inFlightBytesPerAddress,
            inFlightBytesPerConnection, requestsPerConnection, requestsPerSecond, requestBurst, queueAge,
            queueBackoffLeast, queueBackoffMost, answerBytes, answerBytesPerAddress,
            answerBytesPerConnection, answerBytesHardLimit, maxConnections, maxConnectionsPerAddress, overloadAction,
            consecutiveErrors, preLoginMessageBytes, preLoginMessages, preLoginBytes, handshakeTimeout, loginAttempts,
            idleTimeout, stallTimeout, closeTimeout, lingerTimeout, requestTimeout, exchangeTimeout);
    }
}
