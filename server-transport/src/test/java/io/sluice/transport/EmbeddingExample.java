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
package io.sluice.transport;

import io.sluice.framing.request.*;
import io.sluice.framing.response.*;
import java.net.InetSocketAddress;
import java.util.*;
import java.util.concurrent.*;

/** A database of one table, kv (k text PRIMARY KEY, v text), on one node, for drivers that ask, whose id is zero. */
final class EmbeddingExample implements RequestHandler
{
    private static final ColumnSpec K = new ColumnSpec("demo", "kv", "k", ColumnType.TEXT);
    private static final ColumnSpec V = new ColumnSpec("demo", "kv", "v", ColumnType.TEXT);
    private static final ColumnSpec ID = new ColumnSpec("system", "local", "host_id", ColumnType.UUID);
    private final Map<byte[], byte[]> table = new ConcurrentSkipListMap<>(Arrays::compare);

    static NativeTransport serve(final InetSocketAddress address, final Executor pool)
    {
        return NativeTransport.builder(new EmbeddingExample()).bindTo(address).requestExecutor(pool).build().start();
    }

    @Override
    public void onQuery(final QueryRequest request, final Exchange exchange)
    {
        exchange.respond(execute(request.query(), request.parameters().values()));
    }

    @Override
    public void onPrepare(final PrepareRequest request, final Exchange exchange)
    {
        exchange.respond(request.query().startsWith("INSERT")
            ? new PreparedResult(new byte[]{1}, new byte[1], List.of(K, V), null, RowsMetadata.NONE)
            : new PreparedResult(new byte[]{0}, new byte[1], List.of(K), null, RowsMetadata.of(List.of(V))));
    }

    @Override
    public void onExecute(final ExecuteRequest request, final Exchange exchange)
    {
        exchange.respond(execute(request.statementId().bytes()[0] == 1 ? "INSERT" : "", request.parameters().values()));
    }

    @Override
    public void onBatch(final BatchRequest request, final Exchange exchange)
    {
        Arrays.asList(request.values()).forEach(cells -> execute("INSERT", cells));
        exchange.respond(VoidResult.INSTANCE);
    }

    private ResponseBody execute(final String cql, final byte[]... cells)
    {
        if (cql.startsWith("INSERT"))
        {
            table.put(cells[0], cells[1]);
            return VoidResult.INSTANCE;
        }
        final byte[] cell = cells.length > 0 ? table.get(cells[0]) : cql.contains("local") ? new byte[16] : null;
        return new RowsResult(RowsMetadata.of(List.of(cells.length > 0 ? V : ID)),
            cell == null ? List.of() : Collections.singletonList(new byte[][]{cell}));
    }
}
