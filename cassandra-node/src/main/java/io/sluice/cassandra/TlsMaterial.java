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

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;

/**
 * The key store that the node serves TLS with. Without one of the user's own, a self-signed one for localhost is made
 * once by the JDK's keytool, with its certificate beside it as PEM and as a trust store for clients. Immutable.
 *
 * @param keystore PKCS12
 * @param password of the store and of its key
 */
record TlsMaterial(Path keystore, String password)
{
    /** The password of what is made here: for development, secret to nobody. */
    static final String DEVELOPMENT_PASSWORD = "cassandra";

    private static final String ALIAS = "node";

    /** Returns null if the options ask for no TLS. */
    static TlsMaterial forOptions(final NodeOptions options, final DataDirectory directory) throws StartupFailure
    {
        if (options.tlsMode() == TlsMode.OFF)
        {
            return null;
        }
        if (options.keystore == null)
        {
            return development(directory.folder("tls"));
        }
        final String given = options.keystorePassword == null
            ? System.getenv("SLUICE_KEYSTORE_PASSWORD")
            : options.keystorePassword;
        final TlsMaterial material = new TlsMaterial(options.keystore.toAbsolutePath(), given == null ? "" : given);
        material.open();
        return material;
    }

    private static TlsMaterial development(final Path folder) throws StartupFailure
    {
        final TlsMaterial material = new TlsMaterial(folder.resolve("keystore.p12"), DEVELOPMENT_PASSWORD);
        if (!Files.exists(material.keystore))
        {
            generate(material.keystore);
        }
        try
        {
            exportCertificate(material.open().getCertificate(ALIAS), folder);
        }
        catch (final IOException | GeneralSecurityException e)
        {
            throw new StartupFailure("the certificate cannot be written to " + folder + " (" + StartupFailure.reason(
                e) + ")", e);
        }
        return material;
    }

    private static void generate(final Path keystore) throws StartupFailure
    {
        final Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        try
        {
            final Process process = new ProcessBuilder(keytool.toString(), "-genkeypair", "-alias", ALIAS,
                "-keyalg", "RSA", "-keysize", "2048", "-validity", "3650", "-dname", "CN=localhost",
                "-ext", "san=dns:localhost,ip:127.0.0.1,ip:0:0:0:0:0:0:0:1", "-storetype", "PKCS12",
                "-keystore", keystore.toString(), "-storepass", DEVELOPMENT_PASSWORD)
                .redirectErrorStream(true)
                .start();
            process.getOutputStream().close();
            final String said = new String(process.getInputStream().readAllBytes(),
                java.nio.charset.Charset.defaultCharset()).strip();
            if (process.waitFor() != 0)
            {
                throw new StartupFailure("no key store could be made: " + said.lines().findFirst().orElse("no reason"));
            }
        }
        catch (final IOException e)
        {
            throw new StartupFailure("no key store could be made, for " + keytool + " does not run; give --keystore",
                e);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new StartupFailure("interrupted", e);
        }
    }

    private static void exportCertificate(final Certificate certificate, final Path folder)
        throws IOException, GeneralSecurityException
    {
        final String body = Base64.getMimeEncoder(64, new byte[]{'\n'}).encodeToString(certificate.getEncoded());
        Files.writeString(folder.resolve("ca.pem"),
            "-----BEGIN CERTIFICATE-----\n" + body + "\n-----END CERTIFICATE-----\n");
        final KeyStore trust = KeyStore.getInstance("PKCS12");
        trust.load(null, null);
        trust.setCertificateEntry(ALIAS, certificate);
        try (OutputStream out = Files.newOutputStream(folder.resolve("truststore.p12")))
        {
            trust.store(out, DEVELOPMENT_PASSWORD.toCharArray());
        }
    }

    private KeyStore open() throws StartupFailure
    {
        try (InputStream in = Files.newInputStream(keystore))
        {
            final KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(in, password.toCharArray());
            return store;
        }
        catch (final IOException | GeneralSecurityException e)
        {
            throw new StartupFailure("the key store " + keystore + " cannot be opened (" + StartupFailure.reason(e) +
                "); check --keystore and its password", e);
        }
    }

    @Override
    public String toString()
    {
        return "TlsMaterial[" + keystore + "]"; // never the password
    }
}
