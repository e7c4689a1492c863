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

import io.sluice.framing.request.Cells;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.cql3.Attributes;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.db.ArrayClustering;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.ExpirationDateOverflowHandling;
import org.apache.cassandra.db.LivenessInfo;
import org.apache.cassandra.db.guardrails.Guardrails;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.ByteArrayAccessor;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.BTreeRow;
import org.apache.cassandra.db.rows.BufferCell;
import org.apache.cassandra.db.rows.Cell;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.utils.BulkIterator;
import org.apache.cassandra.utils.Clock;
import org.apache.cassandra.utils.FBUtilities;
import org.apache.cassandra.utils.btree.BTree;
import org.apache.cassandra.utils.btree.UpdateFunction;

/**
 * Turns bound values into rows by their {@link WritePlan}, one after the other. The cells go into the rows as they
 * are: there is no ByteBuffer but the one around a partition key.
 * <p>
 * It makes what is right beyond doubt and nothing else: whatever Cassandra might refuse or warn about makes
 * {@link #bind} false, nothing has happened then, and the ordinary road finds the same fault, with Cassandra's own
 * words for it. Confined to one request's thread.
 */
final class PlannedRow implements BulkIterator<Cell<?>>
{
    private static final int LONGEST_KEY = FBUtilities.MAX_UNSIGNED_SHORT;
    /** Around each part of a partition key of several: two bytes of length, one behind. */
    private static final int PART_OVERHEAD = 3;

    private ModificationStatement statement;
    private WritePlan plan;
    private WritePlan.Sources sources;
    private byte[][] bound;
    private long timestamp;
    private long nowInSeconds;
    private int timeToLive;
    private byte[] key;
    /** Of the clustering's values. */
    private int clusteringBytes;
    /** Of the row's values. */
    private long cellBytes;
    /** The next column that {@link #next} looks at. */
    private int column;
    /** Of the row that was made last: immutable, hence shared by all rows that say the same. */
    private LivenessInfo liveness = LivenessInfo.EMPTY;

    /**
     * Looks at the values of a statement.
     *
     * @param written what the plan is for, as Cassandra has it now
     * @param values in the statement's order, one for each marker or it is false; kept by the rows
     * @param requestTimestamp in microseconds, for a statement that has none of its own
     * @param now in seconds since the epoch
     * @return false if Cassandra itself has to look at them
     */
    boolean bind(final ModificationStatement written,
        final WritePlan next,
        final byte[][] values,
        final long requestTimestamp,
        final long now)
    {
        statement = written;
        plan = next;
        sources = next.sources();
        bound = values;
        nowInSeconds = now;
        return areValid() && bindTimestamp(requestTimestamp) && bindTimeToLive() && bindKey() && fitsClustering();
    }

    private boolean areValid()
    {
        final AbstractType<?>[] types = plan.types();
        if (bound.length != types.length)
        {
            return false;
        }
        try
        {
            for (int i = 0; i < types.length; i++)
            {
                if (types[i] != null && bound[i] != null && !Cells.isUnset(bound[i]))
                {
                    types[i].validate(bound[i], ByteArrayAccessor.instance);
                }
            }
        }
        catch (final RuntimeException | AssertionError e)
        {
            // Mostly Cassandra's MarshalException, an AssertionError for durations that are cut: it will say what is
            // wrong when it finds it again.
            return false;
        }
        return !Guardrails.columnValueSize.enabled(null) || areOfGuardedSize();
    }

    private boolean areOfGuardedSize()
    {
        for (final int source : sources.values())
        {
            final byte[] cell = sources.cell(source, bound);
            // For anybody: who is exempt is found out on the ordinary road.
            if (cell != null && Guardrails.columnValueSize.triggersOn(cell.length, null))
            {
                return false;
            }
        }
        return true;
    }

    private boolean bindTimestamp(final long requestTimestamp)
    {
        timestamp = requestTimestamp;
        if (sources.timestamp() != WritePlan.Sources.ABSENT)
        {
            final byte[] cell = sources.cell(sources.timestamp(), bound);
            if (cell == null || !Cells.isUnset(cell) && cell.length != Long.BYTES)
            {
                return false;
            }
            if (!Cells.isUnset(cell))
            {
                timestamp = ByteArrayAccessor.instance.toLong(cell);
            }
        }
        return timestamp != Long.MIN_VALUE;
    }

    private boolean bindTimeToLive()
    {
        timeToLive = statement.metadata.params.defaultTimeToLive;
        if (sources.timeToLive() != WritePlan.Sources.ABSENT)
        {
            final byte[] cell = sources.cell(sources.timeToLive(), bound);
            if (cell == null || cell.length == 0 && !Cells.isUnset(cell))
            {
                timeToLive = LivenessInfo.NO_TTL;
            }
            else if (!Cells.isUnset(cell))
            {
                if (cell.length != Integer.BYTES)
                {
                    return false;
                }
                timeToLive = ByteArrayAccessor.instance.toInt(cell);
            }
        }
        return timeToLive == LivenessInfo.NO_TTL ||
            timeToLive > 0 && timeToLive <= Attributes.MAX_TTL && expiresInTime();
    }

    /** False if it is Cassandra's policy for dates out of range that decides. */
    private boolean expiresInTime()
    {
        final long now = Math.max(nowInSeconds, TimeUnit.MILLISECONDS.toSeconds(Clock.Global.currentTimeMillis()));
        return now + timeToLive <= Cell.getVersionedMaxDeletiontionTime();
    }

