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

import io.sluice.bench.report.Ratios;
import io.sluice.bench.server.ServerKind;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine;

/** Measures what hostile clients cost a server's memory and its good clients, Sluice beside stock. */
@CommandLine.Command(name = "hostile", mixinStandardHelpOptions = true, resourceBundle = HostileCommand.TEXTS)
final class HostileCommand implements Callable<Integer>
{
    static final String TEXTS = "io.sluice.bench.HostileCommand";

    private static final double MEBIBYTE = 1 << 20;
    private static final int UNREAD_CLIENTS = 10;
    private static final double UNREAD_RATE = 1_000;
    private static final double SETTLE_SECONDS = 0.5;
    private static final long RECOVERY_SECONDS = 2;

    /** Does one round. */
    private interface Benchmark
    {
        HostileRound round(HostileServer server) throws IOException, InterruptedException;
    }

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @CommandLine.Option(names = "--rounds", paramLabel = "N", defaultValue = "10")
    private int rounds;

    @CommandLine.Option(names = "--seconds", paramLabel = "N", defaultValue = "3")
    private double seconds;

    @CommandLine.Option(names = "--only", paramLabel = "NAME")
    private String only;

    @CommandLine.Option(names = "--answers", paramLabel = "N", defaultValue = "1000")
    private int answers;

    @CommandLine.Option(names = "--half-open", paramLabel = "N", defaultValue = "5000")
    private int halfOpen;

    @CommandLine.Option(names = "--slow", paramLabel = "N", defaultValue = "500")
    private int slow;

    @CommandLine.Option(names = "--good", paramLabel = "N", defaultValue = "100")
    private int good;

    @CommandLine.Option(names = "--threads", paramLabel = "N", defaultValue = "16")
    private int requestThreads;

    @CommandLine.Option(names = "--port", paramLabel = "PORT", defaultValue = "0")
    private int port;

    @CommandLine.Option(names = "--pid", paramLabel = "PID", defaultValue = "0")
    private long pid;

    @CommandLine.Option(names = "--json", paramLabel = "FILE", defaultValue = "bench-hostile.json")
    private Path json;

