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
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sluice.framing.testkit.WireBytes;
import io.sluice.memory.BufferLease;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BodyWriterTest
{
    private final Encoding encoding = new Encoding();
    private final BodyWriter out = new BodyWriter(encoding.pool());

    @AfterEach
    void returnsAllMemory()
    {
        encoding.close();
    }

    private String written(final Consumer<BodyWriter> content)
    {
        out.begin(0, Encoding.LIMIT);
        content.accept(out);
        final BufferLease lease = out.finish();
        return WireBytes.toHex(Encoding.take(lease));
    }

    private static String hex(final WireBytes bytes)
    {
        return WireBytes.toHex(bytes.toArray());
    }

    @Test
    void writesEveryPrimitive()
    {
        final UnsafeBuffer source = new UnsafeBuffer(new byte[]{1, 2, 3, 4});
        assertEquals(hex(new WireBytes().int1(0xFE).int2(0xFEDC).int4(-2).int8(-3)), written(writer ->
        {
            writer.putByte(0xFE);
            writer.putShort(0xFEDC);
            writer.putInt(-2);
            writer.putLong(-3);
        }));
        assertEquals(hex(new WireBytes().string("\u20ac")
            .longString("\u20ac")
            .bytes(null)
            .bytes(new byte[]{7})
            .shortBytes(new byte[]{8})
            .raw("0203")
            .bytes(new byte[]{3, 4})), written(writer ->
            {
                writer.putString("\u20ac");
                writer.putLongString("\u20ac");
                writer.putBytes(null);
                writer.putBytes(new byte[]{7});
                writer.putShortBytes(new byte[]{8});
                writer.putRaw(source, 1, 2);
                writer.putBytes(source, 2, 2);
            }));
        assertEquals(hex(new WireBytes().int2(2)
            .string("a")
            .string("")
            .int2(1)
            .string("k")
            .int2(1)
            .string("v")
            .int2(1)
            .string("b")
            .bytes(null)
            .int8(1)
            .int8(2)), written(writer ->
            {
                writer.putStringList(List.of("a", ""));
                writer.putStringMultimap(Map.of("k", List.of("v")));
                writer.putBytesMap(java.util.Collections.singletonMap("b", null));
                writer.putUuid(new UUID(1, 2));
            }));
    }

    @ParameterizedTest
    @CsvSource({"x,65535,65535", "x,65536,65535", "x,200000,65535", "\u00fc,32767,65534", "\u00fc,32768,65534",
        "\u20ac,21845,65535", "\u20ac,21846,65535", "\ud83d\ude00,16383,65532", "\ud83d\ude00,16384,65532"})
    void cutsStringsAtACharacterBoundary(final String one, final int characters, final int expectedBytes)
    {
        final String digits = written(writer -> writer.putString(one.repeat(characters)));
        assertEquals(expectedBytes, Integer.parseInt(digits.substring(0, 4), 16));
        final int each = one.getBytes(java.nio.charset.StandardCharsets.UTF_8).length;
        assertEquals(hex(new WireBytes().string(one.repeat(expectedBytes / each))), digits);
    }

    @Test
    void refusesWhatLengthsCannotSay()
    {
        out.begin(0, Encoding.LIMIT);
        assertThrows(IllegalArgumentException.class, () -> out.putShort(65_536));
        assertThrows(IllegalArgumentException.class, () -> out.putShort(-1));
        assertThrows(IllegalArgumentException.class, () -> out.putShortBytes(new byte[65_536]));
        assertThrows(IllegalArgumentException.class,
            () -> out.putStringList(java.util.Collections.nCopies(65_536, "")));
        assertThrows(BodyTooLargeException.class, () -> out.ensure(-1));
        assertThrows(BodyTooLargeException.class, () -> out.ensure(Integer.MAX_VALUE));
        assertEquals(0, out.position());
        assertEquals(Encoding.LIMIT, out.bytesLeft());
        out.abort();
    }

    @Test
    void patchesAndMoves()
    {
        assertEquals("0000000900000002", written(writer ->
        {
            writer.putInt(1);
            writer.putInt(2);
            writer.putInt(3);
            writer.putIntAt(0, 9);
            writer.position(8);
        }));
        out.begin(0, 10_000);
        assertThrows(IllegalArgumentException.class, () -> out.position(-1));
        assertThrows(IllegalArgumentException.class, () -> out.position(1025));
        out.abort();
        out.abort();
    }
}
