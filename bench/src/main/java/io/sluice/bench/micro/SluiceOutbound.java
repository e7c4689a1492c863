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
package io.sluice.bench.micro;

import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.response.ColumnSpec;
import io.sluice.framing.response.ColumnType;
import io.sluice.framing.response.EnvelopeEncoder;
import io.sluice.framing.response.ResponseBody;
import io.sluice.framing.response.RowsMetadata;
import io.sluice.framing.response.RowsResult;
import io.sluice.framing.response.VoidResult;
import io.sluice.framing.segment.SegmentBatcher;
import io.sluice.framing.segment.SegmentFormat;
import io.sluice.framing.segment.SegmentOutput;
import io.sluice.framing.segment.SegmentScratch;
import io.sluice.memory.BufferLease;
import io.sluice.memory.BufferPool;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.SystemNanoClock;

/** Sluice's way out, from answers to the bytes of one flush. Confined to one thread. */
public final class SluiceOutbound implements SegmentOutput, AutoCloseable
{
    private static final int POOL_BYTES = 64 << 20;
    private static final int LIMIT_BYTES = 16 << 20;

    private final SegmentFormat format;
    private final int answers;
    private final byte[][] cells;
    private final RowsMetadata metadata;
    private final BufferPool pool = new BufferPool(SystemNanoClock.INSTANCE, POOL_BYTES, false);
    private final EnvelopeEncoder encoder = new EnvelopeEncoder(pool);
    private final SegmentBatcher batcher = new SegmentBatcher(pool, new SegmentScratch());
    private final BufferLease[] encoded;
    private int bytes;
    private int encodedBytes;

    /**
     * A connection.
     *
     * @param cells of the one row of each answer; none for VOID
     */
    public SluiceOutbound(final SegmentFormat format, final int answers, final byte[]... cells)
    {
        this.format = format;
        this.answers = answers;
        this.cells = cells.clone();
        this.encoded = new BufferLease[answers];
        final List<ColumnSpec> columns = new ArrayList<>();
        for (int i = 0; i < cells.length; i++)
        {
            columns.add(new ColumnSpec("bench", "t", "c" + i, ColumnType.TEXT));
        }
        metadata = cells.length == 0 ? null : RowsMetadata.of(columns).withColumnsSkipped();
    }

    /** Encodes and flushes; returns how many bytes went to the socket. */
    public int flush()
    {
        final int pending = encodeAll();
        batch(pending);
        closeAll();
        return bytes;
    }

    /** Encodes alone; returns how many bytes there were. */
    int encode()
    {
        final int pending = encodeAll();
        closeAll();
        return pending;
    }

    /** Flushes what the first call encodes; returns how many bytes went to the socket. */
    int flushEncoded()
    {
        if (encodedBytes == 0)
        {
            encodedBytes = encodeAll();
        }
        batch(encodedBytes);
        return bytes;
    }

    private int encodeAll()
    {
        int pending = 0;
        for (int i = 0; i < answers; i++)
        {
            // As an engine does: a result of its own for each request, but one VOID for all.
            final ResponseBody body = metadata == null
                ? VoidResult.INSTANCE
                : new RowsResult(metadata, List.<byte[][]>of(cells));
            encoded[i] = encoder.encode(ProtocolVersion.V5, i, body, null, null, null, LIMIT_BYTES);
            pending += encoded[i].length();
        }
        return pending;
    }

    private void batch(final int pending)
    {
        bytes = 0;
        batcher.begin(format, pending, this);
        for (int i = 0; i < answers; i++)
        {
            batcher.append(encoded[i].memory(), 0, encoded[i].length());
        }
        batcher.finish();
    }

    private void closeAll()
    {
        for (int i = 0; i < answers; i++)
        {
            encoded[i].close();
        }
    }

    @Override
    public void onOutput(final BufferLease lease, final int segments, final int envelopes)
    {
        bytes += lease.length();
        lease.close();
    }

    @Override
    public void close()
    {
        if (encodedBytes > 0)
        {
            closeAll();
        }
        pool.close();
    }
}
