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
import io.sluice.framing.request.Cells;
import io.sluice.framing.request.ExecuteRequest;
import io.sluice.framing.request.PrepareRequest;
import io.sluice.framing.request.QueryParameters;
import io.sluice.framing.request.QueryRequest;
import io.sluice.framing.request.Request;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.service.pager.PagingState;
import org.apache.cassandra.transport.Message;
import org.apache.cassandra.transport.ProtocolException;
import org.apache.cassandra.transport.messages.BatchMessage;
import org.apache.cassandra.transport.messages.ExecuteMessage;
import org.apache.cassandra.transport.messages.PrepareMessage;
import org.apache.cassandra.transport.messages.QueryMessage;
import org.apache.cassandra.utils.ByteBufferUtil;

/**
 * Makes Cassandra's own request messages. Each cell is wrapped, not copied. Has no state, any thread.
 */
final class RequestTranslator
{
    private static final BatchStatement.Type[] BATCH_TYPES = {BatchStatement.Type.LOGGED, BatchStatement.Type.UNLOGGED,
        BatchStatement.Type.COUNTER};

    private RequestTranslator()
    {
    }

    /**
     * The request as Cassandra's message, with its payload and its wish to be traced.
     *
     * @throws org.apache.cassandra.transport.ProtocolException if the paging state is none
     */
    static Message.Request translate(final Request request, final ProtocolVersion version)
    {
        final Message.Request message = switch (request.opcode())
        {
            case QUERY -> query((QueryRequest)request, version);
            case PREPARE -> prepare((PrepareRequest)request);
            case EXECUTE -> execute((ExecuteRequest)request, version);
            case BATCH -> batch((BatchRequest)request, version);
            default -> throw new IllegalStateException("opcode: " + request.opcode() + " (expected: a request)");
        };
        if (request.customPayload() != null)
        {
            message.setCustomPayload(payload(request.customPayload()));
        }
        if (request.isTraced())
        {
            CassandraInternals.requestTracing(message);
        }
        return message;
    }

    private static QueryMessage query(final QueryRequest request, final ProtocolVersion version)
    {
        return new QueryMessage(request.query(), options(request.parameters(), version));
    }

    private static PrepareMessage prepare(final PrepareRequest request)
    {
        return new PrepareMessage(request.query(), request.keyspace());
    }

    private static ExecuteMessage execute(final ExecuteRequest request, final ProtocolVersion version)
    {
        final PreparedId id = PreparedId.of(request.statementId());
        return new ExecuteMessage(id.digest(), id.metadata(request.resultMetadataId()), options(request, version));
    }

    /** What an EXECUTE says beside its statement, values included. */
    static QueryOptions options(final ExecuteRequest request, final ProtocolVersion version)
    {
        return options(request.parameters(), PreparedId.of(request.statementId()), version);
    }

    private static BatchMessage batch(final BatchRequest request, final ProtocolVersion version)
    {
        return new BatchMessage(batchType(request), statements(request), values(request), batchOptions(request,
            version));
    }

    /** Cassandra's name for it. */
    static BatchStatement.Type batchType(final BatchRequest request)
    {
        return BATCH_TYPES[request.type().ordinal()];
    }

    /** The text or the digest of each statement. */
    static List<Object> statements(final BatchRequest request)
    {
        final List<Object> statements = new ArrayList<>(request.size());
        for (int i = 0; i < request.size(); i++)
        {
            final String text = request.query(i);
            statements.add(text != null ? text : PreparedId.of(request.statementId(i)).digest());
        }
        return statements;
    }

    /** The values of each statement. */
    static List<List<ByteBuffer>> values(final BatchRequest request)
    {
        final List<List<ByteBuffer>> values = new ArrayList<>(request.size());
        for (final byte[][] cells : request.values())
        {
            values.add(values(cells));
        }
        return values;
    }

    /** What a batch says beside its statements: it has no named values, and its options carry none at all. */
    static QueryOptions batchOptions(final BatchRequest request, final ProtocolVersion version)
    {
        return options(request.parameters(), Collections.emptyList(), Translation.version(version));
    }

    /** Named values in the statement's order, if that is known and none is missing: else Cassandra sorts it out. */
    private static QueryOptions options(final QueryParameters parameters,
        final PreparedId id,
        final ProtocolVersion version)
    {
        final PlannedStatement known = parameters.names() == null ? null : id.planned();
        final byte[][] ordered = known == null ? null : NamedValues.inOrder(parameters, known.names());
        return ordered == null
            ? options(parameters, version)
            : options(parameters, values(ordered), Translation.version(version));
    }

    private static QueryOptions options(final QueryParameters parameters, final ProtocolVersion version)
    {
        final QueryOptions options = options(parameters, values(parameters.values()), Translation.version(version));
        final String[] names = parameters.names();
        return names == null ? options : CassandraInternals.named(options, Arrays.asList(names));
    }

    private static QueryOptions options(final QueryParameters parameters,
        final List<ByteBuffer> values,
        final org.apache.cassandra.transport.ProtocolVersion spoken)
    {
        return QueryOptions.create(Translation.consistency(parameters.consistency()),
            values,
            parameters.skipMetadata(),
            parameters.pageSize(),
            pagingState(parameters.pagingState(), spoken),
            Translation.consistency(parameters.serialConsistency()),
            spoken,
            parameters.keyspace(),
            parameters.timestamp(),
            parameters.nowInSeconds());
    }

    /** Cassandra's own reader throws whatever comes up for some states that it did not write. */
    private static PagingState pagingState(final byte[] state,
        final org.apache.cassandra.transport.ProtocolVersion spoken)
    {
        if (state == null)
        {
            return null;
        }
        try
        {
            return PagingState.deserialize(ByteBuffer.wrap(state), spoken);
        }
        catch (final ProtocolException e)
        {
            throw e;
        }
        catch (final RuntimeException e)
        {
            throw new ProtocolException("Invalid value for the paging state");
        }
    }

    /** The cells, each in a buffer of its own. */
    static List<ByteBuffer> values(final byte[][] cells)
    {
        if (cells.length == 0)
        {
            return Collections.emptyList();
        }
        final ByteBuffer[] values = new ByteBuffer[cells.length];
        for (int i = 0; i < cells.length; i++)
        {
            final byte[] cell = cells[i];
            if (cell != null)
            {
                values[i] = Cells.isUnset(cell) ? ByteBufferUtil.UNSET_BYTE_BUFFER : ByteBuffer.wrap(cell);
            }
        }
        return Arrays.asList(values);
    }

    private static Map<String, ByteBuffer> payload(final Map<String, byte[]> payload)
    {
        final Map<String, ByteBuffer> wrapped = new HashMap<>();
        payload.forEach((key, value) -> wrapped.put(key, value == null ? null : ByteBuffer.wrap(value)));
        return wrapped;
    }
}
