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
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.handler.ssl.SslProvider;
import io.sluice.framing.Opcode;
import io.sluice.framing.response.VoidResult;
import io.sluice.transport.testkit.Await;
import io.sluice.transport.testkit.ProxyHeaders;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.TestCertificate;
import io.sluice.transport.testkit.TestServer;
import io.sluice.transport.testkit.WireClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients behind a proxy that is trusted, and one that is not. Proxies connect from an address of their own. */
final class ProxyProtocolIT extends SocketTest
{
    private static final InetSocketAddress CLIENT = new InetSocketAddress("203.0.113.7", 56_324);
    private static final InetSocketAddress OTHER = new InetSocketAddress("2001:db8::7", 1_024);

    private void startTrusting(final TlsConfig tls)
    {
        server = TestServer.start(sockets, tls,
            builder -> builder.trustedProxies(TrustedProxies.of(ProxyHeaders.PROXY, "10.0.0.0/8")));
    }

    private WireClient fromProxy() throws IOException
    {
        return WireClient.over(ProxyHeaders.fromProxy(server.address()));
    }

    private WireClient readyThroughProxy(final InetSocketAddress client) throws IOException
    {
        final WireClient through = fromProxy();
        through.send(ProxyHeaders.binary(client, 0));
        through.startUp(5, null);
        return through;
    }

    private ClientConnection only()
    {
        return server.transport().connections().iterator().next();
    }

