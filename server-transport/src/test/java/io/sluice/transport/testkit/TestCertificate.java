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

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.sluice.transport.TlsConfig;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/** A key and a certificate of its own, made by the JDK's keytool. Immutable. */
public final class TestCertificate
{
    private static final String PASSWORD = "changeit";

    /** One for all tests of this JVM: keytool takes a second. */
    private static final class Shared
    {
        private static final TestCertificate CERTIFICATE = makeInATemporaryDirectory();

        private static TestCertificate makeInATemporaryDirectory()
        {
            try
            {
                final Path directory = Files.createTempDirectory("sluice-certificate");
                final TestCertificate made = make(directory);
                for (final String file : new String[]{"server.p12", "keytool.log"})
                {
                    Files.deleteIfExists(directory.resolve(file));
                }
                Files.delete(directory);
                return made;
            }
            catch (final IOException | InterruptedException | GeneralSecurityException e)
            {
                throw new IllegalStateException(e);
            }
        }
    }

    private final KeyStore store;

    private TestCertificate(final KeyStore store)
    {
        this.store = store;
    }

    /** One for all tests of this JVM. */
    public static TestCertificate shared()
    {
        return Shared.CERTIFICATE;
    }

    /** Makes one in this directory. */
    public static TestCertificate make(final Path directory)
        throws IOException, InterruptedException, GeneralSecurityException
    {
        return make(directory, 0);
    }

    /**
     * Makes one that is valid for thirty days from another day on, as {@code server.p12} in this directory.
     *
     * @param startDay 0 for today, -40 for one that is out of date
     */
    public static TestCertificate make(final Path directory, final int startDay)
        throws IOException, InterruptedException, GeneralSecurityException
    {
        final Path file = directory.resolve("server.p12");
        Files.deleteIfExists(file);
        final Process keytool = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair", "-alias", "server", "-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=localhost",
            "-ext", "SAN=ip:127.0.0.1,dns:localhost", "-startdate", (startDay < 0 ? "" : "+") + startDay + "d",
            "-validity", "30", "-storetype", "PKCS12", "-keystore", file
                .toString(),
            "-storepass", PASSWORD).redirectErrorStream(true)
            .redirectOutput(directory.resolve("keytool.log").toFile())
            .start();
        if (!keytool.waitFor(Await.HANG.toSeconds(), TimeUnit.SECONDS) || keytool.exitValue() != 0)
        {
            throw new IOException("keytool: " + Files.readString(directory.resolve("keytool.log")));
        }
        return read(file);
    }

    /** One that was made before. */
    public static TestCertificate read(final Path file) throws IOException, GeneralSecurityException
    {
        final KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file))
        {
            store.load(in, PASSWORD.toCharArray());
        }
        return new TestCertificate(store);
    }

    /** The certificate itself. */
    public Certificate certificate() throws GeneralSecurityException
    {
        return store.getCertificate("server");
    }

    /** What a server shows. */
    public TlsConfig.ContextSource server(final SslProvider provider) throws GeneralSecurityException, IOException
    {
        final SslContext context = serverContext(provider);
        return () -> context;
    }

    /** A new context of a server that shows it. */
    public SslContext serverContext(final SslProvider provider) throws GeneralSecurityException, IOException
    {
        final KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD.toCharArray());
        return SslContextBuilder.forServer(keys).sslProvider(provider).build();
    }

    /**
     * A socket after its handshake.
     *
     * @param receiveBytes room for what is not read; 0 for the usual
     */
    public SSLSocket connect(final InetSocketAddress address, final String protocol, final int receiveBytes)
        throws IOException, GeneralSecurityException
    {
        final Socket socket = new Socket();
        try
        {
            if (receiveBytes > 0)
            {
                socket.setReceiveBufferSize(receiveBytes);
            }
            socket.connect(address);
            return over(clients(), socket, protocol);
        }
        catch (final IOException e)
        {
            socket.close();
            throw e;
        }
    }

    /** Makes sockets that trust this certificate; they resume sessions. */
    public SSLSocketFactory clients() throws IOException, GeneralSecurityException
    {
        final TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        final KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", store.getCertificate("server"));
        trust.init(trusted);
        final SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context.getSocketFactory();
    }

    /** TLS over a socket that is connected, after the handshake. */
    public static SSLSocket over(final SSLSocketFactory clients, final Socket connected, final String protocol)
        throws IOException
    {
        final SSLSocket tls = (SSLSocket)clients.createSocket(connected, "localhost", connected.getPort(), true);
        tls.setEnabledProtocols(new String[]{protocol});
        tls.setSoTimeout((int)Await.HANG.toMillis());
        tls.startHandshake();
        return tls;
    }
}
