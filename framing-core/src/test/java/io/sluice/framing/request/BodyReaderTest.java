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
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sluice.framing.Consistency;
import io.sluice.framing.ProtocolException;
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.testkit.WireBytes;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class BodyReaderTest
{
    private static BodyReader over(final byte[] body)
    {
        return new BodyReader().wrap(Bodies.direct(body), Bodies.offset(), Bodies.offset() + body.length);
    }

    /** Reads the value, consuming all of it, and refuses every shorter body. */
    private static <T> T read(final byte[] body, final Function<BodyReader, T> primitive)
    {
        final UnsafeBuffer buffer = Bodies.direct(body);
        final BodyReader reader = new BodyReader();
        for (int length = 0; length < body.length; length++)
        {
            reader.wrap(buffer, Bodies.offset(), Bodies.offset() + length);
            final ProtocolException error = assertThrows(ProtocolException.class, () -> primitive.apply(reader));
            assertEquals(false, error.hasStreamId() || error.isFatal());
        }
        reader.wrap(buffer, Bodies.offset(), Bodies.offset() + body.length);
        final T value = primitive.apply(reader);
        assertEquals(0, reader.remaining());
        assertEquals(Bodies.offset() + body.length, reader.position());
        return value;
    }

    private static String refusal(final byte[] body, final Function<BodyReader, ?> primitive)
    {
        return assertThrows(ProtocolException.class, () -> primitive.apply(over(body))).getMessage();
    }

    @Test
    void readsNumbers()
    {
        assertEquals(0xFE, read(WireBytes.hex("fe"), BodyReader::readByte));
        assertEquals(0xFEDC, read(WireBytes.hex("fedc"), BodyReader::readShort));
        assertEquals(0xFEDCBA98, read(WireBytes.hex("fedcba98"), BodyReader::readInt));
        assertEquals(0xFEDCBA9876543210L, read(WireBytes.hex("fedcba9876543210"), BodyReader::readLong));
        assertEquals(new UUID(1, -1), read(new WireBytes().int8(1).int8(-1).toArray(), BodyReader::readUuid));
        assertEquals(Consistency.LOCAL_ONE, read(WireBytes.hex("000a"), BodyReader::readConsistency));
        assertEquals("int: 3 bytes left (expected: 4)", refusal(new byte[3], BodyReader::readInt));
    }

    @Test
    void readsStrings()
    {
        assertEquals("", read(WireBytes.hex("0000"), BodyReader::readString));
        assertEquals("", read(WireBytes.hex("00000000"), BodyReader::readLongString));
        assertEquals("a\u20ac", read(new WireBytes().string("a\u20ac").toArray(), BodyReader::readString));
        final String longest = "x".repeat(65535);
        assertEquals(longest, over(new WireBytes().string(longest).toArray()).readString());
        assertEquals("string length: 5 (expected: 0..4)",
            refusal(WireBytes.hex("0005 01020304"), BodyReader::readString));
        assertEquals("long string length: -1 (expected: 0..0)",
            refusal(WireBytes.hex("ffffffff"), BodyReader::readLongString));
    }

    @Test
    void readsBytes()
    {
        assertArrayEquals(new byte[]{7, 8}, read(WireBytes.hex("00000002 0708"), BodyReader::readBytes));
        assertNull(read(WireBytes.hex("ffffffff"), BodyReader::readBytes));
        assertNull(read(WireBytes.hex("80000000"), BodyReader::readBytes));
        assertArrayEquals(new byte[]{7}, read(WireBytes.hex("0001 07"), BodyReader::readShortBytes));
        assertEquals("bytes length: 2147483647 (expected: 0..1)",
            refusal(WireBytes.hex("7fffffff 00"), BodyReader::readBytes));
        assertEquals("short bytes length: 65535 (expected: 0..1)",
            refusal(WireBytes.hex("ffff 00"), BodyReader::readShortBytes));
    }

    @Test
    void readsValues()
    {
        assertSame(Cells.UNSET, read(WireBytes.hex("fffffffe"), reader -> reader.readValue(ProtocolVersion.V4)));
        assertNull(read(WireBytes.hex("fffffffe"), reader -> reader.readValue(ProtocolVersion.V3)));
        assertNull(read(WireBytes.hex("ffffffff"), reader -> reader.readValue(ProtocolVersion.V5)));
        assertEquals(false, Cells.isUnset(read(new byte[4], reader -> reader.readValue(ProtocolVersion.V5))));
    }

    @Test
    void readsCollections()
    {
        assertEquals(List.of("a", "", "c"),
            read(new WireBytes().int2(3).string("a").string("").string("c").toArray(), BodyReader::readStringList));
        assertEquals(Map.of("k", "v", "", "w"),
            read(new WireBytes().int2(2).string("k").string("v").string("").string("w").toArray(),
                BodyReader::readStringMap));
        assertEquals(Map.of("k", List.of("v", "w")),
            read(new WireBytes().int2(1).string("k").int2(2).string("v").string("w").toArray(),
                BodyReader::readStringMultimap));
        final Map<String, byte[]> payload = read(Bodies.payload(), BodyReader::readBytesMap);
        assertArrayEquals(new byte[]{(byte)0xCA, (byte)0xFE}, payload.get("k"));
        assertEquals(List.of("k", "n"), List.copyOf(payload.keySet()));
    }

    @Test
    void keepsTheLastOfDoubleKeys()
    {
        assertEquals(Map.of("k", "2"), over(new WireBytes().int2(2)
            .string("k")
            .string("1")
            .string("k")
            .string("2")
            .toArray()).readStringMap());
    }

    @Test
    void readsAddresses() throws java.net.UnknownHostException
    {
        final InetSocketAddress v4 = read(WireBytes.hex("04 7f000001 00002352"), BodyReader::readInet);
        assertEquals(9042, v4.getPort());
        assertArrayEquals(new byte[]{127, 0, 0, 1}, v4.getAddress().getAddress());
        final byte[] v6 = new WireBytes().int1(16).raw("20010db8000000000000000000000001").toArray();
        assertEquals(16, read(v6, BodyReader::readInetAddress).getAddress().length);
        assertEquals("address length: 5 (expected: 4 or 16)",
            refusal(WireBytes.hex("05 0102030405"), BodyReader::readInetAddress));
        assertEquals("port: 65536 (expected: 0..65535)",
            refusal(WireBytes.hex("04 7f000001 00010000"), BodyReader::readInet));
        assertEquals("port: -1 (expected: 0..65535)",
            refusal(WireBytes.hex("04 7f000001 ffffffff"), BodyReader::readInet));
    }

    @Test
    void refusesCountsThatCannotBe()
    {
        assertEquals("count: 65535 (expected: 0..0 in 0 bytes)",
            refusal(WireBytes.hex("ffff"), BodyReader::readStringList));
        assertEquals("count: 2 (expected: 0..1 in 7 bytes)",
            refusal(WireBytes.hex("0002 00000000000000"), BodyReader::readStringMap));
        assertEquals("count: 2 (expected: 0..1 in 11 bytes)",
            refusal(new WireBytes().int2(2).raw(new byte[11]).toArray(), BodyReader::readBytesMap));
    }

    @Test
    void refusesRangesOutsideTheBuffer()
    {
        final BodyReader reader = new BodyReader();
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[10]);
        assertThrows(IndexOutOfBoundsException.class, () -> reader.wrap(buffer, 0, 11));
        assertThrows(IndexOutOfBoundsException.class, () -> reader.wrap(buffer, -1, 5));
        assertThrows(IndexOutOfBoundsException.class, () -> reader.wrap(buffer, 6, 5));
        assertThrows(IndexOutOfBoundsException.class, () -> reader.wrap(buffer, 6, Integer.MIN_VALUE));
        assertEquals(0, reader.wrap(buffer, 10, 10).remaining());
    }
}
