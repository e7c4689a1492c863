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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;
import io.sluice.framing.Opcode;
import io.sluice.framing.response.VoidResult;
import io.sluice.transport.testkit.Await;
import io.sluice.transport.testkit.LogWatch;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.TestCertificate;
import io.sluice.transport.testkit.TestServer;
import io.sluice.transport.testkit.WireClient;
import io.sluice.transport.testkit.WireEnvelope;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** TLS off, optional and required, with the JDK's engine and BoringSSL. */
final class TlsIT extends SocketTest
{
    @TempDir
    private static Path directory;
    private static TestCertificate certificate;

    @BeforeAll
    static void makeCertificate() throws Exception
    {
        OpenSsl.ensureAvailability();
        certificate = TestCertificate.make(directory);
    }

    private void start(final SslProvider provider,
        final TlsConfig.Mode mode,
        final Consumer<TransportLimitsBuilder> change)
        throws Exception
    {
        server = TestServer.start(sockets, new TlsConfig(mode, certificate.server(provider), Duration.ofSeconds(20),
            false), TestServer.limits(change));
    }

    private void start(final SslProvider provider, final TlsConfig.Mode mode) throws Exception
    {
        start(provider, mode, limits ->
        {
        });
    }

    private WireClient connect(final String protocol) throws Exception
    {
        return WireClient.over(certificate.connect(server.address(), protocol, 0));
    }

    @ParameterizedTest
    @CsvSource({
        "JDK,TLSv1.3,3,", "JDK,TLSv1.2,4,snappy", "JDK,TLSv1.3,5,lz4", "JDK,TLSv1.2,5,",
        "OPENSSL,TLSv1.2,3,lz4", "OPENSSL,TLSv1.3,4,", "OPENSSL,TLSv1.2,5,lz4", "OPENSSL,TLSv1.3,5,"})
    void requiredTlsServesSmallAndLargeBothWays(final SslProvider provider,
        final String protocol,
        final int version,
        final String compression) throws Exception
    {
        start(provider, TlsConfig.Mode.REQUIRED);
        try (WireClient client = connect(protocol))
        {
            client.startUp(version, compression);
            expectServes(client);
            assertTrue(client.ask(Requests.query(version, 2, "rows " + 10 * MIB)).body().length > 10 * MIB);
            assertEquals(Opcode.RESULT, client.ask(Requests.queryOfLength(version, 3, 10 * MIB)).type());
            final ClientConnection connection = server.transport().connections().iterator().next();
            assertEquals(protocol, connection.tlsSession().getProtocol());
            for (int stream = 0; stream < 100; stream++)
            {
                client.request(Requests.query(version, stream, "rows " + 1000 * stream));
            }
            assertEquals(100, client.readEnvelopes(100).stream().map(WireEnvelope::streamId).distinct().count());
        }
    }

    @ParameterizedTest
    @EnumSource(value = SslProvider.class, names = {"JDK", "OPENSSL"})
    void optionalTlsServesBoth(final SslProvider provider) throws Exception
    {
        start(provider, TlsConfig.Mode.OPTIONAL);
        try (WireClient plain = server.ready(5, "lz4"); WireClient encrypted = connect("TLSv1.3"))
        {
            encrypted.startUp(4, null);
            expectServes(plain);
            expectServes(encrypted);
            assertTrue(plain.ask(Requests.query(5, 2, "rows " + MIB)).body().length > MIB);
            assertEquals(Opcode.RESULT, plain.ask(Requests.queryOfLength(5, 3, MIB)).type());
        }
    }

    @ParameterizedTest
    @EnumSource(value = SslProvider.class, names = {"JDK", "OPENSSL"})
    void plaintextToATlsPortIsClosed(final SslProvider provider) throws Exception
    {
        start(provider, TlsConfig.Mode.REQUIRED);
        try (WireClient client = server.connect())
        {
            client.send(Requests.startup(5, 1, (String)null));
            assertTrue(client.readToEnd().length <= 7, "more than an alert");
        }
        server.awaitQuiet();
        assertEquals(List.of(CloseReason.TLS_FAILURE), server.listener().closed());
    }

    @Test
    void tlsToAPlainPortGetsTheVersionErrorAndTheEnd() throws Exception
    {
        start();
        assertThrows(SSLException.class, () -> connect("TLSv1.3").close());
        server.awaitQuiet();
        assertEquals(List.of(CloseReason.PROTOCOL_ERROR), server.listener().closed());
    }

