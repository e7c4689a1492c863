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

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine;

/** Runs null-engine servers of Sluice and stock in turns and prints ratios with their spread. */
@CommandLine.Command(name = "compare", mixinStandardHelpOptions = true, resourceBundle = CompareCommand.TEXTS)
final class CompareCommand implements Callable<Integer>
{
    static final String TEXTS = "io.sluice.bench.CompareCommand";

    /** One kind of traffic. */
    private record Traffic(int version, boolean lz4, int inFlight)
    {
        @Override
        public String toString()
        {
            return "v" + version + (lz4 ? " lz4" : "") + ", " + inFlight + " in flight";
        }
    }

    /** What is compared: less is better. */
    private record Figure(String name, ToDoubleFunction<LoadResult> value)
    {
    }

    private static final List<Figure> FIGURES = List.of(
        new Figure("CPU us/request", LoadResult::cpuMicrosPerRequest),
        new Figure("B/request", LoadResult::allocatedBytesPerRequest),
        new Figure("p50 us", result -> result.percentileMicros(50)),
        new Figure("p99 us", result -> result.percentileMicros(99)));
    private static final int[] VERSIONS = {5, 4};

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @CommandLine.Option(names = "--quick")
    private boolean quick;

    @CommandLine.Option(names = "--rounds", paramLabel = "N", defaultValue = "0")
    private int rounds;

    @CommandLine.Option(names = "--seconds", paramLabel = "N", defaultValue = "0")
    private double seconds;

    @CommandLine.Option(names = "--in-flight", paramLabel = "N,...", split = ",", defaultValue = "1,16,256")
    private int[] inFlight;

    @CommandLine.Option(names = "--json", paramLabel = "FILE", defaultValue = "bench-compare.json")
    private Path json;

    @Override
    public Integer call() throws IOException
    {
        final PrintWriter out = spec.commandLine().getOut();
        final int turns = rounds > 0 ? rounds : quick ? 5 : 20;
        final double turnSeconds = seconds > 0 ? seconds : quick ? 1 : 3;
        final List<String> records = new ArrayList<>();
        final List<ServerProcess> servers = new ArrayList<>();
        try
        {
            for (final ServerKind kind : ServerKind.values())
            {
                servers.add(new ServerProcess(kind));
            }
            out.printf(Locale.ROOT, "%d rounds of %.1f s for each server in turn, after one that is not counted.%n",
                turns, turnSeconds);
            for (final Traffic traffic : traffic())
            {
                compare(out, servers, traffic, turns, turnSeconds, records);
            }
        }
        finally
        {
            for (final ServerProcess server : servers)
            {
                server.close();
            }
        }
        Files.writeString(json, "[\n" + String.join(",\n", records) + "\n]\n");
        out.println("Every round: " + json.toAbsolutePath());
        return 0;
    }

    private List<Traffic> traffic()
    {
        final List<Traffic> all = new ArrayList<>();
        for (final int version : VERSIONS)
        {
            for (final boolean lz4 : new boolean[]{false, true})
            {
                for (final int requests : inFlight)
                {
                    all.add(new Traffic(version, lz4, requests));
                }
            }
        }
        return all;
    }

    private static void compare(final PrintWriter out,
        final List<ServerProcess> servers,
        final Traffic traffic,
        final int rounds,
        final double seconds,
        final List<String> records) throws IOException
    {
        final Map<ServerKind, List<LoadResult>> results = new EnumMap<>(ServerKind.class);
        for (int round = -1; round < rounds; round++)
        {
            for (int i = 0; i < servers.size(); i++)
            {
                // Each round starts with another server, so that none always follows the same one.
                final ServerProcess server = servers.get(Math.floorMod(i + round, servers.size()));
                final LoadPlan plan = new LoadPlan("127.0.0.1", server.port(), traffic.version(), traffic.lz4(),
                    traffic.inFlight(), seconds / 4, seconds, 0);
                final LoadResult result = new LoadRun(plan, (at, warmUp, rate) ->
                {
                }).run(server.control());
                if (result.errors() > 0)
                {
                    throw new IOException(server.kind() + ": " + result.errors() + " errors (expected: none)");
                }
                if (round >= 0)
                {
                    results.computeIfAbsent(server.kind(), key -> new ArrayList<>()).add(result);
                    records.add(record(traffic, server.kind(), round, result));
                }
            }
        }
        print(out, traffic, results);
    }

    private static void print(final PrintWriter out,
        final Traffic traffic,
        final Map<ServerKind, List<LoadResult>> results)
    {
        out.printf(Locale.ROOT, "%n%-24s %-14s %10s %10s   %-30s%n", traffic, "", "median", "stock",
            "ratio: median (least..most) [95 % interval]");
        final List<LoadResult> stock = results.get(ServerKind.STOCK);
        for (final Figure figure : FIGURES)
        {
            for (final ServerKind kind : List.of(ServerKind.SLUICE, ServerKind.SLUICE_INLINE))
            {
                print(out, figure, kind, results.get(kind), stock);
            }
        }
        out.flush();
    }

    private static void print(final PrintWriter out,
        final Figure figure,
        final ServerKind kind,
        final List<LoadResult> ours,
        final List<LoadResult> stock)
    {
        final double[] ratios = new double[ours.size()];
        for (int i = 0; i < ratios.length; i++)
        {
            ratios[i] = figure.value().applyAsDouble(ours.get(i)) / figure.value().applyAsDouble(stock.get(i));
        }
        final Ratios ratio = new Ratios(ratios);
        out.printf(Locale.ROOT, "  %-22s %-14s %10.2f %10.2f   %.2f (%.2f..%.2f) [%.2f..%.2f]%n", figure.name(), kind,
            median(ours, figure), median(stock, figure), ratio.median(), ratio.least(), ratio.most(), ratio.lower(),
            ratio.upper());
    }

    private static double median(final List<LoadResult> results, final Figure figure)
    {
        return new Ratios(results.stream().mapToDouble(figure.value()).toArray()).median();
    }

    private static String record(final Traffic traffic,
        final ServerKind kind,
        final int round,
        final LoadResult result)
    {
        return String.format(Locale.ROOT, "{\"version\":%d,\"lz4\":%b,\"inFlight\":%d,\"server\":\"%s\",\"round\":%d," +
            "\"requests\":%d,\"requestsPerSecond\":%.1f,\"cpuMicrosPerRequest\":%.4f,\"bytesPerRequest\":%.2f," +
            "\"p50Micros\":%.2f,\"p99Micros\":%.2f,\"p999Micros\":%.2f}", traffic.version(), traffic.lz4(),
            traffic.inFlight(), kind, round, result.requests(), result.requestsPerSecond(),
            result.cpuMicrosPerRequest(), result.allocatedBytesPerRequest(), result.percentileMicros(50),
            result.percentileMicros(99), result.percentileMicros(99.9));
    }
}
