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
 * What an operator sees and sets while the transport runs. Setters check like {@link TransportLimits} and log the
 * old and the new value.
 */
public interface NativeTransportMXBean
{
    /** Connections at this moment. */
    int getConnections();

    /** Request bytes in flight. */
    long getInFlightBytes();

    /** Unread answers, in bytes. */
    long getAnswerBytes();

    /** Memory of clients that have not logged in, in bytes. */
    long getPreLoginBytes();

    /** Connections that wait for request bytes of a shared budget. */
    int getWaitingConnections();

    /** Leases out at this moment. */
    long getOutstandingLeases();

    /** Direct memory of the transport, idle and lent, in bytes. */
    long getBufferBytes();

    /** See {@link FlushCounts#windows}. */
    long getFlushWindows();

    /** See {@link FlushCounts#filled}. */
    long getFlushWindowsFilled();

    /** See {@link FlushCounts#expired}. */
    long getFlushWindowsExpired();

    /** See {@link FlushCounts#gapNanos}. */
    long getAnswerGapNanos();

    /** See {@link FlushPolicy#longestHold}. */
    long getFlushLongestHoldMicros();

    /** See {@link FlushPolicy#longestHold}; 0 sends each answer as soon as it can be. */
    void setFlushLongestHoldMicros(long micros);

    /** See {@link TransportLimits#inFlightBytes}. */
    long getInFlightBytesLimit();

    /** See {@link TransportLimits#inFlightBytes}. */
    void setInFlightBytesLimit(long bytes);

    /** See {@link TransportLimits#inFlightBytesPerAddress}. */
    long getInFlightBytesPerAddressLimit();

    /** See {@link TransportLimits#inFlightBytesPerAddress}. */
    void setInFlightBytesPerAddressLimit(long bytes);

    /** See {@link TransportLimits#answerBytes}. */
    long getAnswerBytesLimit();

    /** See {@link TransportLimits#answerBytes}. */
    void setAnswerBytesLimit(long bytes);

    /** See {@link TransportLimits#answerBytesPerAddress}. */
    long getAnswerBytesPerAddressLimit();

    /** See {@link TransportLimits#answerBytesPerAddress}. */
    void setAnswerBytesPerAddressLimit(long bytes);

    /** See {@link TransportLimits#maxConnections}. */
    int getMaxConnections();

    /** See {@link TransportLimits#maxConnections}. */
    void setMaxConnections(int connections);

    /** See {@link TransportLimits#maxConnectionsPerAddress}. */
    int getMaxConnectionsPerAddress();

    /** See {@link TransportLimits#maxConnectionsPerAddress}. */
    void setMaxConnectionsPerAddress(int connections);

    /** See {@link TransportLimits#requestsPerConnection}. */
    int getRequestsPerConnectionLimit();

    /** See {@link TransportLimits#requestsPerConnection}. */
    void setRequestsPerConnectionLimit(int requests);

    /** PAUSE or SHED. */
    String getOverloadAction();

    /** PAUSE or SHED. */
    void setOverloadAction(String action);

    /** True if versions 3 and 4 may be used. */
    boolean isOlderVersionsAllowed();

    /** True if versions 3 and 4 may be used. */
    void setOlderVersionsAllowed(boolean allowed);

    /** Closes all connections of a client, given as an address or as address and port; returns how many. */
    int closeConnections(String remoteAddress);
}
