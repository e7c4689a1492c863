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
import io.sluice.transport.SettingRow;
import io.sluice.transport.SettingSource;
import io.sluice.transport.SettingsBinding;
import io.sluice.transport.TransportLimits;
import io.sluice.transport.TransportSettings;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.cassandra.config.Config;
import org.apache.cassandra.config.DataStorageSpec;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.config.DurationSpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the transport's settings and those of cassandra.yaml the same, whichever of them is changed: by Cassandra's own
 * JMX setters, which tell nobody, so that its configuration is looked at again and again; and by the transport's MBean,
 * from where it is written back, so that Cassandra's getters tell what is in force. It looks as well before anything is
 * read or changed over there: so the later change counts.
 * <p>
 * Lives as long as the daemon; what was set over JMX survives a restart of the transport. Any thread.
 */
final class StockSettings implements SettingsBinding, Runnable
{
    private static final Logger LOG = LoggerFactory.getLogger(StockSettings.class);
    private static final long YEAR_MILLIS = Duration.ofDays(365).toMillis();
    private static final int LEAST_MESSAGE_BYTES = 1 << 10;
    private static final String SETTER = "Cassandra's own setter";
    private static final String BEFORE = "JMX, before the transport was started again";
    private static final String OLDER_VERSIONS = "olderVersionsAllowed";
    private static final String REQUEST_TIMEOUT = "requestTimeout";
    /** Of its own once requestTimeout was set here: over there the two are one setting. */
    private static final String CLOSE_TIMEOUT = "closeTimeout";

    private final TransportLimits atBoot = limits(DatabaseDescriptor.getRawConfig());
    /** What was set over JMX when the transport was stopped. */
    private final Map<String, String> kept = new LinkedHashMap<>();
    /** As of {@link #lastLook}. Under the lock. */
    private Map<String, String> looked = values(DatabaseDescriptor.getRawConfig());
    /** What the last look found that found settings which go together, or null. Under the lock. */
    private StockConfig lastLook;
    private Map<String, String> seen = looked;
    private volatile NativeTransport transport;

    /** What the configuration file said. */
    TransportLimits atBoot()
    {
        return atBoot;
    }

    /** What Cassandra's settings are if the file says nothing. */
    static TransportLimits defaults()
    {
        return limits(new Config());
    }

    /** What they are now. */
    static TransportLimits now()
    {
        return limits(DatabaseDescriptor.getRawConfig());
    }

    private static TransportLimits limits(final Config config)
    {
        final long heap = Runtime.getRuntime().maxMemory();
        final long inFlight = bytes(config.native_transport_max_request_data_in_flight, heap / 10);
        final long perIp = bytes(config.native_transport_max_request_data_in_flight_per_ip, heap / 40);
        final long mutation = config.max_mutation_size == null
            ? config.commitlog_segment_size.toBytes() / 2L
            : config.max_mutation_size.toBytes();
        final int frame = message(config.native_transport_max_frame_size.toBytes());
        final int message = message(bytes(config.native_transport_max_message_size,
            Math.min(mutation, Math.min(inFlight, perIp))));
        // A budget below the largest message would keep that message waiting for ever.
        final long largest = Math.max(frame, message);
        final long all = Math.max(largest, inFlight);
        final long perAddress = Math.max(largest, Math.min(all, perIp));
        final Duration timeout = Duration.ofMillis(config.native_transport_timeout.toMilliseconds());
        return TransportLimits.defaults()
            .with()
            .maxFrameBytes(frame)
            .maxMessageBytes(message)
            .inFlightBytes(all)
            .inFlightBytesPerAddress(perAddress)
            .inFlightBytesPerConnection(perAddress)
            .maxConnections(connections(config.native_transport_max_concurrent_connections))
            .maxConnectionsPerAddress(connections(config.native_transport_max_concurrent_connections_per_ip))
            .requestsPerSecond(config.native_transport_rate_limiting_enabled
                ? config.native_transport_max_requests_per_second
                : 0)
            .queueAge(queueAge(config))
            .queueBackoffLeast(Duration.ofMillis(config.native_transport_min_backoff_on_queue_overload
                .toMilliseconds()))
            .queueBackoffMost(Duration.ofMillis(config.native_transport_max_backoff_on_queue_overload
                .toMilliseconds()))
            .overloadAction(config.native_transport_throw_on_overload ? OverloadAction.SHED : OverloadAction.PAUSE)
            .consecutiveErrors(Math.max(0, config.consecutive_message_errors_threshold))
            .idleTimeout(Duration.ofMillis(Math.max(0, config.native_transport_idle_timeout.toMilliseconds())))
            .requestTimeout(timeout)
            .closeTimeout(timeout)
            .build();
    }

