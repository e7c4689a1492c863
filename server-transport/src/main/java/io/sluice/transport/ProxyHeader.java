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

import io.netty.buffer.ByteBuf;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;

/**
 * A header of the PROXY protocol, read where it lies: version 1 is one line of text, version 2 is binary.
 *
 * <pre>
 * PROXY TCP4 203.0.113.7 10.0.0.1 56324 9042\r\n
 *
 * +-------------------------------------+-------+-----+--------+-----------------------------+------------+
 * | 0d 0a 0d 0a 00 0d 0a 51 55 49 54 0a | 2|cmd | fam | length | source, destination, ports  | extensions |
 * +-------------------------------------+-------+-----+--------+-----------------------------+------------+
 * </pre>
 *
 * Taken are TCP over IPv4 and IPv6, and headers that name nobody: UNKNOWN, LOCAL (a proxy's own health check),
 * unspecified. Extensions are skipped unread. Everything else is malformed, at the first byte that shows it. Immutable.
 * Source: the PROXY protocol's specification, HAProxy Technologies, 2020-03-05.
 *
 * @param length bytes of the header
 * @param client whom the proxy speaks for, or null if it says nobody
 */
record ProxyHeader(int length, InetSocketAddress client)
{
    /** Of version 2 with its extensions; what balancers send is a tenth of it. */
    static final int LONGEST = 2_048;
    /** Of version 1, end of line included. */
    static final int LONGEST_LINE = 107;

    private static final byte[] SIGNATURE = {13, 10, 13, 10, 0, 13, 10, 81, 85, 73, 84, 10};
    private static final byte[] LINE_START = "PROXY ".getBytes(StandardCharsets.US_ASCII);
    private static final int COMMAND_OFFSET = 12;
    private static final int FAMILY_OFFSET = 13;
    private static final int LENGTH_OFFSET = 14;
    private static final int FIXED_LENGTH = 16;
    private static final int LOCAL = 0x20;
    private static final int PROXY = 0x21;
    private static final int UNSPECIFIED = 0x00;
    private static final int TCP_OVER_IPV4 = 0x11;
    private static final int TCP_OVER_IPV6 = 0x21;
    private static final int IPV4_BYTES = 4;
    private static final int IPV6_BYTES = 16;
    private static final int PORT_BYTES = 2;
    private static final int LINE_WORDS = 6;
    private static final int LARGEST_PORT = 65_535;

    /**
     * The header that begins at the reader index, which stays where it is; null if more bytes are needed.
     *
     * @throws MalformedProxyHeaderException as soon as it cannot become one
     */
    static ProxyHeader read(final ByteBuf bytes) throws MalformedProxyHeaderException
    {
        if (!bytes.isReadable())
        {
            return null;
        }
        final boolean isLine = bytes.getByte(bytes.readerIndex()) == LINE_START[0];
        final byte[] start = isLine ? LINE_START : SIGNATURE;
        for (int i = 0; i < Math.min(start.length, bytes.readableBytes()); i++)
        {
            if (bytes.getByte(bytes.readerIndex() + i) != start[i])
            {
                throw new MalformedProxyHeaderException("begins with no PROXY header");
            }
        }
        if (bytes.readableBytes() < start.length)
        {
            return null;
        }
        return isLine ? readLine(bytes) : readBinary(bytes);
    }

    private static ProxyHeader readLine(final ByteBuf bytes) throws MalformedProxyHeaderException
    {
        final int start = bytes.readerIndex();
        final int end = bytes.indexOf(start, start + Math.min(LONGEST_LINE, bytes.readableBytes()), (byte)'\n');
        if (end < 0)
        {
            if (bytes.readableBytes() >= LONGEST_LINE)
            {
                throw new MalformedProxyHeaderException("line: longer than " + LONGEST_LINE + " bytes");
            }
            return null;
        }
        if (bytes.getByte(end - 1) != '\r')
        {
            throw new MalformedProxyHeaderException("line: does not end with CR LF");
        }
        final int length = end + 1 - start;
        final String line = bytes.toString(start, length - 2, StandardCharsets.US_ASCII);
        return new ProxyHeader(length, client(line.split(" ", -1)));
    }

