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
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;

/**
 * A cassandra.yaml with a second port that asks clients for certificates, PEM files, and roles that certificates log in.
 * Stateless.
 */
final class MutualTlsConfiguration
{
    private MutualTlsConfiguration()
    {
    }

    /** Returns the file; the keys of the server and of its clients are beside it, by name. */
    static Path write(final Path folder, final int port, final int storagePort) throws IOException
    {
        final KeyMaterial server = KeyMaterial.make(folder, "server", "ip:127.0.0.1,dns:localhost");
        final KeyMaterial alice = KeyMaterial.make(folder, "alice", "uri:spiffe://test/alice");
        final KeyMaterial mallory = KeyMaterial.make(folder, "mallory", "uri:spiffe://test/mallory");
        final KeyMaterial nameless = KeyMaterial.make(folder, "nameless", "dns:nameless");
        try
        {
            Files.writeString(folder.resolve("server.pem"), server.pem());
            Files.writeString(folder.resolve("trusted.pem"),
                alice.certificatePem() + mallory.certificatePem() + nameless.certificatePem());
        }
        catch (final GeneralSecurityException e)
        {
            throw new IOException(e);
        }
        return Files.writeString(folder.resolve("cassandra.yaml"), """
            cluster_name: 'Mutual'
            partitioner: org.apache.cassandra.dht.Murmur3Partitioner
            endpoint_snitch: SimpleSnitch
            num_tokens: 1
            initial_token: '0'
            listen_address: 127.0.0.1
            storage_port: %s
            seed_provider:
              - class_name: org.apache.cassandra.locator.SimpleSeedProvider
                parameters:
                  - seeds: "127.0.0.1:%s"
            rpc_address: 127.0.0.1
            native_transport_port: %s
            commitlog_sync: periodic
            commitlog_sync_period: 10s
            credentials_validity: 0ms
            authenticator:
              class_name: org.apache.cassandra.auth.MutualTlsWithPasswordFallbackAuthenticator
              parameters:
                validator_class_name: org.apache.cassandra.auth.SpiffeCertificateValidator
            authorizer: CassandraAuthorizer
            role_manager: CassandraRoleManager
            client_encryption_options:
              enabled: true
              optional: false
              require_client_auth: true
              ssl_context_factory:
                class_name: org.apache.cassandra.security.PEMBasedSslContextFactory
              keystore: %s
              truststore: %s
            """.formatted(storagePort, storagePort, port, folder.resolve("server.pem").toAbsolutePath(),
            folder.resolve("trusted.pem").toAbsolutePath()));
    }
}
