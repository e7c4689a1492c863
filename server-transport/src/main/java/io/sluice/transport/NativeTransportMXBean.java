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

import java.util.List;
import java.util.Map;

/**
 * What an operator sees and sets while the transport runs. Every setting is in {@link #getSettings} and set by
 * {@link #set}; those that are asked for most are attributes too. All of them refuse what is out of range or does not
 * go together, and log the old and the new value.
 */
public interface NativeTransportMXBean
{
    /** Connections at this moment. */
    int getConnections();

    /** How many accepted sockets were closed before their clients were let in, by {@link RefusalReason}. */
    Map<String, Long> getRefusedConnections();

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

    /** Every setting that can change while the transport runs, by name. */
    Map<String, SettingRow> getSettings();

    /** The same as text: a line for each setting. */
    String describeSettings();

    /**
     * Changes one setting, in force at once, for open connections too.
     *
     * @throws IllegalArgumentException if it is refused, with the reason
     */
    void set(String name, String value);

    /**
     * Changes several settings together: they are checked as a set, and none is changed if one is refused.
     *
     * @param assignments {@code name=value}, separated by spaces, commas or line ends
     * @throws IllegalArgumentException if one is refused, with the reason
     */
    void setAll(String assignments);

    /** The same, values by name: for programs. */
    void setEach(Map<String, String> values);

    /** Back to the default. */
    void reset(String name);

    /** Every connection with what it is and what it has done, those that have moved most bytes first. */
    List<Map<String, String>> listConnections();

    /** The same as text: a line for each connection. */
    String describeConnections();

    /** How long the lease that was lent first has been out, in milliseconds; 0 if none is. */
    long getOldestLeaseMillis();

    /** What it was lent for; empty if none is out. */
    String getOldestLease();

    /** Closes all connections of a client, given as an address or as address and port; returns how many. */
    int closeConnections(String remoteAddress);
}
