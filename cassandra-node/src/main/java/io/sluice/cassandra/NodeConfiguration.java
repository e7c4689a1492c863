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

import java.nio.file.Files;
import java.nio.file.Path;

import org.apache.cassandra.config.Config;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.config.EncryptionOptions;
import org.apache.cassandra.config.ParameterizedClass;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/**
 * Which configuration the node runs with: the user's own file read by Cassandra itself, with only the options laid over
 * that were given, or else a generated one. Applying it is once per process. Any thread.
 */
final class NodeConfiguration
{
    private final NodeOptions options;
    private final DataDirectory directory;
    private final TlsMaterial tls;
    private final Path file;

    private NodeConfiguration(final NodeOptions options,
        final DataDirectory directory,
        final TlsMaterial tls,
        final Path file)
    {
        this.options = options;
        this.directory = directory;
        this.tls = tls;
        this.file = file;
    }

    static NodeConfiguration of(final NodeOptions options, final DataDirectory directory) throws StartupFailure
    {
        if (options.config != null)
        {
            return new NodeConfiguration(options, directory, givenTls(options, directory), readable(options.config));
        }
        final TlsMaterial tls = TlsMaterial.forOptions(options, directory);
        return new NodeConfiguration(options, directory, tls, GeneratedConfiguration.write(options, directory, tls));
    }

    /** The file's own key store stands unless TLS was asked for on the command line. */
    private static TlsMaterial givenTls(final NodeOptions options, final DataDirectory directory) throws StartupFailure
    {
        return options.tls == null && options.keystore == null ? null : TlsMaterial.forOptions(options, directory);
    }

    private static Path readable(final Path given) throws StartupFailure
    {
        final Path file = given.toAbsolutePath().normalize();
        if (!Files.exists(file))
        {
            throw new StartupFailure("the configuration file " + file + " does not exist");
        }
        if (!Files.isRegularFile(file) || !Files.isReadable(file))
        {
            throw new StartupFailure("the configuration file " + file + " cannot be read");
        }
        return file;
    }

    Path file()
    {
        return file;
    }

    /** Hands the configuration to Cassandra, which checks it. */
    void apply() throws StartupFailure
    {
        try
        {
            DatabaseDescriptor.daemonInitialization(() -> overlay(DatabaseDescriptor.loadConfig()));
        }
        catch (final RuntimeException e)
        {
            throw new StartupFailure("the configuration file " + file + " cannot be used: " + problem(e), e);
        }
    }

    private static String problem(final Throwable failure)
    {
        for (Throwable cause = failure; cause != null; cause = cause.getCause())
        {
            if (cause instanceof final MarkedYAMLException marked && marked.getProblemMark() != null)
            {
                final String what = marked.getProblem().strip().lines().findFirst().orElse("not yaml");
                return what + " (line " + (marked.getProblemMark().getLine() + 1) + ")";
            }
        }
        return StartupFailure.reason(failure);
    }

    @SuppressWarnings("deprecation") // native_transport_port_ssl is, and is what 5.0.8 offers
    private Config overlay(final Config config)
    {
        if (options.config == null)
        {
            return config;
        }
        if (options.port != null)
        {
            config.native_transport_port = options.port;
        }
        if (options.sslPort != null)
        {
            config.native_transport_port_ssl = options.sslPort;
        }
        if (options.address != null)
        {
            config.rpc_address = options.address;
            config.rpc_interface = null;
        }
        if (options.storagePort != null)
        {
            config.storage_port = options.storagePort;
        }
        if (options.auth)
        {
            config.authenticator = new ParameterizedClass("PasswordAuthenticator");
            config.authorizer = new ParameterizedClass("CassandraAuthorizer");
            config.role_manager = new ParameterizedClass("CassandraRoleManager");
        }
        overlayTls(config);
        overlayFolders(config);
        return config;
    }

    private void overlayTls(final Config config)
    {
        if (options.tls == TlsMode.OFF)
        {
            config.client_encryption_options = config.client_encryption_options.withEnabled(false).withOptional(false);
        }
        else if (tls != null)
        {
            final EncryptionOptions own = config.client_encryption_options;
            final boolean hasStore = options.keystore == null && own.keystore != null && Files.exists(Path.of(
                own.keystore));
            final EncryptionOptions stores = hasStore
                ? own
                : own.withKeyStore(tls.keystore().toString())
                    .withKeyStorePassword(tls.password())
                    .withStoreType("PKCS12");
            config.client_encryption_options = stores.withEnabled(true)
                .withOptional(
                    options.tlsMode() == TlsMode.OPTIONAL);
        }
    }

    private void overlayFolders(final Config config)
    {
        if (options.data != null)
        {
            final Path root = directory.root();
            config.data_file_directories = new String[]{root.resolve("data").toString()};
            config.commitlog_directory = root.resolve("commitlog").toString();
            config.hints_directory = root.resolve("hints").toString();
            config.saved_caches_directory = root.resolve("saved_caches").toString();
            config.cdc_raw_directory = root.resolve("cdc_raw").toString();
        }
    }
}
