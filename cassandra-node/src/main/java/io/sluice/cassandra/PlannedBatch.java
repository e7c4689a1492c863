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

import io.sluice.framing.request.BatchRequest;
import io.sluice.framing.request.QueryParameters;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.auth.Permission;
import org.apache.cassandra.cql3.Attributes;
import org.apache.cassandra.cql3.QueryHandler;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.VariableSpecifications;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.db.RegularAndStaticColumns;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher;

/**
 * A batch and the plans of its statements. If all have one, and write to one table, it is executed here; else
 * {@link MixedBatch} puts together what plans make and what Cassandra makes, if there is any. For one request and its
 * thread.
 */
final class PlannedBatch
{
    /** Cassandra's checks of a batch's mutations ask the statement for its type alone. */
    private static final BatchStatement LOGGED = empty(BatchStatement.Type.LOGGED);
    private static final BatchStatement UNLOGGED = empty(BatchStatement.Type.UNLOGGED);

    private final BatchRequest request;
    private final QueryState state;
    private final Dispatcher.RequestTime time;
    private final QueryHandler.Prepared[] prepared;
    /** For each statement, or null. */
    private final WritePlan[] plans;
    /** For each statement without a plan, or null. */
    private final Unplanned[] reasons;
    /** What each planned statement writes. */
    private final Object[] changes;
    /** Where to. */
    private final BatchPartitions.Partition[] partitions;
    /** Of the table of the first planned statement. */
    private BatchPartitions first;
    private TableMetadata table;
    /** Of all others; null while there are none. */
    private Map<TableMetadata, BatchPartitions> others;
    private int planned;
    /** Of all planned statements. */
    private long valueBytes;

    PlannedBatch(final BatchRequest request, final QueryState state, final Dispatcher.RequestTime time)
    {
        this.request = request;
        this.state = state;
        this.time = time;
        final int size = request.size();
        prepared = new QueryHandler.Prepared[size];
        plans = new WritePlan[size];
        reasons = new Unplanned[size];
        changes = new Object[size];
        partitions = new BatchPartitions.Partition[size];
    }

    private static BatchStatement empty(final BatchStatement.Type type)
    {
        return new BatchStatement(type, VariableSpecifications.empty(), Collections.emptyList(), Attributes.none());
    }

    /** Finds the plans and looks at the values; says why the whole batch must go the ordinary road, or null. */
    Unplanned bind(final WritePlans known)
    {
        if (request.type() == BatchRequest.Type.COUNTER)
        {
            return Unplanned.BATCH;
        }
        final Unplanned reason = findPlans(known);
        if (reason != null || planned == 0)
        {
            return reason;
        }
        final PlannedRow row = new PlannedRow();
        final long timestamp = PlannedWrites.timestamp(request.parameters(), state);
        final long nowInSeconds = PlannedWrites.nowInSeconds(request.parameters(), state);
        for (int i = 0; i < plans.length; i++)
        {
            if (plans[i] != null)
            {
                if (!row.bind(statement(i), plans[i], request.values()[i], timestamp, nowInSeconds))
                {
                    return Unplanned.BOUND_VALUES;
                }
                changes[i] = row.change();
                valueBytes += row.valueBytes();
                partitions[i] = partitionsOf(statement(i).metadata).add(row);
            }
        }
        return null;
    }

    /** Of a planned statement. */
    private ModificationStatement statement(final int i)
    {
        return (ModificationStatement)prepared[i].statement;
    }

    private Unplanned findPlans(final WritePlans known)
    {
        for (int i = 0; i < plans.length; i++)
        {
            final Unplanned reason = findPlan(i, known);
            if (reason != null)
            {
                return reason;
            }
            if (plans[i] != null)
            {
                planned++;
                if (request.type() == BatchRequest.Type.LOGGED && statement(i).metadata.params.gcGraceSeconds == 0)
                {
                    return Unplanned.BATCH;
                }
            }
        }
        return null;
    }

    @SuppressWarnings("ReferenceEquality") // Known ids are one object each; others are looked up again.
    private Unplanned findPlan(final int i, final WritePlans known)
    {
        if (request.statementId(i) == null)
        {
            reasons[i] = Unplanned.TEXT;
            return null;
        }
        if (i > 0 && request.statementId(i) == request.statementId(i - 1))
        {
            prepared[i] = prepared[i - 1];
            plans[i] = plans[i - 1];
            reasons[i] = reasons[i - 1];
        }
        else
        {
            final PreparedId id = PreparedId.of(request.statementId(i));
            prepared[i] = id.isKnown() ? QueryProcessor.instance.getPrepared(id.digest()) : null;
            if (prepared[i] == null)
            {
                return Unplanned.UNKNOWN_ID;
            }
            final PlannedStatement statement = known.of(id, prepared[i].statement);
            plans[i] = statement.plan();
            reasons[i] = statement.reason();
        }
        final int markers = prepared[i].statement.getBindVariables().size();
        return request.values()[i].length == markers ? null : Unplanned.BOUND_VALUES;
    }