    private final List<String> records = new ArrayList<>();

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        final PrintWriter out = spec.commandLine().getOut();
        if (only == null || "unread".equals(only))
        {
            out.printf(Locale.ROOT,
                "%nOne connection asks for %,d answers of 1 MiB and reads none; %d good connections " +
                    "at %.0f requests/s; %d rounds of %.1f s before and during%n",
                answers, UNREAD_CLIENTS, UNREAD_RATE,
                rounds, seconds);
            measure(out, "unread", this::unread);
        }
        if (only == null || "half-open".equals(only))
        {
            out.printf(Locale.ROOT, "%n%,d half-open and %,d slow connections; %d good connections, one request at a " +
                "time each; %d rounds of %.1f s before and during%n", halfOpen, slow, good, rounds, seconds);
            measure(out, "half-open", this::halfOpen);
        }
        Files.writeString(json, "[\n" + String.join(",\n", records) + "\n]\n");
        out.println("Every round: " + json.toAbsolutePath());
        return 0;
    }

    private void measure(final PrintWriter out, final String name, final Benchmark benchmark)
        throws IOException, InterruptedException
    {
        out.printf(Locale.ROOT, "  %-8s %12s %12s  %-26s %-26s %14s %12s%n", "server", "before/s", "p99 us",
            "rate during/before", "p99 during/before", "RSS growth MiB", "attacked");
        if (port != 0)
        {
            try (HostileServer node = HostileServer.node(new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                pid))
            {
                measure(out, name, node, benchmark);
            }
            return;
        }
        for (final ServerKind kind : List.of(ServerKind.SLUICE, ServerKind.STOCK))
        {
            try (HostileServer server = HostileServer.start(kind, requestThreads))
            {
                measure(out, name, server, benchmark);
            }
        }
    }

    private void measure(final PrintWriter out,
        final String name,
        final HostileServer server,
        final Benchmark benchmark) throws IOException, InterruptedException
    {
        final List<HostileRound> all = new ArrayList<>();
        String end = "";
        for (int round = -1; round < rounds && end.isEmpty(); round++)
        {
            try
            {
                final HostileRound result = benchmark.round(server);
                if (round >= 0)
                {
                    all.add(result);
                    records.add(record(name, round, result));
                }
            }
            catch (final IOException e)
            {
                // Said, not hidden: a server that cannot take it has no ratio.
                end = "round " + (round + 1) + ": " + e.getMessage();
                records.add(String.format(Locale.ROOT, "{\"benchmark\":\"%s\",\"server\":\"%s\",\"round\":%d," +
                    "\"failed\":\"%s\"}", name, server.name(), round,
                    String.valueOf(e.getMessage()).replace('"', '\'')));
            }
        }
        if (!all.isEmpty())
        {
            out.printf(Locale.ROOT, "  %-8s %12.0f %12.0f  %-26s %-26s %14.1f %12d%n", server.name(),
                median(all, result -> result.before().ratePerSecond()),
                median(all, result -> result.before().p99Micros()), spread(all, HostileRound::rateRatio),
                spread(all, HostileRound::p99Ratio), ratios(all, result -> result.grownBytes() / MEBIBYTE).most(),
                all.get(all.size() - 1).counted());
        }
        if (!end.isEmpty())
        {
            out.printf(Locale.ROOT, "  %-8s gave up in %s%n", server.name(), end);
        }
        out.flush();
    }

    private HostileRound unread(final HostileServer server) throws IOException, InterruptedException
    {
        try (SteadyClients clients = new SteadyClients(server.address(), UNREAD_CLIENTS, server.goodRequest()))
        {
            clients.run(SETTLE_SECONDS, UNREAD_RATE);
            final SteadyClients.Stretch before = clients.run(seconds, UNREAD_RATE);
            final long resident = server.residentBytes();
            try (PeakMemory peak = new PeakMemory(server);
                UnreadAttack attack = new UnreadAttack(server, answers))
            {
                final SteadyClients.Stretch during = clients.run(seconds, UNREAD_RATE);
                return new HostileRound(server.name(), before, during, peak.bytes() - resident, attack.asked());
            }
            finally
            {
                TimeUnit.SECONDS.sleep(RECOVERY_SECONDS);
            }
        }
    }

    private HostileRound halfOpen(final HostileServer server) throws IOException, InterruptedException
    {
        try (SteadyClients clients = new SteadyClients(server.address(), good, server.goodRequest()))
        {
            clients.run(SETTLE_SECONDS, 0);
            final SteadyClients.Stretch before = clients.run(seconds, 0);
            final long resident = server.residentBytes();
            try (PeakMemory peak = new PeakMemory(server);
                HalfOpenAttack attack = new HalfOpenAttack(server, halfOpen, slow))
            {
                clients.run(SETTLE_SECONDS, 0);
                final SteadyClients.Stretch during = clients.run(seconds, 0);
                return new HostileRound(server.name(), before, during, peak.bytes() - resident, attack.made());
            }
            finally
            {
                TimeUnit.SECONDS.sleep(RECOVERY_SECONDS);
            }
        }
    }

    private static Ratios ratios(final List<HostileRound> rounds, final ToDoubleFunction<HostileRound> value)
    {
        return new Ratios(rounds.stream().mapToDouble(value).toArray());
    }

    private static double median(final List<HostileRound> rounds, final ToDoubleFunction<HostileRound> value)
    {
        return ratios(rounds, value).median();
    }

    private static String spread(final List<HostileRound> rounds, final ToDoubleFunction<HostileRound> value)
    {
        return ratios(rounds, value).spread();
    }

    private static String record(final String name, final int round, final HostileRound result)
    {
        return String.format(Locale.ROOT, "{\"benchmark\":\"%s\",\"server\":\"%s\",\"round\":%d," +
            "\"beforePerSecond\":%.1f,\"duringPerSecond\":%.1f,\"beforeP99Micros\":%.1f,\"duringP99Micros\":%.1f," +
            "\"grownBytes\":%d,\"attacked\":%d}", name, result.server(), round, result.before().ratePerSecond(),
            result.during().ratePerSecond(), result.before().p99Micros(), result.during().p99Micros(),
            result.grownBytes(), result.counted());
    }
}
