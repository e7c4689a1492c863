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

import io.sluice.bench.report.Json;
import io.sluice.bench.report.Machine;
import io.sluice.bench.server.ServerKind;
import io.sluice.bench.server.SixthClasspath;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;

/** Loads servers of Sluice and stock in turns and prints ratios with their spread, as Markdown. */
@CommandLine.Command(name = "compare", mixinStandardHelpOptions = true, resourceBundle = CompareCommand.TEXTS)
public final class CompareCommand implements Callable<Integer>
{
    static final String TEXTS = "io.sluice.bench.CompareCommand";

    private static final int ROUNDS = 20;
    private static final double SECONDS = 2;
    private static final int QUICK_ROUNDS = 5;
    private static final double QUICK_SECONDS = 0.8;
    private static final double WARM_UP_SECONDS = 4;
    private static final double QUICK_WARM_UP_SECONDS = 1.2;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @CommandLine.Option(names = "--quick")
    private boolean quick;

    @CommandLine.Option(names = "--rounds", paramLabel = "N", defaultValue = "0")
    private int rounds;

    @CommandLine.Option(names = "--seconds", paramLabel = "N", defaultValue = "0")
    private double seconds;

    @CommandLine.Option(names = "--forks", paramLabel = "N", defaultValue = "1")
    private int forks;

    @CommandLine.Option(names = "--warm-up", paramLabel = "SECONDS", defaultValue = "0")
    private double warmUp;

    @CommandLine.Option(names = "--in-flight", paramLabel = "N,...", split = ",", defaultValue = "1,16,256")
    private int[] inFlight;

    @CommandLine.Option(names = "--node")
    private boolean nodes;

    @CommandLine.Option(names = "--only-node")
    private boolean onlyNodes;

    @CommandLine.Option(names = "--only", paramLabel = "TEXT", defaultValue = "")
    private String only;

    @CommandLine.Option(names = "--without-6")
    private boolean withoutSixth;

    @CommandLine.Option(names = "--json", paramLabel = "FILE", defaultValue = "bench-compare.json")
    private Path json;

    @CommandLine.Option(names = "--report", paramLabel = "FILE", defaultValue = "bench-compare.html")
    private Path html;

    private PrintWriter out;
    private PrintWriter progress;
    private final List<String> cuts = new ArrayList<>();

    @Override
    public Integer call() throws IOException
    {
        out = spec.commandLine().getOut();
        progress = spec.commandLine().getErr();
        if (forks < 1)
        {
            throw new CommandLine.ParameterException(spec.commandLine(), "forks: " + forks +
                " (expected: at least 1)");
        }
        final int wanted = rounds > 0 ? rounds : quick ? QUICK_ROUNDS : ROUNDS;
        final int turns = (wanted + forks - 1) / forks;
        final double turnSeconds = seconds > 0 ? seconds : quick ? QUICK_SECONDS : SECONDS;
        final Measurements measured = new Measurements(turns);
        final List<Map<String, Object>> records = new ArrayList<>();
        if (!onlyNodes)
        {
            play(nullEngines(), turns, turnSeconds, measured, records);
        }
        if (nodes || onlyNodes)
        {
            play(nodes(), turns, turnSeconds, measured, records);
        }
        if (measured.contestants().isEmpty())
        {
            throw new CommandLine.ParameterException(spec.commandLine(), "only: " + only + " (expected: part of a " +
                "traffic's name, for instance 'v5 lz4, 16')");
        }
        finish(new CompareReport(measured, Claims.of(measured), method(turns, turnSeconds)), measured, records);
        return 0;
    }

    private void finish(final CompareReport report,
        final Measurements measured,
        final List<Map<String, Object>> records) throws IOException
    {
        final Machine machine = Machine.here();
        final Map<String, Object> all = new LinkedHashMap<>();
        all.put("machine", machine);
        all.put("claims", Claims.of(measured).stream().map(claim -> claim.record(measured)).toList());
        all.put("rounds", records);
        Json.write(json, all);
        report.write(html, machine);
        out.println(report.markdown(machine));
        out.println("Every round: " + json.toAbsolutePath());
        out.println("Report: " + html.toAbsolutePath());
    }

