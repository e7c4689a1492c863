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

import com.google.common.collect.HashMultiset;
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.request.BatchRequest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.cql3.Attributes;
import org.apache.cassandra.cql3.BatchQueryOptions;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryHandler;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.VariableSpecifications;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.cql3.statements.UpdatesCollector;
import org.apache.cassandra.db.IMutation;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.transport.messages.ResultMessage;

/**
 * A batch of several tables, or of statements with and without plans: Cassandra's own batch with its own collector, in
 * which planned statements contribute the rows that their cells have become. Only the values of the others are
 * wrapped. For one request and its thread.
 */
final class MixedBatch
{
    private final PlannedBatch planned;
    private final BatchRequest request;
    private final QueryOptions options;
    private final int size;
    private final List<QueryHandler.Prepared> prepared;
    private final List<ModificationStatement> statements;

    MixedBatch(final PlannedBatch planned, final ProtocolVersion version)
    {
        this.planned = planned;
        request = planned.request();
        options = RequestTranslator.batchOptions(request, version);
        size = request.size();
        prepared = new ArrayList<>(size);
        statements = new ArrayList<>(size);
    }

    /** BatchMessage.execute, and what that calls; counts the statements once it is known who executes them. */
    ResultMessage execute(final WritePlans counts)
    {
        final BatchStatement batch;
        boolean whole = false;
        try
        {
            batch = batch();
            whole = decidesAboutTheWhole(batch);
        }
        finally
        {
            planned.count(counts, whole);
        }
        final BatchQueryOptions bound = bind(whole);
        final ClientState client = planned.state().getClientState();
        if (whole)
        {
            return QueryProcessor.instance.processBatch(batch, planned.state(), bound, planned.time());
        }
        final ClientState named = client.cloneWithKeyspaceIfSet(options.getKeyspace());
        batch.authorize(named);
        batch.validate();
        batch.validate(named);
        PlannedWrites.guardConsistency(request.parameters(), client);
        final List<? extends IMutation> mutations = mutations(batch, bound, client);
        StatementInternals.execute(batch, mutations, bound.getConsistency(), planned.time());
        return new ResultMessage.Void();
    }

    /** What Cassandra has for each statement, as far as that was found out: all that there is to tell of a failure. */
    List<QueryHandler.Prepared> prepared()
    {
        return prepared;
    }

    /** What it writes, unless it must be executed as one. */
    List<? extends IMutation> mutations()
    {
        return mutations(batch(), bind(false), planned.state().getClientState());
    }

    private BatchStatement batch()
    {
        prepare();
        collectStatements();
        return new BatchStatement(RequestTranslator.batchType(request), VariableSpecifications.empty(), statements,
            Attributes.none());
    }

    private void prepare()
    {
        for (int i = 0; i < size; i++)
        {
            final String text = request.query(i);
            final QueryHandler.Prepared one = text == null
                ? planned.prepared(i)
                : QueryProcessor.parseAndPrepare(text, planned.state()
                    .getClientState()
                    .cloneWithKeyspaceIfSet(options.getKeyspace()), false, false);
            final int markers = one.statement.getBindVariables().size();
            if (request.values()[i].length != markers)
            {
                throw new InvalidRequestException(
                    String.format("There were %d markers(?) in CQL but %d bound variables",
                        markers, request.values()[i].length));
            }
            prepared.add(one);
        }
    }

    private void collectStatements()
    {
        for (final QueryHandler.Prepared one : prepared)
        {
            final CQLStatement statement = one.statement;
            if (!(statement instanceof ModificationStatement modification))
            {
                throw new InvalidRequestException(
                    "Invalid statement in batch: only UPDATE, INSERT and DELETE statements are allowed.");
            }
            statements.add(modification);
        }
    }

    /** True if a statement turns the batch into something that Cassandra must execute as one. */
    private boolean decidesAboutTheWhole(final BatchStatement batch)
    {
        if (batch.hasConditions())
        {
            return true;
        }
        for (final ModificationStatement statement : statements)
        {
            if (statement.isCounter() || statement.isVirtual() || request
                .type() == BatchRequest.Type.LOGGED && statement.metadata.params.gcGraceSeconds == 0)
            {
                return true;
            }
        }
        return false;
    }

    /** @param all true if the values of planned statements are needed as well */
    private BatchQueryOptions bind(final boolean all)
    {
        final List<List<ByteBuffer>> values = new ArrayList<>(size);
        for (int i = 0; i < size; i++)
        {
            values.add(all || !planned.isPlanned(i)
                ? RequestTranslator.values(request.values()[i])
                : Collections.emptyList());
        }
        final BatchQueryOptions bound = BatchQueryOptions.withPerStatementVariables(options, values, RequestTranslator
            .statements(request));
        for (int i = 0; i < size; i++)
        {
            bound.prepareStatement(i, statements.get(i).getBindVariables());
        }
        return bound;
    }

    /** BatchStatement.getMutations, save that planned statements are ready. */
    private List<? extends IMutation> mutations(final BatchStatement batch,
        final BatchQueryOptions bound,
        final ClientState client)
    {
        final List<List<ByteBuffer>> keys = new ArrayList<>(size);
        final Map<TableId, HashMultiset<ByteBuffer>> rows = new HashMap<>();
        for (int i = 0; i < size; i++)
        {
            final ModificationStatement statement = statements.get(i);
            final List<ByteBuffer> written = planned.isPlanned(i)
                ? Collections.singletonList(planned.partition(i).key().getKey())
                : statement.buildPartitionKeyNames(bound.forStatement(i), client);
            keys.add(written);
            rows.computeIfAbsent(statement.metadata.id, id -> HashMultiset.create()).addAll(written);
        }
        final UpdatesCollector collector = StatementInternals.collector(batch, rows);
        final long timestamp = bound.getTimestamp(planned.state());
        final long nowInSeconds = bound.getNowInSeconds(planned.state());
        for (int i = 0; i < size; i++)
        {
            final ModificationStatement statement = statements.get(i);
            if (planned.isPlanned(i))
            {
                planned.add(i, collector.getPartitionUpdateBuilder(statement.metadata, planned.partition(i).key(),
                    bound.getConsistency()));
            }
            else
            {
                StatementInternals.addUpdates(statement, collector, keys.get(i), client, bound.forStatement(i),
                    timestamp, nowInSeconds, planned.time());
            }
        }
        return collector.toMutations(client);
    }
}
