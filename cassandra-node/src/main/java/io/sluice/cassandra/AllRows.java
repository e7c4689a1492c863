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

import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.RegularAndStaticColumns;
import org.apache.cassandra.db.rows.AbstractUnfilteredRowIterator;
import org.apache.cassandra.db.rows.EncodingStats;
import org.apache.cassandra.db.rows.Rows;
import org.apache.cassandra.db.rows.Unfiltered;
import org.apache.cassandra.schema.TableMetadata;

/**
 * Rows as they are. The iterator that an update makes of itself looks in each row for columns to leave out, of which
 * there are none. Confined to one thread.
 */
final class AllRows extends AbstractUnfilteredRowIterator
{
    private final Object[] rows;
    private int next;

    AllRows(final TableMetadata table,
        final DecoratedKey key,
        final RegularAndStaticColumns columns,
        final EncodingStats stats,
        final Object[] rows)
    {
        super(table, key, DeletionTime.LIVE, columns, Rows.EMPTY_STATIC_ROW, false, stats);
        this.rows = rows;
    }

    @Override
    protected Unfiltered computeNext()
    {
        return next == rows.length ? endOfData() : (Unfiltered)rows[next++];
    }
}
