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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.schema.TableMetadata;

/**
 * The partitions of one table that a batch writes to, found by their keys' bytes: a ByteBuffer is made once for each
 * partition. Confined to one request's thread.
 */
final class BatchPartitions
{
    /** One partition. */
    static final class Partition
    {
        private final byte[] bytes;
        private final DecoratedKey key;
        private int changes;
        /** Null until all changes are known. */
        private PartitionUpdate.Builder update;

        private Partition(final byte[] bytes, final DecoratedKey key)
        {
            this.bytes = bytes;
            this.key = key;
        }

        DecoratedKey key()
        {
            return key;
        }

        /** How many statements write to it. */
        int changes()
        {
            return changes;
        }

        PartitionUpdate.Builder update()
        {
            return update;
        }

        void update(final PartitionUpdate.Builder begun)
        {
            update = begun;
        }
    }

    /** Comparable, so that keys made to collide cost a search and not a scan. */
    private record Key(byte[] bytes) implements Comparable<Key>
    {
        @Override
        public int hashCode()
        {
            return Arrays.hashCode(bytes);
        }

        @Override
        public boolean equals(final Object other)
        {
            return other instanceof Key key && Arrays.equals(bytes, key.bytes);
        }

        @Override
        public int compareTo(final Key other)
        {
            return Arrays.compare(bytes, other.bytes);
        }
    }

    private final TableMetadata table;
    private final List<Partition> all = new ArrayList<>(1);
    /** Null while there is only one partition, as mostly. */
    private Map<Key, Partition> byKey;
    private Partition last;

    BatchPartitions(final TableMetadata table)
    {
        this.table = table;
    }

    /** The partition of a row, with one more change. */
    Partition add(final PlannedRow row)
    {
        if (last == null || !Arrays.equals(last.bytes, row.key()))
        {
            last = last == null ? make(row) : other(row);
        }
        last.changes++;
        return last;
    }

    private Partition other(final PlannedRow row)
    {
        if (byKey == null)
        {
            byKey = new HashMap<>();
            byKey.put(new Key(last.bytes), last);
        }
        final Key key = new Key(row.key());
        Partition partition = byKey.get(key);
        if (partition == null)
        {
            partition = make(row);
            byKey.put(key, partition);
        }
        return partition;
    }

    private Partition make(final PlannedRow row)
    {
        final Partition made = new Partition(row.key(), table.partitioner.decorateKey(row.keyBuffer()));
        all.add(made);
        return made;
    }

    /** In the order in which they came up. */
    List<Partition> all()
    {
        return all;
    }
}
