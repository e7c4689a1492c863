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
package io.sluice.bench.cluster;

import io.sluice.bench.server.ChildNode;
import io.sluice.bench.server.NodeLog;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * One node of the cluster, in a JVM of its own: the same folder and configuration whatever serves its clients. Confined
 * to one thread.
 */
final class ClusterNode implements AutoCloseable
{
    private static final long STOP_SECONDS = 120;
    private static final int LAST_WORDS = 4_000;
    /** The tokens of an even ring of three, so that no node takes another's data over. */
    private static final long[] TOKENS = {-9_223_372_036_854_775_808L, -3_074_457_345_618_258_603L,
        3_074_457_345_618_258_602L};

    private final int index;
    private final Path folder;
    private final ClusterPorts ports;
    private final ClusterJvm jvm;
    private Process process;
    private Transport transport;
    private int starts;

    ClusterNode(final int index, final Path folder, final ClusterPorts ports, final ClusterJvm jvm) throws IOException
    {
        this.index = index;
        this.folder = Files.createDirectories(folder);
        this.ports = ports;
        this.jvm = jvm;
        Files.writeString(yaml(), configuration());
    }

    private Path yaml()
    {
        return folder.resolve("cassandra.yaml");
    }

    /** Timeouts are long, so that a slow machine makes the cluster slow and not wrong. */
    private String configuration()
    {
        return """
            cluster_name: 'Mixed'
            partitioner: org.apache.cassandra.dht.Murmur3Partitioner
            endpoint_snitch: SimpleSnitch
            num_tokens: 1
            initial_token: '%s'
            auto_bootstrap: false
            phi_convict_threshold: 12
            listen_address: %s
            storage_port: %s
            seed_provider:
              - class_name: org.apache.cassandra.locator.SimpleSeedProvider
                parameters:
                  - seeds: "%s:%s"
            rpc_address: %s
            native_transport_port: %s
            start_native_transport: true
            commitlog_sync: periodic
            commitlog_sync_period: 1000ms
            read_request_timeout: 60s
            range_request_timeout: 60s
            write_request_timeout: 60s
            native_transport_timeout: 60s
            """.formatted(TOKENS[index], name(), ports.storage(), ClusterPorts.address(0), ports.storage(), name(),
            ports.cql());
    }

    /** Its address, which is its name here. */
    String name()
    {
        return ClusterPorts.address(index);
    }

    InetSocketAddress address()
    {
        return new InetSocketAddress(name(), ports.cql());
    }

    /** What serves it now, or last did. */
    Transport transport()
    {
        return transport;
    }

    /** Returns when it serves clients. */
    void start(final Transport with) throws IOException, InterruptedException
    {
        transport = with;
        final Path console = folder.resolve("console." + ++starts);
        final List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "@" + jvm.flags(),
            "-Xms" + jvm.heap(), "-Xmx" + jvm.heap(), "-XX:+UseG1GC", "-XX:TieredStopAtLevel=1", "-Xshare:auto",
            // It must see the others before its clients see it.
            "-Dcassandra.skip_wait_for_gossip_to_settle=-1", "-Dcassandra.gossip_settle_min_wait_ms=2000",
            "-Dcassandra.gossip_settle_interval_ms=500", "-Dcassandra.shutdown_announce_in_ms=500",
            "-cp", System.getProperty("java.class.path"), ChildNode.class.getName(),
            "--config", yaml().toString(), "--data", folder.resolve("data").toString(),
            "--jmx-port", ports.jmx().get(index).toString()));
        if (with == Transport.STOCK)
        {
            command.add("--stock");
        }
        process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(console.toFile()).start();
        Until.holds(name() + " serves clients", () ->
        {
            final String said = Files.readString(console);
            if (!process.isAlive())
            {
                throw new IOException(name() + " ended with " + process.exitValue() + ": " +
                    said.substring(Math.max(0, said.length() - LAST_WORDS)));
            }
            return said.contains(" is ready after ");
        });
    }

    /** As an operator does it: clients first, then storage. */
    void stop() throws IOException, InterruptedException
    {
        process.destroy();
        if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS))
        {
            throw new IOException(name() + " does not stop; see " + folder);
        }
    }

    /** As a machine does it that loses its power. */
    void kill() throws InterruptedException
    {
        process.destroyForcibly();
        process.waitFor();
    }

    /** How many nodes it holds to be alive, itself included. */
    @SuppressWarnings("BanJNDI") // an address of this machine
    int liveNodes() throws IOException
    {
        try (JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(
            "service:jmx:rmi:///jndi/rmi://127.0.0.1:" + ports.jmx().get(index) + "/jmxrmi")))
        {
            return ((List<?>)connector.getMBeanServerConnection()
                .getAttribute(new ObjectName("org.apache.cassandra.db:type=StorageService"), "LiveNodes")).size();
        }
        catch (final JMException e)
        {
            throw new IOException("live nodes of " + name() + ": " + e, e);
        }
    }

    /** Lines of its log that should not be there. */
    List<String> errors() throws IOException
    {
        return NodeLog.errors(folder.resolve("data").resolve("logs").resolve("system.log"));
    }

    @Override
    public void close()
    {
        if (process != null)
        {
            process.destroyForcibly();
        }
    }
}
