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

import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.request.BatchRequest;
import io.sluice.framing.request.ExecuteRequest;
import io.sluice.framing.request.QueryParameters;
import io.sluice.framing.request.Request;
import io.sluice.framing.request.StatementId;
import java.util.Map;
import org.apache.cassandra.cql3.QueryHandler;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.utils.MD5Digest;

/** A prepared write whose plan is none: it takes a value that the statement does not have. For one thread. */
public final class UnfitPlan
{
    private final WritePlans plans = new WritePlans();
    private final StatementId id;

    /** @param prepared the id of a statement that has a plan */
    public UnfitPlan(final byte[] prepared, final String keyspace)
    {
        id = new StatementId(prepared);
        final PreparedId known = PreparedId.of(id);
        known.markKnown();
        final QueryHandler.Prepared statement = QueryProcessor.instance.getPrepared(MD5Digest.wrap(prepared));
        final WritePlan fit = plans.of(known, statement.statement).plan();
        final WritePlan.Sources sources = fit.sources();
        known.planned(PlannedStatement.with(statement.statement, Schema.instance.getKeyspaceMetadata(keyspace),
            new WritePlan(fit.shape(), fit.columns(), fit.types(), fit.names(), new WritePlan.Sources(
                new int[]{fit.types().length}, sources.clustering(), sources.values(), sources.timestamp(), sources
                    .timeToLive(),
                sources.constants()))));
    }

    /** True if an EXECUTE is left to the ordinary road. */
    public boolean isLeft(final byte[]... values)
    {
        final QueryParameters parameters = MutationBytes.parameters();
        return isLeft(new ExecuteRequest(0, null, id, new byte[0], new QueryParameters(parameters.consistency(), 0,
            values, null, QueryParameters.UNPAGED, null, parameters.serialConsistency(), parameters.timestamp(), null,
            parameters.nowInSeconds())));
    }

    /** True if a BATCH of this and nothing else is left to the ordinary road. */
    public boolean isLeftInBatch(final byte[]... values)
    {
        return isLeft(new BatchRequest(0, null, BatchRequest.Type.UNLOGGED, new Object[]{id}, new byte[][][]{values},
            MutationBytes.parameters()));
    }

    private boolean isLeft(final Request request)
    {
        return new PlannedWrites(plans).execute(request, ProtocolVersion.V5, new QueryState(ClientState
            .forInternalCalls()), Dispatcher.RequestTime.forImmediateExecution()) == null;
    }

    /** What was counted. */
    public Map<String, Long> unplanned()
    {
        return plans.getUnplannedStatements();
    }
}
