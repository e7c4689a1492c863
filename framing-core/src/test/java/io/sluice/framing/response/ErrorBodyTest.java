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
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.framing.Consistency;
import io.sluice.framing.ErrorCode;
import io.sluice.framing.Opcode;
import io.sluice.framing.ProtocolException;
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.testkit.ResponseReader;
import io.sluice.framing.testkit.WireBytes;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ErrorBodyTest
{
    private static final String NO_TAIL = "";
    private static final String NODES = "0006 00000003 00000001";
    private static final String REPLICAS = "0004 00000001 00000002";
    private static final String REASONS = "00000002 04 7f000001 0001 10 20010db8000000000000000000000001 0002";

    private final Encoding encoding = new Encoding();

    @AfterEach
    void returnsAllMemory()
    {
        encoding.close();
    }

    private static Map<InetAddress, Integer> reasons()
    {
        try
        {
            final Map<InetAddress, Integer> reasons = new LinkedHashMap<>();
            reasons.put(InetAddress.getByAddress(new byte[]{127, 0, 0, 1}), 1);
            reasons.put(InetAddress.getByAddress(WireBytes.hex("20010db8000000000000000000000001")), 2);
            return reasons;
        }
        catch (final UnknownHostException e)
        {
            throw new AssertionError(e);
        }
    }

    private static ErrorBody sample(final String name)
    {
        final Consistency quorum = Consistency.QUORUM;
        return switch (name)
        {
            case "unavailable" -> ErrorBody.unavailable("m", Consistency.LOCAL_QUORUM, 3, 1);
            case "writeTimeout" -> ErrorBody.writeTimeout("m", quorum, 1, 2, "BATCH", 5);
            case "casTimeout" -> ErrorBody.writeTimeout("m", quorum, 1, 2, "CAS", 5);
            case "readTimeout" -> ErrorBody.readTimeout("m", quorum, 1, 2, true);
            case "readFailure" -> ErrorBody.readFailure("m", quorum, 1, 2, reasons(), true);
            case "writeFailure" -> ErrorBody.writeFailure("m", quorum, 1, 2, reasons(), "SIMPLE");
            case "functionFailure" -> ErrorBody.functionFailure("m", "ks", "fn", List.of("int", "text"));
            case "alreadyExists" -> ErrorBody.alreadyExists("m", "ks", "t");
            case "unprepared" -> ErrorBody.unprepared("m", new byte[]{1, 2, 3});
            case "casWriteUnknown" -> ErrorBody.casWriteUnknown("m", quorum, 1, 2);
            case "cdc" -> ErrorBody.of(ErrorCode.CDC_WRITE_FAILURE, "m");
            default -> throw new IllegalArgumentException(name);
        };
    }

    private void check(final String name,
        final ProtocolVersion version,
        final int code,
        final String tail)
    {
        final ErrorBody body = sample(name);
        assertSame(Opcode.ERROR, body.opcode());
        assertEquals(code, body.codeFor(version).code());
        assertEquals(
            WireBytes.toHex(new WireBytes().int4(code).string("m").raw(tail).toArray()),
            encoding.body(version, body), name + " " + version);
        assertEquals(code, encoding.read(version, body).failure().code());
    }

    private void checkAll(final String name, final int code, final String tail)
    {
        for (final ProtocolVersion version : ProtocolVersion.values())
        {
            check(name, version, code, tail);
        }
    }

    @Test
    void writesTailsThatAreTheSameInAllVersions()
    {
        checkAll("unavailable", 0x1000, NODES);
        checkAll("writeTimeout", 0x1100, REPLICAS + "0005\"BATCH\"");
        checkAll("readTimeout", 0x1200, REPLICAS + "01");
        checkAll("alreadyExists", 0x2400, "0002\"ks\" 0001\"t\"");
        checkAll("unprepared", 0x2500, "0003 010203");
    }

    @Test
    void countsContentionsForVersion5Only()
    {
        check("casTimeout", ProtocolVersion.V3, 0x1100, REPLICAS + "0003\"CAS\"");
        check("casTimeout", ProtocolVersion.V4, 0x1100, REPLICAS + "0003\"CAS\"");
        check("casTimeout", ProtocolVersion.V5, 0x1100, REPLICAS + "0003\"CAS\" 0005");
        check("casTimeout", ProtocolVersion.V6, 0x1100, REPLICAS + "0003\"CAS\" 0005");
    }

    @Test
    void mapsFailuresToTimeoutsForVersion3()
    {
        check("readFailure", ProtocolVersion.V3, 0x1200, REPLICAS + "01");
        check("readFailure", ProtocolVersion.V4, 0x1300, REPLICAS + "00000002 01");
        check("readFailure", ProtocolVersion.V5, 0x1300, REPLICAS + REASONS + "01");
        check("readFailure", ProtocolVersion.V6, 0x1300, REPLICAS + REASONS + "01");
        check("writeFailure", ProtocolVersion.V3, 0x1100, REPLICAS + "0006\"SIMPLE\"");
        check("writeFailure", ProtocolVersion.V4, 0x1500, REPLICAS + "00000002 0006\"SIMPLE\"");
        check("writeFailure", ProtocolVersion.V5, 0x1500, REPLICAS + REASONS + "0006\"SIMPLE\"");
        check("writeFailure", ProtocolVersion.V6, 0x1500, REPLICAS + REASONS + "0006\"SIMPLE\"");
    }

    @Test
    void mapsToInvalidForVersion3()
    {
        check("functionFailure", ProtocolVersion.V3, 0x2200, NO_TAIL);
        check("functionFailure", ProtocolVersion.V4, 0x1400, "0002\"ks\" 0002\"fn\" 0002 0003\"int\" 0004\"text\"");
        check("functionFailure", ProtocolVersion.V5, 0x1400, "0002\"ks\" 0002\"fn\" 0002 0003\"int\" 0004\"text\"");
        check("cdc", ProtocolVersion.V3, 0x2200, NO_TAIL);
        check("cdc", ProtocolVersion.V4, 0x1600, NO_TAIL);
        check("cdc", ProtocolVersion.V5, 0x1600, NO_TAIL);
    }

    @Test
    void mapsUnknownConditionalWritesToTimeoutsBeforeVersion5()
    {
        check("casWriteUnknown", ProtocolVersion.V3, 0x1100, REPLICAS + "0003\"CAS\"");
        check("casWriteUnknown", ProtocolVersion.V4, 0x1100, REPLICAS + "0003\"CAS\"");
        check("casWriteUnknown", ProtocolVersion.V5, 0x1700, REPLICAS);
        check("casWriteUnknown", ProtocolVersion.V6, 0x1700, REPLICAS);
    }

    /** Every code without particulars still has a tail that parses, in every version. */
    @ParameterizedTest
    @EnumSource(ErrorCode.class)
    void writesBlankTails(final ErrorCode code)
    {
        for (final ProtocolVersion version : ProtocolVersion.values())
        {
            final ErrorBody body = ErrorBody.of(code, "text");
            final ResponseReader.Failure read = encoding.read(version, body).failure();
            assertEquals(body.codeFor(version).code(), read.code());
            assertEquals("text", read.message());
            if (version.isAtLeast(ProtocolVersion.V5))
            {
                assertEquals(code.code(), read.code());
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"SERVER_ERROR,0", "PROTOCOL_ERROR,a", "BAD_CREDENTIALS,100", "OVERLOADED,1001",
        "IS_BOOTSTRAPPING,1002", "TRUNCATE_ERROR,1003", "SYNTAX_ERROR,2000", "UNAUTHORIZED,2100", "INVALID,2200",
        "CONFIG_ERROR,2300"})
    void writesCodesWithoutTail(final ErrorCode code, final String digits)
    {
        final String expected = WireBytes
            .toHex(new WireBytes().int4(Integer.parseInt(digits, 16)).string("\u00e4").toArray());
        for (final ProtocolVersion version : ProtocolVersion.values())
        {
            assertEquals(expected, encoding.body(version, ErrorBody.of(code, "\u00e4")));
        }
    }

    @ParameterizedTest
    @CsvSource({"65534,1", "65535,1", "65536,1", "100000,1", "21845,3", "21846,3", "40000,3", "16384,4", "30000,4",
        "40000,2"})
    void cutsTextsAtACharacterBoundary(final int characters, final int bytesEach)
    {
        final String one = switch (bytesEach)
        {
            case 1 -> "x";
            case 2 -> "\u00fc";
            case 3 -> "\u20ac";
            default -> "\ud83d\ude00";
        };
        final ResponseReader.Failure read = encoding
            .read(ProtocolVersion.V5, ErrorBody.unprepared(one.repeat(characters), new byte[16]))
            .failure();
        assertEquals(one.repeat(Math.min(characters, 65_535 / bytesEach)), read.message());
        assertEquals("00".repeat(16), read.tail().get("id"));
    }

    /** The tail is what drivers act on: the text gives way. */
    @Test
    void cutsTextsToTheLimitOfTheAnswer()
    {
        final ErrorBody body = ErrorBody.readFailure("\u20ac".repeat(5000), Consistency.ONE, 0, 1, reasons(), false);
        for (int limit = 1000; limit < 1010; limit++)
        {
            final byte[] envelope = Encoding.take(
                encoding.encoder().encode(ProtocolVersion.V5, 1, body, null, null, null, limit));
            assertTrue(envelope.length <= limit && envelope.length > limit - 100);
            final ResponseReader.Failure read = new ResponseReader(envelope).failure();
            assertTrue(read.message().matches("\u20ac+"));
            assertEquals(2, read.tail().get("numfailures"));
        }
    }

    @Test
    void writesWhatNoTextCanBeMadeOf()
    {
        assertEquals("", encoding.read(ProtocolVersion.V4, ErrorBody.of(ErrorCode.SERVER_ERROR, null))
            .failure()
            .message());
        assertEquals("a?b", encoding.read(ProtocolVersion.V4, ErrorBody.of(ErrorCode.SERVER_ERROR, "a\ud800b"))
            .failure()
            .message());
    }

    @Test
    void takesCodeAndTextOfProtocolExceptions()
    {
        final ErrorBody body = ErrorBody.of(ProtocolException.refused(ErrorCode.OVERLOADED, 3, "later"));
        assertSame(ErrorCode.OVERLOADED, body.code());
        assertEquals("later", body.message());
    }

    @Test
    void clampsContentions()
    {
        for (final int contentions : new int[]{-1, 0, 65_535, 65_536, Integer.MAX_VALUE})
        {
            final ErrorBody body = ErrorBody.writeTimeout("m", Consistency.ONE, 0, 1, "CAS", contentions);
            assertEquals(Math.max(0, Math.min(65_535, contentions)),
                encoding.read(ProtocolVersion.V5, body).failure().tail().get("contentions"));
        }
    }

    @Test
    void copiesItsCollections()
    {
        final Map<InetAddress, Integer> reasons = reasons();
        final ErrorBody body = ErrorBody.readFailure("m", Consistency.ONE, 0, 1, reasons, false);
        reasons.clear();
        assertEquals(2, encoding.read(ProtocolVersion.V5, body).failure().tail().get("numfailures"));
    }

    @Test
    void checksItsParts()
    {
        assertThrows(NullPointerException.class, () -> ErrorBody.unavailable("m", null, 1, 0));
        assertThrows(NullPointerException.class, () -> ErrorBody.unprepared("m", null));
        assertThrows(NullPointerException.class, () -> ErrorBody.alreadyExists("m", "ks", null));
        assertThrows(NullPointerException.class, () -> ErrorBody.of(null, "m"));
        final Map<InetAddress, Integer> beyond = reasons();
        beyond.replaceAll((address, reason) -> 65_536);
        assertThrows(IllegalArgumentException.class,
            () -> ErrorBody.writeFailure("m", Consistency.ONE, 0, 1, beyond, "SIMPLE"));
    }

    @Test
    void guessesAtLeastTheLengthOfAsciiErrors()
    {
        for (final String name : List.of("unavailable", "writeTimeout", "casTimeout", "readTimeout", "readFailure",
            "writeFailure", "functionFailure", "alreadyExists", "unprepared", "casWriteUnknown", "cdc"))
        {
            for (final ProtocolVersion version : ProtocolVersion.values())
            {
                final int length = encoding.body(version, sample(name)).length() / 2;
                assertTrue(sample(name).encodedLengthHint(version) >= length, name + " " + version);
            }
        }
    }
}
