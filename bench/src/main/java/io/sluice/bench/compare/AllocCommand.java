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
package io.sluice.bench.compare;

import io.sluice.bench.load.Traffic;
import io.sluice.bench.load.Workload;
import io.sluice.bench.report.Json;
import io.sluice.bench.report.Machine;
import io.sluice.bench.server.NodeDirectory;
import io.sluice.bench.server.ServerKind;
import io.sluice.bench.server.SixthClasspath;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;

/** Counts what real nodes allocate under the load of CASSANDRA-20166 and draws flame graphs of it. */
@CommandLine.Command(name = "alloc", mixinStandardHelpOptions = true, resourceBundle = AllocCommand.TEXTS)
public final class AllocCommand implements Callable<Integer>
{
    static final String TEXTS = "io.sluice.bench.AllocCommand";

    private static final String ALL_WORKLOADS = "batch,insert,select";
    private static final int ROUNDS = 5;
    private static final int QUICK_ROUNDS = 2;
    private static final long ROWS = 200_000;
    private static final long QUICK_ROWS = 40_000;
    private static final double WARM_UP_SECONDS = 6;
    private static final double QUICK_WARM_UP_SECONDS = 3;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @CommandLine.Option(names = "--quick")
    private boolean quick;

    @CommandLine.Option(names = "--rounds", paramLabel = "N", defaultValue = "0")
    private int rounds;

    @CommandLine.Option(names = "--rows", paramLabel = "N", defaultValue = "0")
    private long rows;

    @CommandLine.Option(names = "--profiled", paramLabel = "N", defaultValue = "20000")
    private long profiledRows;

    @CommandLine.Option(names = "--in-flight", paramLabel = "N", defaultValue = "256")
    private int inFlight;

    @CommandLine.Option(names = "--workloads", paramLabel = "NAMES", split = ",", defaultValue = ALL_WORKLOADS)
    private List<Workload> workloads;

    @CommandLine.Option(names = "--memtable", paramLabel = "TYPE", defaultValue = NodeDirectory.DEFAULT_MEMTABLE)
    private String memtable;

    @CommandLine.Option(names = "--without-6")
    private boolean withoutSixth;

    @CommandLine.Option(names = "--flame-graphs", paramLabel = "DIR", defaultValue = "bench-alloc")
    private Path directory;

    @CommandLine.Option(names = "--json", paramLabel = "FILE", defaultValue = "bench-alloc.json")
    private Path json;

    @CommandLine.Option(names = "--report", paramLabel = "FILE", defaultValue = "bench-alloc.html")
    private Path html;

    @Override
    public Integer call() throws IOException
    {
        final PrintWriter progress = spec.commandLine().getErr();
        final Measurements measured = new Measurements();
        final List<Map<String, Object>> records = new ArrayList<>();
        final List<AllocationProfile> profiles = new ArrayList<>();
        final List<ServerKind> kinds = new ArrayList<>(List.of(ServerKind.SLUICE_NODE, ServerKind.STOCK_NODE));
        final boolean sixth = !withoutSixth && SixthClasspath.isPresent();
        if (sixth)
        {
            kinds.add(ServerKind.STOCK_6_NODE);
        }
        final int turns = rounds > 0 ? rounds : quick ? QUICK_ROUNDS : ROUNDS;
        final long counted = rows > 0 ? rows : quick ? QUICK_ROWS : ROWS;
        final double warmUp = quick ? QUICK_WARM_UP_SECONDS : WARM_UP_SECONDS;
        Files.createDirectories(directory);
        for (final Workload workload : workloads)
        {
            final long requests = Math.max(1, counted / workload.rows());
            final int most = workload == Workload.BATCH ? Math.max(1, inFlight / 4) : inFlight;
            final Match match = Match.of(new Traffic(workload, 5, false, most), kinds);
            // Nodes of their own for each: one's memtables are not the other's.
            try (MatchRunner runner = new MatchRunner(turns, 1, requests, List.of("-D" + NodeDirectory.MEMTABLE + "=" +
                memtable), measured, records))
            {
                for (final ServerKind kind : kinds)
                {
                    progress.println(workload + ": starting and warming up " + kind);
                    runner.start(kind, warmUp);
                }
                progress.println(workload + ": counting");
                runner.play(match);
                for (final Contestant contestant : match.contestants())
                {
                    progress.println(workload + ": profiling " + contestant.server());
                    profiles.add(AllocationProfile.take(runner, contestant,
                        Math.max(1, profiledRows / workload.rows()), directory));
                }
            }
        }
        final String method = String.format(Locale.ROOT, "Nodes in turns, %d rounds of %,d rows each after warm-up; " +
            "bytes are those of all threads of the node by the JVM's own counters. HeapByteBuffers and flame graphs: " +
            "async-profiler over %,d rows, one request at a time, an interval of one byte. Memtables: %s.%s", turns,
            counted, profiledRows, memtable, sixth ? "" : " Without stock 6.0-alpha2.");
        finish(new AllocReport(measured, allocationClaims(measured), profiles, method), measured, records);
        return 0;
    }

    private static List<Claim> allocationClaims(final Measurements measured)
    {
        return Claims.of(measured)
            .stream()
            .filter(claim -> claim.figure() == Figure.BYTES || claim.figure() == Figure.CPU)
            .toList();
    }

    private void finish(final AllocReport report,
        final Measurements measured,
        final List<Map<String, Object>> records) throws IOException
    {
        final PrintWriter out = spec.commandLine().getOut();
        final Machine machine = Machine.here();
        final Map<String, Object> all = new LinkedHashMap<>();
        all.put("machine", machine);
        all.put("claims", allocationClaims(measured).stream().map(claim -> claim.record(measured)).toList());
        all.put("profiles", report.records());
        all.put("rounds", records);
        Json.write(json, all);
        report.write(html, machine);
        out.println(report.markdown(machine));
        out.println("Every round: " + json.toAbsolutePath());
        out.println("Report: " + html.toAbsolutePath());
        out.println("Flame graphs: " + directory.toAbsolutePath());
    }
}
