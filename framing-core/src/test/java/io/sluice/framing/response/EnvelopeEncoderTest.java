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

import io.sluice.framing.ErrorCode;
import io.sluice.framing.Opcode;
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.testkit.ResponseReader;
import io.sluice.framing.testkit.WireBytes;
import io.sluice.memory.BufferLease;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class EnvelopeEncoderTest
{
    private static final UUID TRACING_ID = new UUID(0x0123456789ABCDEFL, 0x7EDCBA9876543210L);
    private static final List<String> WARNINGS = List.of("one", "z\u00f6w");

    private final Encoding encoding = new Encoding();

    /** Writes so many bytes, claims to need another number, and may throw after some. */
    private record Filler(int length, int hint, int failAfter) implements ResponseBody
    {
        @Override
        public Opcode opcode()
        {
            return Opcode.RESULT;
        }

        @Override
        public int encodedLengthHint(final ProtocolVersion version)
        {
            return hint;
        }

        @Override
        public void encode(final BodyWriter out, final ProtocolVersion version)
        {
            for (int i = 0; i < length; i++)
            {
                if (i == failAfter)
                {
                    throw new ArithmeticException("after " + i);
                }
                out.putByte(i);
            }
        }
    }

    @AfterEach
    void returnsAllMemory()
    {
        encoding.close();
    }

    private static Map<String, byte[]> payload()
    {
        final Map<String, byte[]> payload = new LinkedHashMap<>();
        payload.put("k", new byte[]{1, 2});
        payload.put("n", null);
        return payload;
    }

    private BufferLease encodeWithAll(final ProtocolVersion version)
    {
        return encoding.encoder()
            .encode(version, 258, VoidResult.INSTANCE, TRACING_ID, WARNINGS, payload(),
                Encoding.LIMIT);
    }

    @Test
    void putsPrefixesInOrder()
    {
        assertEquals(WireBytes.toHex(WireBytes.hex("84 0e 0102 08 00000033" +
            "0123456789abcdef7edcba9876543210" +
            "0002 0003\"one\" 0004\"z\"c3b6\"w\"" +
            "0002 0001\"k\" 00000002 0102 0001\"n\" ffffffff" +
            "00000001")), WireBytes.toHex(Encoding.take(encodeWithAll(ProtocolVersion.V4))));
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void dropsForVersion3WhatItDoesNotKnow(final ProtocolVersion version)
    {
        final ResponseReader reader = new ResponseReader(Encoding.take(encodeWithAll(version)));
        final int beta = version == ProtocolVersion.V6 ? 0x10 : 0;
        assertEquals(version.number(), reader.version());
        assertEquals((version == ProtocolVersion.V3 ? 0x02 : 0x0E) | beta, reader.flags());
        assertEquals(258, reader.streamId());
        assertEquals(0x08, reader.opcode());
        assertEquals(TRACING_ID, reader.tracingId());
        if (version == ProtocolVersion.V3)
        {
            assertNull(reader.warnings());
            assertNull(reader.customPayload());
        }
        else
        {
            assertEquals(WARNINGS, reader.warnings());
            assertArrayEquals(new byte[]{1, 2}, reader.customPayload().get("k"));
            assertNull(reader.customPayload().get("n"));
        }
        assertEquals(1, reader.int4());
        reader.end();
    }

    @Test
    void putsEachPrefixAlone()
    {
        final EnvelopeEncoder encoder = encoding.encoder();
        assertEquals(0x02, new ResponseReader(Encoding.take(encoder.encode(ProtocolVersion.V5, 1, Ready.INSTANCE,
            TRACING_ID, null, null, Encoding.LIMIT))).flags());
        assertEquals(0x08, new ResponseReader(Encoding.take(encoder.encode(ProtocolVersion.V5, 1, Ready.INSTANCE,
            null, WARNINGS, null, Encoding.LIMIT))).flags());
        assertEquals(0x04, new ResponseReader(Encoding.take(encoder.encode(ProtocolVersion.V5, 1, Ready.INSTANCE,
            null, null, payload(), Encoding.LIMIT))).flags());
        assertEquals(0, new ResponseReader(Encoding.take(encoder.encode(ProtocolVersion.V5, 1, Ready.INSTANCE,
            null, List.of(), Map.of(), Encoding.LIMIT))).flags());
    }

    /** Nothing of one answer is left over in the next: K10. */
    @Test
    void forgetsPrefixesBetweenAnswers()
    {
        encodeWithAll(ProtocolVersion.V6).close();
        assertEquals("840000010200000000", encoding.hex(ProtocolVersion.V4, 1, Ready.INSTANCE));
        encodeWithAll(ProtocolVersion.V5).close();
        assertEquals("830000010200000000", encoding.hex(ProtocolVersion.V3, 1, Ready.INSTANCE));
    }

    @Test
    void carriesWarningsWithErrors()
    {
        final ResponseReader reader = new ResponseReader(Encoding.take(encoding.encoder()
            .encode(ProtocolVersion.V5, 9,
                ErrorBody.of(ErrorCode.INVALID, "no"), null, WARNINGS, null, Encoding.LIMIT)));
        assertEquals(WARNINGS, reader.warnings());
        assertEquals("no", reader.failure().message());
    }

    @Test
    void cutsWarnings()
    {
        final List<String> many = Collections.nCopies(70_000, "w");
        final ResponseReader reader = new ResponseReader(Encoding.take(encoding.encoder()
            .encode(ProtocolVersion.V5, 9,
                Ready.INSTANCE, null, many, null, Encoding.LIMIT)));
        assertEquals(65_535, reader.warnings().size());
        reader.end();
        final ResponseReader longOne = new ResponseReader(Encoding.take(encoding.encoder()
            .encode(ProtocolVersion.V5,
                9, Ready.INSTANCE, null, List.of("\u20ac".repeat(30_000)), null, Encoding.LIMIT)));
        assertEquals("\u20ac".repeat(65_535 / 3), longOne.warnings().get(0));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1000, 1023, 1024, 1025, 131_071, 1_000_000, Integer.MAX_VALUE, -1})
    void growsWhateverTheHintWas(final int hint)
    {
        final Filler body = new Filler(200_000, hint, -1);
        final int limit = hint == Integer.MAX_VALUE ? 1 << 20 : Encoding.LIMIT;
        final byte[] envelope = Encoding
            .take(encoding.encoder().encode(ProtocolVersion.V5, 3, body, null, null, null, limit));
        assertEquals(200_009, envelope.length);
        for (int i = 0; i < 200_000; i++)
        {
            assertEquals((byte)i, envelope[9 + i]);
        }
    }

    /** K16: whatever the body throws, the caller sees it, the memory comes back and the next answer is whole. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1000, 5000, 99_999})
    void leaksNothingWhenABodyThrows(final int failAfter)
    {
        final ArithmeticException error = assertThrows(ArithmeticException.class,
            () -> encoding.envelope(ProtocolVersion.V5, 1, new Filler(100_000, 10, failAfter)));
        assertEquals("after " + failAfter, error.getMessage());
        assertEquals(0, encoding.pool().outstandingLeases());
        assertEquals("850000010200000000", encoding.hex(ProtocolVersion.V5, 1, Ready.INSTANCE));
    }

    @Test
    void leaksNothingWhenTheHintThrowsOrPrefixesDo()
    {
        final ResponseBody broken = new ResponseBody()
        {
            @Override
            public Opcode opcode()
            {
                return Opcode.RESULT;
            }

            @Override
            public int encodedLengthHint(final ProtocolVersion version)
            {
                throw new IllegalStateException("hint");
            }

            @Override
            public void encode(final BodyWriter out, final ProtocolVersion version)
            {
                throw new AssertionError("never called");
            }
        };
        assertThrows(IllegalStateException.class, () -> encoding.envelope(ProtocolVersion.V5, 1, broken));
        assertThrows(NullPointerException.class, () -> encoding.encoder()
            .encode(ProtocolVersion.V5, 1, Ready.INSTANCE,
                null, Collections.singletonList(null), null, Encoding.LIMIT));
        assertEquals(0, encoding.pool().outstandingLeases());
        assertEquals("850000010200000000", encoding.hex(ProtocolVersion.V5, 1, Ready.INSTANCE));
    }

    @Test
    void keepsTheLimit()
    {
        final EnvelopeEncoder encoder = encoding.encoder();
        assertEquals(1009, Encoding.take(
            encoder.encode(ProtocolVersion.V5, 1, new Filler(1000, 5, -1), null, null, null, 1009)).length);
        assertThrows(BodyTooLargeException.class,
            () -> encoder.encode(ProtocolVersion.V5, 1, new Filler(1000, 5, -1), null, null, null, 1008));
        assertThrows(BodyTooLargeException.class,
            () -> encoder.encode(ProtocolVersion.V5, 1, Ready.INSTANCE, null, null, null, 8));
        assertThrows(BodyTooLargeException.class,
            () -> encoder.encode(ProtocolVersion.V5, 1, Ready.INSTANCE, TRACING_ID, null, null, 24));
        assertEquals(0, encoding.pool().outstandingLeases());
    }

    @Test
    void writesPieceByPiece()
    {
        final EnvelopeEncoder encoder = encoding.encoder();
        final BodyWriter out = encoder.begin(ProtocolVersion.V5, 4, Opcode.RESULT, 4, TRACING_ID, null, null, 1 << 20);
        out.putInt(1);
        final ResponseReader reader = new ResponseReader(Encoding.take(encoder.finish()));
        assertEquals(TRACING_ID, reader.tracingId());
        assertEquals(1, reader.int4());
        reader.end();
        encoder.begin(ProtocolVersion.V5, 4, Opcode.RESULT, 4, null, null, null, 1 << 20);
        encoder.abort();
        encoder.abort();
        assertEquals(0, encoding.pool().outstandingLeases());
        encoder.begin(ProtocolVersion.V5, 4, Opcode.RESULT, 4, null, null, null, 1 << 20);
        assertThrows(IllegalStateException.class,
            () -> encoder.begin(ProtocolVersion.V5, 4, Opcode.RESULT, 4, null, null, null, 1 << 20));
        encoder.abort();
    }

    /** The eight-byte header has one byte for the stream. */
    @Test
    void refusesOldVersionsInTheirOwnTerms()
    {
        final String text = "Invalid or unsupported protocol version (2); supported versions are (3/v3)";
        assertEquals(WireBytes.toHex(WireBytes.hex("82 00 07 00 00000050 0000000a 004a \"" + text + "\"")),
            WireBytes.toHex(Encoding.take(
                encoding.encoder().encodeLegacyError(2, 7, ErrorCode.PROTOCOL_ERROR, text))));
        assertEquals(WireBytes.toHex(WireBytes.hex("81 00 80 00 00000006 00000000 0000")),
            WireBytes.toHex(Encoding.take(encoding.encoder().encodeLegacyError(1, -128, ErrorCode.SERVER_ERROR, ""))));
        final byte[] longest = Encoding.take(
            encoding.encoder().encodeLegacyError(1, 0, ErrorCode.PROTOCOL_ERROR, "\u20ac".repeat(100_000)));
        assertEquals(8 + 4 + 2 + 65_535, longest.length);
    }

    @Test
    void allocatesNothingForAVoidResult()
    {
        final com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean)java.lang.management.ManagementFactory
            .getThreadMXBean();
        final long self = Thread.currentThread().getId();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 20; round++)
        {
            final long before = threads.getThreadAllocatedBytes(self);
            for (int i = 0; i < 2_000; i++)
            {
                encoding.encoder()
                    .encode(ProtocolVersion.V5, i, VoidResult.INSTANCE, null, null, null, 1 << 20)
                    .close();
            }
            least = Math.min(least, (threads.getThreadAllocatedBytes(self) - before) / 2_000);
        }
        assertEquals(0, least);
        assertSame(Opcode.RESULT, VoidResult.INSTANCE.opcode());
        assertTrue(encoding.pool().madeBytes() > 0);
    }
}
