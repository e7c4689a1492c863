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

import io.netty.handler.ssl.SslProvider;
import io.sluice.transport.testkit.TestCertificate;
import io.sluice.transport.testkit.TestServer;
import io.sluice.transport.testkit.WireClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** A test over real sockets of each kind whose methods are run plain and over TLS. */
abstract class SecuredSocketTest extends SocketTest
{
    /** What is between the sockets and the protocol. */
    enum Security
    {
        /** Nothing. */
        PLAIN(null),
        /** The JDK's engine. */
        TLS_JDK(SslProvider.JDK),
        /** BoringSSL. */
        TLS_OPENSSL(SslProvider.OPENSSL);

        private final SslProvider provider;

        Security(final SslProvider provider)
        {
            this.provider = provider;
        }
    }

    @TempDir
    private static Path directory;
    private static TestCertificate certificate;

    private Security security;

    @BeforeAll
    static void makeCertificate() throws Exception
    {
        certificate = TestCertificate.make(directory);
    }

    final void start(final Security newSecurity, final Consumer<NativeTransportBuilder> change) throws Exception
    {
        security = newSecurity;
        server = TestServer.start(sockets, newSecurity == Security.PLAIN
            ? TlsConfig.off()
            : new TlsConfig(TlsConfig.Mode.REQUIRED, certificate.server(newSecurity.provider), Duration.ofSeconds(50),
                false),
            change);
    }

    /** A client whose TLS, if any, is agreed on. */
    final WireClient connect() throws Exception
    {
        return connect(0);
    }

    /** The same, with that much room for what it does not read; 0 for the usual. */
    final WireClient connect(final int receiveBytes) throws Exception
    {
        if (security == Security.PLAIN)
        {
            return receiveBytes == 0
                ? server.connect()
                : WireClient.connectNarrow(server.address(), receiveBytes);
        }
        return WireClient.over(certificate.connect(server.address(), "TLSv1.3", receiveBytes));
    }

    final WireClient ready(final int version) throws Exception
    {
        final WireClient client = connect();
        client.startUp(version, null);
        return client;
    }
}