    @ParameterizedTest
    @CsvSource({"1, 3", "1, 5", "2, 4", "2, 5"})
    void namesTheClient(final int proxyVersion, final int version) throws IOException
    {
        startTrusting(TlsConfig.off());
        for (final InetSocketAddress address : List.of(CLIENT, OTHER))
        {
            try (WireClient client = fromProxy())
            {
                client.send(proxyVersion == 1 ? ProxyHeaders.line(address) : ProxyHeaders.binary(address, 40));
                client.startUp(version, null);
                assertEquals(address, only().remoteAddress());
                assertEquals(ProxyHeaders.PROXY, only().proxyAddress().getAddress().getHostAddress());
                expectServes(client);
                assertTrue(client.ask(Requests.query(version, 2, "rows " + MIB)).body().length > MIB);
                assertEquals(Opcode.RESULT, client.ask(Requests.queryOfLength(version, 3, MIB)).type());
            }
            server.awaitQuiet();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void headerMayComeInPiecesAndWithTheFirstRequestBehindIt(final int proxyVersion) throws IOException
    {
        startTrusting(TlsConfig.off());
        final byte[] header = proxyVersion == 1 ? ProxyHeaders.line(CLIENT) : ProxyHeaders.binary(CLIENT, 5);
        final byte[] startup = Requests.startup(4, 1, (String)null);
        try (WireClient client = fromProxy())
        {
            for (final byte one : header)
            {
                client.send(new byte[]{one});
            }
            client.send(startup);
            assertEquals(Opcode.READY, client.readBare().type());
            assertEquals(CLIENT, only().remoteAddress());
        }
        server.awaitQuiet();
        final byte[] both = new byte[header.length + startup.length];
        System.arraycopy(header, 0, both, 0, header.length);
        System.arraycopy(startup, 0, both, header.length, startup.length);
        try (WireClient client = fromProxy())
        {
            client.send(both);
            assertEquals(Opcode.READY, client.readBare().type());
            assertEquals(CLIENT, only().remoteAddress());
        }
    }

    @ParameterizedTest
    @EnumSource(value = TlsConfig.Mode.class, names = {"OPTIONAL", "REQUIRED"})
    void headerComesBeforeTls(final TlsConfig.Mode mode) throws Exception
    {
        final TestCertificate certificate = TestCertificate.shared();
        for (final SslProvider provider : List.of(SslProvider.JDK, SslProvider.OPENSSL))
        {
            startTrusting(new TlsConfig(mode, certificate.server(provider), Duration.ofSeconds(20), false));
            final java.net.Socket socket = ProxyHeaders.fromProxy(server.address());
            socket.getOutputStream().write(ProxyHeaders.binary(CLIENT, 0));
            try (WireClient client = WireClient.over(TestCertificate.over(certificate.clients(), socket, "TLSv1.3")))
            {
                client.startUp(5, "lz4");
                expectServes(client);
                assertEquals("TLSv1.3", only().tlsSession().getProtocol());
                assertEquals(CLIENT, only().remoteAddress());
            }
            server.close();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void proxyThatSpeaksForItselfIsTheClient(final boolean line) throws IOException
    {
        startTrusting(TlsConfig.off());
        try (WireClient client = fromProxy())
        {
            client.send(line ? ProxyHeaders.text("PROXY UNKNOWN\r\n") : ProxyHeaders.local());
            client.startUp(5, null);
            expectServes(client);
            assertEquals(ProxyHeaders.PROXY, only().remoteAddress().getAddress().getHostAddress());
            assertNull(only().proxyAddress());
        }
    }

    @Test
    void othersNeedNoHeaderAndAreNotBelievedIfTheySendOne() throws IOException
    {
        startTrusting(TlsConfig.off());
        try (WireClient client = server.ready(5, null))
        {
            expectServes(client);
            assertNull(only().proxyAddress());
        }
        server.awaitQuiet();
        for (final byte[] header : List.of(ProxyHeaders.line(CLIENT), ProxyHeaders.binary(CLIENT, 0)))
        {
            try (WireClient client = server.connect())
            {
                client.send(header);
                expectFatalBare(client);
            }
            server.awaitQuiet();
        }
        assertEquals(List.of(CloseReason.CLIENT, CloseReason.PROTOCOL_ERROR, CloseReason.PROTOCOL_ERROR),
            server.listener().closed());
    }

    private static void expectFatalBare(final WireClient client) throws IOException
    {
        final byte[] answer = client.readToEnd();
        assertTrue(answer.length > 9 && answer[4] == 0, "an ERROR, then the end");
    }

    @Test
    void withoutTrustThereIsNoPrivilegedAddress() throws IOException
    {
        start();
        try (WireClient client = WireClient.over(ProxyHeaders.fromProxy(server.address())))
        {
            client.startUp(5, null);
            expectServes(client);
            assertEquals(ProxyHeaders.PROXY, only().remoteAddress().getAddress().getHostAddress());
        }
    }

    @Test
    void hostileHeadersEndTheConnectionCleanlyAndAreCounted() throws IOException
    {
        startTrusting(TlsConfig.off());
        final List<byte[]> hostile = List.of(Requests.startup(5, 1, (String)null), ProxyHeaders.text("GET / HTTP/1.1"),
            ProxyHeaders.text("PROXY TCP4 1.2.3.4 5.6.7.8 99999 1\r\n"),
            ProxyHeaders.text("PROXY UNKNOWN " + "x".repeat(5_000)), ProxyHeaders.binary(0x21, 0x11, 65_535),
            ProxyHeaders.binary(0x21, 0x11, 3, new byte[3]), ProxyHeaders.binary(0x2f, 0x11, 12, new byte[12]),
            new byte[]{22, 3, 1, 0, 100, 1}, new byte[100_000]);
        for (final byte[] bytes : hostile)
        {
            try (WireClient client = fromProxy())
            {
                client.send(bytes);
                assertEquals(0, client.readToEnd().length, "nothing is said to who cannot say who he is");
            }
            catch (final IOException e)
            {
                // Cut off while it still sent.
            }
        }
        server.awaitQuiet();
        assertEquals(Collections.nCopies(hostile.size(), RefusalReason.PROXY_HEADER), server.listener().refused());
        assertEquals(List.of(), server.listener().closed(), "nobody was let in");
        assertEquals(0, server.transport().context.connections.admitted());
    }

    @Test
    void silentProxiesEndByTheDeadlineOfTheHeader() throws IOException
    {
        server = TestServer.start(sockets, TlsConfig.off(), builder -> builder.trustedProxies(
            TrustedProxies.of(ProxyHeaders.PROXY).withHeaderTimeout(Duration.ofMillis(200))));
        try (WireClient silent = fromProxy();
            WireClient cut = fromProxy();
            WireClient quick = readyThroughProxy(CLIENT))
        {
            cut.send(ProxyHeaders.text("PROXY TCP4 203.0."));
            silent.expectEnd();
            cut.expectEnd();
            expectServes(quick);
        }
        server.awaitQuiet();
        assertEquals(List.of(RefusalReason.PROXY_HEADER, RefusalReason.PROXY_HEADER), server.listener().refused());
    }

    @Test
    void healthChecksThatSayNothingLeaveNothing() throws IOException
    {
        startTrusting(TlsConfig.off());
        try (ClientErrorLines lines = new ClientErrorLines())
        {
            for (int i = 0; i < 100; i++)
            {
                try (WireClient client = fromProxy())
                {
                    if (i % 2 == 0)
                    {
                        client.send(ProxyHeaders.text("PROXY TCP4 1.2"));
                    }
                    if (i % 3 == 0)
                    {
                        client.reset();
                    }
                }
            }
            server.awaitQuiet();
            assertEquals(List.of(), lines.seen());
        }
        assertEquals(List.of(), server.listener().refused());
        assertEquals(0, server.transport().context.connections.admitted());
    }

    @Test
    void capPerAddressIsTheClientsAndNotTheProxys() throws IOException
    {
        server = TestServer.start(sockets, TlsConfig.off(), builder -> builder
            .trustedProxies(TrustedProxies.of(ProxyHeaders.PROXY))
            .limits(TransportLimits.defaults().with().maxConnectionsPerAddress(2).maxConnections(6).build()));
        final List<WireClient> clients = new ArrayList<>();
        for (int i = 0; i < 2; i++)
        {
            clients.add(readyThroughProxy(CLIENT));
            clients.add(readyThroughProxy(OTHER));
        }
        assertEquals(2, server.transport().clientAddresses());
        try (WireClient third = fromProxy())
        {
            third.send(ProxyHeaders.line(CLIENT));
            third.expectEnd();
        }
        Await.until("refused", () -> server.listener().refused().equals(List.of(RefusalReason.ADDRESS_LIMIT)));
        clients.remove(0).close();
        Await.until("left", () -> server.transport().context.connections.admitted() == 3);
        clients.add(readyThroughProxy(CLIENT));
        // The cap of all holds from accept on, for proxies as for everybody.
        clients.add(fromProxy());
        clients.add(fromProxy());
        Await.until("accepted", () -> server.transport().context.connections.admitted() == 6);
        try (WireClient seventh = fromProxy())
        {
            seventh.expectEnd();
        }
        for (final WireClient client : clients)
        {
            client.close();
        }
        server.awaitQuiet();
        assertEquals(List.of(RefusalReason.ADDRESS_LIMIT, RefusalReason.CONNECTION_LIMIT), server.listener().refused());
        assertEquals(0, server.transport().context.connections.admitted());
    }

    @Test
    void bytesInFlightCountForTheClient() throws IOException
    {
        startTrusting(TlsConfig.off());
        try (WireClient one = readyThroughProxy(CLIENT); WireClient two = readyThroughProxy(OTHER))
        {
            expectServes(two);
            one.request(Requests.query(5, 7, "park"));
            Await.until("in work", () -> server.engine().parked() == 1);
            final Connection held = server.transport().context.connections.all()
                .stream()
                .filter(connection -> connection.remoteAddress().equals(CLIENT))
                .findFirst()
                .orElseThrow();
            final Connection idle = server.transport().context.connections.all()
                .stream()
                .filter(connection -> connection.remoteAddress().equals(OTHER))
                .findFirst()
                .orElseThrow();
            assertTrue(held.address.inFlight().usedBytes() > 0);
            assertEquals(0, idle.address.inFlight().usedBytes());
            server.engine().nextParked().respond(VoidResult.INSTANCE);
            assertEquals(Opcode.RESULT, one.readEnvelope().type());
        }
    }

    @Test
    void logNamesTheClientAndTheProxy() throws IOException
    {
        startTrusting(TlsConfig.off());
        try (ClientErrorLines lines = new ClientErrorLines(); WireClient client = fromProxy())
        {
            client.send(ProxyHeaders.line(CLIENT));
            client.send(new byte[]{77, 0, 0, 1, 5, 0, 0, 0, 0});
            client.readToEnd();
            Await.until("logged", () -> !lines.seen().isEmpty());
            assertTrue(lines.seen().get(0).contains("/203.0.113.7:56324 through /127.0.0.9:"), lines.seen()::toString);
        }
    }

    @Test
    void drainDoesNotWaitForHeaders() throws IOException
    {
        startTrusting(TlsConfig.off());
        try (WireClient silent = fromProxy())
        {
            Await.until("accepted", () -> server.transport().connections().size() == 1);
            assertTrue(server.transport().drain(Await.HANG).join());
            silent.expectEnd();
        }
        server.awaitQuiet();
        assertEquals(List.of(RefusalReason.SHUTDOWN), server.listener().refused());
    }
}
