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
package io.sluice.bench;

import io.sluice.framing.ErrorCode;
import io.sluice.framing.request.BatchRequest;
import io.sluice.framing.request.ExecuteRequest;
import io.sluice.framing.request.ExecuteView;
import io.sluice.framing.request.PrepareRequest;
import io.sluice.framing.request.QueryRequest;
import io.sluice.framing.request.StatementIdTable;
import io.sluice.framing.request.StatementIds;
import io.sluice.framing.response.ColumnSpec;
import io.sluice.framing.response.ColumnType;
import io.sluice.framing.response.ResponseBody;
import io.sluice.framing.response.RowsMetadata;
import io.sluice.framing.response.RowsResult;
import io.sluice.framing.response.VoidResult;
import io.sluice.transport.Exchange;
import io.sluice.transport.InlineExchange;
import io.sluice.transport.RequestHandler;
import java.util.Arrays;
import java.util.List;

/**
 * Answers every EXECUTE, QUERY and BATCH at once from memory: {@link RequestBytes#textStatementId} with a row of
 * {@link TextCells}, another with a row of 1 MiB, all others with VOID;
 * {@link RequestBytes#slowStatementId} only after it has blocked. Any thread.
 */
public final class VoidEngine implements RequestHandler
{
    private static final RowsMetadata BIG_METADATA = RowsMetadata.of(
        List.of(new ColumnSpec("bench", "big", "v", ColumnType.BLOB)));
    private static final RowsMetadata METADATA = RowsMetadata
        .of(List.of(new ColumnSpec("bench", "t", "c", ColumnType.TEXT)))
        .withColumnsSkipped();

    private final List<byte[][]> bigRow = List.of(new byte[][][]{{RequestBytes.bigCell()}});
    private final ResponseBody[] rows = new ResponseBody[TextCells.COUNT];
    /** Races lose an increment now and then, which harms nothing. */
    private int next;

    /** The same answers each time. */
    public VoidEngine()
    {
        for (int i = 0; i < rows.length; i++)
        {
            rows[i] = new RowsResult(METADATA, List.<byte[][]>of(new byte[][]{TextCells.cell(i)}));
        }
    }

    /** A table that knows the ids of {@link RequestBytes}. */
    public static StatementIds statementIds()
    {
        final StatementIdTable ids = new StatementIdTable();
        ids.learn(RequestBytes.statementId());
        ids.learn(RequestBytes.textStatementId());
        ids.learn(RequestBytes.metadataId());
        ids.learn(RequestBytes.bigStatementId());
        ids.learn(RequestBytes.slowStatementId());
        return ids;
    }

    /** The same where the request was read. */
    public static boolean tryExecute(final ExecuteView view, final InlineExchange exchange)
    {
        exchange.respond(VoidResult.INSTANCE);
        return true;
    }

    @Override
    public void onQuery(final QueryRequest request, final Exchange exchange)
    {
        exchange.respond(VoidResult.INSTANCE);
    }

    @Override
    public void onPrepare(final PrepareRequest request, final Exchange exchange)
    {
        exchange.fail(ErrorCode.INVALID, "this engine prepares nothing");
    }

    @Override
    public void onExecute(final ExecuteRequest request, final Exchange exchange)
    {
        final byte[] statementId = request.statementId().bytes();
        if (Arrays.equals(statementId, RequestBytes.textStatementId()))
        {
            exchange.respond(rows[next++ & TextCells.COUNT - 1]);
            return;
        }
        if (RequestBytes.isSlow(statementId))
        {
            RequestBytes.block();
        }
        exchange.respond(RequestBytes.isBig(statementId) ? new RowsResult(BIG_METADATA, bigRow) : VoidResult.INSTANCE);
    }

    @Override
    public void onBatch(final BatchRequest request, final Exchange exchange)
    {
        exchange.respond(VoidResult.INSTANCE);
    }
}
