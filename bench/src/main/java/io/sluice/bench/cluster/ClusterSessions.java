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
package io.sluice.bench.cluster;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import java.time.Duration;

/** What all sessions of a run have in common: patience, and a quick look whether a node is back. Stateless. */
final class ClusterSessions
{
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration SHORTEST_RECONNECT = Duration.ofMillis(200);
    private static final Duration LONGEST_RECONNECT = Duration.ofSeconds(1);

    private ClusterSessions()
    {
    }

    static CqlSessionBuilder builder(final boolean withSchema)
    {
        return CqlSession.builder()
            .withLocalDatacenter("datacenter1")
            .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, PATIENCE)
                .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, PATIENCE)
                .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, PATIENCE)
                .withDuration(DefaultDriverOption.METADATA_SCHEMA_REQUEST_TIMEOUT, PATIENCE)
                .withDuration(DefaultDriverOption.CONTROL_CONNECTION_AGREEMENT_TIMEOUT, PATIENCE)
                .withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, SHORTEST_RECONNECT)
                .withDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY, LONGEST_RECONNECT)
                .withBoolean(DefaultDriverOption.METADATA_SCHEMA_ENABLED, withSchema)
                .build());
    }
}
