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

/** RESULT Prepared: the id of a statement, what it binds and what it returns. Immutable. */
public final class PreparedResult implements ResponseBody
{
    private static final int ONE_TABLE = 0x0001;
    private static final int[] NO_INDEXES = {};

    private final byte[] id;
    private final byte[] resultMetadataId;
    private final ColumnSpecs variables;
    private final int[] partitionKeyIndexes;
    private final RowsMetadata resultMetadata;

    /**
     * A prepared statement. Arrays are not copied.
     *
     * @param id of the statement
     * @param resultMetadataId of what it returns; only version 5 is told
     * @param variables what it binds, in order
     * @param partitionKeyIndexes for each part of the partition key the variable that gives it, 0..65,535; null or
     *        empty if they don't give all; only told from version 4 on, and if all variables are of one table
     * @param resultMetadata {@link RowsMetadata#NONE} if it returns no rows
     */
    public PreparedResult(final byte[] id,
        final byte[] resultMetadataId,
        final List<ColumnSpec> variables,
        final int[] partitionKeyIndexes,
        final RowsMetadata resultMetadata)
    {
        this.id = Objects.requireNonNull(id, "id");
        this.resultMetadataId = Objects.requireNonNull(resultMetadataId, "resultMetadataId");
        this.variables = new ColumnSpecs(variables);
        this.partitionKeyIndexes = partitionKeyIndexes == null || !this.variables.oneTable()
            ? NO_INDEXES
            : partitionKeyIndexes;
        this.resultMetadata = Objects.requireNonNull(resultMetadata, "resultMetadata");
    }

    /** Of the statement. Borrowed. */
    public byte[] id()
    {
        return id;
    }

    @Override
    public Opcode opcode()
    {
        return Opcode.RESULT;
    }

    @Override
    public int encodedLengthHint(final ProtocolVersion version)
    {
        return 4 * Integer.BYTES + LengthHints.ofBytes(id) + LengthHints.ofBytes(resultMetadataId) +
            Short.BYTES * partitionKeyIndexes.length + variables.lengthHint() + resultMetadata.lengthHint();
    }

    @Override
    public void encode(final BodyWriter out, final ProtocolVersion version)
    {
        out.putInt(ResultKind.PREPARED);
        out.putShortBytes(id);
        if (version.isAtLeast(ProtocolVersion.V5))
        {
            out.putShortBytes(resultMetadataId);
        }
        out.putInt(variables.oneTable() ? ONE_TABLE : 0);
        out.putInt(variables.size());
        if (version.isAtLeast(ProtocolVersion.V4))
        {
            out.putInt(partitionKeyIndexes.length);
            for (final int index : partitionKeyIndexes)
            {
                out.putShort(index);
            }
        }
        variables.encode(out, version);
        resultMetadata.encode(out, version);
    }
}
