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

import java.net.InetAddress;
import java.util.Locale;
import java.util.stream.Collectors;

import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.config.EncryptionOptions.TlsEncryptionPolicy;
import org.apache.cassandra.transport.ProtocolVersion;
import org.apache.cassandra.utils.FBUtilities;

/** What a user wants to know once the node runs: where it listens, what it speaks, how to connect. Stateless. */
final class ReadyNotice
{
    private ReadyNotice()
    {
    }

    static String text(final NodeOptions options, final DataDirectory directory, final long bootNanos)
    {
        final StringBuilder text = new StringBuilder(512);
        text.append("Apache Cassandra ")
            .append(FBUtilities.getReleaseVersionString())
            .append(" is ready after ")
            .append(String.format(Locale.ROOT, "%.1f", bootNanos / 1e9))
            .append(" s, native transport: ")
            .append(
                options.stock ? "stock" : "Sluice")
            .append('\n');
        listeners(text, options.jmxPortOrDefault());
        text.append("  data     ")
            .append(directory.root())
            .append(", log in ")
            .append(directory.systemLog())
            .append(
                '\n');
        connect(text, directory);
        return text.append("Ctrl-C drains and stops it.").toString();
    }

    private static void listeners(final StringBuilder text, final int jmxPort)
    {
        final int port = DatabaseDescriptor.getNativeTransportPort();
        final int sslPort = DatabaseDescriptor.getNativeTransportPortSSL();
        final TlsEncryptionPolicy policy = DatabaseDescriptor.getNativeProtocolEncryptionOptions()
            .tlsEncryptionPolicy();
        text.append("  CQL      ")
            .append(endpoint(port))
            .append(", TLS ")
            .append(words(sslPort == port ? policy : TlsEncryptionPolicy.UNENCRYPTED))
            .append('\n');
        if (sslPort != port)
        {
            text.append("  CQL      ").append(endpoint(sslPort)).append(", TLS ").append(words(policy)).append('\n');
        }
        text.append("  speaks   ")
            .append(ProtocolVersion.SUPPORTED.stream()
                .filter(version -> !version.isBeta())
                .map(
                    ReadyNotice::words)
                .collect(Collectors.joining("; ")))
            .append('\n');
        text.append("  JMX      ").append(jmxPort == 0 ? "none" : "127.0.0.1:" + jmxPort).append('\n');
    }

    private static String words(final ProtocolVersion version)
    {
        return "v" + version.asInt() +
            (version.isGreaterOrEqualTo(ProtocolVersion.V5) ? " plain, lz4" : " plain, lz4, snappy");
    }

    private static String words(final TlsEncryptionPolicy policy)
    {
        return switch (policy)
        {
            case UNENCRYPTED -> "off";
            case OPTIONAL -> "optional";
            case ENCRYPTED -> "required";
        };
    }

    private static String endpoint(final int port)
    {
        final InetAddress address = DatabaseDescriptor.getRpcAddress();
        return address.getHostAddress() + ":" + port;
    }

    private static void connect(final StringBuilder text, final DataDirectory directory)
    {
        final InetAddress address = DatabaseDescriptor.getRpcAddress();
        final String host = address.isAnyLocalAddress() ? "127.0.0.1" : address.getHostAddress();
        final boolean login = DatabaseDescriptor.getAuthenticator().requireAuthentication();
        final boolean tls = DatabaseDescriptor.getNativeProtocolEncryptionOptions()
            .tlsEncryptionPolicy() == TlsEncryptionPolicy.ENCRYPTED &&
            DatabaseDescriptor.getNativeTransportPortSSL() == DatabaseDescriptor
                .getNativeTransportPort();
        text.append("  connect  cqlsh")
            .append(login ? " -u cassandra -p cassandra" : "")
            .append(tls ? " --ssl " : " ")
            .append(host)
            .append(' ')
            .append(DatabaseDescriptor.getNativeTransportPort())
            .append('\n');
        text.append("           CqlSession.builder().addContactPoint(new InetSocketAddress(\"")
            .append(host)
            .append(
                "\", ")
            .append(DatabaseDescriptor.getNativeTransportPort())
            .append(")).withLocalDatacenter(\"")
            .append(
                DatabaseDescriptor.getLocalDataCenter())
            .append("\")")
            .append(login ? ".withAuthCredentials(\"cassandra\", \"cassandra\")" : "")
            .append(".build()\n");
        if (java.nio.file.Files.exists(directory.root().resolve("tls")))
        {
            text.append("           certificate to trust: ")
                .append(directory.root().resolve("tls").resolve("ca.pem"))
                .append(", truststore.p12 (password ")
                .append(TlsMaterial.DEVELOPMENT_PASSWORD)
                .append(")\n");
        }
    }
}
