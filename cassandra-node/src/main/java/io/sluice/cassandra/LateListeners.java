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
import io.sluice.framing.request.ExecuteRequest;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.cql3.QueryEvents;
import org.apache.cassandra.cql3.QueryHandler;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.transport.Message;
import org.apache.cassandra.utils.Clock;
import org.apache.cassandra.utils.MonotonicClock;

/**
 * Tells query-event listeners, the audit log for one, of planned writes that had begun when they came: a plan is chosen
 * where there is no listener, and Cassandra looks again for listeners when a statement is done. Values are wrapped for
 * them then, and only then. Never throws for a listener's sake. Has no state, any thread.
 */
final class LateListeners
{
    private LateListeners()
    {
    }

    /** After an EXECUTE that was done by its plan. */
    static void executed(final ExecuteRequest request,
        final ProtocolVersion version,
        final QueryState state,
        final Dispatcher.RequestTime time,
        final Message.Response response)
    {
        final QueryHandler.Prepared prepared = QueryEvents.instance.hasListeners() ? prepared(request) : null;
        if (prepared != null)
        {
            QueryEvents.instance.notifyExecuteSuccess(prepared.statement, prepared.rawCQLStatement, options(request,
                version, prepared), state, begunMillis(time), response);
        }
    }

    /** After an EXECUTE that failed on the way that its plan goes. */
    static void failed(final ExecuteRequest request,
        final ProtocolVersion version,
        final QueryState state,
        final Exception failure)
    {
        final QueryHandler.Prepared prepared = QueryEvents.instance.hasListeners() ? prepared(request) : null;
        if (prepared != null)
        {
            QueryEvents.instance.notifyExecuteFailure(prepared, options(request, version, prepared), state, failure);
        }
    }

    /** After a batch that failed; of one that was done Cassandra tells only whom it knew before. */
    static void failed(final PlannedBatch batch,
        final ProtocolVersion version,
        final List<QueryHandler.Prepared> prepared,
        final Exception failure)
    {
        if (QueryEvents.instance.hasListeners())
        {
            QueryEvents.instance.notifyBatchFailure(prepared, RequestTranslator.batchType(batch.request()),
                RequestTranslator.statements(batch.request()), RequestTranslator.values(batch.request()),
                RequestTranslator.batchOptions(batch.request(), version), batch.state(), failure);
        }
    }

    /** Null if Cassandra has forgotten it meanwhile. */
    private static QueryHandler.Prepared prepared(final ExecuteRequest request)
    {
        return QueryProcessor.instance.getPrepared(PreparedId.of(request.statementId()).digest());
    }

    private static QueryOptions options(final ExecuteRequest request,
        final ProtocolVersion version,
        final QueryHandler.Prepared prepared)
    {
        return RequestTranslator.options(request, version).prepare(prepared.statement.getBindVariables());
    }

    /** When the statement began, since the epoch. */
    private static long begunMillis(final Dispatcher.RequestTime time)
    {
        return Clock.Global.currentTimeMillis() - TimeUnit.NANOSECONDS.toMillis(MonotonicClock.Global.preciseTime
            .now() - time.startedAtNanos());
    }
}
