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

import org.apache.cassandra.config.Config;
import org.apache.cassandra.config.DataStorageSpec;
import org.apache.cassandra.config.DurationSpec;

/**
 * What {@link StockSettings} depends on of Cassandra's configuration, at one moment: to see at little cost, many times
 * a second, that nothing was changed. Immutable.
 */
record StockConfig(
    DataStorageSpec.LongBytesBound inFlight,
    DataStorageSpec.LongBytesBound inFlightPerIp,
    DataStorageSpec.IntKibibytesBound mutation,
    DataStorageSpec.IntMebibytesBound commitLogSegment,
    DataStorageSpec.IntMebibytesBound frame,
    DataStorageSpec.LongBytesBound message,
    long connections,
    long connectionsPerIp,
    boolean rateLimited,
    int requestsPerSecond,
    double queueAge,
    DurationSpec.LongMillisecondsBound timeout,
    DurationSpec.LongMillisecondsBound backoffLeast,
    DurationSpec.LongMillisecondsBound backoffMost,
    boolean throwOnOverload,
    int consecutiveErrors,
    DurationSpec.LongMillisecondsBound idleTimeout,
    boolean olderProtocols)
{
    static StockConfig of(final Config config)
    {
        return new StockConfig(config.native_transport_max_request_data_in_flight,
            config.native_transport_max_request_data_in_flight_per_ip, config.max_mutation_size,
            config.commitlog_segment_size, config.native_transport_max_frame_size,
            config.native_transport_max_message_size, config.native_transport_max_concurrent_connections,
            config.native_transport_max_concurrent_connections_per_ip, config.native_transport_rate_limiting_enabled,
            config.native_transport_max_requests_per_second, config.native_transport_queue_max_item_age_threshold,
            config.native_transport_timeout, config.native_transport_min_backoff_on_queue_overload,
            config.native_transport_max_backoff_on_queue_overload, config.native_transport_throw_on_overload,
            config.consecutive_message_errors_threshold, config.native_transport_idle_timeout,
            config.native_transport_allow_older_protocols);
    }
}
