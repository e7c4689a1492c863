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

import java.util.Map;
import java.util.TreeMap;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.metrics.ClientRequestSizeMetrics;
import org.apache.cassandra.metrics.ClientRequestsMetricsHolder;
import org.apache.cassandra.metrics.ClientWriteRequestMetrics;
import org.apache.cassandra.metrics.StorageMetrics;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.Verb;

/** What Cassandra counts of writes, by name. Has no state, any thread. */
public final class WriteFigures
{
    private WriteFigures()
    {
    }

    /** Of the whole node, and of the tables of a keyspace. */
    public static Map<String, Long> of(final String keyspace)
    {
        final Map<String, Long> figures = new TreeMap<>();
        figures.put("prepared", QueryProcessor.metrics.preparedStatementsExecuted.getCount());
        figures.put("regular", QueryProcessor.metrics.regularStatementsExecuted.getCount());
        figures.put("rows", ClientRequestSizeMetrics.totalRowsWritten.getCount());
        figures.put("columns", ClientRequestSizeMetrics.totalColumnsWritten.getCount());
        figures.put("logged batches", BatchStatement.metrics.partitionsPerLoggedBatch.getCount());
        figures.put("unlogged batches", BatchStatement.metrics.partitionsPerUnloggedBatch.getCount());
        figures.put("hints", StorageMetrics.totalHints.getCount());
        figures.put("dropped", (long)MessagingService.instance().metrics.getDroppedMessages()
            .get(Verb.MUTATION_REQ
                .toString()));
        add(figures, "all", ClientRequestsMetricsHolder.writeMetrics);
        for (final ConsistencyLevel level : ConsistencyLevel.values())
        {
            add(figures, level.name(), ClientRequestsMetricsHolder.writeMetricsForLevel(level));
        }
        for (final ColumnFamilyStore table : Keyspace.open(keyspace).getColumnFamilyStores())
        {
            figures.put("applied to " + table.name, table.metric.writeLatency.latency.getCount());
            figures.put("coordinated for " + table.name, table.metric.coordinatorWriteLatency.getCount());
        }
        return figures;
    }

    private static void add(final Map<String, Long> figures,
        final String level,
        final ClientWriteRequestMetrics requests)
    {
        figures.put(level + " requests", requests.latency.getCount());
        figures.put(level + " timeouts", requests.timeouts.getCount());
        figures.put(level + " unavailable", requests.unavailables.getCount());
        figures.put(level + " failures", requests.failures.getCount());
        figures.put(level + " local", requests.localRequests.getCount());
        figures.put(level + " remote", requests.remoteRequests.getCount());
        figures.put(level + " sizes", requests.mutationSize.getCount());
    }

    /** By how much each has moved since then, if it has. */
    public static Map<String, Long> since(final Map<String, Long> before, final String keyspace)
    {
        final Map<String, Long> moved = new TreeMap<>();
        of(keyspace).forEach((name, count) ->
        {
            if (count - before.get(name) != 0)
            {
                moved.put(name, count - before.get(name));
            }
        });
        return moved;
    }
}
