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
package io.sluice.cassandra;

import io.sluice.transport.testkit.Await;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A key and a self-signed certificate, made by the JDK's keytool and written as PEM, too. Immutable. */
public final class KeyMaterial
{
    private static final String PASSWORD = "changeit";
    private static final String ALIAS = "key";

    private final KeyStore store;

    private KeyMaterial(final KeyStore store)
    {
        this.store = store;
    }

    /**
     * Makes a new one, as {@code NAME.p12}.
     *
     * @param alternative subject alternative names as keytool writes them: {@code uri:spiffe://test/role}
     */
    public static KeyMaterial make(final Path folder, final String name, final String alternative) throws IOException
    {
        final Path file = folder.resolve(name + ".p12");
        final Process keytool = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair", "-alias", ALIAS,
            "-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=" + name, "-ext", "SAN=" + alternative,
            "-validity", "30", "-storetype", "PKCS12", "-keystore", file.toString(), "-storepass", PASSWORD)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("keytool.log").toFile())
            .start();
        try
        {
            if (!keytool.waitFor(Await.HANG.toSeconds(), TimeUnit.SECONDS) || keytool.exitValue() != 0)
            {
                throw new IOException("keytool: " + Files.readString(folder.resolve("keytool.log")));
            }
            return read(folder, name);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    /** One that was made before. */
    public static KeyMaterial read(final Path folder, final String name) throws IOException
    {
        try (InputStream in = Files.newInputStream(folder.resolve(name + ".p12")))
        {
            final KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(in, PASSWORD.toCharArray());
            return new KeyMaterial(store);
        }
        catch (final GeneralSecurityException e)
        {
            throw new IOException(e);
        }
    }

    private static String pem(final String type, final byte[] bytes)
    {
        return "-----BEGIN " + type + "-----\n" +
            Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(bytes) + "\n-----END " +
            type + "-----\n";
    }

    /** The certificate as PEM. */
    String certificatePem() throws GeneralSecurityException
    {
        final Certificate certificate = store.getCertificate(ALIAS);
        return pem("CERTIFICATE", certificate.getEncoded());
    }

    /** Key and certificate as PEM. */
    String pem() throws GeneralSecurityException
    {
        final Key key = store.getKey(ALIAS, PASSWORD.toCharArray());
        return pem("PRIVATE KEY", key.getEncoded()) + certificatePem();
    }

    /**
     * TLS for a client that trusts this server.
     *
     * @param client whom it shows itself as, or null for nobody
     */
    public SSLContext trustedBy(final KeyMaterial client) throws GeneralSecurityException, IOException
    {
        final KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry(ALIAS, store.getCertificate(ALIAS));
        final TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        final KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        if (client != null)
        {
            keys.init(client.store, PASSWORD.toCharArray());
        }
        final SSLContext context = SSLContext.getInstance("TLS");
        context.init(client == null ? null : keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }
}
