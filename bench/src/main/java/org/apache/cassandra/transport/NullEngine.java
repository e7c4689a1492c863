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
package org.apache.cassandra.transport;

import io.netty.buffer.ByteBuf;
import io.sluice.bench.RequestBytes;
import io.sluice.bench.TextCells;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.cassandra.cql3.ColumnIdentifier;
import org.apache.cassandra.cql3.ColumnSpecification;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.ResultSet;
import org.apache.cassandra.db.marshal.BytesType;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.messages.ExecuteMessage;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.apache.cassandra.utils.MD5Digest;

/**
 * Makes the stock transport answer every EXECUTE at once, after decoding it like any other: the text statement with a
 * row, all others with VOID.
 */
public final class NullEngine
{
    private static final ByteBuffer BIG_CELL = ByteBuffer.allocate(RequestBytes.BIG_BYTES)
        .put(RequestBytes.bigCell())
        .flip();
    private static final MD5Digest TEXT = MD5Digest.wrap(RequestBytes.textStatementId());
    private static final ResultSet.ResultMetadata METADATA = StockOutbound.metadata(1);
    private static final List<List<List<ByteBuffer>>> ROWS = rows();
    /** Races lose an increment now and then, which harms nothing. */
    private static int next;

    private NullEngine()
    {
    }

    private static List<List<List<ByteBuffer>>> rows()
    {
        final List<List<List<ByteBuffer>>> rows = new ArrayList<>();
        for (int i = 0; i < TextCells.COUNT; i++)
        {
            rows.add(Collections.singletonList(StockVersion.row(TextCells.cell(i))));
        }
        return rows;
    }

    /** From now on, for the whole JVM. */
    public static void install()
    {
        try
        {
            Message.Type.EXECUTE.unsafeSetCodec(new Codec());
        }
        catch (final ReflectiveOperationException e)
        {
            throw new IllegalStateException("this JVM does not let the EXECUTE codec be replaced", e);
        }
    }

    /** The stock codec, but for the class that it makes. */
    private static final class Codec implements Message.Codec<ExecuteMessage>
    {
        @Override
        public ExecuteMessage decode(final ByteBuf body, final ProtocolVersion version)
        {
            final MD5Digest statementId = MD5Digest.wrap(CBUtil.readBytes(body));
            final MD5Digest metadataId = version.isGreaterOrEqualTo(ProtocolVersion.V5)
                ? MD5Digest.wrap(CBUtil.readBytes(body))
                : null;
            return new NullExecute(statementId, metadataId, QueryOptions.codec.decode(body, version));
        }

        @Override
        public void encode(final ExecuteMessage message, final ByteBuf out, final ProtocolVersion version)
        {
            ExecuteMessage.codec.encode(message, out, version);
        }

        @Override
        public int encodedSize(final ExecuteMessage message, final ProtocolVersion version)
        {
            return ExecuteMessage.codec.encodedSize(message, version);
        }
    }

    /** The row of {@link RequestBytes#bigCell}. */
    private static ResultMessage.Rows bigRow()
    {
        final ColumnSpecification column = new ColumnSpecification("bench", "big", new ColumnIdentifier("v", false),
            BytesType.instance);
        final ResultSet rows = new ResultSet(new ResultSet.ResultMetadata(List.of(column)));
        rows.addColumnValue(BIG_CELL.duplicate());
        return new ResultMessage.Rows(rows);
    }

    /** Done before it started. */
    private static final class NullExecute extends ExecuteMessage
    {
        NullExecute(final MD5Digest statementId, final MD5Digest metadataId, final QueryOptions options)
        {
            super(statementId, metadataId, options);
        }

        /** Else every request asks the storage service for the share of requests to trace. */
        @Override
        protected boolean isTraceable()
        {
            return false;
        }

        @Override
        protected Message.Response execute(final QueryState state,
            final Dispatcher.RequestTime requestTime,
            final boolean traceRequest)
        {
            if (TEXT.equals(statementId))
            {
                return new ResultMessage.Rows(new ResultSet(METADATA, ROWS.get(next++ & TextCells.COUNT - 1)));
            }
            if (RequestBytes.isSlow(statementId.bytes))
            {
                RequestBytes.block();
            }
            return RequestBytes.isBig(statementId.bytes) ? bigRow() : new ResultMessage.Void();
        }
    }
}
