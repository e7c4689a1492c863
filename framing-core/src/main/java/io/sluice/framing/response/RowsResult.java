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
package io.sluice.framing.response;

import io.sluice.framing.Opcode;
import io.sluice.framing.ProtocolVersion;
import java.util.List;
import java.util.Objects;

/**
 * RESULT Rows whose cells are all there. Immutable as long as the rows are.
 *
 * @param rows a cell per column each, null for the CQL null; not copied
 */
public record RowsResult(RowsMetadata metadata, List<byte[][]> rows) implements ResponseBody
{
    /** Sizes up to here are found by looking at all cells; beyond, the first rows stand for the others. */
    private static final int SAMPLED_ROWS = 16;

    /** Checks that all is there. */
    public RowsResult
    {
        Objects.requireNonNull(metadata, "metadata");
        Objects.requireNonNull(rows, "rows");
    }

    @Override
    public Opcode opcode()
    {
        return Opcode.RESULT;
    }

    @Override
    public int encodedLengthHint(final ProtocolVersion version)
    {
        long cells = 0;
        final int sampled = Math.min(SAMPLED_ROWS, rows.size());
        for (int i = 0; i < sampled; i++)
        {
            for (final byte[] cell : rows.get(i))
            {
                cells += LengthHints.ofBytes(cell);
            }
        }
        final long all = sampled == 0 ? 0 : cells * rows.size() / sampled;
        return (int)Math.min(Integer.MAX_VALUE, 2 * Integer.BYTES + metadata.lengthHint() + all);
    }

    @Override
    public void encode(final BodyWriter out, final ProtocolVersion version)
    {
        try (RowsWriter writer = new RowsWriter(out, version, metadata))
        {
            for (final byte[][] row : rows)
            {
                for (final byte[] cell : row)
                {
                    writer.cell(cell);
                }
                writer.endRow();
            }
            writer.commit();
        }
    }
}
