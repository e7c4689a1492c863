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
import io.sluice.framing.request.ExecuteRequest;
import io.sluice.framing.request.QueryParameters;
import io.sluice.framing.request.Request;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import org.apache.cassandra.auth.Permission;
import org.apache.cassandra.config.CassandraRelevantProperties;
import org.apache.cassandra.cql3.QueryEvents;
import org.apache.cassandra.cql3.QueryHandler;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.IMutation;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.db.commitlog.CommitLogSegment;
import org.apache.cassandra.db.guardrails.Guardrails;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.metrics.ClientRequestSizeMetrics;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.service.StorageProxy;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.service.disk.usage.DiskUsageBroadcaster;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.transport.Message;
import org.apache.cassandra.transport.messages.ErrorMessage;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.apache.cassandra.utils.JVMStabilityInspector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes prepared writes by their plans, with every check that Cassandra makes on the way from the request to
 * {@link StorageProxy}, in the same order. What has no plan, or values that only Cassandra can judge, is left to the
 * ordinary road before anything has happened. Any thread.
 */
final class PlannedWrites
{
    /** At level trace Cassandra logs the bound values. */
    private static final Logger VALUES = LoggerFactory.getLogger(QueryProcessor.class);

    /** It may have limits of its own for each client, and ask who that is. */
    private static final boolean HAS_OWN_LIMITS = CassandraRelevantProperties.CUSTOM_GUARDRAILS_CONFIG_PROVIDER_CLASS
        .getString() != null;

    /** One for all: it is neither traced nor changed on its way. */
    private static final Message.Response WRITTEN = new ResultMessage.Void();

    private final WritePlans plans;

    PlannedWrites(final WritePlans plans)
    {
        this.plans = plans;
    }

    /** Finds out whether there is a plan for what Cassandra has just prepared. */
    void prepared(final PreparedId id)
    {
        final QueryHandler.Prepared prepared = QueryProcessor.instance.getPrepared(id.digest());
        if (prepared != null && ClientState.getCQLQueryHandler() == QueryProcessor.instance)
        {
            plans.of(id, prepared.statement);
        }
    }

    /** The answer, or null if the request must go the ordinary road. */
    Message.Response execute(final Request request,
        final io.sluice.framing.ProtocolVersion version,
        final QueryState state,
        final Dispatcher.RequestTime time)
    {
        if (request instanceof ExecuteRequest execute)
        {
            final PreparedId id = PreparedId.of(execute.statementId());
            final PlannedStatement known = id.planned();
            return known != null && known.isNeverWrite() ? null : execute(execute, id, version, state, time);
        }
        return request instanceof BatchRequest batch ? batch(batch, version, state, time) : null;
    }

    private Message.Response execute(final ExecuteRequest request,
        final PreparedId id,
        final io.sluice.framing.ProtocolVersion version,
        final QueryState state,
        final Dispatcher.RequestTime time)
    {
        final PlannedRow row = new PlannedRow();
        final Unplanned reason = bind(request, id, state, row);
        if (reason != null)
        {
            plans.countUnplanned(reason, OrdinaryWrites.of(request));
            return null;
        }
        plans.countPlanned(1);
        try
        {
            write(row, request.parameters(), state.getClientState(), time);
            LateListeners.executed(request, version, state, time, WRITTEN);
            return WRITTEN;
        }
        catch (final Exception e)
        {
            LateListeners.failed(request, version, state, e);
            JVMStabilityInspector.inspectThrowable(e);
            return ErrorMessage.fromException(e);
        }
    }

    /** Why a request must go the ordinary road, or null. Nothing has happened yet, so a failure of ours is a reason. */
    private Unplanned bind(final ExecuteRequest request,
        final PreparedId id,
        final QueryState state,
        final PlannedRow row)
    {
        try
        {
            return bindRow(request, id, state, row);
        }
        catch (final RuntimeException | LinkageError | AssertionError e)
        {
            UnexpectedErrors.logPlan(e);
            return Unplanned.FAILURE;
        }
    }

    /** As for an EXECUTE. */
    private Unplanned bind(final PlannedBatch batch)
    {
        try
        {
            return batch.bind(plans);
        }
        catch (final RuntimeException | LinkageError | AssertionError e)
        {
            UnexpectedErrors.logPlan(e);
            return Unplanned.FAILURE;
        }
    }

    private Unplanned bindRow(final ExecuteRequest request,
        final PreparedId id,
        final QueryState state,
        final PlannedRow row)
    {
        final Unplanned reason = reason(request, request.parameters());
        if (reason != null)
        {
            return reason;
        }
        final QueryHandler.Prepared prepared = id.isKnown() ? QueryProcessor.instance.getPrepared(id.digest()) : null;
        if (prepared == null)
        {
            return Unplanned.UNKNOWN_ID;
        }
        if (!prepared.fullyQualified && !Objects.equals(prepared.keyspace, state.getClientState().getRawKeyspace()))
        {
            return Unplanned.KEYSPACE;
        }
        final PlannedStatement statement = plans.of(id, prepared.statement);
        if (statement.plan() == null)
        {
            return statement.reason();
        }
        final QueryParameters parameters = request.parameters();
        final byte[][] values = NamedValues.inOrder(parameters, statement.names());
        return values != null && row.bind((ModificationStatement)prepared.statement, statement.plan(), values,
            timestamp(parameters, state), nowInSeconds(
                parameters, state)) ? null : Unplanned.BOUND_VALUES;
    }