    /** Cassandra has a part of native_transport_timeout; none, or more than a year, stands for off. */
    private static Duration queueAge(final Config config)
    {
        final double millis = config.native_transport_queue_max_item_age_threshold * config.native_transport_timeout
            .toMilliseconds();
        return millis > 0 && millis < YEAR_MILLIS
            ? Duration.ofMillis(Math.max(1, Math.round(millis)))
            : Duration.ZERO;
    }

    private static long bytes(final DataStorageSpec.LongBytesBound configured, final long otherwise)
    {
        return configured == null ? otherwise : configured.toBytes();
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

    private static Map<String, String> values(final Config config)
    {
        final Map<String, String> values = new LinkedHashMap<>(TransportSettings.valuesOf(limits(config)));
        values.put(OLDER_VERSIONS, Boolean.toString(config.native_transport_allow_older_protocols));
        return values;
    }

    /** A transport is about to serve: whatever was set since the node's boot holds for it too. */
    synchronized void attach(final NativeTransport starting)
    {
        final Map<String, String> changes = new LinkedHashMap<>(kept);
        final Map<String, String> configured = TransportSettings.valuesOf(atBoot);
        seen = look();
        seen.forEach((name, value) ->
        {
            if (!value.equals(configured.get(name)) && !kept.containsKey(name))
            {
                changes.put(name, value);
            }
        });
        setOrWarn(starting.settings(), changes, BEFORE);
        transport = starting;
    }

    /** The transport that serves is about to be stopped. */
    void detach()
    {
        final NativeTransport stopping = transport;
        transport = null;
        if (stopping != null)
        {
            // Before the lock: whoever changes a setting takes the two the other way round.
            keep(stopping.settings().rows().values());
        }
    }

    private synchronized void keep(final Collection<SettingRow> rows)
    {
        kept.clear();
        final Map<String, String> configured = look();
        for (final SettingRow row : rows)
        {
            // What Cassandra's configuration keeps may yet be changed there, while the transport is stopped.
            final boolean isOurs = "jmx".equals(row.getSource()) || CLOSE_TIMEOUT.equals(row.getName());
            if (isOurs && !row.getValue().equals(configured.get(row.getName())))
            {
                kept.put(row.getName(), row.getValue());
            }
        }
        // Nor is it the transport that has these: they are as they are, whether there is one or not.
        NodeSettings.all().forEach(setting -> kept.remove(setting.name()));
    }

    /** Looks whether something was changed in Cassandra. */
    @Override
    public void run()
    {
        final NativeTransport serving = transport;
        if (serving != null)
        {
            serving.settings().refresh();
        }
    }

    @Override
    public synchronized void refresh(final TransportSettings settings)
    {
        final Map<String, String> now = look();
        if (now.equals(seen))
        {
            return;
        }
        final Map<String, String> changes = changes(seen, now);
        if (!Objects.equals(seen.get(REQUEST_TIMEOUT), now.get(REQUEST_TIMEOUT)))
        {
            CassandraInternals.forgetTransportTimeout();
        }
        seen = now;
        try
        {
            settings.set(changes, SettingSource.JMX, SETTER);
        }
        catch (final IllegalArgumentException e)
        {
            // What was set at the other side does not go with it: Cassandra's are sound together.
            setOrWarn(settings, now, SETTER);
        }
    }

    /** What is not in the second as it is in the first. */
    static Map<String, String> changes(final Map<String, String> before, final Map<String, String> now)
    {
        final Map<String, String> changes = new LinkedHashMap<>();
        now.forEach((name, value) ->
        {
            if (!value.equals(before.get(name)))
            {
                changes.put(name, value);
            }
        });
        return changes;
    }

    private static void setOrWarn(final TransportSettings settings, final Map<String, String> changes, final String by)
    {
        try
        {
            if (!changes.isEmpty())
            {
                settings.set(changes, SettingSource.JMX, by);
            }
        }
        catch (final IllegalArgumentException e)
        {
            LOG.warn("Settings of Cassandra cannot be taken over: {}", e.getMessage());
        }
    }

    @Override
    public synchronized void changed(final String name, final String value)
    {
        write(DatabaseDescriptor.getRawConfig(), name, value);
        if (REQUEST_TIMEOUT.equals(name))
        {
            keepQueueAge(DatabaseDescriptor.getRawConfig());
        }
        seen = look();
    }

    /** What Cassandra's settings are now, or were when they last went together. */
    private Map<String, String> look()
    {
        final Config config = DatabaseDescriptor.getRawConfig();
        final StockConfig look = StockConfig.of(config);
        if (!look.equals(lastLook))
        {
            try
            {
                looked = values(config);
                lastLook = look;
            }
            catch (final IllegalArgumentException e)
            {
                // Two of them are being changed, one after the other: whoever looks next sees both.
                lastLook = null;
            }
        }
        return looked;
    }

    /** Into the fields: their setters change other settings as well. */
    private static void write(final Config config, final String name, final String value)
    {
        switch (name)
        {
            case "maxMessageBytes" -> DatabaseDescriptor.setNativeTransportMaxMessageSizeInBytes(Long.parseLong(value));
            case "inFlightBytes" ->
                config.native_transport_max_request_data_in_flight = new DataStorageSpec.LongBytesBound(
                    Long.parseLong(value));
            case "inFlightBytesPerAddress" ->
                config.native_transport_max_request_data_in_flight_per_ip = new DataStorageSpec.LongBytesBound(
                    Long.parseLong(value));
            case "maxConnections" -> config.native_transport_max_concurrent_connections = Long.parseLong(value);
            case "maxConnectionsPerAddress" -> config.native_transport_max_concurrent_connections_per_ip = Long
                .parseLong(value);
            case "overloadAction" -> config.native_transport_throw_on_overload = OverloadAction.SHED.name()
                .equals(value);
            case "requestsPerSecond" -> requestRate(config, Integer.parseInt(value));
            case "queueAge" -> queueAge(config, Long.parseLong(value));
            case "queueBackoffLeast" -> config.native_transport_min_backoff_on_queue_overload = millis(value);
            case "queueBackoffMost" -> config.native_transport_max_backoff_on_queue_overload = millis(value);
            case "consecutiveErrors" -> config.consecutive_message_errors_threshold = Integer.parseInt(value);
            case "idleTimeout" -> config.native_transport_idle_timeout = millis(value);
            case REQUEST_TIMEOUT -> requestTimeout(config, Long.parseLong(value));
            case OLDER_VERSIONS -> config.native_transport_allow_older_protocols = Boolean.parseBoolean(value);
            default ->
            {
                // Cassandra has no such setting, or cannot say this value.
            }
        }
    }

    /** Cassandra has no word for none: a year, since with 0 each of its reads and writes would be too late at once. */
    private static void requestTimeout(final Config config, final long millis)
    {
        config.native_transport_timeout = new DurationSpec.LongMillisecondsBound(millis == 0 ? YEAR_MILLIS : millis);
        CassandraInternals.forgetTransportTimeout();
    }

    private static void queueAge(final Config config, final long millis)
    {
        config.native_transport_queue_max_item_age_threshold = millis == 0
            ? Double.MAX_VALUE
            : (double)millis / Math.max(1, config.native_transport_timeout.toMilliseconds());
    }

    /** Cassandra's limit on the queue's age is a part of the timeout: the limit stays, and the part is another. */
    private void keepQueueAge(final Config config)
    {
        final NativeTransport serving = transport;
        final long millis = serving == null ? 0 : serving.control().limits().queueAge().toMillis();
        if (millis > 0)
        {
            queueAge(config, millis);
        }
    }

    private static void requestRate(final Config config, final int perSecond)
    {
        config.native_transport_rate_limiting_enabled = perSecond > 0;
        if (perSecond > 0)
        {
            config.native_transport_max_requests_per_second = perSecond;
        }
    }

    private static DurationSpec.LongMillisecondsBound millis(final String value)
    {
        return new DurationSpec.LongMillisecondsBound(Long.parseLong(value));
    }
}
