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
package io.sluice.dropin;

import io.sluice.transport.testkit.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The folders of an installed Cassandra 5.0.8 and the node that runs from them. Its configuration is Cassandra's own but
 * for three ports. Confined to one thread.
 */
final class Installation implements AutoCloseable
{
    private static final String MAIN_CLASS = "org.apache.cassandra.service.CassandraDaemon";
    private static final String OUR_MAIN_CLASS = "io.sluice.cassandra.DropInMain";
    private static final long HANG_SECONDS = 180;
    private static final String READY = "Startup complete";

    private final Path root;
    private final int port;
    private final int jmxPort;
    private Process node;
    private int starts;

    /**
     * @param root made here
     * @param distribution bin and conf
     * @param jars what is in lib
     */
    Installation(final Path root, final Path distribution, final List<Path> jars) throws IOException
    {
        this.root = root;
        final int[] ports = freePorts();
        port = ports[0];
        jmxPort = ports[1];
        for (final String folder : List.of("bin", "conf", "lib", "logs"))
        {
            Files.createDirectories(root.resolve(folder));
        }
        for (final String folder : List.of("bin", "conf"))
        {
            copy(distribution.resolve(folder), root.resolve(folder));
        }
        for (final Path jar : jars)
        {
            // Linked, not copied: there are seventy megabytes of them.
            Files.createSymbolicLink(root.resolve("lib").resolve(jar.getFileName()), jar);
        }
        edit(root.resolve("conf").resolve("cassandra.yaml"), Map.of(
            "native_transport_port: 9042", "native_transport_port: " + port,
            "storage_port: 7000", "storage_port: " + ports[2],
            "127.0.0.1:7000", "127.0.0.1:" + ports[2]));
    }

    private static int[] freePorts() throws IOException
    {
        final List<ServerSocket> sockets = new ArrayList<>();
        try
        {
            for (int i = 0; i < 3; i++)
            {
                sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return sockets.stream().mapToInt(ServerSocket::getLocalPort).toArray();
        }
        finally
        {
            for (final ServerSocket socket : sockets)
            {
                socket.close();
            }
        }
    }

    private static void copy(final Path from, final Path to) throws IOException
    {
        try (Stream<Path> files = Files.list(from))
        {
            for (final Path file : files.toList())
            {
                Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    private static void edit(final Path file, final Map<String, String> replacements) throws IOException
    {
        String text = Files.readString(file);
        for (final Map.Entry<String, String> replacement : new TreeMap<>(replacements).entrySet())
        {
            if (!text.contains(replacement.getKey()))
            {
                throw new IOException(file + ": no " + replacement.getKey());
            }
            text = text.replace(replacement.getKey(), replacement.getValue());
        }
        Files.writeString(file, text);
    }

    int port()
    {
        return port;
    }

    /** The names in lib. */
    List<String> jars() throws IOException
    {
        try (Stream<Path> files = Files.list(root.resolve("lib")))
        {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    /** The steps of docs/drop-in.md: the jars, and the one line of bin/cassandra. */
    void install(final Path lib) throws IOException
    {
        copy(lib, root.resolve("lib"));
        edit(root.resolve("bin").resolve("cassandra"), Map.of(MAIN_CLASS, OUR_MAIN_CLASS));
    }

    /** And back. */
    void rollBack(final Path lib) throws IOException
    {
        edit(root.resolve("bin").resolve("cassandra"), Map.of(OUR_MAIN_CLASS, MAIN_CLASS));
        try (Stream<Path> files = Files.list(lib))
        {
            for (final Path file : files.toList())
            {
                Files.delete(root.resolve("lib").resolve(file.getFileName()));
            }
        }
    }

    /** Returns once clients are served; what only takes time on a node of one's own is left out. */
    void start() throws IOException, InterruptedException
    {
        final ProcessBuilder builder = new ProcessBuilder(root.resolve("bin").resolve("cassandra").toString(), "-f",
            "-D", "cassandra.skip_wait_for_gossip_to_settle=0", "-D", "cassandra.memtable.row_overhead_size=180", "-D",
            "cassandra.ring_delay_ms=0", "-D", "cassandra.shutdown_announce_in_ms=0")
            .redirectErrorStream(true)
            .redirectOutput(root.resolve("logs").resolve("console." + ++starts).toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("MAX_HEAP_SIZE", "384m");
        builder.environment().put("JMX_PORT", Integer.toString(jmxPort));
        builder.environment().put("JVM_OPTS", "-XX:TieredStopAtLevel=1 -Xshare:auto");
        node = builder.start();
        final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(HANG_SECONDS);
        while (readyCount() < starts)
        {
            if (node.waitFor(100, TimeUnit.MILLISECONDS) || System.nanoTime() - deadline > 0)
            {
                throw new IOException("the node does not start: " + console() + tail(log()));
            }
        }
    }

    private long readyCount() throws IOException
    {
        return Files.exists(root.resolve("logs").resolve("system.log"))
            ? log().lines().filter(line -> line.endsWith(READY)).count()
            : 0;
    }

    private static String tail(final String text)
    {
        return text.substring(Math.max(0, text.length() - 4_000));
    }

    String log() throws IOException
    {
        final Path log = root.resolve("logs").resolve("system.log");
        return Files.exists(log) ? Files.readString(log) : "";
    }

    private String console() throws IOException
    {
        return Files.readString(root.resolve("logs").resolve("console." + starts));
    }

    /** What bin/nodetool says. */
    String nodetool(final String... command) throws IOException, InterruptedException
    {
        final List<String> words = new ArrayList<>(List.of(root.resolve("bin").resolve("nodetool").toString(), "-p",
            Integer.toString(jmxPort)));
        words.addAll(List.of(command));
        final ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        final Process tool = builder.start();
        tool.getOutputStream().close();
        final String said = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!tool.waitFor(Await.HANG.toSeconds(), TimeUnit.SECONDS) || tool.exitValue() != 0)
        {
            tool.destroyForcibly();
            throw new IOException("nodetool " + List.of(command) + ": " + said);
        }
        return said.strip();
    }

    /** As kill does it; Cassandra's own hook drains. */
    void stop() throws IOException, InterruptedException
    {
        node.destroy();
        if (!node.waitFor(HANG_SECONDS, TimeUnit.SECONDS))
        {
            throw new IOException("the node does not stop: " + tail(log()));
        }
    }

    @Override
    public void close() throws IOException
    {
        if (node != null)
        {
            node.destroyForcibly();
            node.onExit().join();
        }
        try (Stream<Path> files = Files.walk(root))
        {
            for (final Path file : files.sorted(Comparator.reverseOrder()).toList())
            {
                Files.deleteIfExists(file);
            }
        }
    }
}
