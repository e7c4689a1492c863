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
package io.sluice.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sluice.transport.testkit.ProxyHeaders;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Headers of the PROXY protocol, whole and in pieces, good and bad. */
final class ProxyHeaderTest
{
    private static final InetSocketAddress FOUR = new InetSocketAddress("203.0.113.7", 56_324);
    private static final InetSocketAddress SIX = new InetSocketAddress("2001:db8::7", 65_535);
    private static final byte[] BEHIND = {5, 0, 0, 1, 5};

    /** A header and whom it names. */
    private record Good(byte[] header, InetSocketAddress client)
    {
    }

    static Stream<Good> good()
    {
        return Stream.of(new Good(ProxyHeaders.line(FOUR), FOUR), new Good(ProxyHeaders.line(SIX), SIX),
            new Good(ProxyHeaders.text("PROXY TCP4 255.255.255.255 255.255.255.255 65535 65535\r\n"),
                new InetSocketAddress("255.255.255.255", 65_535)),
            new Good(ProxyHeaders.text("PROXY TCP4 1.2.3.4 5.6.7.8 0 0\r\n"), new InetSocketAddress("1.2.3.4", 0)),
            new Good(ProxyHeaders.text("PROXY UNKNOWN\r\n"), null),
            new Good(ProxyHeaders.text("PROXY UNKNOWN ffff:f::1 any thing 1\r\n"), null),
            new Good(ProxyHeaders.text("PROXY UNKNOWN " + "x".repeat(ProxyHeader.LONGEST_LINE - 16) + "\r\n"), null),
            new Good(ProxyHeaders.binary(FOUR, 0), FOUR), new Good(ProxyHeaders.binary(SIX, 0), SIX),
            new Good(ProxyHeaders.binary(FOUR, 300), FOUR),
            new Good(ProxyHeaders.binary(SIX, ProxyHeader.LONGEST - 16 - 36), SIX),
            new Good(ProxyHeaders.local(), null),
            // A proxy's own: the rest is to be skipped, whatever it is.
            new Good(ProxyHeaders.binary(0x20, 0x31, 3, (byte)1, (byte)2, (byte)3), null),
            new Good(ProxyHeaders.binary(0x21, 0x00, 2, (byte)1, (byte)2), null));
    }

    private static ProxyHeader read(final byte[] bytes, final int length) throws MalformedProxyHeaderException
    {
        final ByteBuf buffer = Unpooled.wrappedBuffer(bytes, 0, length);
        final ProxyHeader header = ProxyHeader.read(buffer);
        assertEquals(0, buffer.readerIndex());
        return header;
    }

    @ParameterizedTest
    @MethodSource("good")
    void isReadOnceItIsWholeAndNotBefore(final Good good) throws MalformedProxyHeaderException
    {
        for (int length = 0; length < good.header().length; length++)
        {
            assertNull(read(good.header(), length));
        }
        final byte[] more = Arrays.copyOf(good.header(), good.header().length + BEHIND.length);
        System.arraycopy(BEHIND, 0, more, good.header().length, BEHIND.length);
        for (final byte[] bytes : List.of(good.header(), more))
        {
            final ProxyHeader header = read(bytes, bytes.length);
            assertEquals(good.header().length, header.length());
            assertEquals(good.client(), header.client());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PROXY TCP4 1.2.3.4 5.6.7.8 1 2\n", "PROXY TCP4 1.2.3.4 5.6.7.8 1\r\n",
        "PROXY TCP4 1.2.3.4 5.6.7.8 1 2 3\r\n", "PROXY TCP4  1.2.3.4 5.6.7.8 1 2\r\n", "PROXY  1.2.3.4 5.6.7.8 1 2\r\n",
        "PROXY TCP4 1.2.3.4 5.6.7.8 1 2 \r\n", "PROXY TCP4 1.2.3 5.6.7.8 1 2\r\n",
        "PROXY TCP4 01.2.3.4 5.6.7.8 1 2\r\n",
        "PROXY TCP4 1.2.3.256 5.6.7.8 1 2\r\n", "PROXY TCP4 ::1 ::1 1 2\r\n", "PROXY TCP6 1.2.3.4 5.6.7.8 1 2\r\n",
        "PROXY TCP6 ::1 ::g 1 2\r\n", "PROXY TCP6 ::1%lo ::1 1 2\r\n", "PROXY TCP6 [::1] ::1 1 2\r\n",
        "PROXY TCP4 1.2.3.4 5.6.7.8 65536 2\r\n", "PROXY TCP4 1.2.3.4 5.6.7.8 1 65536\r\n",
        "PROXY TCP4 1.2.3.4 5.6.7.8 -1 2\r\n", "PROXY TCP4 1.2.3.4 5.6.7.8 01 2\r\n",
        "PROXY TCP4 1.2.3.4 5.6.7.8 +1 2\r\n", "PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\r\n", "PROXY TCP4 1.2.3.4 h 1 2\r\n",
        "PROXY UDP4 1.2.3.4 5.6.7.8 1 2\r\n", "PROXY tcp4 1.2.3.4 5.6.7.8 1 2\r\n", "PROXY \r\n", "PROXZ", "GET / HTTP",
        "proxy TCP4", "PROXY\tTCP4", "\r\n\r\n\r"})
    void badLinesAreRefused(final String line)
    {
        final byte[] bytes = ProxyHeaders.text(line);
        assertThrows(MalformedProxyHeaderException.class, () -> read(bytes, bytes.length));
    }

