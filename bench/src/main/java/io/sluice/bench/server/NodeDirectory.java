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
package io.sluice.bench.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A folder for one node, with a configuration that Cassandra 5.0.8 and 6.0-alpha2 both take. Deleted on closing.
 * Confined to one thread.
 */
public final class NodeDirectory implements AutoCloseable
{
    /** System property of the node's JVM: where its memtables keep their copies. */
    public static final String MEMTABLE = "sluice.bench.memtable";
    /** Cassandra's own choice. */
    public static final String DEFAULT_MEMTABLE = "heap_buffers";

    private static final Map<String, String> PROPERTIES = Map.of(
        "cassandra-foreground", "true",
        "cassandra.ring_delay_ms", "0",
        "cassandra.skip_wait_for_gossip_to_settle", "0",
        "cassandra.superuser_setup_delay_ms", "0",
        "cassandra.memtable.row_overhead_size", "180",
        "cassandra.shutdown_announce_in_ms", "0",
        "cassandra.libjemalloc", "-");

    private final Path root;
    private final int cqlPort;
    private final int storagePort;

    private NodeDirectory(final Path root, final int cqlPort, final int storagePort)
    {
        this.root = root;
        this.cqlPort = cqlPort;
        this.storagePort = storagePort;
    }

    /** In the folder for temporary files, on ports that are free now. */
    public static NodeDirectory create() throws IOException
    {
        final Path root = Files.createTempDirectory("sluice-bench-node");
        try (ServerSocket first = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
            ServerSocket second = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            return new NodeDirectory(root, first.getLocalPort(), second.getLocalPort());
        }
    }

    /** Where everything is. */
    public Path root()
    {
        return root;
    }

    /** Where clients connect. */
    public int cqlPort()
    {
        return cqlPort;
    }

    /** The cassandra.yaml. */
    public Path configuration()
    {
        return root.resolve("cassandra.yaml");
    }

    /** Writes the cassandra.yaml and sets the system properties that a node of this JVM reads. */
    public void configure() throws IOException
    {
        Files.write(configuration(), List.of(
            "cluster_name: bench",
            "partitioner: org.apache.cassandra.dht.Murmur3Partitioner",
            "endpoint_snitch: SimpleSnitch",
            "num_tokens: 1",
            "commitlog_sync: periodic",
            "commitlog_sync_period: 10s",
            "listen_address: 127.0.0.1",
            "rpc_address: 127.0.0.1",
            "storage_port: " + storagePort,
            "native_transport_port: " + cqlPort,
            "memtable_allocation_type: " + System.getProperty(MEMTABLE, DEFAULT_MEMTABLE),
            "write_request_timeout: 60s",
            "read_request_timeout: 60s",
            "data_file_directories: [" + root.resolve("data") + "]",
            "commitlog_directory: " + root.resolve("commitlog"),
            "hints_directory: " + root.resolve("hints"),
            "saved_caches_directory: " + root.resolve("saved_caches"),
            "cdc_raw_directory: " + root.resolve("cdc"),
            "seed_provider:",
            "  - class_name: org.apache.cassandra.locator.SimpleSeedProvider",
            "    parameters: [{seeds: '127.0.0.1:" + storagePort + "'}]",
            "authenticator: AllowAllAuthenticator",
            "authorizer: AllowAllAuthorizer",
            "role_manager: CassandraRoleManager"));
        System.setProperty("cassandra.config", configuration().toUri().toString());
        System.setProperty("cassandra.storagedir", root.toString());
        System.setProperty("cassandra.logdir", root.toString());
        PROPERTIES.forEach(System::setProperty);
    }

    @Override
    public void close()
    {
        try
        {
            Folders.delete(root);
        }
        catch (final IOException | UncheckedIOException e)
        {
            // The node is still at work there; what it leaves is in the folder for temporary files.
        }
    }
}
