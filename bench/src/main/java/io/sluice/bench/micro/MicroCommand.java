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
package io.sluice.bench.micro;

import io.sluice.bench.report.Json;
import io.sluice.bench.report.Machine;
import io.sluice.bench.server.SixthClasspath;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine;

/** Runs the JMH benchmarks in JVMs of their own, one fork of each in turns, and prints them side by side. */
@CommandLine.Command(name = "micro", mixinStandardHelpOptions = true, resourceBundle = "io.sluice.bench.MicroCommand")
public final class MicroCommand implements Callable<Integer>
{
    private static final int FORKS = 5;
    private static final int QUICK_FORKS = 1;
    private static final int QUICK_ITERATIONS = 2;
    private static final TimeValue QUICK_TIME = TimeValue.milliseconds(300);
    private static final String CLASS_PATH = "java.class.path";
    /** Only stock is another on the class path of 6.0. */
    private static final String STOCK_METHODS = ".*\\.stock$";

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @CommandLine.Option(names = "--quick")
    private boolean quick;

    @CommandLine.Option(names = "--forks", paramLabel = "N", defaultValue = "0")
    private int forks;

    @CommandLine.Option(names = "--param", paramLabel = "NAME=VALUES")
    private List<String> parameters = List.of();

    @CommandLine.Option(names = "--without-6")
    private boolean withoutSixth;

    @CommandLine.Option(names = "--json", paramLabel = "FILE", defaultValue = "bench-micro.json")
    private Path json;

    @CommandLine.Option(names = "--report", paramLabel = "FILE", defaultValue = "bench-micro.html")
    private Path html;

    @CommandLine.Option(names = "--verbose")
    private boolean verbose;

    @CommandLine.Parameters(arity = "0..*", paramLabel = "FILTER", descriptionKey = "filter")
    private List<String> filters = List.of();

    @Override
    public Integer call() throws RunnerException, IOException
    {
        final PrintWriter progress = spec.commandLine().getErr();
        final int rounds = forks > 0 ? forks : quick ? QUICK_FORKS : FORKS;
        final boolean sixth = !withoutSixth && SixthClasspath.isPresent();
        final MicroResults results = new MicroResults();
        for (int round = 1; round <= rounds; round++)
        {
            progress.printf(Locale.ROOT, "fork %d of %d of each benchmark%n", round, rounds);
            results.add(run(filters.isEmpty() ? List.of(".*") : filters), false);
            if (sixth)
            {
                results.add(runSixth(), true);
            }
        }
        if (results.isEmpty())
        {
            spec.commandLine().getErr().println("No benchmark has a name like that; without a filter all are run.");
            return 1;
        }
        finish(results, rounds, sixth);
        return 0;
    }

    private void finish(final MicroResults results, final int rounds, final boolean sixth) throws IOException
    {
        final PrintWriter out = spec.commandLine().getOut();
        final Machine machine = Machine.here();
        final String method = "JMH, " + rounds + " fork" + (rounds == 1 ? "" : "s") + " of each in turns, each " +
            "implementation in JVMs of its own; time per operation is the mean of a fork, ratios are those of forks " +
            "of the same turn, their median and its 95 % bootstrap interval." + (sixth
                ? ""
                : " Without stock 6.0-alpha2.");
        final MicroReport report = new MicroReport(results, method);
        final Map<String, Object> all = new LinkedHashMap<>();
        all.put("machine", machine);
        all.put("rows", results.records());
        Json.write(json, all);
        report.write(html, machine);
        out.println(report.markdown(machine));
        out.println("Every fork: " + json.toAbsolutePath());
        out.println("Report: " + html.toAbsolutePath());
    }

    /** JMH hands its own class path on to its forks. */
    private Collection<RunResult> runSixth() throws RunnerException, IOException
    {
        final String ours = System.getProperty(CLASS_PATH);
        System.setProperty(CLASS_PATH, SixthClasspath.get());
        try
        {
            return run((filters.isEmpty() ? List.of("") : filters).stream()
                .map(filter -> "(?:" + filter + ")" + STOCK_METHODS)
                .toList());
        }
        catch (final NoBenchmarksException e)
        {
            return List.of();
        }
        finally
        {
            System.setProperty(CLASS_PATH, ours);
        }
    }

    private Collection<RunResult> run(final List<String> names)
        throws RunnerException
    {
        final ChainedOptionsBuilder options = new OptionsBuilder()
            .addProfiler(GCProfiler.class)
            .shouldFailOnError(true)
            .forks(1)
            .verbosity(verbose ? VerboseMode.NORMAL : VerboseMode.SILENT);
        names.forEach(options::include);
        for (final String parameter : parameters)
        {
            final int equals = parameter.indexOf('=');
            if (equals < 1)
            {
                throw new CommandLine.ParameterException(spec.commandLine(),
                    "param: " + parameter + " (expected: NAME=VALUE,...)");
            }
            options.param(parameter.substring(0, equals), parameter.substring(equals + 1).split(",", -1));
        }
        if (quick)
        {
            options.warmupIterations(QUICK_ITERATIONS)
                .warmupTime(QUICK_TIME)
                .measurementIterations(QUICK_ITERATIONS)
                .measurementTime(QUICK_TIME);
        }
        return new Runner(options.build()).run();
    }
}
