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

import io.netty.handler.ssl.SslProvider;
import io.sluice.transport.testkit.Await;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.TestCertificate;
import io.sluice.transport.testkit.TestServer;
import io.sluice.transport.testkit.WireClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections are counted from accept to their end, whatever becomes of them and whenever a cap is set. */
final class ConnectionCapIT extends SocketTest
{
    @TempDir
    private static Path directory;
    private static TestCertificate certificate;

    @BeforeAll
    static void makeCertificate() throws Exception
    {
        certificate = TestCertificate.make(directory);
    }

    private void cap(final boolean perAddress, final int cap)
    {
        final TransportLimitsBuilder limits = TransportLimits.defaults().with();
        server.transport()
            .control()
            .limits((perAddress ? limits.maxConnectionsPerAddress(cap) : limits.maxConnections(cap)).build());
    }

    private int admitted()
    {
        return server.transport().context.connections.admitted();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void capThatIsSetLaterCountsWhoIsThere(final boolean perAddress) throws IOException
    {
        start();
        final List<WireClient> clients = new ArrayList<>();
        for (int i = 0; i < 4; i++)
        {
            clients.add(server.ready(3 + i % 3));
        }
        assertEquals(4, admitted());
        cap(perAddress, 4);
        for (int i = 0; i < 10; i++)
        {
            try (WireClient refused = server.connect())
            {
                refused.expectEnd();
            }
        }
        // Those that were refused have taken no place.
        clients.remove(0).close();
        Await.until("left", () -> admitted() == 3);
        clients.add(server.ready(5));
        cap(perAddress, 2);
        for (final WireClient client : clients)
        {
            expectServes(client);
        }
        for (int i = 0; i < 3; i++)
        {
            clients.remove(0).close();
        }
        Await.until("left", () -> admitted() == 1);
        clients.add(server.ready(4));
        try (WireClient refused = server.connect())
        {
            refused.expectEnd();
        }
        for (final WireClient client : clients)
        {
            client.close();
        }
        server.awaitQuiet();
        assertEquals(0, admitted());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nothingThatDiesTakesAPlaceWithIt(final boolean tls) throws Exception
    {
        server = TestServer.start(sockets, tls
            ? new TlsConfig(TlsConfig.Mode.REQUIRED, certificate.server(SslProvider.JDK), Duration.ofSeconds(20), false)
            : TlsConfig.off(), TestServer.limits(limits -> limits.maxConnections(3).maxConnectionsPerAddress(3)));
        for (int i = 0; i < 300; i++)
        {
            die(server.connect(), i);
        }
        final List<WireClient> clients = new ArrayList<>();
        // Whoever is behind them in the kernel's queue comes when all of them have been accepted.
        Await.until("one gets in", () -> getsIn(tls, clients));
        Await.until("all gone", () -> admitted() == 1);
        clients.add(connect(tls));
        clients.add(connect(tls));
        try (WireClient refused = server.connect())
        {
            refused.expectEnd();
        }
        for (final WireClient client : clients)
        {
            expectServes(client);
            client.close();
        }
        server.awaitQuiet();
        assertEquals(0, admitted());
    }

    private WireClient connect(final boolean tls) throws Exception
    {
        final WireClient client = tls
            ? WireClient.over(certificate.connect(server.address(), "TLSv1.3", 0))
            : server.connect();
        client.startUp(5, null);
        return client;
    }

    private boolean getsIn(final boolean tls, final List<WireClient> clients)
    {
        try
        {
            clients.add(connect(tls));
            return true;
        }
        catch (final IOException e)
        {
            return false;
        }
        catch (final Exception e)
        {
            throw new IllegalStateException(e);
        }
    }

    private static void die(final WireClient client, final int how) throws IOException
    {
        try (client)
        {
            switch (how % 5)
            {
                // Perhaps before it was accepted.
                case 0 -> client.reset();
                case 1 -> client.send(new byte[]{22, 3, 1, 0, 100, 1, 0});
                case 2 -> client.send(new byte[]{'G', 'E', 'T', ' ', '/', ' '});
                case 3 ->
                {
                    client.send(Requests.startup(4, 1, (String)null));
                    client.reset();
                }
                default -> client.shutOutput();
            }
        }
        catch (final IOException e)
        {
            // Refused: it could not even send.
        }
    }
}
