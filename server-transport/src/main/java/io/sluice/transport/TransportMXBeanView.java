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

import io.sluice.memory.BufferLease;
import java.net.InetSocketAddress;
import java.rmi.server.RemoteServer;
import java.rmi.server.ServerNotActiveException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** The transport over JMX. Any thread. */
final class TransportMXBeanView implements NativeTransportMXBean
{
    private static final Pattern SEPARATORS = Pattern.compile("[\\s,]+");

    private final NativeTransport transport;
    private final TransportContext context;

    TransportMXBeanView(final NativeTransport transport)
    {
        this.transport = transport;
        this.context = transport.context;
    }

    @Override
    public int getConnections()
    {
        return context.connections.count();
    }

    @Override
    public Map<String, Long> getRefusedConnections()
    {
        return context.refusals.byName();
    }

    @Override
    public long getInFlightBytes()
    {
        return context.inFlight.usedBytes();
    }

    @Override
    public long getAnswerBytes()
    {
        return context.answerBytes.get();
    }

    @Override
    public long getPreLoginBytes()
    {
        return context.preLogin.usedBytes() + context.logins.usedBytes();
    }

    @Override
    public int getWaitingConnections()
    {
        return context.waiting.size();
    }

    @Override
    public long getOutstandingLeases()
    {
        return context.pool.outstandingLeases();
    }

    @Override
    public long getBufferBytes()
    {
        return context.pool.madeBytes();
    }

    @Override
    public long getFlushWindows()
    {
        return transport.flushCounts().windows();
    }

    @Override
    public long getFlushWindowsFilled()
    {
        return transport.flushCounts().filled();
    }

    @Override
    public long getFlushWindowsExpired()
    {
        return transport.flushCounts().expired();
    }

    @Override
    public long getAnswerGapNanos()
    {
        return transport.flushCounts().gapNanos();
    }

    @Override
    public long getFlushLongestHoldMicros()
    {
        return TimeUnit.NANOSECONDS.toMicros(context.control.flushPolicy().longestHold().toNanos());
    }

    @Override
    public void setFlushLongestHoldMicros(final long micros)
    {
        final long nanos = TimeUnit.MICROSECONDS.toNanos(micros);
        final Map<String, String> changes = new LinkedHashMap<>();
        changes.put("flushLongestHold", Long.toString(nanos));
        if (nanos < context.control.flushPolicy().grace().toNanos())
        {
            changes.put("flushGrace", Long.toString(nanos));
        }
        setEach(changes);
    }

    @Override
    public Map<String, SettingRow> getSettings()
    {
        return transport.settings().rows();
    }

    @Override
    public String describeSettings()
    {
        final StringBuilder text = new StringBuilder();
        for (final SettingRow row : transport.settings().rows().values())
        {
            text.append(row)
                .append(row.getChanged().isEmpty() ? "" : ", changed " + row.getChanged() + " by " + row.getChangedBy())
                .append("; default ")
                .append(row.getDefaultValue())
                .append("; ")
                .append(row.getRange())
                .append(": ")
                .append(row.getAbout())
                .append('\n');
        }
        return text.toString();
    }

    @Override
    public void set(final String name, final String value)
    {
        setEach(Map.of(name, value));
    }

    @Override
    public void setAll(final String assignments)
    {
        final Map<String, String> changes = new LinkedHashMap<>();
        for (final String assignment : SEPARATORS.split(assignments.trim(), -1))
        {
            final int equals = assignment.indexOf('=');
            if (equals < 1)
            {
                throw new IllegalArgumentException("assignment: \"" + assignment + "\" (expected: name=value)");
            }
            changes.put(assignment.substring(0, equals), assignment.substring(equals + 1));
        }
        setEach(changes);
    }

    @Override
    public void setEach(final Map<String, String> values)
    {
        transport.settings().set(values, SettingSource.JMX, caller());
    }

    @Override
    public void reset(final String name)
    {
        set(name, transport.settings().defaultValue(name));
    }