    private String method(final int turns, final double turnSeconds)
    {
        final String jvms = forks == 1 ? "" : forks + " JVMs of each server one after another, with ";
        final String drawn = forks == 1 ? "" : " (JVMs drawn, and rounds within them)";
        return String.format(Locale.ROOT, "%s%d rounds of %.1f s each, servers in turns, after %.1f s of warm-up " +
            "each time and one round that is not counted; one connection; ratios of the rounds' neighbours, their " +
            "median and its 95 %% bootstrap interval%s.%s", jvms, turns, turnSeconds,
            turnSeconds * MatchRunner.WARM_UP_SHARE, drawn, cuts.isEmpty() ? "" : " " + String.join(" ", cuts));
    }

    private double warmUpSeconds()
    {
        return warmUp > 0 ? warmUp : quick ? QUICK_WARM_UP_SECONDS : WARM_UP_SECONDS;
    }

    private List<ServerKind> with(final ServerKind sixth, final ServerKind... others)
    {
        final List<ServerKind> kinds = new ArrayList<>(Arrays.asList(others));
        if (withoutSixth || !SixthClasspath.isPresent())
        {
            cuts.add("Without " + sixth + (withoutSixth ? "." : ": its jars could not be fetched."));
        }
        else
        {
            kinds.add(sixth);
        }
        return kinds;
    }

    private List<Match> nullEngines()
    {
        return Match.ofNullEngines(with(ServerKind.STOCK_6, ServerKind.SLUICE, ServerKind.SLUICE_INLINE,
            ServerKind.STOCK), inFlight);
    }

    private List<Match> nodes()
    {
        return Match.ofNodes(with(ServerKind.STOCK_6_NODE, ServerKind.SLUICE_NODE, ServerKind.STOCK_NODE));
    }

    private void play(final List<Match> all,
        final int turns,
        final double turnSeconds,
        final Measurements measured,
        final List<Map<String, Object>> records) throws IOException
    {
        final List<Match> matches = all.stream().filter(match -> match.name().contains(only)).toList();
        final List<ServerKind> kinds = matches.stream()
            .flatMap(match -> match.contestants().stream())
            .map(Contestant::server)
            .distinct()
            .toList();
        for (int fork = 0; fork < forks; fork++)
        {
            if (forks > 1)
            {
                progress.println("JVM " + (fork + 1) + " of " + forks + " of each server");
            }
            playOnce(kinds, matches, turns, turnSeconds, measured, records);
        }
    }

    private void playOnce(final List<ServerKind> kinds,
        final List<Match> matches,
        final int turns,
        final double turnSeconds,
        final Measurements measured,
        final List<Map<String, Object>> records) throws IOException
    {
        try (MatchRunner runner = new MatchRunner(turns, turnSeconds, 0, List.of(), measured, records))
        {
            for (final ServerKind kind : kinds)
            {
                if (kind == ServerKind.SLUICE_NODE_EAGER)
                {
                    continue;
                }
                progress.println("starting and warming up: " + kind);
                runner.start(kind, warmUpSeconds());
            }
            double left = matches.stream().mapToDouble(match -> duration(match, turns, turnSeconds)).sum();
            for (final Match match : matches)
            {
                progress.printf(Locale.ROOT, "%s (%.0f s left of these)%n", match.name(), left);
                runner.play(runner.canTurnCoalescingOff() ? match : match.without(ServerKind.SLUICE_NODE_EAGER));
                left -= duration(match, turns, turnSeconds);
            }
        }
    }

    private static double duration(final Match match, final int turns, final double turnSeconds)
    {
        return match.contestants().size() * (turns + 0.5) * turnSeconds * (1 + MatchRunner.WARM_UP_SHARE);
    }
}
