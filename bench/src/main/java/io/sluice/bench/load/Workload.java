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
package io.sluice.bench.load;

import io.sluice.bench.RequestBytes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What is asked of a server. Immutable. */
public enum Workload
{
    /** EXECUTE of 7 values of 10 bytes, answered with VOID by a null engine. */
    VOID("EXECUTE to VOID", 1),
    /** The same, by an engine that blocks its thread for 200 us before it answers. */
    WAIT("VOID after 200 us", 1),
    /** The same, answered with one row of 1 kB of text. */
    TEXT("1 kB of text", 1),
    /** One row of CASSANDRA-20166: text key, text clustering, 5 text values of 10 bytes. Needs a real node. */
    INSERT("INSERT", 1),
    /** Ten such rows of one partition in an unlogged batch. */
    BATCH("BATCH of 10", 10),
    /** One such row, read by its whole key. */
    SELECT("SELECT", 1);

    private static final int VALUES = 7;
    private static final int VALUE_BYTES = 10;
    private static final int ROWS = 20_000;
    private static final int ROWS_OF_PARTITION = 10;

    private final String text;
    private final int rows;

    Workload(final String text, final int rows)
    {
        this.text = text;
        this.rows = rows;
    }

    /** How many rows one request writes or reads. */
    public int rows()
    {
        return rows;
    }

    /** True if a null engine has no answer to it. */
    public boolean needsNode()
    {
        return this == INSERT || this == BATCH || this == SELECT;
    }

    /** The requests, to be sent in turns; of a null engine if {@code table} is null. */
    public List<byte[]> requests(final int version, final NodeTable table)
    {
        return switch (this)
        {
            case VOID -> List.of(RequestBytes.execute(version, 0, VALUES, VALUE_BYTES));
            case WAIT -> List.of(RequestBytes.execute(version, RequestBytes.slowStatementId(),
                RequestBytes.metadataId(), cells()));
            case TEXT -> List.of(RequestBytes.execute(version, RequestBytes.textStatementId(),
                RequestBytes.metadataId(), key("p", 0)));
            case INSERT -> inserts(version, table);
            case BATCH -> batches(version, table);
            case SELECT -> selects(version, table);
        };
    }

    private static List<byte[]> inserts(final int version, final NodeTable table)
    {
        final List<byte[]> all = new ArrayList<>(ROWS);
        for (int i = 0; i < ROWS; i++)
        {
            all.add(RequestBytes.execute(version, table.insert().id(), table.insert().metadataId(), row(i)));
        }
        return all;
    }

    private static List<byte[]> batches(final int version, final NodeTable table)
    {
        final List<byte[]> all = new ArrayList<>(ROWS / ROWS_OF_PARTITION);
        for (int i = 0; i < ROWS; i += ROWS_OF_PARTITION)
        {
            final List<byte[][]> partition = new ArrayList<>(ROWS_OF_PARTITION);
            for (int j = 0; j < ROWS_OF_PARTITION; j++)
            {
                partition.add(row(i + j));
            }
            all.add(RequestBytes.batch(version, 0, table.insert().id(), partition));
        }
        return all;
    }

    private static List<byte[]> selects(final int version, final NodeTable table)
    {
        final List<byte[]> all = new ArrayList<>(ROWS);
        for (int i = 0; i < ROWS; i++)
        {
            final byte[][] row = row(i);
            all.add(RequestBytes.execute(version, table.select().id(), table.select().metadataId(), row[0], row[1]));
        }
        return all;
    }

    private static byte[][] cells()
    {
        final byte[][] cells = new byte[VALUES][];
        Arrays.setAll(cells, i -> key("v", i));
        return cells;
    }

    private static byte[][] row(final int index)
    {
        final byte[][] cells = new byte[VALUES][];
        cells[0] = key("p", index / ROWS_OF_PARTITION);
        cells[1] = key("c", index);
        for (int i = 2; i < VALUES; i++)
        {
            cells[i] = RequestBytes.text(VALUE_BYTES, index * VALUES + i).getBytes(StandardCharsets.US_ASCII);
        }
        return cells;
    }

    /** Ten bytes, too. */
    private static byte[] key(final String kind, final int index)
    {
        return String.format(Locale.ROOT, "%s%09d", kind, index).getBytes(StandardCharsets.US_ASCII);
    }

    /** For tables. */
    @Override
    public String toString()
    {
        return text;
    }
}
