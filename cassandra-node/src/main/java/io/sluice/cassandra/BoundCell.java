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

import org.apache.cassandra.db.marshal.ByteArrayAccessor;
import org.apache.cassandra.db.rows.ArrayCell;
import org.apache.cassandra.db.rows.BufferCell;
import org.apache.cassandra.db.rows.Cell;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.utils.memory.ByteBufferCloner;

/**
 * A cell around a bound value. As Cassandra's own, but that a memtable which keeps buffers copies the array and not a
 * {@code ByteBuffer} that is made around it first. Immutable.
 */
final class BoundCell extends ArrayCell
{
    BoundCell(final ColumnMetadata column,
        final long timestamp,
        final int timeToLive,
        final long deletionTime,
        final byte[] value)
    {
        super(column, timestamp, timeToLive, deletionTime, value, null);
    }

    /** What {@link ArrayCell} makes of itself. */
    @Override
    public Cell<?> clone(final ByteBufferCloner cloner)
    {
        final byte[] value = value();
        return value.length == 0
            ? this
            : new BufferCell(column, timestamp(), ttl(), localDeletionTime(), cloner.clone(value,
                ByteArrayAccessor.instance), null);
    }
}
