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

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.response.SchemaChange.Change;
import io.sluice.framing.testkit.WireBytes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Answers of Apache Cassandra 5.0.8, captured on a socket, byte for byte. */
class CapturedResponsesTest
{
    private static final byte[] ID = WireBytes.hex("4b9feb82d7ece0378ec0f750810ceb4e");
    private static final byte[] METADATA_ID = WireBytes.hex("20b7fe8510d99228eec24d9ecd5a2ff1");
    private static final ColumnSpec K = new ColumnSpec("h6", "t", "k", ColumnType.INT);
    private static final ColumnSpec V = new ColumnSpec("h6", "t", "v", ColumnType.TEXT);
    private static final RowsMetadata KV = RowsMetadata.of(List.of(K, V));
    private static final byte[][] ROW = {{0, 0, 0, 1}, {'a'}};

    private final Encoding encoding = new Encoding();

    @AfterEach
    void returnsAllMemory()
    {
        encoding.close();
    }

    private void check(final String expected,
        final ProtocolVersion version,
        final int streamId,
        final ResponseBody body)
    {
        assertEquals(WireBytes.toHex(WireBytes.hex(expected)), encoding.hex(version, streamId, body));
    }

    @Test
    void supported()
    {
        final Map<String, List<String>> options = new LinkedHashMap<>();
        options.put("PROTOCOL_VERSIONS", List.of("3/v3", "4/v4", "5/v5", "6/v6-beta"));
        options.put("COMPRESSION", List.of("snappy", "lz4"));
        options.put("CQL_VERSION", List.of("3.4.7"));
        check("84 00 0003 06 00000066 0003 0011\"PROTOCOL_VERSIONS\" 0004 0004\"3/v3\" 0004\"4/v4\" 0004\"5/v5\" " +
            "0009\"6/v6-beta\" 000b\"COMPRESSION\" 0002 0006\"snappy\" 0003\"lz4\" " +
            "000b\"CQL_VERSION\" 0001 0005\"3.4.7\"", ProtocolVersion.V4, 3, new Supported(options));
    }

    @Test
    void handshake()
    {
        check("85 00 0001 02 00000000", ProtocolVersion.V5, 1, Ready.INSTANCE);
        assertEquals(
            "002f6f72672e6170616368652e63617373616e6472612e617574682e50617373776f726441757468656e74696361746f72",
            encoding.body(ProtocolVersion.V5,
                new Authenticate("org.apache.cassandra.auth.PasswordAuthenticator")));
        check("850000071000000004ffffffff", ProtocolVersion.V5, 7, new AuthSuccess(null));
    }

    @Test
    void event()
    {
        check("8500ffff0c00000026000d534348454d415f4348414e474500074352454154454400084b4559535041434500026836",
            ProtocolVersion.V5, -1, new SchemaChangeEvent(SchemaChange.ofKeyspace(Change.CREATED, "h6")));
    }

    @Test
    void rows()
    {
        final RowsMetadata key = RowsMetadata.of(List.of(new ColumnSpec("system", "local", "key", ColumnType.TEXT)));
        check("85000006080000002f000000020000000100000001000673797374656d00056c6f63616c00036b6579000d0000000100000005" +
            "6c6f63616c", ProtocolVersion.V5, 6,
            new RowsResult(key, List.<byte[][]>of(new byte[][]{WireBytes.hex("\"local\"")})));
    }

    @Test
    void voidAndSchemaChange()
    {
        assertEquals("00000001", encoding.body(ProtocolVersion.V4, VoidResult.INSTANCE));
        check("85000005080000000400000001", ProtocolVersion.V5, 5, VoidResult.INSTANCE);
        assertEquals(WireBytes.toHex(WireBytes.hex("00000005 0007\"CREATED\" 0005\"TABLE\" 0002\"h6\" 0001\"b\"")),
            encoding.body(ProtocolVersion.V4, new SchemaChangeResult(SchemaChange.ofTable(Change.CREATED, "h6", "b"))));
    }

    @Test
    void preparedInEachVersion()
    {
        final PreparedResult prepared = new PreparedResult(ID, METADATA_ID, List.of(K), new int[]{0}, KV);
        check("8300000208000000430000000400104b9feb82d7ece0378ec0f750810ceb4e0000000100000001000268360001740001" +
            "6b000900000001000000020002683600017400016b0009000176000d", ProtocolVersion.V3, 2, prepared);
        check("8400000208000000490000000400104b9feb82d7ece0378ec0f750810ceb4e0000000100000001000000010000000268" +
            "3600017400016b000900000001000000020002683600017400016b0009000176000d", ProtocolVersion.V4, 2, prepared);
        check("85000002080000005b0000000400104b9feb82d7ece0378ec0f750810ceb4e001020b7fe8510d99228eec24d9ecd5a2f" +
            "f100000001000000010000000100000002683600017400016b0009000000010000000200026836000174" +
            "00016b0009000176000d", ProtocolVersion.V5, 2, prepared);
    }

    @Test
    void rowsWithMetadataSkippedOrChanged()
    {
        check("85000003080000001d0000000200000005000000020000000100000004000000010000000161", ProtocolVersion.V5, 3,
            new RowsResult(KV.withColumnsSkipped(), List.<byte[][]>of(ROW)));
        check(
            "850000030800000040000000020000000900000002001020b7fe8510d99228eec24d9ecd5a2ff10002683600017400016b00090" +
                "00176000d0000000100000004000000010000000161",
            ProtocolVersion.V5, 3,
            new RowsResult(KV.withColumnsSkipped().withChangedId(METADATA_ID), List.<byte[][]>of(ROW)));
    }

    @Test
    void page()
    {
        final RowsMetadata metadata = RowsMetadata.of(List.of(K))
            .withPagingState(WireBytes.hex("040000000100f07ffffffd00"));
        check("85000001080000003c0000000200000003000000010000000c040000000100f07ffffffd000002683600017400016b0009" +
            "0000000200000004000000050000000400000001", ProtocolVersion.V5, 1,
            new RowsResult(metadata, List.of(new byte[][]{{0, 0, 0, 5}}, new byte[][]{{0, 0, 0, 1}})));
    }
}
