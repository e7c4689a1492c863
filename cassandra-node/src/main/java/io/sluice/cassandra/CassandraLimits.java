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
package io.sluice.cassandra;

import io.sluice.transport.NativeTransport;
import io.sluice.transport.OverloadAction;
import io.sluice.transport.TransportControl;
import io.sluice.transport.TransportLimits;
import io.sluice.transport.TransportLimitsBuilder;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.cassandra.config.DatabaseDescriptor;

/**
 * Keeps the transport's limits as cassandra.yaml, nodetool and JMX set them. Cassandra tells nobody of a change, so its
 * settings are looked at now and then; what was set through the transport's own MBean stays until the setting behind it
 * changes.
 * Confined to one thread.
 */
final class CassandraLimits implements Runnable
{
    private static final int LEAST_MESSAGE_BYTES = 1 << 10;

    private final TransportControl control;
    private TransportLimits seen;

    CassandraLimits(final NativeTransport transport)
    {
        control = transport.control();
        seen = now();
    }

    /** What Cassandra's settings say at this moment. */
    static TransportLimits now()
    {
        final int frame = message(DatabaseDescriptor.getNativeTransportMaxFrameSize());
        final int message = message(DatabaseDescriptor.getNativeTransportMaxMessageSizeInBytes());
        // A budget below the largest message would keep that message waiting for ever.
        final long largest = Math.max(frame, message);
        final long all = Math.max(largest, DatabaseDescriptor.getNativeTransportMaxRequestDataInFlightInBytes());
        final long perAddress = Math.max(largest,
            DatabaseDescriptor.getNativeTransportMaxRequestDataInFlightPerIpInBytes());
        return TransportLimits.defaults()
            .with()
            .maxFrameBytes(frame)
            .maxMessageBytes(message)
            .inFlightBytes(all)
            .inFlightBytesPerAddress(perAddress)
            .inFlightBytesPerConnection(perAddress)
            .maxConnections(connections(DatabaseDescriptor.getNativeTransportMaxConcurrentConnections()))
            .maxConnectionsPerAddress(connections(DatabaseDescriptor.getNativeTransportMaxConcurrentConnectionsPerIp()))
            .overloadAction(DatabaseDescriptor.getNativeTransportThrowOnOverload()
                ? OverloadAction.SHED
                : OverloadAction.PAUSE)
            .consecutiveErrors(Math.max(0, DatabaseDescriptor.getConsecutiveMessageErrorsThreshold()))
            .idleTimeout(Duration.ofMillis(Math.max(0, DatabaseDescriptor.nativeTransportIdleTimeout())))
            .closeTimeout(Duration.ofMillis(
                DatabaseDescriptor.getNativeTransportTimeout(java.util.concurrent.TimeUnit.MILLISECONDS)))
            .build();
    }

    private static int message(final long bytes)
    {
        return (int)Math.max(LEAST_MESSAGE_BYTES, Math.min(TransportLimits.ENVELOPE_LIMIT, bytes));
    }

    /** Cassandra takes 0 and less for no limit. */
    private static int connections(final long limit)
    {
        return limit <= 0 ? -1 : (int)Math.min(Integer.MAX_VALUE, limit);
    }

    @Override
    public void run()
    {
        final TransportLimits before = seen;
        final TransportLimits changed = now();
        if (!changed.equals(before))
        {
            seen = changed;
            control.limits(onto(control.limits(), before, changed));
        }
    }

    /** What has changed between two looks at Cassandra's settings, and nothing else: the rest may be set over JMX. */
    static TransportLimits onto(final TransportLimits inForce,
        final TransportLimits before,
        final TransportLimits changed)
    {
        final TransportLimitsBuilder limits = inForce.with();
        take(before, changed, TransportLimits::maxFrameBytes, limits::maxFrameBytes);
        take(before, changed, TransportLimits::maxMessageBytes, limits::maxMessageBytes);
        take(before, changed, TransportLimits::inFlightBytes, limits::inFlightBytes);
        take(before, changed, TransportLimits::inFlightBytesPerAddress, limits::inFlightBytesPerAddress);
        take(before, changed, TransportLimits::inFlightBytesPerConnection, limits::inFlightBytesPerConnection);
        take(before, changed, TransportLimits::maxConnections, limits::maxConnections);
        take(before, changed, TransportLimits::maxConnectionsPerAddress, limits::maxConnectionsPerAddress);
        take(before, changed, TransportLimits::overloadAction, limits::overloadAction);
        take(before, changed, TransportLimits::consecutiveErrors, limits::consecutiveErrors);
        take(before, changed, TransportLimits::idleTimeout, limits::idleTimeout);
        take(before, changed, TransportLimits::closeTimeout, limits::closeTimeout);
        try
        {
            return limits.build();
        }
        catch (final IllegalArgumentException e)
        {
            // What was set over JMX is too small for Cassandra's new largest message.
            return changed;
        }
    }

    private static <T> void take(final TransportLimits before,
        final TransportLimits changed,
        final Function<TransportLimits, T> limit,
        final Consumer<T> setter)
    {
        final T value = limit.apply(changed);
        if (!value.equals(limit.apply(before)))
        {
            setter.accept(value);
        }
    }
}
