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
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.testkit.ResponseReader;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PreparedResultTest
{
    private static final ColumnSpec A = new ColumnSpec("ks", "t", "a", ColumnType.INT);
    private static final ColumnSpec B = new ColumnSpec("ks", "t", "b", ColumnType.BLOB);
    private static final ColumnSpec ELSEWHERE = new ColumnSpec("ks", "u", "c", ColumnType.TEXT);

    private final Encoding encoding = new Encoding();

    @AfterEach
    void returnsAllMemory()
    {
        encoding.close();
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void writesVariablesKeyAndColumns(final ProtocolVersion version)
    {
        final PreparedResult result = new PreparedResult(new byte[]{1}, new byte[]{2, 2}, List.of(B, A),
            new int[]{1, 0}, RowsMetadata.of(List.of(A, ELSEWHERE)));
        final ResponseReader.Prepared read = encoding.read(version, result).prepared();
        assertArrayEquals(new byte[]{1}, read.id());
        assertArrayEquals(version.isAtLeast(ProtocolVersion.V5) ? new byte[]{2, 2} : null, read.resultMetadataId());
        assertEquals(1, read.flags());
        assertEquals(version == ProtocolVersion.V3 ? List.of() : List.of(1, 0), read.partitionKeyIndexes());
        assertEquals(List.of("b", "a"), read.variables().stream().map(ResponseReader.Column::name).toList());
        assertEquals(0, read.resultMetadata().flags());
        assertEquals(List.of("a", "c"),
            read.resultMetadata().columns().stream().map(ResponseReader.Column::name).toList());
    }

    /** A statement over several tables, as a batch in CQL, has no partition key. */
    @Test
    void leavesTheKeyOutIfTheVariablesAreOfSeveralTables()
    {
        final PreparedResult result = new PreparedResult(new byte[1], new byte[1], List.of(A, ELSEWHERE),
            new int[]{0}, RowsMetadata.NONE);
        final ResponseReader.Prepared read = encoding.read(ProtocolVersion.V5, result).prepared();
        assertEquals(0, read.flags());
        assertEquals(List.of(), read.partitionKeyIndexes());
        assertEquals(List.of("t", "u"), read.variables().stream().map(ResponseReader.Column::table).toList());
    }

    @Test
    void writesStatementsThatBindAndReturnNothing()
    {
        final PreparedResult result = new PreparedResult(new byte[1], new byte[1], List.of(), null, RowsMetadata.NONE);
        assertEquals("00000004" + "0001" + "00" + "0001" + "00" + "00000000" + "00000000" + "00000000" +
            "00000004" + "00000000", encoding.body(ProtocolVersion.V5, result));
        assertEquals("00000004" + "0001" + "00" + "00000000" + "00000000" + "00000004" + "00000000",
            encoding.body(ProtocolVersion.V3, result));
    }

    @Test
    void checksItsParts()
    {
        assertThrows(NullPointerException.class,
            () -> new PreparedResult(null, new byte[1], List.of(), null, RowsMetadata.NONE));
        assertThrows(NullPointerException.class,
            () -> new PreparedResult(new byte[1], null, List.of(), null, RowsMetadata.NONE));
        assertEquals(1, new PreparedResult(new byte[1], new byte[1], List.of(), null, RowsMetadata.NONE).id().length);
    }
}
