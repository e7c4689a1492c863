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

import io.sluice.framing.Opcode;
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.envelope.EnvelopeHeader;
import io.sluice.framing.request.BatchRequest;
import io.sluice.framing.request.Cells;
import io.sluice.framing.request.ExecuteRequest;
import io.sluice.framing.request.PrepareRequest;
import io.sluice.framing.request.QueryParameters;
import io.sluice.framing.request.QueryRequest;
import io.sluice.framing.request.Request;
import io.sluice.framing.request.RequestDecoder;
import io.sluice.framing.request.StatementIdTable;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.concurrent.UnsafeBuffer;

/** What our decoder finds in a body, in the same words as {@link StockFields}. */
final class OurFields
{
    private static final int STREAM_ID = 7;
    private static final RequestDecoder DECODER = new RequestDecoder(new StatementIdTable());

    private final List<String> lines = new ArrayList<>();
    private final ProtocolVersion version;

    private OurFields(final ProtocolVersion version)
    {
        this.version = version;
    }

    /** The decoded request; throws what the decoder throws. */
    static Request decode(final Opcode opcode,
        final ProtocolVersion version,
        final int envelopeFlags,
        final byte[] body)
    {
        final UnsafeBuffer head = new UnsafeBuffer(new byte[EnvelopeHeader.LENGTH]);
        head.putByte(0, (byte)version.number());
        head.putByte(1, (byte)envelopeFlags);
        head.putShort(2, (short)STREAM_ID, ByteOrder.BIG_ENDIAN);
        head.putByte(4, (byte)opcode.code());
        head.putInt(5, body.length, ByteOrder.BIG_ENDIAN);
        final EnvelopeHeader header = new EnvelopeHeader();
        header.wrap(head, 0);
        return DECODER.decode(header, version, new UnsafeBuffer(body), 0, body.length);
    }

    /** A line for each field. */
    static List<String> of(final Request request, final ProtocolVersion version)
    {
        final OurFields fields = new OurFields(version);
        if (request.customPayload() != null)
        {
            final Map<String, String> sorted = new TreeMap<>();
            request.customPayload().forEach((key, value) -> sorted.put(key, StockFields.hex(value)));
            fields.add("payload", sorted);
        }
        switch (request.opcode())
        {
            case QUERY -> fields.addQuery((QueryRequest)request);
            case PREPARE -> fields.addPrepare((PrepareRequest)request);
            case EXECUTE -> fields.addExecute((ExecuteRequest)request);
            default -> fields.addBatch((BatchRequest)request);
        }
        return fields.lines;
    }

    private void add(final String name, final Object value)
    {
        lines.add(name + "=" + value);
    }

    private void addQuery(final QueryRequest query)
    {
        add("query", query.query());
        addParameters(query.parameters());
    }

    private void addPrepare(final PrepareRequest prepare)
    {
        add("query", prepare.query());
        add("keyspace", prepare.keyspace());
    }

    private void addExecute(final ExecuteRequest execute)
    {
        add("id", StockFields.hex(execute.statementId().bytes()));
        add("metadata id", execute.resultMetadataId() == null ? null : StockFields.hex(execute.resultMetadataId()));
        addParameters(execute.parameters());
    }

    private void addBatch(final BatchRequest batch)
    {
        add("type", batch.type());
        for (int i = 0; i < batch.size(); i++)
        {
            final String text = batch.query(i);
            add("statement",
                text != null ? "text " + text : "id " + StockFields.hex(batch.statementId(i).bytes()));
            add("values", values(batch.values()[i]));
        }
        addParameters(batch.parameters());
    }

    private void addParameters(final QueryParameters parameters)
    {
        add("consistency", parameters.consistency());
        add("values", values(parameters.values()));
        add("names", parameters.names() == null ? null : Arrays.asList(parameters.names()));
        add("skips metadata", parameters.skipMetadata());
        add("page size", Math.max(0, parameters.pageSize()));
        add("paging state",
            parameters.pagingState() == null ? null : StockFields.pagingState(parameters.pagingState(), version));
        add("serial consistency", parameters.serialConsistency());
        add("timestamp", parameters.timestamp());
        add("keyspace", parameters.keyspace());
        add("now in seconds", parameters.nowInSeconds());
    }

    private static List<String> values(final byte[][] values)
    {
        final List<String> texts = new ArrayList<>();
        for (final byte[] value : values)
        {
            texts.add(Cells.isUnset(value) ? "unset" : StockFields.hex(value));
        }
        return texts;
    }
}
