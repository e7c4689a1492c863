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
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.framing.Consistency;
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.request.BatchRequest;
import io.sluice.framing.request.Cells;
import io.sluice.framing.request.ExecuteRequest;
import io.sluice.framing.request.QueryParameters;
import io.sluice.framing.request.QueryRequest;
import io.sluice.framing.request.StatementId;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.transport.ProtocolException;
import org.apache.cassandra.transport.messages.BatchMessage;
import org.apache.cassandra.transport.messages.ExecuteMessage;
import org.apache.cassandra.transport.messages.QueryMessage;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.MD5Digest;
import org.junit.jupiter.api.Test;

class RequestTranslatorTest
{
    private static final byte[] ONE = {1};
    private static final long TIMESTAMP = 42;

    private static QueryParameters parameters(final byte[] pagingState, final byte[]... values)
    {
        return new QueryParameters(Consistency.LOCAL_QUORUM, QueryParameters.SKIP_METADATA, values, null, 100,
            pagingState, Consistency.LOCAL_SERIAL, TIMESTAMP, "ks", 7);
    }

    @Test
    void keepsEachParameter()
    {
        final QueryMessage message = (QueryMessage)RequestTranslator.translate(
            new QueryRequest(0, null, "SELECT 1", parameters(null, ONE)), ProtocolVersion.V5);
        final QueryOptions options = message.options;
        assertEquals("SELECT 1", message.query);
        assertEquals(ConsistencyLevel.LOCAL_QUORUM, options.getConsistency());
        assertEquals(ConsistencyLevel.LOCAL_SERIAL, options.getSerialConsistency());
        assertEquals(100, options.getPageSize());
        assertEquals("ks", options.getKeyspace());
        assertEquals(TIMESTAMP, options.getTimestamp(null));
        assertEquals(7, options.getNowInSec(0));
        assertEquals(org.apache.cassandra.transport.ProtocolVersion.V5, options.getProtocolVersion());
        assertTrue(options.skipMetadata());
        assertNull(options.getPagingState());
        assertNull(message.getCustomPayload());
    }

    @Test
    void wrapsCellsAndKeepsNullAndUnset()
    {
        final QueryMessage message = (QueryMessage)RequestTranslator.translate(
            new QueryRequest(0, null, "q", parameters(null, ONE, null, Cells.UNSET, new byte[0])), ProtocolVersion.V4);
        final List<ByteBuffer> values = message.options.getValues();
        assertEquals(4, values.size());
        assertSame(ONE, values.get(0).array());
        assertNull(values.get(1));
        assertSame(ByteBufferUtil.UNSET_BYTE_BUFFER, values.get(2));
        assertEquals(0, values.get(3).remaining());
    }

    @Test
    void executesByDigest()
    {
        final byte[] id = MD5Digest.compute("id").bytes;
        final byte[] metadata = MD5Digest.compute("metadata").bytes;
        final ExecuteMessage message = (ExecuteMessage)RequestTranslator.translate(
            new ExecuteRequest(0, Map.of("key", ONE), new StatementId(id), metadata, parameters(null)),
            ProtocolVersion.V5);
        assertEquals(MD5Digest.wrap(id), message.statementId);
        assertEquals(MD5Digest.wrap(metadata), message.resultMetadataId);
        assertEquals(ByteBuffer.wrap(ONE), message.getCustomPayload().get("key"));
    }

    @Test
    void keepsTheOrderOfABatch()
    {
        final byte[] id = MD5Digest.compute("id").bytes;
        final Object[] statements = {"text", new StatementId(id)};
        final byte[][][] values = {{ONE}, {null, Cells.UNSET}};
        final BatchMessage message = (BatchMessage)RequestTranslator.translate(
            new BatchRequest(0, null, BatchRequest.Type.COUNTER, statements, values, parameters(null)),
            ProtocolVersion.V3);
        assertEquals(BatchStatement.Type.COUNTER, message.batchType);
        assertEquals(List.of("text", MD5Digest.wrap(id)), message.queryOrIdList);
        assertEquals(1, message.values.get(0).size());
        assertNull(message.values.get(1).get(0));
        assertSame(ByteBufferUtil.UNSET_BYTE_BUFFER, message.values.get(1).get(1));
    }

    @Test
    void refusesABrokenPagingState()
    {
        final QueryRequest request = new QueryRequest(0, null, "q", parameters(new byte[]{5, 5, 5}));
        assertThrows(ProtocolException.class, () -> RequestTranslator.translate(request, ProtocolVersion.V5));
    }
}
