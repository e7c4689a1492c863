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

import io.sluice.transport.ExtraSetting;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.cassandra.concurrent.LocalAwareExecutorPlus;
import org.apache.cassandra.config.Config;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.config.SubnetGroups;

/** Settings of Cassandra around its transport, shown and set with the transport's own. Has no state, any thread. */
final class NodeSettings
{
    private static final int MOST_THREADS = 4_096;
    private static final Config DEFAULTS = new Config();

    private NodeSettings()
    {
    }

    static List<ExtraSetting> all()
    {
        return List.of(
            ExtraSetting.number("requestThreads", "threads", 1, MOST_THREADS, "Threads that serve requests",
                DEFAULTS.native_transport_max_threads, CassandraInternals.REQUEST_EXECUTOR::getMaximumPoolSize,
                threads -> resize(CassandraInternals.REQUEST_EXECUTOR, (int)threads)),
            ExtraSetting.number("authThreads", "threads", 0, MOST_THREADS,
                "Threads that check passwords; 0 has those for requests do it",
                DEFAULTS.native_transport_max_auth_threads, DatabaseDescriptor::getNativeTransportMaxAuthThreads,
                NodeSettings::authThreads),
            ExtraSetting.choice("cqlStartTime", Config.CQLStartTime.class,
                "Whether a statement's timeout begins with its execution or with its arrival",
                DEFAULTS.cql_start_time.name(), () -> DatabaseDescriptor.getCQLStartTime().name(),
                text -> DatabaseDescriptor.setCQLStartTime(Config.CQLStartTime.valueOf(text))),
            ExtraSetting.flag("localWritesAtOnce",
                "Whether a request's own thread does its node's part of a write, if the write stage has room", true,
                LocalStages.WRITES::isOn, LocalStages.WRITES::turn),
            ExtraSetting.flag("localReadsAtOnce",
                "Whether a request's own thread does its node's part of a read, if the read stage has room", false,
                LocalStages.READS::isOn, LocalStages.READS::turn),
            ExtraSetting.flag("enforceDeadlineForHints",
                "Whether no hint is written for a request that is older than requestTimeout",
                DEFAULTS.enforce_native_deadline_for_hints, DatabaseDescriptor::getEnforceNativeDeadlineForHints,
                DatabaseDescriptor::setEnforceNativeDeadlineForHints),
            new ExtraSetting("errorReportingExclusions", "", "subnets, separated by semicolons",
                "Clients whose errors are neither logged nor counted", "", NodeSettings::exclusions,
                NodeSettings::checkedSubnets, NodeSettings::exclude));
    }

    private static void resize(final LocalAwareExecutorPlus pool, final int threads)
    {
        pool.setMaximumPoolSize(threads);
    }

    private static void authThreads(final long threads)
    {
        if (threads > 0)
        {
            resize(CassandraInternals.AUTH_EXECUTOR, (int)threads);
        }
        DatabaseDescriptor.setNativeTransportMaxAuthThreads((int)threads);
    }

    private static String exclusions()
    {
        final Set<?> subnets = DatabaseDescriptor.getClientErrorReportingExclusions().subnets;
        return subnets.stream()
            .map(Object::toString)
            .sorted()
            .collect(Collectors.joining(";"));
    }

    private static List<String> subnets(final String text)
    {
        return Arrays.stream(text.split(";", -1)).map(String::trim).filter(subnet -> !subnet.isEmpty()).toList();
    }

    private static String checkedSubnets(final String text)
    {
        for (final String subnet : subnets(text))
        {
            if (!subnet.toLowerCase(Locale.ROOT).matches("[0-9a-f.:]+(/[0-9]{1,3})?"))
            {
                throw new IllegalArgumentException(
                    "errorReportingExclusions: " + subnet + " (expected: an address, or a subnet as 10.0.0.0/8)");
            }
        }
        return subnets(text).stream().sorted().collect(Collectors.joining(";"));
    }

    private static void exclude(final String text)
    {
        DatabaseDescriptor.getRawConfig().client_error_reporting_exclusions = new SubnetGroups(subnets(text));
    }
}
