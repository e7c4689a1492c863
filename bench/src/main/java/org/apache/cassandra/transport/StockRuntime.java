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
package org.apache.cassandra.transport;

import io.netty.channel.Channel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.cassandra.config.DatabaseDescriptor;

/** What the stock transport needs of a node: settings and metrics, no storage. */
public final class StockRuntime
{
    private StockRuntime()
    {
    }

    /** Sets the stock classes up for this JVM; a second call does nothing. */
    public static synchronized void start()
    {
        if (DatabaseDescriptor.isDaemonInitialized())
        {
            return;
        }
        final Path directory = temporaryDirectory();
        System.setProperty("cassandra.config", configuration(directory).toUri().toString());
        System.setProperty("cassandra.storagedir", directory.toString());
        DatabaseDescriptor.daemonInitialization();
        StockVersion.initMetrics();
    }

    private static Path temporaryDirectory()
    {
        try
        {
            final Path directory = Files.createTempDirectory("sluice-bench-stock");
            directory.toFile().deleteOnExit();
            return directory;
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    private static Path configuration(final Path directory)
    {
        final Path file = directory.resolve("cassandra.yaml");
        try
        {
            Files.writeString(file, String.join("\n",
                "cluster_name: bench",
                "partitioner: org.apache.cassandra.dht.Murmur3Partitioner",
                "endpoint_snitch: SimpleSnitch",
                "num_tokens: 1",
                "commitlog_sync: periodic",
                "commitlog_sync_period: 10s",
                "listen_address: 127.0.0.1",
                "rpc_address: 127.0.0.1",
                "data_file_directories: [" + directory.resolve("data") + "]",
                "commitlog_directory: " + directory.resolve("commitlog"),
                "hints_directory: " + directory.resolve("hints"),
                "saved_caches_directory: " + directory.resolve("saved_caches"),
                "cdc_raw_directory: " + directory.resolve("cdc"),
                "seed_provider:",
                "  - class_name: org.apache.cassandra.locator.SimpleSeedProvider",
                "    parameters: [{seeds: '127.0.0.1'}]",
                "authenticator: AllowAllAuthenticator",
                "authorizer: AllowAllAuthorizer",
                "role_manager: CassandraRoleManager",
                ""));
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
        return file;
    }

    /** Knows no connection and runs for ever. */
    static final class OpenTracker implements Connection.Tracker
    {
        @Override
        public void addConnection(final Channel channel, final Connection connection)
        {
            // Nobody asks for them here.
        }

        @Override
        public boolean isRunning()
        {
            return true;
        }
    }
}