    @ParameterizedTest
    @EnumSource(value = TlsConfig.Mode.class, names = {"OPTIONAL", "REQUIRED"})
    void beginningOfTlsAndThenSilenceEndsByTheDeadline(final TlsConfig.Mode mode) throws Exception
    {
        server = TestServer.start(sockets, new TlsConfig(mode, certificate.server(SslProvider.JDK), Duration.ofMillis(
            200), false), builder ->
            {
            });
        try (WireClient client = server.connect())
        {
            client.send(new byte[]{22, 3, 1});
            client.readToEnd();
        }
        server.awaitQuiet();
        assertEquals(List.of(CloseReason.TLS_FAILURE), server.listener().closed());
    }

    @Test
    void silenceOnAnOptionalPortEndsByTheHandshakeDeadline() throws Exception
    {
        start(SslProvider.JDK, TlsConfig.Mode.OPTIONAL, limits -> limits.handshakeTimeout(Duration.ofMillis(200)));
        try (WireClient silent = server.connect(); WireClient cut = server.connect())
        {
            cut.send(new byte[]{5, 0});
            silent.expectEnd();
            cut.expectEnd();
        }
        server.awaitQuiet();
        assertEquals(List.of(CloseReason.HANDSHAKE_TIMEOUT, CloseReason.HANDSHAKE_TIMEOUT), server.listener().closed());
    }

    @ParameterizedTest
    @CsvSource({"JDK,TLSv1.2", "JDK,TLSv1.3", "OPENSSL,TLSv1.2", "OPENSSL,TLSv1.3"})
    void lastErrorIsDeliveredBeforeCloseNotify(final SslProvider provider, final String protocol) throws Exception
    {
        start(provider, TlsConfig.Mode.REQUIRED);
        try (WireClient client = connect(protocol))
        {
            client.startUp(4, null);
            client.request(Requests.query(4, 1, "park"), Requests.header(4, 6, Opcode.QUERY, 0x7FFFFFFF));
            server.engine().nextParked().respond(VoidResult.INSTANCE);
            assertEquals(1, client.readEnvelope().streamId());
            // A truncated stream would be an exception.
            expectFatal(client, 6);
        }
        server.awaitQuiet();
        assertEquals(List.of(CloseReason.PROTOCOL_ERROR), server.listener().closed());
    }

    @ParameterizedTest
    @EnumSource(value = SslProvider.class, names = {"JDK", "OPENSSL"})
    void clientThatClosesInOrderIsNoFailure(final SslProvider provider) throws Exception
    {
        start(provider, TlsConfig.Mode.REQUIRED);
        for (final String protocol : List.of("TLSv1.2", "TLSv1.3"))
        {
            try (WireClient client = connect(protocol))
            {
                client.startUp(5, null);
                expectServes(client);
            }
        }
        server.awaitQuiet();
        assertEquals(List.of(CloseReason.CLIENT, CloseReason.CLIENT), server.listener().closed());
    }

    @Test
    void halfCloseGetsItsAnswersWithTheEngineOfTheJdk() throws Exception
    {
        start(SslProvider.JDK, TlsConfig.Mode.REQUIRED);
        try (WireClient client = connect("TLSv1.3"))
        {
            client.startUp(5, null);
            client.request(Requests.query(5, 1, "park"), Requests.query(5, 2, "rows 1000000"));
            final Exchange parked = server.engine().nextParked();
            client.shutOutput();
            assertEquals(2, client.readEnvelope().streamId());
            parked.respond(VoidResult.INSTANCE);
            assertEquals(1, client.readEnvelope().streamId());
            client.expectEnd();
        }
    }

    @ParameterizedTest
    @CsvSource({"JDK,TLSv1.2", "OPENSSL,TLSv1.2", "OPENSSL,TLSv1.3"})
    void endOfTlsWhereItEndsBothWaysAbandonsWhatIsInWork(final SslProvider provider, final String protocol)
        throws Exception
    {
        start(provider, TlsConfig.Mode.REQUIRED);
        try (WireClient client = connect(protocol))
        {
            client.startUp(5, null);
            client.request(Requests.query(5, 1, "park"));
            final Exchange parked = server.engine().nextParked();
            client.shutOutput();
            Await.until("abandoned", parked::isAbandoned);
            parked.respond(VoidResult.INSTANCE);
            client.readToEnd();
        }
        server.awaitQuiet();
        assertEquals(List.of(CloseReason.CLIENT), server.listener().closed());
    }

    @ParameterizedTest
    @EnumSource(value = SslProvider.class, names = {"JDK", "OPENSSL"})
    void drainShutsTlsInOrder(final SslProvider provider) throws Exception
    {
        start(provider, TlsConfig.Mode.REQUIRED);
        try (WireClient client = connect("TLSv1.3"))
        {
            client.startUp(5, null);
            client.request(Requests.query(5, 1, "park"));
            final Exchange parked = server.engine().nextParked();
            final CompletableFuture<Boolean> drained = server.transport().drain(Await.HANG);
            parked.respond(io.sluice.transport.testkit.ScriptedEngine.rows(3 * MIB));
            assertEquals(1, client.readEnvelope().streamId());
            client.expectEnd();
            client.leave();
            assertTrue(drained.get(Await.HANG.toSeconds(), TimeUnit.SECONDS));
        }
    }

