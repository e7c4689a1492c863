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

import io.sluice.transport.NativeTransport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.apache.cassandra.auth.CassandraRoleManager;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.service.CassandraDaemon;
import org.apache.cassandra.service.StorageService;

/**
 * Apache Cassandra running in this process. Cassandra keeps itself in static fields, so one process can start one node,
 * once. Started and stopped by one thread.
 */
public final class CassandraNode
{
    private static final long FIRST_ROLE_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final List<DataDirectory> claimed;
    private final CassandraDaemon daemon;

    private CassandraNode(final List<DataDirectory> claimed, final CassandraDaemon daemon)
    {
        this.claimed = claimed;
        this.daemon = daemon;
    }

    /**
     * Returns once CQL clients are served, and can log in if they must.
     *
     * @param deactivated called when an operator stops the node from within (nodetool stopdaemon)
     * @throws StartupFailure if anything stands in the way; the process is then of no more use for a node
     */
    public static CassandraNode start(final NodeOptions options, final Runnable deactivated) throws StartupFailure
    {
        return start(options, DataDirectory.claim(options.dataDirectory()), deactivated);
    }

    static CassandraNode start(final NodeOptions options, final DataDirectory directory, final Runnable deactivated)
        throws StartupFailure
    {
        options.validate();
        final NodeConfiguration configuration = NodeConfiguration.of(options, directory);
        setProperties(configuration.file(), directory, options.jmxPortOrDefault());
        if (options.proxyFrom.length > 0)
        {
            setIfAbsent(NodeProxies.PROPERTY, String.join(",", options.proxyFrom));
        }
        setIfAbsent("cassandra.triggers_dir", directory.folder("triggers").toString());
        configuration.apply();
        final List<DataDirectory> claimed = claimAll(directory);
        ListeningPorts.check(options.jmxPortOrDefault(), options.metricsPort);
        if (options.metricsPort != null)
        {
            System.setProperty(PrometheusPort.PROPERTY, options.metricsPort.toString());
        }
        final CassandraDaemon daemon = daemon(options, deactivated);
        try
        {
            CassandraDaemon.registerNativeAccess();
            daemon.init(null);
            daemon.start();
        }
        catch (final Exception e)
        {
            throw new StartupFailure("Cassandra does not start: " + StartupFailure.reason(e) + " (more in " + directory
                .systemLog() + ")", e);
        }
        awaitFirstRole();
        return new CassandraNode(claimed, daemon);
    }

    /** A user's own configuration may put the tables elsewhere: there, too, no other node may be at work. */
    private static List<DataDirectory> claimAll(final DataDirectory directory) throws StartupFailure
    {
        final List<DataDirectory> claimed = new ArrayList<>();
        claimed.add(directory);
        for (final String location : DatabaseDescriptor.getAllDataFileLocations())
        {
            final Path folder = Path.of(location).toAbsolutePath().normalize();
            if (!folder.startsWith(directory.root()))
            {
                claimed.add(DataDirectory.claim(folder));
            }
        }
        return claimed;
    }

    private static CassandraDaemon daemon(final NodeOptions options, final Runnable deactivated)
    {
        return options.stock ? new StockDaemon(deactivated) : new SluiceDaemon(deactivated);
    }

    private static void setProperties(final Path yaml, final DataDirectory directory, final int jmxPort)
    {
        setIfAbsent("cassandra.config", yaml.toUri().toString());
        setIfAbsent("cassandra.storagedir", directory.root().toString());
        setIfAbsent("cassandra.logdir", directory.logs().toString());
        setIfAbsent("cassandra-foreground", "true");
        if (jmxPort != 0)
        {
            setIfAbsent("cassandra.jmx.local.port", Integer.toString(jmxPort));
        }
        // Beside the yaml, where GossipingPropertyFileSnitch would otherwise look on the class path.
        final Path rack = yaml.resolveSibling("cassandra-rackdc.properties");
        if (Files.isReadable(rack))
        {
            setIfAbsent("cassandra-rackdc.properties", rack.toUri().toString());
        }
        // A fast start: no waiting for other nodes' gossip, no 100,000-row estimate of a memtable row's size.
        setIfAbsent("cassandra.ring_delay_ms", "0");
        setIfAbsent("cassandra.skip_wait_for_gossip_to_settle", "0");
        setIfAbsent("cassandra.superuser_setup_delay_ms", "0");
        setIfAbsent("cassandra.memtable.row_overhead_size", "180");
        setIfAbsent("cassandra.shutdown_announce_in_ms", "0");
        setIfAbsent("cassandra.libjemalloc", "-"); // never preloaded here: nothing to warn about
    }

    private static void setIfAbsent(final String name, final String value)
    {
        if (System.getProperty(name) == null)
        {
            System.setProperty(name, value);
        }
    }

    /** Cassandra makes its first user in the background; a client that is quicker would be turned away. */
    private static void awaitFirstRole()
    {
        if (!DatabaseDescriptor.getAuthenticator().requireAuthentication() ||
            !(DatabaseDescriptor.getRoleManager() instanceof CassandraRoleManager))
        {
            return;
        }
        final long deadline = System.nanoTime() + FIRST_ROLE_NANOS;
        while (!CassandraRoleManager.hasExistingRoles() && System.nanoTime() < deadline)
        {
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** The transport that serves now, or null: also where the node's own serves. For tests. */
    NativeTransport transport()
    {
        return daemon instanceof SluiceDaemon sluice ? sluice.nativeTransport() : null;
    }

    /** Stops serving clients, then writes everything out: what was acknowledged is there at the next start. */
    public void stop() throws IOException, InterruptedException, ExecutionException
    {
        daemon.stop();
        if (!StorageService.instance.isDraining() && !StorageService.instance.isDrained())
        {
            StorageService.instance.drain();
        }
        for (final DataDirectory directory : claimed)
        {
            directory.close();
        }
    }

    /** Cassandra as it comes, save that it tells us when an operator stops it. */
    private static final class StockDaemon extends CassandraDaemon
    {
        private final Runnable deactivated;

        StockDaemon(final Runnable deactivated)
        {
            super(true);
            this.deactivated = deactivated;
        }

        @Override
        public void deactivate()
        {
            deactivated.run();
        }
    }
}
