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

import io.sluice.bench.load.LoadPlan;
import io.sluice.bench.load.LoadResult;
import io.sluice.bench.load.LoadRun;
import io.sluice.bench.load.NodeTable;
import io.sluice.bench.load.Workload;
import io.sluice.bench.server.ServerControl;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;

/** Loads any server that knows the bench's prepared statement, from one connection. */
@CommandLine.Command(name = "load", resourceBundle = "io.sluice.bench.LoadCommand")
final class LoadCommand implements Callable<Integer>
{
    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @CommandLine.Option(names = "--host", defaultValue = "127.0.0.1")
    private String host;

    @CommandLine.Option(names = "--port", required = true)
    private int port;

    @CommandLine.Option(names = "--control", paramLabel = "PORT", defaultValue = "0")
    private int controlPort;

    /** The protocol's; so this command has no standard option of that name. */
    @CommandLine.Option(names = "--version", paramLabel = "N", defaultValue = "5")
    private int version;

    @SuppressWarnings("UnusedVariable")
    @CommandLine.Option(names = {"-h", "--help"}, usageHelp = true)
    private boolean help;

    @CommandLine.Option(names = "--compression", paramLabel = "NAME", defaultValue = "none")
    private String compression;

    @CommandLine.Option(names = "--workload", paramLabel = "NAME", defaultValue = "void")
    private Workload workload;

    @CommandLine.Option(names = "--in-flight", paramLabel = "N", defaultValue = "16")
    private int inFlight;

    @CommandLine.Option(names = "--warm-up", paramLabel = "SECONDS", defaultValue = "3")
    private double warmUpSeconds;

    @CommandLine.Option(names = "--seconds", paramLabel = "N", defaultValue = "10")
    private double seconds;

    @CommandLine.Option(names = "--rate", paramLabel = "N", defaultValue = "0")
    private double ratePerSecond;

    @CommandLine.Option(names = "--json", paramLabel = "FILE", defaultValue = "bench-load.json")
    private Path json;

    @CommandLine.Option(names = "--report", paramLabel = "FILE", defaultValue = "bench-load.html")
    private Path html;

    @Override
    public Integer call() throws IOException
    {
        final PrintWriter out = spec.commandLine().getOut();
        final LoadPlan plan = plan();
        final String method = String.format(Locale.ROOT,
            "%s, version %d, compression %s, %s, %d in flight; %.1f s to warm up (not counted), then %.1f s",
            workload, version, compression, plan.isOpenLoop()
                ? String.format(Locale.ROOT, "open loop at %.0f/s", ratePerSecond)
                : "closed loop",
            inFlight, warmUpSeconds, seconds);
        out.println(method);
        final LoadRun run = new LoadRun(plan, (at, warmUp, rate) -> out.printf(Locale.ROOT, "%6.1f s %s %,10.0f/s%n",
            at, warmUp ? "warm-up" : "       ", rate));
        final LoadResult result;
        if (controlPort == 0)
        {
            result = run.run(null);
        }
        else
        {
            try (ServerControl.Client control = new ServerControl.Client(controlPort))
            {
                result = run.run(control);
            }
        }
        print(out, result);
        new LoadReport(plan, result, method).write(json, html);
        out.println("Figures: " + json.toAbsolutePath());
        out.println("Report: " + html.toAbsolutePath());
        return result.errors() == 0 ? 0 : 1;
    }

    private LoadPlan plan() throws IOException
    {
        if (!"none".equals(compression) && !"lz4".equals(compression))
        {
            throw new CommandLine.ParameterException(spec.commandLine(),
                "compression: " + compression + " (expected: none or lz4)");
        }
        try
        {
            final NodeTable table = workload.needsNode() ? NodeTable.create(host, port) : null;
            return new LoadPlan(host, port, version, "lz4".equals(compression), inFlight, warmUpSeconds, seconds, 0,
                ratePerSecond, workload.requests(version, table));
        }
        catch (final IllegalArgumentException e)
        {
            throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private static void print(final PrintWriter out, final LoadResult result)
    {
        out.printf(Locale.ROOT, "%,d requests, %,d errors, %,.0f/s%n", result.requests(), result.errors(),
            result.requestsPerSecond());
        out.printf(Locale.ROOT, "latency, us: p50 %.1f  p90 %.1f  p99 %.1f  p99.9 %.1f  max %.1f%n",
            result.percentileMicros(50), result.percentileMicros(90), result.percentileMicros(99),
            result.percentileMicros(99.9), result.percentileMicros(100));
        if (result.firstError() != null)
        {
            out.println("the first error: " + result.firstError());
        }
        if (result.sendsPerAnswer() > 0)
        {
            out.printf(Locale.ROOT, "answers per TCP segment: %.1f%n", 1 / result.sendsPerAnswer());
        }
        if (result.usage() != null)
        {
            out.printf(Locale.ROOT, "server, per request: %.2f us CPU, %.0f B allocated%n",
                result.cpuMicrosPerRequest(), result.allocatedBytesPerRequest());
        }
    }
}