    /** Who is at the other end, if it is a remote one. */
    private static String caller()
    {
        try
        {
            return "JMX from " + RemoteServer.getClientHost();
        }
        catch (final ServerNotActiveException e)
        {
            return "JMX in this process";
        }
    }

    @Override
    public long getInFlightBytesLimit()
    {
        return context.control.limits().inFlightBytes();
    }

    @Override
    public void setInFlightBytesLimit(final long bytes)
    {
        set("inFlightBytes", String.valueOf(bytes));
    }

    @Override
    public long getInFlightBytesPerAddressLimit()
    {
        return context.control.limits().inFlightBytesPerAddress();
    }

    @Override
    public void setInFlightBytesPerAddressLimit(final long bytes)
    {
        set("inFlightBytesPerAddress", String.valueOf(bytes));
    }

    @Override
    public long getAnswerBytesLimit()
    {
        return context.control.limits().answerBytes();
    }

    @Override
    public void setAnswerBytesLimit(final long bytes)
    {
        set("answerBytes", String.valueOf(bytes));
    }

    @Override
    public long getAnswerBytesPerAddressLimit()
    {
        return context.control.limits().answerBytesPerAddress();
    }

    @Override
    public void setAnswerBytesPerAddressLimit(final long bytes)
    {
        set("answerBytesPerAddress", String.valueOf(bytes));
    }

    @Override
    public int getMaxConnections()
    {
        return context.control.limits().maxConnections();
    }

    @Override
    public void setMaxConnections(final int connections)
    {
        set("maxConnections", String.valueOf(connections));
    }

    @Override
    public int getMaxConnectionsPerAddress()
    {
        return context.control.limits().maxConnectionsPerAddress();
    }

    @Override
    public void setMaxConnectionsPerAddress(final int connections)
    {
        set("maxConnectionsPerAddress", String.valueOf(connections));
    }

    @Override
    public int getRequestsPerConnectionLimit()
    {
        return context.control.limits().requestsPerConnection();
    }

    @Override
    public void setRequestsPerConnectionLimit(final int requests)
    {
        set("requestsPerConnection", String.valueOf(requests));
    }

    @Override
    public String getOverloadAction()
    {
        return context.control.limits().overloadAction().name();
    }

    @Override
    public void setOverloadAction(final String action)
    {
        set("overloadAction", action);
    }

    @Override
    public boolean isOlderVersionsAllowed()
    {
        return context.control.olderVersionsAllowed();
    }

    @Override
    public void setOlderVersionsAllowed(final boolean allowed)
    {
        set("olderVersionsAllowed", Boolean.toString(allowed));
    }

    @Override
    public List<Map<String, String>> listConnections()
    {
        return ConnectionTable.rows(context);
    }

    @Override
    public String describeConnections()
    {
        final StringBuilder text = new StringBuilder();
        for (final Map<String, String> row : listConnections())
        {
            row.forEach((name, value) -> text.append(name).append('=').append(value).append(' '));
            text.setCharAt(text.length() - 1, '\n');
        }
        return text.toString();
    }

    @Override
    public long getOldestLeaseMillis()
    {
        return TimeUnit.NANOSECONDS.toMillis(transport.oldestLeaseNanos());
    }

    @Override
    public String getOldestLease()
    {
        final BufferLease oldest = context.pool.oldestLease();
        return oldest == null ? "" : String.valueOf(oldest.owner());
    }

    @Override
    public int closeConnections(final String remoteAddress)
    {
        int closed = 0;
        for (final Connection connection : context.connections.all())
        {
            final InetSocketAddress remote = connection.remoteAddress();
            final String host = remote.getAddress().getHostAddress();
            if (remoteAddress.equals(host) || remoteAddress.equals(host + ":" + remote.getPort()))
            {
                connection.close(CloseReason.FORCED);
                closed++;
            }
        }
        return closed;
    }
}
