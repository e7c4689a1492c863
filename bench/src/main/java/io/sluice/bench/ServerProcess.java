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
package io.sluice.bench;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A null-engine server in a JVM of its own, with the flags and classes of this one. Ends with this JVM. */
final class ServerProcess implements AutoCloseable
{
    private static final Pattern READY = Pattern.compile("READY cql=(\\d+) control=(\\d+)");
    private static final long STOP_SECONDS = 10;

    private final ServerKind kind;
    private final Process process;
    private final int port;
    private final ServerControl.Client control;

    /** Starts it and returns when clients can connect. */
    ServerProcess(final ServerKind kind) throws IOException
    {
        this(kind, List.of(), List.of(), ProcessBuilder.Redirect.INHERIT);
    }

    /** As {@link #ServerProcess(ServerKind)}, with more JVM options and more options of the command. */
    ServerProcess(final ServerKind kind,
        final List<String> flags,
        final List<String> options,
        final ProcessBuilder.Redirect errors) throws IOException
    {
        this.kind = kind;
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(flags);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.addAll(List.of(Bench.class.getName(), "nullserver", "--transport", kind.toString(),
            "--until-input-ends"));
        command.addAll(options);
        process = new ProcessBuilder(command).redirectError(errors)
            .directory(new File("."))
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
            }
        }
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
                return matcher;
            }
        }
        throw new IOException("server " + kind + ": ended before it was ready");
    }

    ServerKind kind()
    {
        return kind;
    }

    int port()
    {
        return port;
    }

    long pid()
    {
        return process.pid();
    }

    ServerControl.Client control()
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
    }
}