    @SuppressWarnings("ReferenceEquality") // Two versions of a table are never mixed.
    private BatchPartitions partitionsOf(final TableMetadata written)
    {
        if (first == null)
        {
            table = written;
            first = new BatchPartitions(written);
        }
        if (written == table)
        {
            return first;
        }
        if (others == null)
        {
            others = new HashMap<>();
        }
        return others.computeIfAbsent(written, BatchPartitions::new);
    }

    /**
     * Each statement as what it was.
     *
     * @param asOne true if Cassandra executes the whole batch, the values of planned statements wrapped with the others
     */
    void count(final WritePlans counts, final boolean asOne)
    {
        if (asOne)
        {
            counts.countUnplanned(Unplanned.BATCH, planned);
        }
        else
        {
            counts.countPlanned(planned);
        }
        if (planned < plans.length)
        {
            for (final Unplanned reason : reasons)
            {
                if (reason != null)
                {
                    counts.countUnplanned(reason, 1);
                }
            }
        }
    }

    /** False if no statement has a plan. */
    boolean isPlanned()
    {
        return planned > 0;
    }

    /** True if {@link #write} can do it. */
    boolean isWhole()
    {
        return planned == plans.length && others == null;
    }

    /** QueryProcessor.processBatch, and what that calls. */
    void write()
    {
        final QueryParameters parameters = request.parameters();
        final ClientState client = state.getClientState();
        check(client.cloneWithKeyspaceIfSet(parameters.keyspace()));
        PlannedWrites.guardConsistency(parameters, client);
        StatementInternals.execute(request.type() == BatchRequest.Type.LOGGED ? LOGGED : UNLOGGED, mutations(client),
            Translation.consistency(parameters.consistency()), time);
    }

    private void check(final ClientState client)
    {
        // One table: asked once.
        client.ensureTablePermission(table, Permission.MODIFY);
        for (int i = 0; i < plans.length; i++)
        {
            statement(i).validate(client);
        }
    }

    /** What a whole batch writes: a mutation for each partition. */
    List<Mutation> mutations(final ClientState client)
    {
        RegularAndStaticColumns columns = statement(0).updatedColumns();
        for (int i = 1; i < plans.length; i++)
        {
            columns = columns.mergeTo(statement(i).updatedColumns());
        }
        if (first.all().size() == 1 && SortedRows.areSorted(changes, table.comparator))
        {
            return List.of(PlannedWrites.validated(SortedRows.mutation(table, partitions[0].key(), columns, valueBytes,
                changes), client));
        }
        for (int i = 0; i < changes.length; i++)
        {
            final BatchPartitions.Partition partition = partitions[i];
            if (partition.update() == null)
            {
                partition.update(new PartitionUpdate.Builder(table, partition.key(), columns, partition.changes()));
            }
            PlannedRow.add(partition.update(), changes[i]);
        }
        final List<Mutation> mutations = new ArrayList<>(first.all().size());
        for (final BatchPartitions.Partition partition : first.all())
        {
            mutations.add(PlannedWrites.validated(SerializedMutations.of(partition.update().build(), valueBytes),
                client));
        }
        return mutations;
    }

    BatchRequest request()
    {
        return request;
    }

    QueryState state()
    {
        return state;
    }

    Dispatcher.RequestTime time()
    {
        return time;
    }

    /** What Cassandra has for each statement of a batch without text. */
    List<QueryHandler.Prepared> prepared()
    {
        return List.of(prepared);
    }

    /** What Cassandra has for a prepared statement; null for text. */
    QueryHandler.Prepared prepared(final int statement)
    {
        return prepared[statement];
    }

    /** True if {@link #add} knows what a statement writes. */
    boolean isPlanned(final int statement)
    {
        return plans[statement] != null;
    }

    /** The partition of a planned statement. */
    BatchPartitions.Partition partition(final int statement)
    {
        return partitions[statement];
    }

    /** Adds what a planned statement writes. */
    void add(final int statement, final PartitionUpdate.Builder update)
    {
        PlannedRow.add(update, changes[statement]);
    }
}