    private boolean bindKey()
    {
        final int[] parts = sources.partitionKey();
        if (parts.length > 1)
        {
            return composeKey(parts);
        }
        key = sources.cell(parts[0], bound);
        return key != null && key.length > 0 && key.length <= LONGEST_KEY;
    }

    private boolean composeKey(final int[] parts)
    {
        int length = 0;
        for (final int part : parts)
        {
            final byte[] cell = sources.cell(part, bound);
            if (cell == null || Cells.isUnset(cell) || cell.length > LONGEST_KEY)
            {
                return false;
            }
            length += PART_OVERHEAD + cell.length;
            if (length > LONGEST_KEY)
            {
                return false;
            }
        }
        final byte[] composed = new byte[length];
        int position = 0;
        for (final int part : parts)
        {
            final byte[] cell = sources.cell(part, bound);
            composed[position] = (byte)(cell.length >>> Byte.SIZE);
            composed[position + 1] = (byte)cell.length;
            System.arraycopy(cell, 0, composed, position + Short.BYTES, cell.length);
            position += PART_OVERHEAD + cell.length;
        }
        key = composed;
        return true;
    }

    private boolean fitsClustering()
    {
        int length = 0;
        cellBytes = 0;
        for (final int source : sources.clustering())
        {
            final byte[] cell = sources.cell(source, bound);
            if (cell == null || Cells.isUnset(cell) || cell.length > LONGEST_KEY - length)
            {
                return false;
            }
            length += cell.length;
        }
        clusteringBytes = length;
        return true;
    }

    /** Cassandra's, of the plan that was bound last. */
    ModificationStatement statement()
    {
        return statement;
    }

    /** True if the statement has a timestamp of its own. */
    boolean isTimestampSet()
    {
        return sources.timestamp() != WritePlan.Sources.ABSENT;
    }

    /** The partition key, as Cassandra keeps it; a bound value itself if the key has one column. */
    byte[] key()
    {
        return key;
    }

    /** How long everything is that {@link #change}, called before, writes; in bytes. */
    long valueBytes()
    {
        return key.length + clusteringBytes + cellBytes;
    }

    /** The statement's own or the request's, in microseconds. */
    long timestamp()
    {
        return timestamp;
    }

    /** Around the partition key: the only one. */
    ByteBuffer keyBuffer()
    {
        return ByteBuffer.wrap(key);
    }

    /** What the statement writes: a {@link Row}, or the {@link DeletionTime} of the whole partition. */
    Object change()
    {
        return switch (plan.shape())
        {
            case DELETE_PARTITION -> deletion();
            case DELETE_ROW -> BTreeRow.emptyDeletedRow(clustering(), Row.Deletion.regular(deletion()));
            case INSERT -> row(liveness());
            case CELLS -> row(LivenessInfo.EMPTY);
        };
    }

    /** Adds what {@link #change} made. */
    static void add(final PartitionUpdate.Builder update, final Object change)
    {
        if (change instanceof Row row)
        {
            update.add(row);
        }
        else
        {
            update.addPartitionDeletion((DeletionTime)change);
        }
    }

    private LivenessInfo liveness()
    {
        if (timeToLive != LivenessInfo.NO_TTL)
        {
            return LivenessInfo.create(timestamp, timeToLive, nowInSeconds);
        }
        if (liveness.timestamp() != timestamp)
        {
            liveness = LivenessInfo.create(timestamp, nowInSeconds);
        }
        return liveness;
    }

    private DeletionTime deletion()
    {
        return DeletionTime.build(timestamp, nowInSeconds);
    }

    private Clustering<?> clustering()
    {
        final int[] parts = sources.clustering();
        if (parts.length == 0)
        {
            return Clustering.EMPTY;
        }
        final byte[][] cells = new byte[parts.length][];
        for (int i = 0; i < cells.length; i++)
        {
            cells[i] = sources.cell(parts[i], bound);
        }
        return ArrayClustering.make(cells);
    }

    private Row row(final LivenessInfo existence)
    {
        int set = 0;
        long bytes = 0;
        boolean deletes = false;
        for (final int source : sources.values())
        {
            final byte[] cell = sources.cell(source, bound);
            deletes |= cell == null;
            set += Cells.isUnset(cell) ? 0 : 1;
            bytes += cell == null ? 0 : cell.length;
        }
        cellBytes = bytes;
        column = 0;
        final Object[] cells = BTree.build(this, set, UpdateFunction.noOp());
        return BTreeRow.create(clustering(), existence, Row.Deletion.LIVE, cells, deletes
            ? Long.MIN_VALUE
            : timeToLive == LivenessInfo.NO_TTL ? Cell.MAX_DELETION_TIME : expiration());
    }

    private long expiration()
    {
        return ExpirationDateOverflowHandling.computeLocalExpirationTime(nowInSeconds, timeToLive);
    }

    @Override
    public void fetch(final Object[] into, final int offset, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            into[offset + i] = next();
        }
    }

    @Override
    public Cell<?> next()
    {
        byte[] cell = sources.cell(sources.values()[column], bound);
        while (Cells.isUnset(cell))
        {
            column++;
            cell = sources.cell(sources.values()[column], bound);
        }
        final ColumnMetadata written = plan.columns()[column];
        column++;
        if (cell == null)
        {
            return BufferCell.tombstone(written, timestamp, nowInSeconds);
        }
        return timeToLive == LivenessInfo.NO_TTL
            ? new BoundCell(written, timestamp, Cell.NO_TTL, Cell.NO_DELETION_TIME, cell)
            : new BoundCell(written, timestamp, timeToLive, expiration(), cell);
    }
}
