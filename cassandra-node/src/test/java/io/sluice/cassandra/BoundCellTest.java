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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.nio.ByteBuffer;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.rows.ArrayCell;
import org.apache.cassandra.db.rows.BufferCell;
import org.apache.cassandra.db.rows.Cell;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.utils.memory.ByteBufferCloner;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A memtable gets of a bound cell what it gets of Cassandra's own. */
final class BoundCellTest
{
    private static final long TIMESTAMP = 1_790_000_000_000_000L;
    private static final ByteBufferCloner HEAP = new ByteBufferCloner()
    {
        @Override
        public ByteBuffer allocate(final int size)
        {
            return ByteBuffer.allocate(size);
        }
    };

    @BeforeAll
    static void configure()
    {
        DatabaseDescriptor.clientInitialization(false);
    }

    @Test
    void clonesAsCassandrasCellDoes()
    {
        final ColumnMetadata column = ColumnMetadata.regularColumn("k", "t", "v", UTF8Type.instance);
        for (final int timeToLive : new int[]{Cell.NO_TTL, 60})
        {
            for (final int length : new int[]{1, 10, 70_000})
            {
                final byte[] value = new byte[length];
                value[length - 1] = 7;
                final long deletion = timeToLive == Cell.NO_TTL ? Cell.NO_DELETION_TIME : 1_796_000_060L;
                final Cell<?> bound = new BoundCell(column, TIMESTAMP, timeToLive, deletion, value);
                final Cell<?> own = new ArrayCell(column, TIMESTAMP, timeToLive, deletion, value, null);
                final Cell<?> clone = bound.clone(HEAP);
                assertInstanceOf(BufferCell.class, clone);
                assertEquals(own.clone(HEAP), clone);
                assertEquals(own, bound);
                assertEquals(own.unsharedHeapSize(), bound.unsharedHeapSize());
                assertEquals(ByteBuffer.wrap(value), clone.buffer());
                assertNotSame(value, clone.buffer().array());
                assertEquals(timeToLive, clone.ttl());
                assertEquals(deletion, clone.localDeletionTime());
            }
        }
    }

    @Test
    void anEmptyOneIsItsOwnClone()
    {
        final Cell<?> bound = new BoundCell(ColumnMetadata.regularColumn("k", "t", "v", UTF8Type.instance), TIMESTAMP,
            Cell.NO_TTL, Cell.NO_DELETION_TIME, new byte[0]);
        assertSame(bound, bound.clone(HEAP));
    }
}
