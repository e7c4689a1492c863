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

import com.google.common.collect.ImmutableSet;

/** What Cassandra is busy with while it starts, told from who writes to its log. Immutable. */
enum BootPhase
{
    CONFIGURATION("reading the configuration"),
    CHECKS("checking the machine", "StartupChecks", "JMXServerUtils"),
    TABLES("opening the system's tables", "SystemKeyspace", "SystemKeyspaceMigrator41"),
    COMMIT_LOG("replaying the commit log", "CommitLogReplayer", "CommitLog"),
    RING("joining the ring", "InboundConnectionInitiator", "BootStrapper", "MigrationCoordinator"),
    TRANSPORT("opening the CQL port", "NativeTransportService", "PipelineConfigurator", "SluiceDaemon");

    private final String words;
    private final ImmutableSet<String> loggers;

    BootPhase(final String words, final String... loggers)
    {
        this.words = words;
        this.loggers = ImmutableSet.copyOf(loggers);
    }

    String words()
    {
        return words;
    }

    /** The later of this phase and the one that the logger belongs to. */
    BootPhase after(final String loggerName)
    {
        final String simpleName = loggerName.substring(loggerName.lastIndexOf('.') + 1);
        for (final BootPhase phase : values())
        {
            if (phase.loggers.contains(simpleName))
            {
                return phase.compareTo(this) > 0 ? phase : this;
            }
        }
        return this;
    }
}
