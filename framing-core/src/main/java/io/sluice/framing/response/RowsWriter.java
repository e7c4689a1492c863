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
import java.util.Objects;
import org.agrona.DirectBuffer;

/**
 * Writes RESULT Rows cell by cell, without holding them: metadata first, cells row after row, the number of rows put in
 * at the end.
 * <p>
 * Commits or aborts: rows that were not committed when the writer is closed never become a short result. What happens
 * instead is the outcome's business; without one, {@link #close} throws. Not thread safe.
 */
public final class RowsWriter implements AutoCloseable
{
    /** Hears once how a result ended, from within {@link #commit} or {@link #close}. */
    public interface Outcome
    {
        /** The body is complete. */
        void onCommitted();

        /** The writer was closed halfway: the body is to be thrown away, and the client told. */
        void onAborted();
    }

    private BodyWriter out;
    private Outcome outcome;
    private int columnCount;
    private int rowCountOffset;
    private int rowCount;
    private int cellsInRow;
    private boolean ended = true;

    /** A writer that waits for {@link #begin}, to be used over and over. */
    public RowsWriter()
    {
    }

    /**
     * Starts a body with the metadata.
     *
     * @param out borrowed until commit or close; nobody else writes to it meanwhile
     */
    public RowsWriter(final BodyWriter out, final ProtocolVersion version, final RowsMetadata metadata)
    {
        this(out, version, metadata, null);
    }

    /**
     * Starts a body with the metadata.
     *
     * @param out borrowed until commit or close; nobody else writes to it meanwhile
     * @param outcome hears how it ended, or null
     */
    public RowsWriter(final BodyWriter out,
        final ProtocolVersion version,
        final RowsMetadata metadata,
        final Outcome outcome)
    {
        begin(out, version, metadata, outcome);
    }

    /**
     * Starts the next body with its metadata, once the one before has ended.
     *
     * @param newOut borrowed until commit or close; nobody else writes to it meanwhile
     * @param newOutcome hears how it ended, or null
     */
    public void begin(final BodyWriter newOut,
        final ProtocolVersion version,
        final RowsMetadata metadata,
        final Outcome newOutcome)
    {
        if (!ended)
        {
            throw new IllegalStateException("begin: called twice (expected: commit or close first)");
        }
        out = Objects.requireNonNull(newOut, "out");
        outcome = newOutcome;
        rowCount = 0;
        cellsInRow = 0;
        columnCount = metadata.columnCount();
        out.putInt(ResultKind.ROWS);
        metadata.encode(out, version);
        rowCountOffset = out.position();
        out.putInt(0);
        ended = false;
    }

    /** The next cell of the row; null is the CQL null. Copied. */
    public RowsWriter cell(final byte[] value)
    {
        nextCell();
        out.putBytes(value);
        return this;
    }

    /** The next cell of the row, from elsewhere. Copied. */
    public RowsWriter cell(final DirectBuffer source, final int offset, final int length)
    {
        nextCell();
        out.putBytes(source, offset, length);
        return this;
    }

    /** The next cell of the row is null. */
    public RowsWriter nullCell()
    {
        nextCell();
        out.putInt(-1);
        return this;
    }

    private void nextCell()
    {
        checkOpen();
        if (cellsInRow == columnCount)
        {
            throw new IllegalStateException("cell: one more than the row's " + columnCount + " (expected: endRow)");
        }
        cellsInRow++;
    }

    /** Ends the row, which has as many cells as there are columns. */
    public RowsWriter endRow()
    {
        checkOpen();
        if (cellsInRow != columnCount)
        {
            throw new IllegalStateException("row: " + cellsInRow + " cells (expected: " + columnCount + ")");
        }
        cellsInRow = 0;
        rowCount++;
        return this;
    }

    /** Rows ended so far. */
    public int rowCount()
    {
        return rowCount;
    }

    /** Bytes written so far, all of the envelope included. */
    public int position()
    {
        return out.position();
    }

    /** Completes the body. */
    public void commit()
    {
        checkOpen();
        if (cellsInRow != 0)
        {
            throw new IllegalStateException("row: " + cellsInRow + " cells (expected: endRow before commit)");
        }
        ended = true;
        out.putIntAt(rowCountOffset, rowCount);
        if (outcome != null)
        {
            outcome.onCommitted();
        }
    }

    private void checkOpen()
    {
        if (ended)
        {
            throw new IllegalStateException("rows: ended (expected: neither committed nor closed)");
        }
    }

    /**
     * Aborts, unless committed.
     *
     * @throws IllegalStateException if the rows were not committed and there is no outcome to tell it to
     */
    @Override
    public void close()
    {
        if (ended)
        {
            return;
        }
        ended = true;
        if (outcome == null)
        {
            throw new IllegalStateException("rows: closed after row " + rowCount + " (expected: commit)");
        }
        outcome.onAborted();
    }
}
