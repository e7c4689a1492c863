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
package io.sluice.transport.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** What proxies send first, and the sockets that they send it on. Stateless. */
public final class ProxyHeaders
{
    /** An address of this machine that tests take for a proxy's. */
    public static final String PROXY = "127.0.0.9";

    private static final byte[] SIGNATURE = {13, 10, 13, 10, 0, 13, 10, 81, 85, 73, 84, 10};
    private static final int LOCAL = 0x20;
    private static final int FOR_CLIENT = 0x21;
    private static final int TCP4 = 0x11;
    private static final int TCP6 = 0x21;
    private static final int IPV4_BYTES = 4;

    private ProxyHeaders()
    {
    }

    /** A socket that comes from {@link #PROXY}. */
    public static Socket fromProxy(final InetSocketAddress server) throws IOException
    {
        final Socket socket = new Socket();
        try
        {
            socket.bind(new InetSocketAddress(PROXY, 0));
            socket.connect(server);
            return socket;
        }
        catch (final IOException e)
        {
            socket.close();
            throw e;
        }
    }

    /** Version 1 for this client. */
    public static byte[] line(final InetSocketAddress client)
    {
        final InetAddress address = client.getAddress();
        final boolean isFour = address.getAddress().length == IPV4_BYTES;
        return text("PROXY TCP" + (isFour ? 4 : 6) + " " + address.getHostAddress() +
            (isFour ? " 127.0.0.1 " : " ::1 ") + client.getPort() + " 9042\r\n");
    }

    /** These characters. */
    public static byte[] text(final String characters)
    {
        return characters.getBytes(StandardCharsets.US_ASCII);
    }

    /** Version 2 for this client, with that many bytes of extensions. */
    public static byte[] binary(final InetSocketAddress client, final int extensionBytes)
    {
        final byte[] address = client.getAddress().getAddress();
        final byte[] body = ByteBuffer.allocate(2 * address.length + 4 + extensionBytes)
            .put(address)
            .put(new byte[address.length])
            .putShort((short)client.getPort())
            .putShort((short)9042)
            .array();
        return binary(FOR_CLIENT, address.length == IPV4_BYTES ? TCP4 : TCP6, body.length, body);
    }

    /** Version 2, of the proxy's own. */
    public static byte[] local()
    {
        return binary(LOCAL, 0, 0);
    }

    /** Version 2 of these parts. */
    public static byte[] binary(final int command, final int family, final int length, final byte... body)
    {
        return ByteBuffer.allocate(SIGNATURE.length + 4 + body.length)
            .put(SIGNATURE)
            .put((byte)command)
            .put((byte)family)
            .putShort((short)length)
            .put(body)
            .array();
    }
}