    /** What stands in the way of any plan, or null. */
    private Unplanned reason(final Request request, final QueryParameters parameters)
    {
        if (!plans.isEnabled())
        {
            return Unplanned.SWITCHED_OFF;
        }
        if (ClientState.getCQLQueryHandler() != QueryProcessor.instance)
        {
            return Unplanned.QUERY_HANDLER;
        }
        if (HAS_OWN_LIMITS)
        {
            return Unplanned.OWN_LIMITS;
        }
        if (QueryEvents.instance.hasListeners())
        {
            return Unplanned.LISTENERS;
        }
        if (request.isTraced() || StorageService.instance.getTraceProbability() != 0 || VALUES.isTraceEnabled())
        {
            return Unplanned.TRACED;
        }
        if (request.customPayload() != null)
        {
            return Unplanned.PAYLOAD;
        }
        if (parameters.pageSize() == 0 || parameters.pagingState() != null || Translation.consistency(parameters
            .consistency()) == ConsistencyLevel.NODE_LOCAL)
        {
            return Unplanned.OPTIONS;
        }
        return DiskUsageBroadcaster.instance.hasStuffedOrFullNode() ? Unplanned.FULL_DISKS : null;
    }

    /** As QueryOptions says it. */
    static long timestamp(final QueryParameters parameters, final QueryState state)
    {
        final long given = parameters.timestamp();
        return given != QueryParameters.NO_TIMESTAMP ? given : state.getTimestamp();
    }

    /** As QueryOptions says it. */
    static long nowInSeconds(final QueryParameters parameters, final QueryState state)
    {
        final long given = parameters.nowInSeconds();
        return given != QueryParameters.NO_NOW_IN_SECONDS ? given : state.getNowInSeconds();
    }

    /** QueryProcessor.processPrepared, and what that calls. */
    private static void write(final PlannedRow row,
        final QueryParameters parameters,
        final ClientState client,
        final Dispatcher.RequestTime time)
    {
        final ModificationStatement statement = row.statement();
        final TableMetadata table = statement.metadata;
        final ConsistencyLevel consistency = Translation.consistency(parameters.consistency());
        QueryProcessor.metrics.preparedStatementsExecuted.inc();
        client.ensureTablePermission(table, Permission.MODIFY);
        statement.validate(client);
        guardConsistency(parameters, client);
        consistency.validateForWrite();
        if (row.isTimestampSet())
        {
            Guardrails.maximumAllowableTimestamp.guard(row.timestamp(), table.name, false, client);
            Guardrails.minimumAllowableTimestamp.guard(row.timestamp(), table.name, false, client);
        }
        final List<Mutation> mutations = List.of(validated(mutation(row), client));
        StorageProxy.mutateWithTriggers(mutations, consistency, false, time);
        ClientRequestSizeMetrics.recordRowAndColumnCountMetrics(mutations);
    }

    /** Which levels of consistency may be used. */
    static void guardConsistency(final QueryParameters parameters, final ClientState client)
    {
        if (Guardrails.writeConsistencyLevels.enabled(client))
        {
            Guardrails.writeConsistencyLevels.guard(EnumSet.of(Translation.consistency(parameters.consistency()),
                Translation.consistency(parameters.serialConsistency())), client);
        }
    }

    /** What a statement of its own writes. */
    static Mutation mutation(final PlannedRow row)
    {
        final TableMetadata table = row.statement().metadata;
        final DecoratedKey key = table.partitioner.decorateKey(row.keyBuffer());
        final Object change = row.change();
        if (SortedRows.isRow(change))
        {
            return SortedRows.mutation(table, key, row.statement().updatedColumns(), row.valueBytes(), change);
        }
        final PartitionUpdate.Builder update = new PartitionUpdate.Builder(table, key, row.statement()
            .updatedColumns(), 1);
        PlannedRow.add(update, change);
        return SerializedMutations.of(update.build(), row.valueBytes());
    }

    /** The same, once the indexes and the commit log have no objection. */
    static <M extends IMutation> M validated(final M mutation, final ClientState client)
    {
        mutation.validateIndexedColumns(client);
        mutation.validateSize(MessagingService.current_version, CommitLogSegment.ENTRY_OVERHEAD_SIZE);
        return mutation;
    }

    private Message.Response batch(final BatchRequest request,
        final io.sluice.framing.ProtocolVersion version,
        final QueryState state,
        final Dispatcher.RequestTime time)
    {
        final Unplanned reason = reason(request, request.parameters());
        if (reason != null)
        {
            plans.countUnplanned(reason, OrdinaryWrites.of(request));
            return null;
        }
        final PlannedBatch batch = new PlannedBatch(request, state, time);
        final Unplanned refused = bind(batch);
        if (refused != null)
        {
            plans.countUnplanned(refused, OrdinaryWrites.of(request));
            return null;
        }
        if (batch.isPlanned() && !batch.isWhole())
        {
            return mixed(batch, version);
        }
        batch.count(plans, false);
        return batch.isPlanned() ? write(batch, version) : null;
    }

    private static Message.Response write(final PlannedBatch batch, final io.sluice.framing.ProtocolVersion version)
    {
        try
        {
            batch.write();
            return WRITTEN;
        }
        catch (final Exception e)
        {
            return failure(batch, version, batch.prepared(), e);
        }
    }

    private Message.Response mixed(final PlannedBatch batch, final io.sluice.framing.ProtocolVersion version)
    {
        final MixedBatch mixed = new MixedBatch(batch, version);
        try
        {
            return mixed.execute(plans);
        }
        catch (final Exception e)
        {
            return failure(batch, version, mixed.prepared(), e);
        }
    }

    private static Message.Response failure(final PlannedBatch batch,
        final io.sluice.framing.ProtocolVersion version,
        final List<QueryHandler.Prepared> prepared,
        final Exception failure)
    {
        LateListeners.failed(batch, version, prepared, failure);
        JVMStabilityInspector.inspectThrowable(failure);
        return ErrorMessage.fromException(failure);
    }
}
