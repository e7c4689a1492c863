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
package io.sluice.framing.request;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.framing.Consistency;
import io.sluice.framing.ErrorCode;
import io.sluice.framing.Opcode;
import io.sluice.framing.ProtocolException;
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.testkit.WireBytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RequestDecoderTest
{
    private static final String SELECT_LOCAL = "SELECT key FROM system.local";

    private static String refusal(final ProtocolVersion version,
        final Opcode opcode,
        final int flags,
        final byte[] body)
    {
        final ProtocolException error = assertThrows(ProtocolException.class,
            () -> Bodies.decode(version, opcode, flags, body));
        assertFalse(error.isFatal());
        assertEquals(ErrorCode.PROTOCOL_ERROR, error.code());
        assertEquals(77, error.streamId());
        return error.getMessage();
    }

    private static String capturedRefusal(final String envelope, final int streamId)
    {
        final ProtocolException error = assertThrows(ProtocolException.class,
            () -> Bodies.decodeEnvelope(WireBytes.hex(envelope)));
        assertFalse(error.isFatal());
        assertEquals(ErrorCode.PROTOCOL_ERROR, error.code());
        assertEquals(streamId, error.streamId());
        return error.getMessage();
    }

    @Test
    void readsCapturedQuery()
    {
        final QueryRequest request = (QueryRequest)Bodies.decodeEnvelope(WireBytes.hex(
            "05 00 0001 07 00000026 0000001c 53454c454354206b65792046524f4d2073797374656d2e6c6f63616c 0001 00000000"));
        assertEquals(SELECT_LOCAL, request.query());
        assertEquals(Consistency.ONE, request.parameters().consistency());
        assertSame(Cells.NONE, request.parameters().values());
        assertNull(request.customPayload());
        assertFalse(request.isTraced());
    }

    @Test
    void readsCapturedExecute()
    {
        final ExecuteRequest request = (ExecuteRequest)Bodies.decodeEnvelope(WireBytes.hex(
            "050000030a0000003400104b9feb82d7ece0378ec0f750810ceb4e001020b7fe8510d99228eec24d9ecd5a2ff1" +
                "00010000000300010000000400000001"));
        assertEquals(new StatementId(Bodies.ID), request.statementId());
        assertArrayEquals(Bodies.METADATA_ID, request.resultMetadataId());
        assertTrue(request.parameters().skipMetadata());
        assertEquals(1, request.parameters().values().length);
        assertArrayEquals(new byte[]{0, 0, 0, 1}, request.parameters().values()[0]);
        assertNull(request.parameters().names());
    }

    @Test
    void readsCapturedBatch()
    {
        final BatchRequest request = (BatchRequest)Bodies.decodeEnvelope(WireBytes.hex(
            "050000050d000000570100020000000025494e5345525420494e544f2068362e7420286b2c76292056414c5545532028372c277827" +
                "2900000100100d203c55dd6c49cfa003aebbd0b90ed000020000000400000008000000017900" +
                "0100000000"));
        assertEquals(BatchRequest.Type.UNLOGGED, request.type());
        assertEquals(2, request.size());
        assertEquals("INSERT INTO h6.t (k,v) VALUES (7,'x')", request.query(0));
        assertNull(request.statementId(0));
        assertNull(request.query(1));
        assertEquals("0d203c55dd6c49cfa003aebbd0b90ed0", request.statementId(1).toString());
        assertEquals(0, request.values()[0].length);
        assertArrayEquals(new byte[]{0, 0, 0, 8}, request.values()[1][0]);
        assertArrayEquals(new byte[]{'y'}, request.values()[1][1]);
        assertEquals(Consistency.ONE, request.parameters().consistency());
    }

    /** Vector X5, and the same with the longer flags of version 5. */
    @Test
    void refusesValueLongerThanTheMessage()
    {
        assertEquals("value length: 2147483647 (expected: 0..0)",
            capturedRefusal("04000009070000000e000000017800010100017fffffff", 9));
        assertEquals("value length: 2147483647 (expected: 0..0)",
            capturedRefusal("050000090700000011000000017800010000000100017fffffff", 9));
    }

    /** Vector X11. */
    @Test
    void readsQueryWithCustomPayload()
    {
        final QueryRequest request = (QueryRequest)Bodies.decodeEnvelope(WireBytes.hex(
            "0404000f070000002e000100016b00000002cafe0000001c53454c454354206b65792046524f4d2073797374656d2e6c6f63616c" +
                "000100"));
        assertEquals(SELECT_LOCAL, request.query());
        assertEquals(1, request.customPayload().size());
        assertArrayEquals(new byte[]{(byte)0xCA, (byte)0xFE}, request.customPayload().get("k"));
    }

    /** Vector X13. */
    @Test
    void refusesValueLengthBelowUnset()
    {
        assertEquals("value length: -3 (expected: >= -2)",
            capturedRefusal("04000010070000000e00000001780001010001fffffffd", 16));
    }

    @ParameterizedTest
    @EnumSource(value = Opcode.class, names = {"QUERY", "PREPARE", "EXECUTE", "BATCH"})
    void refusesCustomPayloadInVersion3(final Opcode opcode)
    {
        assertEquals("Received frame with CUSTOM_PAYLOAD flag for native protocol version < 4",
            refusal(ProtocolVersion.V3, opcode, 0x04, Bodies.payload()));
    }

    @ParameterizedTest
    @EnumSource(value = ProtocolVersion.class, names = "V3", mode = EnumSource.Mode.EXCLUDE)
    void readsPayloadsOfEverySizeOnEveryRequest(final ProtocolVersion version)
    {
        final byte[] large = new byte[1 << 20];
        Arrays.fill(large, (byte)3);
        for (final Bodies.Sample sample : Bodies.samples())
        {
            if (sample.version() != version || sample.flags() != 0)
            {
                continue;
            }
            final WireBytes hundred = new WireBytes().int2(100);
            for (int i = 0; i < 100; i++)
            {
                hundred.string("key" + i).bytes(new byte[i]);
            }
            assertEquals(0, payloadOf(sample, new WireBytes().int2(0)).size());
            assertEquals(99, payloadOf(sample, hundred).get("key99").length);
            assertArrayEquals(large, payloadOf(sample, new WireBytes().int2(1).string("").bytes(large)).get(""));
            final Map<String, byte[]> none = payloadOf(sample, new WireBytes().int2(1).string("n").bytes(null));
            assertTrue(none.containsKey("n"));
            assertNull(none.get("n"));
        }
    }

    private static Map<String, byte[]> payloadOf(final Bodies.Sample sample, final WireBytes payload)
    {
        return Bodies.decode(sample.version(), sample.opcode(), 0x04, payload.raw(sample.body()).toArray())
            .customPayload();
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void readsEachFlagAloneAndAllTogether(final ProtocolVersion version)
    {
        final List<Integer> flagSets = new ArrayList<>();
        for (int flag = 1; flag <= (version.number() >= 5 ? 0x100 : 0x80); flag <<= 1)
        {
            flagSets.add(flag);
        }
        for (int flags = 0; flags <= (version.number() >= 5 ? 0x1FF : 0xFF); flags++)
        {
            flagSets.add(flags);
        }
        for (final int flags : flagSets)
        {
            checkParameters(version, flags,
                ((QueryRequest)Bodies.decode(version, Opcode.QUERY, 0, Bodies.query(version, flags))).parameters());
            checkParameters(version, flags,
                ((ExecuteRequest)Bodies.decode(version, Opcode.EXECUTE, 0, Bodies.execute(version, flags)))
                    .parameters());
            checkParameters(version, flags,
                ((BatchRequest)Bodies.decode(version, Opcode.BATCH, 0, Bodies.batch(version, flags))).parameters());
        }
    }

    private static void checkParameters(final ProtocolVersion version, final int flags, final QueryParameters read)
    {
        final boolean values = (flags & 0x01) != 0;
        final boolean names = values && (flags & 0x40) != 0;
        assertEquals(Consistency.QUORUM, read.consistency());
        assertEquals(flags, read.flags());
        assertEquals((flags & 0x02) != 0, read.skipMetadata());
        assertEquals(values ? 2 : 0, read.values().length);
        if (names)
        {
            assertArrayEquals(new String[]{"zwei", "e\u00edns"}, read.names());
            assertArrayEquals(new byte[]{2}, read.values()[0]);
            assertNull(read.values()[1]);
        }
        else
        {
            assertNull(read.names());
        }
        if (values && !names)
        {
            assertArrayEquals(new byte[]{1, 2, 3}, read.values()[0]);
            assertEquals(0, read.values()[1].length);
            assertFalse(Cells.isUnset(read.values()[1]));
        }
        assertEquals((flags & 0x04) != 0 ? 5000 : -1, read.pageSize());
        assertArrayEquals((flags & 0x08) != 0 ? new byte[]{9, 8, 7} : null, read.pagingState());
        assertEquals((flags & 0x10) != 0 ? Consistency.LOCAL_SERIAL : Consistency.SERIAL, read.serialConsistency());
        assertEquals((flags & 0x20) != 0 ? -5L : QueryParameters.NO_TIMESTAMP, read.timestamp());
        assertEquals((flags & 0x80) != 0 ? "ks" : null, read.keyspace());
        assertEquals((flags & 0x100) != 0 && version.number() >= 5 ? 4_294_967_294L : Long.MIN_VALUE,
            read.nowInSeconds());
    }

    @Test
    void ignoresUnknownFlagsUpToTheLastBit()
    {
        final byte[] body = new WireBytes().longString("x").int2(1).int4(0xFFFFFE00).toArray();
        final QueryRequest request = (QueryRequest)Bodies.decode(ProtocolVersion.V5, Opcode.QUERY, 0xE0, body);
        assertEquals(0xFFFFFE00, request.parameters().flags());
        assertEquals(0xE0, request.flags());
        assertEquals(0, request.parameters().values().length);
    }

    @Test
    void ignoresBytesBehindTheEnd()
    {
        for (final Bodies.Sample sample : Bodies.samples())
        {
            final byte[] longer = new WireBytes().raw(sample.body()).raw("ffffffffffff").toArray();
            assertEquals(sample.opcode(),
                Bodies.decode(sample.version(), sample.opcode(), sample.flags(), longer).opcode());
        }
    }

    @Test
    void reportsTracing()
    {
        for (final Bodies.Sample sample : Bodies.samples())
        {
            assertTrue(
                Bodies.decode(sample.version(), sample.opcode(), sample.flags() | 0x02, sample.body()).isTraced());
        }
    }

    /** Lengths of values by position, by name and in batches, per version. */
    @ParameterizedTest
    @CsvSource({"V3,-1,null", "V3,-2,null", "V3,-3,null", "V3,-2147483648,null", "V3,0,empty", "V4,-1,null",
        "V4,-2,unset", "V4,-3,error", "V4,-2147483648,error", "V4,0,empty", "V5,-1,null", "V5,-2,unset", "V5,-3,error",
        "V5,-2147483648,error", "V5,0,empty", "V6,-2,unset"})
    void readsValueLengths(final ProtocolVersion version, final int length, final String expected)
    {
        final WireBytes positional = Bodies.putFlags(new WireBytes().longString("q").int2(1), version, 0x01).int2(1);
        final WireBytes named = Bodies.putFlags(new WireBytes().longString("q").int2(1), version, 0x41)
            .int2(1)
            .string("n");
        final WireBytes batch = new WireBytes().int1(0).int2(1).int1(0).longString("q").int2(1).int4(length);
        check(version, Opcode.QUERY, positional.int4(length).toArray(), length, expected);
        check(version, Opcode.QUERY, named.int4(length).toArray(), length, expected);
        check(version, Opcode.BATCH, Bodies.putFlags(batch.int2(1), version, 0).toArray(), length, expected);
    }

    private static void check(final ProtocolVersion version,
        final Opcode opcode,
        final byte[] body,
        final int length,
        final String expected)
    {
        if (expected.equals("error"))
        {
            assertEquals("value length: " + length + " (expected: >= -2)", refusal(version, opcode, 0, body));
            return;
        }
        final Request request = Bodies.decode(version, opcode, 0, body);
        final byte[] cell = request instanceof BatchRequest batch
            ? batch.values()[0][0]
            : ((QueryRequest)request).parameters().values()[0];
        switch (expected)
        {
            case "null" -> assertNull(cell);
            case "unset" -> assertSame(Cells.UNSET, cell);
            default ->
            {
                assertEquals(0, cell.length);
                assertNotSame(Cells.UNSET, cell);
            }
        }
    }

    @Test
    void keepsNamedValuesInWireOrder()
    {
        final String[] names = {"z", "a", "z", "", "\ud83d\ude00"};
        final WireBytes body = new WireBytes().longString("q").int2(1).int1(0x41).int2(names.length);
        for (int i = 0; i < names.length; i++)
        {
            body.string(names[i]).bytes(new byte[]{(byte)i});
        }
        final QueryParameters read = ((QueryRequest)Bodies.decode(ProtocolVersion.V4, Opcode.QUERY, 0, body.toArray()))
            .parameters();
        assertArrayEquals(names, read.names());
        for (int i = 0; i < names.length; i++)
        {
            assertArrayEquals(new byte[]{(byte)i}, read.values()[i]);
        }
    }

    @ParameterizedTest
    @CsvSource({"0,refused", "-1,-1", "-2147483648,-1", "1,1", "2147483647,2147483647"})
    void readsPageSizes(final int pageSize, final String expected)
    {
        for (final ProtocolVersion version : ProtocolVersion.values())
        {
            final byte[] tail = Bodies.putFlags(new WireBytes().int2(1), version, 0x04).int4(pageSize).toArray();
            final byte[] query = new WireBytes().longString("q").raw(tail).toArray();
            final byte[] batch = new WireBytes().int1(0).int2(0).raw(tail).toArray();
            final int inBatch = ((BatchRequest)Bodies.decode(version, Opcode.BATCH, 0, batch)).parameters().pageSize();
            if (expected.equals("refused"))
            {
                assertEquals("The page size cannot be 0", refusal(version, Opcode.QUERY, 0, query));
                assertEquals(QueryParameters.UNPAGED, inBatch);
            }
            else
            {
                final int read = ((QueryRequest)Bodies.decode(version, Opcode.QUERY, 0, query)).parameters().pageSize();
                assertEquals(Integer.parseInt(expected), read);
                assertEquals(read, inBatch);
            }
        }
    }

    @Test
    void refusesOnlyTheTimestampThatMeansNone()
    {
        final WireBytes body = new WireBytes().longString("q").int2(1).int1(0x20);
        assertEquals(
            "timestamp: -9223372036854775808 (expected: -9223372036854775807..9223372036854775807)",
            refusal(ProtocolVersion.V4, Opcode.QUERY, 0, body.int8(Long.MIN_VALUE).toArray()));
    }

    @ParameterizedTest
    @CsvSource({"-1,4294967295", "0,0", "2147483647,2147483647", "-2147483648,2147483648"})
    void readsNowInSecondsUnsigned(final int sent, final long expected)
    {
        final byte[] body = new WireBytes().longString("q").int2(1).int4(0x100).int4(sent).toArray();
        assertEquals(expected,
            ((QueryRequest)Bodies.decode(ProtocolVersion.V5, Opcode.QUERY, 0, body)).parameters().nowInSeconds());
    }

    @ParameterizedTest
    @CsvSource({"12", "255", "65535"})
    void refusesUnknownConsistency(final int code)
    {
        final String expected = "Unknown code " + code + " for a consistency level";
        assertEquals(expected, refusal(ProtocolVersion.V4, Opcode.QUERY, 0,
            new WireBytes().longString("q").int2(code).int1(0).toArray()));
        assertEquals(expected, refusal(ProtocolVersion.V4, Opcode.QUERY, 0,
            new WireBytes().longString("q").int2(1).int1(0x10).int2(code).toArray()));
    }

    /** A level that Cassandra has and the text of the protocol has not: the node refuses it, if anybody does. */
    @Test
    void leavesNodeLocalConsistencyToTheNode()
    {
        final byte[] body = new WireBytes().longString("q").int2(11).int1(0).toArray();
        assertEquals(Consistency.NODE_LOCAL,
            ((QueryRequest)Bodies.decode(ProtocolVersion.V4, Opcode.QUERY, 0, body)).parameters().consistency());
    }

    @Test
    void refusesUnknownBatchTypesAndKinds()
    {
        assertEquals("Invalid BATCH message type 3", refusal(ProtocolVersion.V5, Opcode.BATCH, 0,
            new WireBytes().int1(3).int2(0).int2(1).int4(0).toArray()));
        assertEquals("Invalid BATCH message type -1", refusal(ProtocolVersion.V5, Opcode.BATCH, 0,
            new WireBytes().int1(255).int2(0).int2(1).int4(0).toArray()));
        assertEquals("Invalid query kind in BATCH messages. Must be 0 or 1 but got 2",
            refusal(ProtocolVersion.V5, Opcode.BATCH, 0,
                new WireBytes().int1(0).int2(1).int1(2).int4(0).int2(0).int2(1).int4(0).toArray()));
    }

    @Test
    void readsEveryBatchType()
    {
        for (final BatchRequest.Type type : BatchRequest.Type.values())
        {
            final byte[] body = new WireBytes().int1(type.ordinal()).int2(0).int2(1).int1(0).toArray();
            final BatchRequest request = (BatchRequest)Bodies.decode(ProtocolVersion.V3, Opcode.BATCH, 0, body);
            assertEquals(type, request.type());
            assertEquals(0, request.size());
        }
    }

    @Test
    void readsPrepareWithKeyspaceFromVersion5Only()
    {
        final PrepareRequest in5 = (PrepareRequest)Bodies.decode(ProtocolVersion.V5, Opcode.PREPARE, 0,
            Bodies.prepare(ProtocolVersion.V5, true));
        assertEquals("SELECT * FROM t", in5.query());
        assertEquals("ks", in5.keyspace());
        final PrepareRequest plain = (PrepareRequest)Bodies.decode(ProtocolVersion.V5, Opcode.PREPARE, 0,
            Bodies.prepare(ProtocolVersion.V5, false));
        assertNull(plain.keyspace());
        final PrepareRequest in4 = (PrepareRequest)Bodies.decode(ProtocolVersion.V4, Opcode.PREPARE, 0,
            new WireBytes().longString("q").int4(1).string("ks").toArray());
        assertNull(in4.keyspace());
    }

    /** Ids of any length reach the node, which knows which are its own: K23. */
    @ParameterizedTest
    @CsvSource({"0,0", "15,15", "16,0", "17,16", "65535,65535"})
    void readsIdsOfAnyLength(final int idLength, final int metadataIdLength)
    {
        final byte[] body = new WireBytes().shortBytes(new byte[idLength])
            .shortBytes(new byte[metadataIdLength])
            .int2(1)
            .int4(0x02)
            .toArray();
        final ExecuteRequest request = (ExecuteRequest)Bodies.decode(ProtocolVersion.V5, Opcode.EXECUTE, 0, body);
        assertEquals(new StatementId(new byte[idLength]), request.statementId());
        assertEquals(metadataIdLength, request.resultMetadataId().length);
        assertTrue(request.parameters().skipMetadata());
    }

    @Test
    void hasNoMetadataIdBeforeVersion5()
    {
        final ExecuteRequest request = (ExecuteRequest)Bodies.decode(ProtocolVersion.V4, Opcode.EXECUTE, 0,
            Bodies.execute(ProtocolVersion.V4, 0x02));
        assertNull(request.resultMetadataId());
    }

    @Test
    void sharesTheMetadataIdOfAKnownStatementUntilItChanges()
    {
        final StatementIdTable table = new StatementIdTable();
        final StatementId known = table.learn(Bodies.ID);
        final RequestDecoder decoder = new RequestDecoder(table);
        final byte[] body = Bodies.execute(ProtocolVersion.V5, 0);
        final ExecuteRequest first = (ExecuteRequest)Bodies.decode(decoder, ProtocolVersion.V5, Opcode.EXECUTE, 0,
            body);
        final ExecuteRequest second = (ExecuteRequest)Bodies.decode(decoder, ProtocolVersion.V5, Opcode.EXECUTE, 0,
            body);
        assertSame(known, first.statementId());
        assertSame(first.resultMetadataId(), second.resultMetadataId());
        body[2 + 16 + 2] ^= 1;
        final ExecuteRequest changed = (ExecuteRequest)Bodies.decode(decoder, ProtocolVersion.V5, Opcode.EXECUTE, 0,
            body);
        assertFalse(Arrays.equals(first.resultMetadataId(), changed.resultMetadataId()));
        assertArrayEquals(Bodies.METADATA_ID, first.resultMetadataId());
    }

    /** K9: every length field of every kind, at 2 GiB and negative. */
    @ParameterizedTest
    @CsvSource({"2147483647", "-1", "-2147483648", "16777216"})
    void refusesLengthsThatLie(final int length)
    {
        for (final ProtocolVersion version : ProtocolVersion.values())
        {
            refusal(version, Opcode.QUERY, 0, new WireBytes().int4(length).raw("78000100").toArray());
            refusal(version, Opcode.PREPARE, 0, new WireBytes().int4(length).raw("7800000000").toArray());
            refusal(version, Opcode.BATCH, 0, new WireBytes().int1(0)
                .int2(1)
                .int1(0)
                .int4(length)
                .raw("000000010000")
                .toArray());
            if (length > 0)
            {
                refusal(version, Opcode.BATCH, 0, Bodies.putFlags(
                    new WireBytes().int1(0).int2(1).int1(0).longString("q").int2(1).int4(length).int2(1), version, 0)
                    .toArray());
                refusal(version, Opcode.QUERY, 0, Bodies.putFlags(new WireBytes().longString("q").int2(1), version, 8)
                    .int4(length)
                    .toArray());
            }
            if (length > 0 && version.number() >= 4)
            {
                refusal(version, Opcode.QUERY, 4, new WireBytes().int2(1)
                    .string("k")
                    .int4(length)
                    .raw("0000000178")
                    .toArray());
            }
        }
        refusal(ProtocolVersion.V4, Opcode.EXECUTE, 0, new WireBytes().int2(length & 0xFFFF | 0x100).int1(0).toArray());
    }

    @Test
    void refusesCountsWithNothingBehind()
    {
        for (final ProtocolVersion version : ProtocolVersion.values())
        {
            assertTrue(refusal(version, Opcode.QUERY, 0,
                Bodies.putFlags(new WireBytes().longString("q").int2(1), version, 0x01).int2(65535).toArray())
                .startsWith("count: 65535 "));
            assertTrue(refusal(version, Opcode.QUERY, 0,
                Bodies.putFlags(new WireBytes().longString("q").int2(1), version, 0x41).int2(65535).toArray())
                .startsWith("count: 65535 "));
            assertTrue(refusal(version, Opcode.BATCH, 0, new WireBytes().int1(0).int2(65535).toArray())
                .startsWith("count: 65535 "));
        }
        assertTrue(refusal(ProtocolVersion.V4, Opcode.QUERY, 4, new WireBytes().int2(65535).toArray())
            .startsWith("count: 65535 "));
    }

    @Test
    void refusesStringsThatAreNotUtf8()
    {
        assertEquals("long string: malformed at byte 1 (expected: UTF-8)", refusal(ProtocolVersion.V4, Opcode.QUERY, 0,
            new WireBytes().raw("00000002 78 ff 0001 00").toArray()));
        assertEquals("string: malformed at byte 0 (expected: UTF-8)", refusal(ProtocolVersion.V5, Opcode.PREPARE, 0,
            new WireBytes().longString("q").int4(1).raw("0002c080").toArray()));
        assertEquals("string: malformed at byte 0 (expected: UTF-8)", refusal(ProtocolVersion.V4, Opcode.QUERY, 0,
            new WireBytes().longString("q").int2(1).int1(0x41).int2(1).raw("0003eda080").int4(-1).toArray()));
    }

    @Test
    void readsQueriesOfAnyLength()
    {
        for (final int length : new int[]{0, 1, 4095, 4096, 4097, 65535, 65536, 3_000_000})
        {
            final String query = "\u00e4".repeat(length / 2) + "x".repeat(length % 2);
            final byte[] body = new WireBytes().longString(query).int2(1).int1(0).toArray();
            assertEquals(query, ((QueryRequest)Bodies.decode(ProtocolVersion.V4, Opcode.QUERY, 0, body)).query());
        }
    }

    @Test
    void refusesOtherOpcodes()
    {
        assertEquals("opcode: 1 (expected: QUERY, PREPARE, EXECUTE or BATCH)",
            refusal(ProtocolVersion.V4, Opcode.STARTUP, 0, new byte[4]));
    }

    @Test
    void leavesTheCellsIndependentOfTheBuffer()
    {
        final byte[] body = Bodies.executeOf(ProtocolVersion.V5, 3, 4);
        final org.agrona.concurrent.UnsafeBuffer buffer = Bodies.direct(body);
        final Request request = new RequestDecoder(StatementIds.UNSHARED).decode(
            Bodies.header(ProtocolVersion.V5, 0, 1, Opcode.EXECUTE.code(), body.length), ProtocolVersion.V5, buffer,
            Bodies.offset(), body.length);
        buffer.setMemory(0, buffer.capacity(), (byte)0x5A);
        final ExecuteRequest execute = assertInstanceOf(ExecuteRequest.class, request);
        assertArrayEquals(Bodies.ID, execute.statementId().bytes());
        for (final byte[] cell : execute.parameters().values())
        {
            assertArrayEquals(new byte[4], cell);
        }
    }
}
