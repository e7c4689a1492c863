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

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.framing.Consistency;
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.request.BatchRequest;
import io.sluice.framing.request.Cells;
import io.sluice.framing.request.QueryParameters;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import org.apache.cassandra.cql3.Attributes;
import org.apache.cassandra.cql3.BatchQueryOptions;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.VariableSpecifications;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.db.IMutation;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.io.util.DataOutputBuffer;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher;

/**
 * What statements write, by their plans and by Cassandra's own code: the bytes that go to the commit log, and the words
 * in which operators see it.
 */
final class MutationBytes
{
    /** In microseconds, so that both roads have the same. */
    static final long TIMESTAMP = 1_790_000_000_000_000L;
    /** Near enough to now that no time to live runs into another policy. */
    static final long NOW_IN_SECONDS = 1_796_000_000L;

    private MutationBytes()
    {
    }

    /** By the plan of one statement, or null if its values must go the ordinary road. */
    static List<String> planned(final ModificationStatement statement, final WritePlan plan, final byte[][] values)
    {
        final PlannedRow row = new PlannedRow();
        return row.bind(statement, plan, values, TIMESTAMP, NOW_IN_SECONDS)
            ? describe(List.of(PlannedWrites.mutation(row)))
            : null;
    }

    /** By the plans of a batch and, for statements without one, by Cassandra; null if all must go the ordinary road. */
    static List<String> planned(final BatchRequest request, final WritePlans plans)
    {
        final QueryState state = new QueryState(ClientState.forInternalCalls());
        final PlannedBatch batch = new PlannedBatch(request, state, Dispatcher.RequestTime.forImmediateExecution());
        if (batch.bind(plans) != null || !batch.isPlanned())
        {
            return null;
        }
        return describe(batch.isWhole()
            ? batch.mutations(state.getClientState())
            : new MixedBatch(batch, ProtocolVersion.V5).mutations());
    }

    /** Parameters with the fixed times. */
    static QueryParameters parameters()
    {
        return new QueryParameters(Consistency.ONE, 0, Cells.NONE, null, QueryParameters.UNPAGED, null,
            Consistency.SERIAL, TIMESTAMP, null, NOW_IN_SECONDS);
    }

    /** By Cassandra, which may throw whatever it throws. */
    static List<String> stock(final List<ModificationStatement> statements, final List<byte[][]> values)
    {
        final QueryOptions options = QueryOptions.create(org.apache.cassandra.db.ConsistencyLevel.ONE, Collections
            .emptyList(), false, -1, null, org.apache.cassandra.db.ConsistencyLevel.SERIAL,
            org.apache.cassandra.transport.ProtocolVersion.V5, null, TIMESTAMP, NOW_IN_SECONDS);
        final BatchStatement batch = new BatchStatement(BatchStatement.Type.UNLOGGED, VariableSpecifications.empty(),
            statements, Attributes.none());
        final BatchQueryOptions bound = BatchQueryOptions.withPerStatementVariables(options, values.stream()
            .map(RequestTranslator::values)
            .toList(), new ArrayList<>(Collections.nCopies(statements.size(), "")));
        return describe(batch.getMutations(ClientState.forInternalCalls(), bound, false, TIMESTAMP, NOW_IN_SECONDS,
            Dispatcher.RequestTime.forImmediateExecution()));
    }

    private static List<String> describe(final Collection<? extends IMutation> mutations)
    {
        final List<String> described = new ArrayList<>();
        for (final IMutation mutation : mutations)
        {
            described.add(mutation.getClass().getSimpleName() + " " + (mutation instanceof Mutation plain
                ? hex(plain) + (plain.trackedByCDC() ? " CDC" : "") + " purgeable " + purgeable(plain) + words(plain)
                : mutation.toString()));
        }
        // Which partition comes first is chance in Cassandra.
        Collections.sort(described);
        return described;
    }

    /** Text that Cassandra takes for valid it cannot always read: then the road makes no difference either. */
    private static String words(final Mutation mutation)
    {
        try
        {
            return mutation.toString();
        }
        catch (final RuntimeException e)
        {
            return e.toString();
        }
    }

    /** What goes to the commit log and to other nodes; what goes to the memtable says the same. */
    static String hex(final Mutation mutation)
    {
        try (DataOutputBuffer kept = new DataOutputBuffer(); DataOutputBuffer made = new DataOutputBuffer())
        {
            Mutation.serializer.serialize(mutation, kept, MessagingService.current_version);
            made.writeUnsignedVInt32(mutation.getPartitionUpdates().size());
            for (final PartitionUpdate update : mutation.getPartitionUpdates())
            {
                PartitionUpdate.serializer.serialize(update, made, MessagingService.current_version);
            }
            final String hex = hex(kept);
            assertEquals(hex(made), hex, mutation::toString);
            assertEquals(kept.getLength(), mutation.serializedSize(MessagingService.current_version));
            return hex;
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    private static String hex(final DataOutputBuffer out)
    {
        return HexFormat.of().formatHex(Arrays.copyOf(out.getData(), out.getLength()));
    }

    /** What rows keep in memory and do not write: from when on they hold something deleted. */
    private static List<Boolean> purgeable(final Mutation mutation)
    {
        final List<Boolean> seen = new ArrayList<>();
        for (final PartitionUpdate update : mutation.getPartitionUpdates())
        {
            for (final Row row : update)
            {
                for (final long now : new long[]{0, NOW_IN_SECONDS, NOW_IN_SECONDS + 90_000, Integer.MAX_VALUE})
                {
                    seen.add(row.hasDeletion(now));
                }
            }
        }
        return seen;
    }
}