    @ParameterizedTest
    @EnumSource(value = SslProvider.class, names = {"JDK", "OPENSSL"})
    void slowReaderUnderTlsIsBounded(final SslProvider provider) throws Exception
    {
        start(provider, TlsConfig.Mode.REQUIRED, limits -> limits.answerBytesPerConnection(MIB));
        try (WireClient slow = WireClient.over(certificate.connect(server.address(), "TLSv1.3", 4096));
            WireClient other = connect("TLSv1.3"))
        {
            slow.startUp(5, null);
            other.startUp(5, null);
            for (int stream = 0; stream < 300; stream++)
            {
                slow.request(Requests.query(5, stream, "rows 100000"));
            }
            Await.until("answers pile up", () -> server.transport().buffers().outstandingBytes() > MIB / 2);
            for (int i = 0; i < 50; i++)
            {
                expectServes(other);
                assertTrue(server.transport().buffers().outstandingBytes() < 3 * MIB);
            }
            assertTrue(server.engine().served() < 300, "served: " + server.engine().served());
            assertEquals(300, slow.readEnvelopes(300).stream().map(WireEnvelope::streamId).distinct().count());
            expectServes(slow);
        }
    }

    @ParameterizedTest
    @EnumSource(value = SslProvider.class, names = {"JDK", "OPENSSL"})
    void stalledReaderUnderTlsIsClosed(final SslProvider provider) throws Exception
    {
        start(provider, TlsConfig.Mode.REQUIRED, limits -> limits.answerBytesPerConnection(MIB)
            .stallTimeout(Duration.ofMillis(300)));
        final SSLSocket socket = certificate.connect(server.address(), "TLSv1.3", 4096);
        final WireClient slow = WireClient.over(socket);
        slow.startUp(4, null);
        for (int stream = 0; stream < 300; stream++)
        {
            slow.request(Requests.query(4, stream, "rows 100000"));
        }
        Await.until("closed", () -> server.listener().closed().contains(CloseReason.STALLED));
        server.awaitQuiet();
        slow.close();
    }

    @ParameterizedTest
    @EnumSource(value = SslProvider.class, names = {"JDK", "OPENSSL"})
    void clientsThatDieDuringOrAfterTheHandshakeLeaveNothing(final SslProvider provider) throws Exception
    {
        start(provider, TlsConfig.Mode.REQUIRED);
        for (int round = 0; round < 20; round++)
        {
            try (WireClient dying = server.connect())
            {
                dying.send(new byte[]{22, 3, 1, 0, 100, 1, 0});
                dying.reset();
            }
            final WireClient client = connect("TLSv1.3");
            client.startUp(5, null);
            client.request(Requests.query(5, 1, "rows 2000000"));
            if (round % 2 == 0)
            {
                client.readEnvelope();
            }
            client.socket().close();
        }
        server.awaitQuiet();
        assertEquals(0, server.takeInspected());
    }

    @LogWatch.Warns
    @ParameterizedTest
    @EnumSource(value = TlsConfig.Mode.class, names = {"OPTIONAL", "REQUIRED"})
    void unusableCertificatesKeepNewClientsOutAndNothingElse(final TlsConfig.Mode mode) throws Exception
    {
        final boolean[] broken = {false};
        final TlsConfig.ContextSource good = certificate.server(SslProvider.JDK);
        server = TestServer.start(sockets, new TlsConfig(mode, () ->
        {
            if (broken[0])
            {
                throw new IOException("no such file");
            }
            return good.context();
        }, Duration.ofSeconds(20), false), builder ->
        {
        });
        try (WireClient client = connect("TLSv1.3"))
        {
            client.startUp(5, null);
            broken[0] = true;
            assertThrows(IOException.class, () -> connect("TLSv1.3").close());
            expectServes(client);
            Await.until("closed", () -> server.transport().connections().size() == 1);
            assertEquals(1, server.takeInspected());
            // Where TLS is a choice, the client is let in and its first byte asks for the certificate.
            assertEquals(mode == TlsConfig.Mode.REQUIRED ? List.of(RefusalReason.SERVER_ERROR) : List.of(),
                server.listener().refused());
            assertEquals(mode == TlsConfig.Mode.REQUIRED ? List.of() : List.of(CloseReason.SERVER_ERROR),
                server.listener().closed());
            broken[0] = false;
            connect("TLSv1.3").close();
        }
    }
}
