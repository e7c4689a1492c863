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

import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The transport over JMX. Any thread. */
final class TransportMXBeanView implements NativeTransportMXBean
{
    private static final Logger LOG = LoggerFactory.getLogger(NativeTransportMXBean.class);

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
        final long before = getFlushLongestHoldMicros();
        context.control.flushPolicy(context.control.flushPolicy()
            .withLongestHold(
                Duration.of(micros, ChronoUnit.MICROS)));
        LOG.info("flushLongestHoldMicros: {} (was: {})", micros, before);
    }

    private synchronized void change(final String name,
        final Object before,
        final Object after,
        final Consumer<TransportLimitsBuilder> change)
    {
        final TransportLimitsBuilder builder = context.control.limits().with();
        change.accept(builder);
        context.control.limits(builder.build());
        LOG.info("{}: {} (was: {})", name, after, before);
    }

    @Override
    public long getInFlightBytesLimit()
    {
        return context.control.limits().inFlightBytes();
    }

    @Override
    public void setInFlightBytesLimit(final long bytes)
    {
        change("inFlightBytes", getInFlightBytesLimit(), bytes, builder -> builder.inFlightBytes(bytes));
    }

    @Override
    public long getInFlightBytesPerAddressLimit()
    {
        return context.control.limits().inFlightBytesPerAddress();
    }

    @Override
    public void setInFlightBytesPerAddressLimit(final long bytes)
    {
        change("inFlightBytesPerAddress", getInFlightBytesPerAddressLimit(), bytes,
            builder -> builder.inFlightBytesPerAddress(bytes));
    }

    @Override
    public long getAnswerBytesLimit()
    {
        return context.control.limits().answerBytes();
    }

    @Override
    public void setAnswerBytesLimit(final long bytes)
    {
        change("answerBytes", getAnswerBytesLimit(), bytes, builder -> builder.answerBytes(bytes));
    }

    @Override
    public long getAnswerBytesPerAddressLimit()
    {
        return context.control.limits().answerBytesPerAddress();
    }

    @Override
    public void setAnswerBytesPerAddressLimit(final long bytes)
    {
        change("answerBytesPerAddress", getAnswerBytesPerAddressLimit(), bytes,
            builder -> builder.answerBytesPerAddress(bytes));
    }

    @Override
    public int getMaxConnections()
    {
        return context.control.limits().maxConnections();
    }

    @Override
    public void setMaxConnections(final int connections)
    {
        change("maxConnections", getMaxConnections(), connections, builder -> builder.maxConnections(connections));
    }

    @Override
    public int getMaxConnectionsPerAddress()
    {
        return context.control.limits().maxConnectionsPerAddress();
    }

    @Override
    public void setMaxConnectionsPerAddress(final int connections)
    {
        change("maxConnectionsPerAddress", getMaxConnectionsPerAddress(), connections,
            builder -> builder.maxConnectionsPerAddress(connections));
    }

    @Override
    public int getRequestsPerConnectionLimit()
    {
        return context.control.limits().requestsPerConnection();
    }

    @Override
    public void setRequestsPerConnectionLimit(final int requests)
    {
        change("requestsPerConnection", getRequestsPerConnectionLimit(), requests,
            builder -> builder.requestsPerConnection(requests));
    }

    @Override
    public String getOverloadAction()
    {
        return context.control.limits().overloadAction().name();
    }

    @Override
    public void setOverloadAction(final String action)
    {
        change("overloadAction", getOverloadAction(), action,
            builder -> builder.overloadAction(OverloadAction.valueOf(action)));
    }

    @Override
    public boolean isOlderVersionsAllowed()
    {
        return context.control.olderVersionsAllowed();
    }

    @Override
    public void setOlderVersionsAllowed(final boolean allowed)
    {
        LOG.info("olderVersionsAllowed: {} (was: {})", allowed, isOlderVersionsAllowed());
        context.control.olderVersionsAllowed(allowed);
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
