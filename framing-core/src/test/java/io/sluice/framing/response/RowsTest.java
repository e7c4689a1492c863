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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.framing.Opcode;
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.testkit.ResponseReader;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RowsTest
{
    private static final ColumnSpec A = new ColumnSpec("ks", "t", "a", ColumnType.INT);
    private static final ColumnSpec B = new ColumnSpec("ks", "t", "b", ColumnType.BLOB);
    private static final ColumnSpec ELSEWHERE = new ColumnSpec("ks", "u", "b", ColumnType.BLOB);
    private static final RowsMetadata AB = RowsMetadata.of(List.of(A, B));

    private final Encoding encoding = new Encoding();

    private static final class Heard implements RowsWriter.Outcome
    {
        private int committed;
        private int aborted;

        @Override
        public void onCommitted()
        {
            committed++;
        }

        @Override
        public void onAborted()
        {
            aborted++;
        }
    }

    /** A body made of a piece of test. */
    private record Body(java.util.function.BiConsumer<BodyWriter, ProtocolVersion> content) implements ResponseBody
    {
        @Override
        public Opcode opcode()
        {
            return Opcode.RESULT;
        }

        @Override
        public int encodedLengthHint(final ProtocolVersion version)
        {
            return 0;
        }

        @Override
        public void encode(final BodyWriter out, final ProtocolVersion version)
        {
            content.accept(out, version);
        }
    }

    @AfterEach
    void returnsAllMemory()
    {
        encoding.close();
    }

    private BodyWriter begin()
    {
        return encoding.encoder().begin(ProtocolVersion.V5, 1, Opcode.RESULT, 0, null, null, null, Encoding.LIMIT);
    }

    private ResponseReader.Rows finish()
    {
        return new ResponseReader(Encoding.take(encoding.encoder().finish())).rows();
    }

    @Test
    void writesCellsFromEverywhere()
    {
        final UnsafeBuffer source = new UnsafeBuffer(new byte[]{9, 8, 7, 6});
        try (RowsWriter rows = new RowsWriter(begin(), ProtocolVersion.V5, AB))
        {
            rows.cell(new byte[]{1}).cell(source, 1, 2).endRow();
            rows.nullCell().cell(new byte[0]).endRow();
            rows.cell((byte[])null).cell(source, 4, 0).endRow();
            assertEquals(3, rows.rowCount());
            rows.commit();
        }
        final ResponseReader.Rows read = finish();
        assertEquals(3, read.cells().size());
        assertArrayEquals(new byte[]{1}, read.cells().get(0).get(0));
        assertArrayEquals(new byte[]{8, 7}, read.cells().get(0).get(1));
        assertNull(read.cells().get(1).get(0));
        assertEquals(0, read.cells().get(1).get(1).length);
        assertNull(read.cells().get(2).get(0));
        assertEquals(0, read.cells().get(2).get(1).length);
        assertEquals(List.of(new ResponseReader.Column("ks", "t", "a", "9"),
            new ResponseReader.Column("ks", "t", "b", "3")), read.columns());
    }

    /** More than one buffer full, so that the place of the count moves along. */
    @Test
    void writesManyRows()
    {
        final byte[] cell = new byte[100];
        try (RowsWriter rows = new RowsWriter(begin(), ProtocolVersion.V5, AB))
        {
            for (int i = 0; i < 50_000; i++)
            {
                cell[0] = (byte)i;
                rows.cell(cell).nullCell().endRow();
            }
            rows.commit();
        }
        final ResponseReader.Rows read = finish();
        assertEquals(50_000, read.cells().size());
        for (int i = 0; i < 50_000; i++)
        {
            assertEquals((byte)i, read.cells().get(i).get(0)[0]);
        }
    }

    @Test
    void writesNoRows()
    {
        try (RowsWriter rows = new RowsWriter(begin(), ProtocolVersion.V5, AB))
        {
            rows.commit();
        }
        assertEquals(0, finish().cells().size());
    }

    @Test
    void tellsTheOutcomeOnce()
    {
        final Heard committed = new Heard();
        try (RowsWriter rows = new RowsWriter(begin(), ProtocolVersion.V5, AB, committed))
        {
            rows.commit();
            assertEquals(1, committed.committed);
        }
        encoding.encoder().abort();
        assertEquals(1, committed.committed);
        assertEquals(0, committed.aborted);
        final Heard aborted = new Heard();
        final RowsWriter rows = new RowsWriter(begin(), ProtocolVersion.V5, AB, aborted);
        rows.cell(new byte[1]);
        rows.close();
        rows.close();
        encoding.encoder().abort();
        assertEquals(0, aborted.committed);
        assertEquals(1, aborted.aborted);
    }

    @Test
    void closingHalfwayWithNobodyToTellThrows()
    {
        final Body halfway = new Body((out, version) ->
        {
            try (RowsWriter rows = new RowsWriter(out, version, AB))
            {
                rows.nullCell().nullCell().endRow();
            }
        });
        assertEquals("rows: closed after row 1 (expected: commit)",
            assertThrows(IllegalStateException.class, () -> encoding.envelope(ProtocolVersion.V5, 1, halfway))
                .getMessage());
        assertEquals(0, encoding.pool().outstandingLeases());
    }

    /** K16: a codec that throws on the second row. What it threw is what the caller sees. */
    @Test
    void passesOnWhatTheRowsThrow()
    {
        final Body failing = new Body((out, version) ->
        {
            try (RowsWriter rows = new RowsWriter(out, version, AB))
            {
                rows.nullCell().nullCell().endRow();
                rows.cell(new byte[2]);
                throw new ArithmeticException("second row");
            }
        });
        assertThrows(ArithmeticException.class, () -> encoding.envelope(ProtocolVersion.V5, 1, failing));
        assertEquals(0, encoding.pool().outstandingLeases());
    }

    /** K16: rows that no envelope can hold. */
    @Test
    void stopsAtTheLimit()
    {
        final byte[] cell = new byte[1 << 20];
        final Body endless = new Body((out, version) ->
        {
            try (RowsWriter rows = new RowsWriter(out, version, AB))
            {
                for (int i = 0; i < 5000; i++)
                {
                    rows.cell(cell).cell(cell).endRow();
                }
                rows.commit();
            }
        });
        assertThrows(BodyTooLargeException.class, () -> encoding.encoder()
            .encode(ProtocolVersion.V5, 1, endless, null,
                null, null, 1 << 24));
        assertEquals(0, encoding.pool().outstandingLeases());
        final List<byte[][]> rows = new ArrayList<>();
        for (int i = 0; i < 2048; i++)
        {
            rows.add(new byte[][]{cell, cell});
        }
        final RowsResult tooMuch = new RowsResult(AB, rows);
        assertEquals(Integer.MAX_VALUE, tooMuch.encodedLengthHint(ProtocolVersion.V5));
        assertThrows(BodyTooLargeException.class, () -> encoding.encoder()
            .encode(ProtocolVersion.V5, 1, tooMuch, null,
                null, null, 1 << 24));
    }

    @Test
    void insistsOnWholeRows()
    {
        final Heard heard = new Heard();
        try (RowsWriter rows = new RowsWriter(begin(), ProtocolVersion.V5, AB, heard))
        {
            assertThrows(IllegalStateException.class, rows::endRow);
            rows.nullCell();
            assertThrows(IllegalStateException.class, rows::endRow);
            assertThrows(IllegalStateException.class, rows::commit);
            rows.nullCell();
            assertThrows(IllegalStateException.class, rows::nullCell);
            assertThrows(IllegalStateException.class, () -> rows.cell(new byte[1]));
            rows.endRow().commit();
            assertThrows(IllegalStateException.class, rows::commit);
            assertThrows(IllegalStateException.class, rows::nullCell);
            assertThrows(IllegalStateException.class, rows::endRow);
        }
        assertEquals(1, finish().cells().size());
        assertEquals(1, heard.committed);
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void writesEveryFlagOfTheMetadata(final ProtocolVersion version)
    {
        final boolean tells = version.isAtLeast(ProtocolVersion.V5);
        final byte[] id = {5, 5};
        final byte[] state = {7};
        check(version, AB, 1, null, null, true);
        check(version, AB.withPagingState(state), 3, state, null, true);
        check(version, AB.withColumnsSkipped(), 5, null, null, false);
        check(version, AB.withColumnsSkipped().withPagingState(state), 7, state, null, false);
        check(version, AB.withChangedId(id), tells ? 9 : 1, null, tells ? id : null, true);
        check(version, AB.withChangedId(id).withColumnsSkipped().withPagingState(state), tells ? 11 : 3, state,
            tells ? id : null, true);
        check(version, AB.withPagingState(state).withPagingState(null), 1, null, null, true);
        final RowsMetadata apart = RowsMetadata.of(List.of(A, ELSEWHERE));
        check(version, apart, 0, null, null, true);
        check(version, apart.withColumnsSkipped(), 4, null, null, false);
        check(version, RowsMetadata.of(List.of()), 0, null, null, true);
        check(version, RowsMetadata.NONE, 4, null, null, false);
    }

    private void check(final ProtocolVersion version,
        final RowsMetadata metadata,
        final int flags,
        final byte[] pagingState,
        final byte[] newId,
        final boolean listed)
    {
        final ResponseReader.Rows read = encoding.read(version, new RowsResult(metadata, List.of())).rows();
        assertEquals(flags, read.flags());
        assertEquals(metadata.columnCount(), read.columnCount());
        assertArrayEquals(pagingState, read.pagingState());
        assertArrayEquals(newId, read.newMetadataId());
        if (listed)
        {
            assertEquals(metadata.columns().stream().map(ColumnSpec::table).toList(),
                read.columns().stream().map(ResponseReader.Column::table).toList());
        }
        else
        {
            assertNull(read.columns());
        }
    }

    @Test
    void checksItsColumns()
    {
        assertThrows(IllegalArgumentException.class,
            () -> RowsMetadata.of(java.util.Collections.nCopies(65_536, A)));
        assertEquals(65_535, RowsMetadata.of(java.util.Collections.nCopies(65_535, A)).columnCount());
        assertSame(A, AB.columns().get(0));
        assertNull(AB.pagingState());
        assertTrue(AB.withPagingState(new byte[3]).pagingState().length == 3);
    }
}
