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

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server in a JVM of its own, with the flags of this one. Ends with this JVM. Confined to one thread. */
public final class ServerProcess implements AutoCloseable
{
    private static final Pattern READY = Pattern.compile("READY cql=(\\d+) control=(\\d+)");
    private static final long STOP_SECONDS = 20;
    private static final int LINES_SHOWN = 20;
    private static final String MAIN = "io.sluice.bench.Bench";

    private final ServerKind kind;
    private final Path log;
    private final Process process;
    private final int port;
    private final ServerControl.Client control;

    /** Starts it and returns when clients can connect. */
    public ServerProcess(final ServerKind kind) throws IOException
    {
        this(kind, List.of(), List.of(), null);
    }

    /**
     * As {@link #ServerProcess(ServerKind)}, with more JVM options and more options of the command.
     *
     * @param errors where what it says to its standard error goes; null to show it only if it does not start
     */
    public ServerProcess(final ServerKind kind,
        final List<String> flags,
        final List<String> options,
        final ProcessBuilder.Redirect errors) throws IOException
    {
        this.kind = kind;
        log = Files.createTempFile("sluice-bench", ".log");
        process = new ProcessBuilder(command(kind, flags, options))
            .redirectError(errors == null ? ProcessBuilder.Redirect.to(log.toFile()) : errors)
            .start();
        boolean started = false;
        try
        {
            final Matcher ready = awaitReady();
            port = Integer.parseInt(ready.group(1));
            control = new ServerControl.Client(Integer.parseInt(ready.group(2)));
            started = true;
        }
        finally
        {
            if (!started)
            {
                process.destroyForcibly();
                Files.deleteIfExists(log);
            }
        }
    }

    private static List<String> command(final ServerKind kind, final List<String> flags, final List<String> options)
        throws IOException
    {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(flags);
        command.add("-cp");
        command.add(kind.isSixth() ? SixthClasspath.get() : System.getProperty("java.class.path"));
        command.add(MAIN);
        command.add(kind.isNode() ? "nodeserver" : "nullserver");
        command.add("--transport");
        command.add(switch (kind)
        {
            case SLUICE, SLUICE_NODE, SLUICE_NODE_EAGER -> "sluice";
            case SLUICE_SINGLE -> "sluice-single";
            case SLUICE_BARE -> "sluice-bare";
            case SLUICE_INLINE -> "sluice-inline";
            case STOCK, STOCK_6, STOCK_NODE, STOCK_6_NODE -> "stock";
        });
        command.add("--until-input-ends");
        command.addAll(options);
        return command;
    }

    private Matcher awaitReady() throws IOException
    {
        final BufferedReader out = new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = out.readLine(); line != null; line = out.readLine())
        {
            final Matcher matcher = READY.matcher(line);
            if (matcher.find())
            {
                drain(out);
                return matcher;
            }
        }
        final List<String> lines = Files.readAllLines(log, StandardCharsets.UTF_8);
        throw new IOException(kind + ": ended before it was ready; it said last:\n" +
            String.join("\n", lines.subList(Math.max(0, lines.size() - LINES_SHOWN), lines.size())));
    }

    /** What it prints later must not fill the pipe. */
    private static void drain(final BufferedReader out)
    {
        final Thread thread = new Thread(() ->
        {
            try
            {
                while (out.readLine() != null)
                {
                    // Nobody reads it.
                }
            }
            catch (final IOException e)
            {
                // The process is gone, and so is its output.
            }
        }, "server output");
        thread.setDaemon(true);
        thread.start();
    }

    /** What it is made of. */
    public ServerKind kind()
    {
        return kind;
    }

    /** Where it serves clients, on the loopback address. */
    public int port()
    {
        return port;
    }

    /** Of its process. */
    public long pid()
    {
        return process.pid();
    }

    /** Asks the server's JVM. */
    public ServerControl.Client control()
    {
        return control;
    }

    @Override
    public void close() throws IOException
    {
        control.close();
        process.getOutputStream().close();
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
        Files.deleteIfExists(log);
    }
}