    @Test
    void lineWithoutAnEndIsRefusedAtItsLongest()
    {
        final byte[] bytes = ProxyHeaders.text("PROXY UNKNOWN " + "x".repeat(200));
        assertThrows(MalformedProxyHeaderException.class, () -> read(bytes, ProxyHeader.LONGEST_LINE));
    }

    static Stream<byte[]> badBinaries()
    {
        final byte[] addresses = new byte[36];
        return Stream.of(ProxyHeaders.binary(0x11, 0x11, 36, addresses), ProxyHeaders.binary(0x22, 0x11, 36, addresses),
            ProxyHeaders.binary(0x2f, 0x11, 36, addresses), ProxyHeaders.binary(0x01, 0x11, 36, addresses),
            // UDP, unix sockets, and families that nobody knows.
            ProxyHeaders.binary(0x21, 0x12, 36, addresses), ProxyHeaders.binary(0x21, 0x22, 36, addresses),
            ProxyHeaders.binary(0x21, 0x31, 36, addresses), ProxyHeaders.binary(0x21, 0x41, 36, addresses),
            ProxyHeaders.binary(0x21, 0x10, 36, addresses), ProxyHeaders.binary(0x21, 0x01, 36, addresses),
            // Lengths that are too short for the family, or that nobody sends.
            ProxyHeaders.binary(0x21, 0x11, 11, addresses), ProxyHeaders.binary(0x21, 0x11, 0),
            ProxyHeaders.binary(0x21, 0x21, 35, addresses), ProxyHeaders.binary(0x21, 0x11, 65_535),
            ProxyHeaders.binary(0x20, 0x00, ProxyHeader.LONGEST - 15));
    }

    @ParameterizedTest
    @MethodSource("badBinaries")
    void badBinariesAreRefusedWithoutWaitingForTheirBytes(final byte[] bytes)
    {
        assertThrows(MalformedProxyHeaderException.class, () -> read(bytes, 16));
    }

    @Test
    void anySingleWrongByteOfTheSignatureIsRefusedAtOnce()
    {
        for (int i = 0; i < 12; i++)
        {
            final byte[] bytes = ProxyHeaders.local();
            bytes[i] ^= 0x40;
            final int length = i + 1;
            assertThrows(MalformedProxyHeaderException.class, () -> read(bytes, length));
        }
    }

    @Test
    void randomBytesAreRefusedOrWaitForMoreAndNothingElse()
    {
        final SplittableRandom random = new SplittableRandom(9042);
        final List<Good> seeds = good().toList();
        for (int round = 0; round < 100_000; round++)
        {
            final byte[] bytes = seeds.get(random.nextInt(seeds.size())).header().clone();
            for (int flips = random.nextInt(4); flips >= 0; flips--)
            {
                bytes[random.nextInt(bytes.length)] = (byte)random.nextInt();
            }
            try
            {
                read(bytes, random.nextInt(bytes.length + 1));
            }
            catch (final MalformedProxyHeaderException e)
            {
                assertEquals(-1, e.getMessage().indexOf('\n'), "nothing of the peer's is in it");
            }
        }
    }
}
