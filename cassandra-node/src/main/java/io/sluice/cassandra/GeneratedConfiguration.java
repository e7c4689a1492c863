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
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;

/**
 * Writes the cassandra.yaml of a node that was given none: one token, SimpleSnitch, everything under the data
 * directory, and the features that are off by default but harmless on a node of one's own turned on. Stateless.
 */
final class GeneratedConfiguration
{
    static final int DEFAULT_PORT = 9042;
    static final int DEFAULT_STORAGE_PORT = 7000;
    static final String DEFAULT_ADDRESS = "127.0.0.1";

    private static final long LEAST_IN_FLIGHT_PER_IP_MIB = 32;
    private static final long LEAST_IN_FLIGHT_MIB = 64;
    private static final String HEADER = """
        # Made by "sluice node" and made anew at each start: edits are lost.
        # To change more than the command's options do, copy this file and start with --config COPY.
        """;

    private GeneratedConfiguration()
    {
    }

    /** Returns the file written. */
    static Path write(final NodeOptions options, final DataDirectory directory, final TlsMaterial tls)
        throws StartupFailure
    {
        final DumperOptions style = new DumperOptions();
        style.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
        final Path file = directory.folder("conf").resolve("cassandra.yaml");
        try
        {
            return Files.writeString(file, HEADER + new Yaml(style).dump(settings(options, directory, tls)));
        }
        catch (final IOException e)
        {
            throw new StartupFailure("the file " + file + " cannot be written (" + StartupFailure.reason(e) + ")",
                e);
        }
    }

    private static Map<String, Object> settings(final NodeOptions options,
        final DataDirectory directory,
        final TlsMaterial tls) throws StartupFailure
    {
        final int storagePort = options.storagePort == null ? DEFAULT_STORAGE_PORT : options.storagePort;
        final Map<String, Object> yaml = new LinkedHashMap<>();
        yaml.put("cluster_name", "Sluice");
        yaml.put("partitioner", "org.apache.cassandra.dht.Murmur3Partitioner");
        yaml.put("endpoint_snitch", "SimpleSnitch");
        yaml.put("num_tokens", 1);
        yaml.put("initial_token", "0"); // a ring of one needs no random token
        yaml.put("listen_address", DEFAULT_ADDRESS);
        yaml.put("storage_port", storagePort);
        yaml.put("seed_provider", List.of(Map.of("class_name", "org.apache.cassandra.locator.SimpleSeedProvider",
            "parameters", List.of(Map.of("seeds", DEFAULT_ADDRESS + ":" + storagePort)))));
        clients(yaml, options, tls);
        folders(yaml, directory.root());
        yaml.put("commitlog_sync", "periodic");
        yaml.put("commitlog_sync_period", "10s");
        yaml.put("user_defined_functions_enabled", true);
        yaml.put("materialized_views_enabled", true);
        yaml.put("sasi_indexes_enabled", true);
        yaml.put("drop_compact_storage_enabled", true);
        return yaml;
    }

    private static void clients(final Map<String, Object> yaml, final NodeOptions options, final TlsMaterial tls)
        throws StartupFailure
    {
        final String address = options.address == null ? DEFAULT_ADDRESS : options.address;
        yaml.put("start_native_transport", true);
        yaml.put("rpc_address", address);
        if (isWildcard(address))
        {
            yaml.put("broadcast_rpc_address", DEFAULT_ADDRESS);
        }
        // Cassandra takes a fortieth and a tenth of the heap, which refuses messages below 16 MiB if the heap is small.
        yaml.put("native_transport_max_request_data_in_flight_per_ip", mebibytes(LEAST_IN_FLIGHT_PER_IP_MIB, 40));
        yaml.put("native_transport_max_request_data_in_flight", mebibytes(LEAST_IN_FLIGHT_MIB, 10));
        yaml.put("native_transport_port", options.port == null ? DEFAULT_PORT : options.port);
        if (options.sslPort != null)
        {
            yaml.put("native_transport_port_ssl", options.sslPort);
        }
        if (tls != null)
        {
            yaml.put("client_encryption_options", Map.of("enabled", true,
                "optional", options.tlsMode() == TlsMode.OPTIONAL,
                "keystore", tls.keystore().toString(),
                "keystore_password", tls.password(),
                "store_type", "PKCS12"));
        }
        yaml.put("authenticator", options.auth ? "PasswordAuthenticator" : "AllowAllAuthenticator");
        yaml.put("authorizer", options.auth ? "CassandraAuthorizer" : "AllowAllAuthorizer");
        yaml.put("role_manager", "CassandraRoleManager");
    }

    private static void folders(final Map<String, Object> yaml, final Path root)
    {
        yaml.put("data_file_directories", List.of(root.resolve("data").toString()));
        yaml.put("commitlog_directory", root.resolve("commitlog").toString());
        yaml.put("hints_directory", root.resolve("hints").toString());
        yaml.put("saved_caches_directory", root.resolve("saved_caches").toString());
        yaml.put("cdc_raw_directory", root.resolve("cdc_raw").toString());
    }

    private static String mebibytes(final long least, final int shareOfHeap)
    {
        return Math.max(least, (Runtime.getRuntime().maxMemory() / shareOfHeap) >> 20) + "MiB";
    }

    private static boolean isWildcard(final String address) throws StartupFailure
    {
        try
        {
            return InetAddress.getByName(address).isAnyLocalAddress();
        }
        catch (final UnknownHostException e)
        {
            throw new StartupFailure("--address: " + address + " (expected: an address of this machine)", e);
        }
    }
}