    private static InetSocketAddress client(final String... words) throws MalformedProxyHeaderException
    {
        if ("UNKNOWN".equals(words[1]))
        {
            // What follows, if anything, is not to be looked at.
            return null;
        }
        final boolean isFour = "TCP4".equals(words[1]);
        if (!isFour && !"TCP6".equals(words[1]))
        {
            throw new MalformedProxyHeaderException("family: not TCP4, TCP6 or UNKNOWN");
        }
        if (words.length != LINE_WORDS)
        {
            throw new MalformedProxyHeaderException("words: " + words.length + " (expected: " + LINE_WORDS + ")");
        }
        address(words[3], isFour);
        port(words[5]);
        return new InetSocketAddress(address(words[2], isFour), port(words[4]));
    }

    private static InetAddress address(final String text, final boolean isFour) throws MalformedProxyHeaderException
    {
        final boolean isValid = isFour
            ? NetUtil.isValidIpV4Address(text)
            : NetUtil.isValidIpV6Address(text) && text.indexOf('%') < 0 && text.indexOf('[') < 0;
        if (!isValid)
        {
            throw new MalformedProxyHeaderException("address: no " + (isFour ? "IPv4" : "IPv6") + " address");
        }
        final InetAddress address = address(NetUtil.createByteArrayFromIpAddressString(text));
        if (isFour && !address.getHostAddress().equals(text))
        {
            // Leading zeros: some take them for octal.
            throw new MalformedProxyHeaderException("address: no IPv4 address as it is written");
        }
        return address;
    }

    private static InetAddress address(final byte[] bytes)
    {
        try
        {
            return InetAddress.getByAddress(bytes);
        }
        catch (final UnknownHostException e)
        {
            throw new IllegalStateException(e);
        }
    }

    private static int port(final String text) throws MalformedProxyHeaderException
    {
        if (text.matches("0|[1-9][0-9]{0,4}") && Integer.parseInt(text) <= LARGEST_PORT)
        {
            return Integer.parseInt(text);
        }
        throw new MalformedProxyHeaderException("port: not 0.." + LARGEST_PORT);
    }

    private static ProxyHeader readBinary(final ByteBuf bytes) throws MalformedProxyHeaderException
    {
        final int start = bytes.readerIndex();
        if (bytes.readableBytes() <= COMMAND_OFFSET)
        {
            return null;
        }
        final int command = bytes.getUnsignedByte(start + COMMAND_OFFSET);
        if (command != LOCAL && command != PROXY)
        {
            throw new MalformedProxyHeaderException("version and command: " + command + " (expected: " + LOCAL + ", " +
                PROXY + ")");
        }
        if (bytes.readableBytes() < FIXED_LENGTH)
        {
            return null;
        }
        final int rest = bytes.getUnsignedShort(start + LENGTH_OFFSET);
        if (rest > LONGEST - FIXED_LENGTH)
        {
            throw new MalformedProxyHeaderException("length: " + rest + " (expected: 0.." + (LONGEST - FIXED_LENGTH) +
                ")");
        }
        final int addressBytes = command == LOCAL ? 0 : addressBytes(bytes.getUnsignedByte(start + FAMILY_OFFSET));
        if (addressBytes > 0 && rest < 2 * (addressBytes + PORT_BYTES))
        {
            throw new MalformedProxyHeaderException("length: " + rest + " (expected: >= " +
                2 * (addressBytes + PORT_BYTES) + ")");
        }
        if (bytes.readableBytes() < FIXED_LENGTH + rest)
        {
            return null;
        }
        if (addressBytes == 0)
        {
            return new ProxyHeader(FIXED_LENGTH + rest, null);
        }
        final byte[] source = new byte[addressBytes];
        bytes.getBytes(start + FIXED_LENGTH, source);
        return new ProxyHeader(FIXED_LENGTH + rest, new InetSocketAddress(address(source),
            bytes.getUnsignedShort(start + FIXED_LENGTH + 2 * addressBytes)));
    }

    private static int addressBytes(final int family) throws MalformedProxyHeaderException
    {
        return switch (family)
        {
            case UNSPECIFIED -> 0;
            case TCP_OVER_IPV4 -> IPV4_BYTES;
            case TCP_OVER_IPV6 -> IPV6_BYTES;
            default -> throw new MalformedProxyHeaderException("family: " + family +
                " (expected: TCP over IPv4 or IPv6, or unspecified)");
        };
    }
}
