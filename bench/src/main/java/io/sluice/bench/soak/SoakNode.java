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
package io.sluice.bench.soak;

import io.sluice.bench.server.ChildNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A node in a JVM of its own, started as {@code bin/sluice node} does, with login and optional TLS. */
public final class SoakNode implements AutoCloseable
{
    private static final long START_SECONDS = 300;
    private static final int LAST_WORDS = 4_000;
    private static final long STOP_SECONDS = 60;

    private final Process process;
    private final Path folder;
    private final int port;
    private final int jmxPort;

    /**
     * Starts it and returns when clients can connect.
     *
     * @param folder for its data, made anew; the caller removes it
     * @param flags the file with the JVM options that Cassandra needs
     * @param heap as for -Xmx
     * @param firstPort of three in a row, or 0 for any free ones
     */
    SoakNode(final Path folder, final Path flags, final String heap, final int firstPort) throws IOException
    {
        // The soak logs in thousands of times: the price of a login is not what it measures.
        this(folder, flags, heap, firstPort, List.of("-Dcassandra.auth_bcrypt_gensalt_log2_rounds=4"), List.of());
    }

    /**
     * The same, with more options.
     *
     * @param jvmOptions of the JVM
     * @param nodeOptions of {@code sluice node}
     */
    public SoakNode(final Path folder,
        final Path flags,
        final String heap,
        final int firstPort,
        final List<String> jvmOptions,
        final List<String> nodeOptions) throws IOException
    {
        this.folder = folder;
        final int[] ports = firstPort == 0 ? freePorts() : new int[]{firstPort, firstPort + 1, firstPort + 2};
        port = ports[0];
        jmxPort = ports[1];
        final Path out = Files.createDirectories(folder).resolve("console.log");
        final List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "@" + flags,
            "-Xms" + heap, "-Xmx" + heap, "-XX:+UseG1GC", "-XX:+ExitOnOutOfMemoryError",
            // All heap pages are there from the start, so that the process's growth is growth.
            "-XX:+AlwaysPreTouch"));
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), ChildNode.class.getName()));
        command.addAll(List.of("--data", folder.resolve("node").toString(), "--port", Integer.toString(port),
            "--jmx-port", Integer.toString(jmxPort), "--storage-port", Integer.toString(ports[2]), "--auth", "--tls",
            "optional"));
        command.addAll(nodeOptions);
        process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
        boolean started = false;
        try
        {
            awaitReady(out);
            started = true;
        }
        finally
        {
            if (!started)
            {
                process.destroyForcibly();
            }
        }
    }

    private static int[] freePorts() throws IOException
    {
        final int[] ports = new int[3];
        final List<ServerSocket> sockets = new ArrayList<>();
        try
        {
            for (int i = 0; i < ports.length; i++)
            {
                sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
                ports[i] = sockets.get(i).getLocalPort();
            }
        }
        finally
        {
            for (final ServerSocket socket : sockets)
            {
                socket.close();
            }
        }
        return ports;
    }

    private void awaitReady(final Path out) throws IOException
    {
        final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        try
        {
            while (!Files.readString(out).contains(" is ready after "))
            {
                if (process.waitFor(200, TimeUnit.MILLISECONDS))
                {
                    throw new IOException("the node ended with " + process.exitValue() + ": " + Files.readString(out));
                }
                if (System.nanoTime() - deadline > 0)
                {
                    throw new IOException("the node is not ready after " + START_SECONDS + " s; see " + out);
                }
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the node started", e);
        }
    }

    /** Where CQL is spoken, plain and with TLS. */
    public int port()
    {
        return port;
    }

    /** Where JMX is. */
    public int jmxPort()
    {
        return jmxPort;
    }

    boolean isAlive()
    {
        return process.isAlive();
    }

    /** The end of what it wrote to its console. */
    String lastWords() throws IOException
    {
        final String said = Files.readString(folder.resolve("console.log"));
        return said.substring(Math.max(0, said.length() - LAST_WORDS));
    }

    Path log()
    {
        return folder.resolve("node").resolve("logs").resolve("system.log");
    }

    @Override
    public void close()
    {
        process.destroy();
        try
        {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS))
            {
                process.destroyForcibly();
            }
        }
        catch (final InterruptedException e)
        {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
