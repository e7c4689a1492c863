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

import io.sluice.framing.ProtocolVersion;
import java.util.List;
import java.util.Objects;

/**
 * What stands in front of rows (native protocol, section 4.2.5.2): columns, whether more pages follow, and whether the
 * client's idea of the columns is out of date. Immutable; each {@code with} method returns another object.
 */
public final class RowsMetadata
{
    /** Of statements that return no rows, in the answer to PREPARE. */
    public static final RowsMetadata NONE = new RowsMetadata(ColumnSpecs.NONE, true, null, null);

    private static final int ONE_TABLE = 0x0001;
    private static final int HAS_MORE_PAGES = 0x0002;
    private static final int NO_METADATA = 0x0004;
    private static final int METADATA_CHANGED = 0x0008;

    private final ColumnSpecs specs;
    private final boolean skipped;
    private final byte[] pagingState;
    private final byte[] changedId;

    private RowsMetadata(final ColumnSpecs specs,
        final boolean skipped,
        final byte[] pagingState,
        final byte[] changedId)
    {
        this.specs = specs;
        this.skipped = skipped;
        this.pagingState = pagingState;
        this.changedId = changedId;
    }

    /** These columns, to be listed. */
    public static RowsMetadata of(final List<ColumnSpec> columns)
    {
        return new RowsMetadata(new ColumnSpecs(columns), false, null, null);
    }

    /** Says that more rows follow and where they start; null for no more. The array is not copied. */
    public RowsMetadata withPagingState(final byte[] newPagingState)
    {
        return new RowsMetadata(specs, skipped, newPagingState, changedId);
    }

    /** Leaves the list of columns out, for a client that has it; without effect where the metadata changed. */
    public RowsMetadata withColumnsSkipped()
    {
        return new RowsMetadata(specs, true, pagingState, changedId);
    }

    /**
     * Says that the client's metadata is out of date: lists the columns whatever was asked for, and (from version 5)
     * gives the id that stands for them. The array is not copied.
     */
    public RowsMetadata withChangedId(final byte[] newId)
    {
        return new RowsMetadata(specs, skipped, pagingState, Objects.requireNonNull(newId, "newId"));
    }

    /** How many cells a row has. */
    public int columnCount()
    {
        return specs.size();
    }

    /** In order. */
    public List<ColumnSpec> columns()
    {
        return specs.columns();
    }

    /** Where the next page starts, or null. Borrowed. */
    public byte[] pagingState()
    {
        return pagingState;
    }

    int lengthHint()
    {
        return 2 * Integer.BYTES + (skipped ? 0 : specs.lengthHint()) + LengthHints.ofBytes(pagingState) +
            LengthHints.ofBytes(changedId);
    }

    void encode(final BodyWriter out, final ProtocolVersion version)
    {
        final boolean listed = !skipped || changedId != null;
        final boolean changed = changedId != null && version.isAtLeast(ProtocolVersion.V5);
        int flags = specs.oneTable() ? ONE_TABLE : 0;
        flags |= pagingState == null ? 0 : HAS_MORE_PAGES;
        flags |= listed ? 0 : NO_METADATA;
        flags |= changed ? METADATA_CHANGED : 0;
        out.putInt(flags);
        out.putInt(specs.size());
        if (pagingState != null)
        {
            out.putBytes(pagingState);
        }
        if (changed)
        {
            out.putShortBytes(changedId);
        }
        if (listed)
        {
            specs.encode(out, version);
        }
    }
}
