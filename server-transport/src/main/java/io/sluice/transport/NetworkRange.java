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

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/** A range of IP addresses in CIDR notation, of one family. Immutable. */
public final class NetworkRange
{
    private final byte[] network;
    private final int prefixBits;

    private NetworkRange(final byte[] network, final int prefixBits)
    {
        this.network = network;
        this.prefixBits = prefixBits;
    }

    /**
     * The range that this text names: {@code 10.0.0.0/8}, {@code 2001:db8::/32}, or one address alone.
     *
     * @throws IllegalArgumentException if it is something else, or has bits behind its prefix
     */
    public static NetworkRange of(final String text)
    {
        final int slash = text.indexOf('/');
        final byte[] address = NetUtil.createByteArrayFromIpAddressString(slash < 0 ? text : text.substring(0, slash));
        if (address == null)
        {
            throw new IllegalArgumentException("network: " + text + " (expected: an IP address, or one and /bits)");
        }
        final int bits = slash < 0 ? address.length * Byte.SIZE : prefix(text, slash, address.length);
        for (int bit = bits; bit < address.length * Byte.SIZE; bit++)
        {
            if ((address[bit / Byte.SIZE] & 0x80 >> bit % Byte.SIZE) != 0)
            {
                throw new IllegalArgumentException("network: " + text + " (expected: no bits behind the first " + bits +
                    ")");
            }
        }
        return new NetworkRange(address, bits);
    }

    private static int prefix(final String text, final int slash, final int addressBytes)
    {
        final String digits = text.substring(slash + 1);
        final int most = addressBytes * Byte.SIZE;
        if (digits.matches("[0-9]{1,3}") && Integer.parseInt(digits) <= most)
        {
            return Integer.parseInt(digits);
        }
        throw new IllegalArgumentException("network: " + text + " (expected: 0.." + most + " bits)");
    }

    /** True if the address is one of these. */
    public boolean includes(final InetAddress address)
    {
        final byte[] other = address.getAddress();
        if (other.length != network.length)
        {
            return false;
        }
        final int whole = prefixBits / Byte.SIZE;
        if (!Arrays.equals(network, 0, whole, other, 0, whole))
        {
            return false;
        }
        final int rest = prefixBits % Byte.SIZE;
        return rest == 0 || (network[whole] ^ other[whole]) >> Byte.SIZE - rest == 0;
    }

    @Override
    public String toString()
    {
        try
        {
            return InetAddress.getByAddress(network).getHostAddress() + "/" + prefixBits;
        }
        catch (final UnknownHostException e)
        {
            throw new IllegalStateException(e);
        }
    }
}
