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

import java.util.Comparator;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.MutableDeletionInfo;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.db.RegularAndStaticColumns;
import org.apache.cassandra.db.partitions.BTreePartitionData;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.EncodingStats;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.Rows;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.BulkIterator;
import org.apache.cassandra.utils.btree.BTree;
import org.apache.cassandra.utils.btree.UpdateFunction;

/**
 * The update of a partition whose rows come in its order, none twice and none empty: what
 * {@link PartitionUpdate.Builder} makes of them, without the builder, which has nothing to sort and nothing to merge.
 * With assertions on, as Cassandra's own start-up has it, the builder would also make a set of columns for each row.
 * Has no state, any thread.
 */
final class SortedRows
{
    private SortedRows()
    {
    }

    /** True if a change is a row that says something. */
    static boolean isRow(final Object change)
    {
        return change instanceof Row row && !row.isEmpty();
    }

    /**
     * True if these are rows that say something, in ascending order.
     *
     * @param changes of one partition
     * @param comparator the table's; what it throws is thrown
     */
    static boolean areSorted(final Object[] changes, final Comparator<? super Row> comparator)
    {
        for (int i = 0; i < changes.length; i++)
        {
            if (!isRow(changes[i]) || i > 0 && comparator.compare((Row)changes[i - 1], (Row)changes[i]) >= 0)
            {
                return false;
            }
        }
        return true;
    }

    /**
     * A mutation of what a builder would make.
     *
     * @param columns all that the statements write, also those that no row has
     * @param valueBytes see {@link SerializedMutations#of}
     * @param rows at least one; copied
     */
    static Mutation mutation(final TableMetadata table,
        final DecoratedKey key,
        final RegularAndStaticColumns columns,
        final long valueBytes,
        final Object... rows)
    {
        final EncodingStats.Collector collector = new EncodingStats.Collector();
        for (final Object row : rows)
        {
            Rows.collectStats((Row)row, collector);
        }
        final EncodingStats stats = collector.get();
        final MutableDeletionInfo none = MutableDeletionInfo.live();
        final PartitionUpdate update = PartitionUpdate.unsafeConstruct(table, key, BTreePartitionData.unsafeConstruct(
            columns, tree(rows), none, Rows.EMPTY_STATIC_ROW, stats), none, true);
        return SerializedMutations.of(update, new AllRows(table, key, columns, stats, rows), valueBytes);
    }

    /** The rows as Cassandra keeps them. */
    private static Object[] tree(final Object[] rows)
    {
        if (rows.length == 1)
        {
            return BTree.singleton(rows[0]);
        }
        try (BulkIterator<Row> source = BulkIterator.of(rows))
        {
            return BTree.build(source, rows.length, UpdateFunction.noOp());
        }
    }
}
