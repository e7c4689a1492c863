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
package io.sluice.cassandra.tlsrequired;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.datastax.oss.driver.api.core.CqlSession;
import io.sluice.cassandra.NodeExtension;
import io.sluice.cassandra.TestNode;
import io.sluice.cassandra.Wire;
import io.sluice.transport.testkit.Await;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The node's key store is replaced while clients are there: field case 56 on a real node. */
@NodeExtension.Warns
@ExtendWith(NodeExtension.class)
final class CertificateReloadIT
{
    private final TestNode node;

    CertificateReloadIT(final TestNode node)
    {
        this.node = node;
    }

    @Test
    void case56ChangedKeyStoreIsTakenUpAndABadOneIsNot(@TempDir final Path directory) throws Exception
    {
        assumeTrue(!"stock".equals(System.getProperty("sluice.it.transport")), "stock looks every ten minutes");
        final byte[] original = Files.readAllBytes(node.keyStore());
        final Certificate first = shown();
        try (CqlSession before = node.connectTls(Wire.V5_LZ4))
        {
            final long failed = gauge("tls-reloads.failed");
            Files.write(node.keyStore(), "garbage".getBytes(StandardCharsets.US_ASCII));
            Await.until("refused", () -> gauge("tls-reloads.failed") > failed);
            assertEquals(first, shown());
            final long reloads = gauge("tls-reloads");
            Files.write(node.keyStore(), newKeyStore(directory));
            Await.until("taken up", () -> gauge("tls-reloads") > reloads);
            assertNotEquals(first, shown());
            assertEquals("local", before.execute("SELECT key FROM system.local").one().getString(0));
            // nodetool reloadssl, and at once.
            Files.write(node.keyStore(), original);
            ManagementFactory.getPlatformMBeanServer()
                .invoke(new ObjectName("org.apache.cassandra.net:type=MessagingService"), "reloadSslCertificates",
                    null, null);
            assertEquals(first, shown());
        }
        finally
        {
            Files.write(node.keyStore(), original);
            Await.until("back as it was", this::showsTrusted);
        }
    }

    private boolean showsTrusted()
    {
        try
        {
            node.connectTls(Wire.V4_PLAIN).close();
            return true;
        }
        catch (final RuntimeException e)
        {
            return false;
        }
    }

    private static long gauge(final String name)
    {
        try
        {
            return (Long)ManagementFactory.getPlatformMBeanServer()
                .getAttribute(new ObjectName("io.sluice:name=sluice.transport." + name + ",type=gauges"), "Value");
        }
        catch (final JMException e)
        {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] newKeyStore(final Path directory) throws IOException, InterruptedException
    {
        final Path file = directory.resolve("new.p12");
        final Process keytool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool")
            .toString(), "-genkeypair", "-alias", "node", "-keyalg", "RSA", "-keysize", "2048", "-dname",
            "CN=localhost", "-storetype", "PKCS12", "-keystore", file.toString(), "-storepass", "cassandra")
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("keytool.log").toFile())
            .start();
        assertEquals(0, keytool.waitFor(), () -> "keytool, see " + directory);
        return Files.readAllBytes(file);
    }

    /** What a new connection sees, whoever signed it. */
    private Certificate shown() throws Exception
    {
        final SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[]{new Everybody()}, null);
        try (SSLSocket socket = (SSLSocket)context.getSocketFactory()
            .createSocket(node.address().getAddress(), node.address().getPort()))
        {
            socket.startHandshake();
            return socket.getSession().getPeerCertificates()[0];
        }
    }

    /** Trusts all. */
    private static final class Everybody implements X509TrustManager
    {
        @Override
        public void checkClientTrusted(final X509Certificate[] chain, final String authType)
        {
            throw new UnsupportedOperationException("only ever a client");
        }

        @Override
        public void checkServerTrusted(final X509Certificate[] chain, final String authType)
        {
            // Whoever it is.
        }

        @Override
        public X509Certificate[] getAcceptedIssuers()
        {
            return new X509Certificate[0];
        }
    }
}
