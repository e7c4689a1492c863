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

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine;

/** Runs the JMH benchmarks in JVMs of their own and prints them side by side. */
@CommandLine.Command(name = "micro", mixinStandardHelpOptions = true, resourceBundle = "io.sluice.bench.MicroCommand")
final class MicroCommand implements Callable<Integer>
{
    private static final int QUICK_FORKS = 1;
    private static final int QUICK_ITERATIONS = 3;
    private static final TimeValue QUICK_TIME = TimeValue.seconds(1);

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @CommandLine.Option(names = "--quick")
    private boolean quick;

    @CommandLine.Option(names = "--forks", paramLabel = "N", defaultValue = "0")
    private int forks;

    @CommandLine.Option(names = "--param", paramLabel = "NAME=VALUES")
    private List<String> parameters = List.of();

    @CommandLine.Option(names = "--json", paramLabel = "FILE", defaultValue = "bench-micro.json")
    private Path json;

    @CommandLine.Option(names = "--verbose")
    private boolean verbose;

    @CommandLine.Parameters(arity = "0..*", paramLabel = "FILTER", descriptionKey = "filter")
    private List<String> filters = List.of();

    @Override
    public Integer call() throws RunnerException
    {
        final PrintWriter out = spec.commandLine().getOut();
        final ChainedOptionsBuilder options = new OptionsBuilder()
            .addProfiler(GCProfiler.class)
            .shouldFailOnError(true)
            .verbosity(verbose ? VerboseMode.NORMAL : VerboseMode.SILENT)
            .resultFormat(ResultFormatType.JSON)
            .result(json.toString());
        filters.forEach(options::include);
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
            options.forks(QUICK_FORKS)
                .warmupIterations(QUICK_ITERATIONS)
                .warmupTime(QUICK_TIME)
                .measurementIterations(QUICK_ITERATIONS)
                .measurementTime(QUICK_TIME);
        }
        if (forks > 0)
        {
            options.forks(forks);
        }
        out.println("Measuring, each implementation in JVMs of its own" + (quick
            ? ", quickly: times are a first look only."
            : "."));
        final Collection<RunResult> results = new Runner(options.build()).run();
        if (results.isEmpty())
        {
            out.println("No benchmark has a name like that; without a filter all are run.");
            return 1;
        }
        new MicroTable(results).print(out);
        out.println("JMH's results: " + json.toAbsolutePath());
        return 0;
    }
}
