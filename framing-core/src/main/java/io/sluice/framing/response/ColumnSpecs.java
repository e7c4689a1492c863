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
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Columns, and how metadata lists them: the table once in front if all are of one, else with each. Immutable.
 */
final class ColumnSpecs
{
    static final ColumnSpecs NONE = new ColumnSpecs(List.of());

    private static final int MOST_COLUMNS = 0xFFFF;
    /** A guess at a column with its type. */
    private static final int COLUMN_HINT = 24;

    private final List<ColumnSpec> columns;
    private final boolean oneTable;
    /** By version: the list as bytes, made by the first answer that needs it. Written by any encoding thread. */
    private final AtomicReferenceArray<byte[]> encoded = new AtomicReferenceArray<>(ProtocolVersion.values().length);

    ColumnSpecs(final List<ColumnSpec> columns)
    {
        if (columns.size() > MOST_COLUMNS)
        {
            throw new IllegalArgumentException("columns: " + columns.size() + " (expected: 0.." + MOST_COLUMNS + ")");
        }
        this.columns = List.copyOf(columns);
        oneTable = isOneTable(this.columns);
    }

    private static boolean isOneTable(final List<ColumnSpec> columns)
    {
        for (final ColumnSpec column : columns)
        {
            if (!column.keyspace().equals(columns.get(0).keyspace()) || !column.table().equals(columns.get(0).table()))
            {
                return false;
            }
        }
        return !columns.isEmpty();
    }

    List<ColumnSpec> columns()
    {
        return columns;
    }

    int size()
    {
        return columns.size();
    }

    /** True if there are columns and all are of the same table. */
    boolean oneTable()
    {
        return oneTable;
    }

    int lengthHint()
    {
        return COLUMN_HINT * (columns.size() + 1);
    }

    /** The same bytes for every answer, so they are encoded once for each version. */
    void encode(final BodyWriter out, final ProtocolVersion version)
    {
        final byte[] known = encoded.getAcquire(version.ordinal());
        if (known != null)
        {
            out.putRaw(known);
            return;
        }
        final int start = out.position();
        encodeAnew(out, version);
        final byte[] bytes = new byte[out.position() - start];
        out.lease().buffer().getBytes(start, bytes);
        encoded.setRelease(version.ordinal(), bytes);
    }

    private void encodeAnew(final BodyWriter out, final ProtocolVersion version)
    {
        if (oneTable)
        {
            putTable(out, columns.get(0));
        }
        for (int i = 0; i < columns.size(); i++)
        {
            final ColumnSpec column = columns.get(i);
            if (!oneTable)
            {
                putTable(out, column);
            }
            out.putString(column.name());
            column.type().encode(out, version);
        }
    }

    private static void putTable(final BodyWriter out, final ColumnSpec column)
    {
        out.putString(column.keyspace());
        out.putString(column.table());
    }
}
