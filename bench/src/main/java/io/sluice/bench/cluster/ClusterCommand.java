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
package io.sluice.bench.cluster;

import io.sluice.bench.server.Folders;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;

/** The command {@code sluice cluster}: three nodes, stock and Sluice mixed, restarted and killed under load. */
@CommandLine.Command(name = "sluice cluster", mixinStandardHelpOptions = true, resourceBundle = ClusterCommand.TEXTS)
public final class ClusterCommand implements Callable<Integer>
{
    static final String TEXTS = "io.sluice.bench.cluster.ClusterCommand";

    private static final int NODES = 3;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @CommandLine.Option(names = "--rate", paramLabel = "N", defaultValue = "200")
    private int ratePerSecond;

    @CommandLine.Option(names = "--node-heap", paramLabel = "SIZE", defaultValue = "384m")
    private String heap;

    @CommandLine.Option(names = "--ports", paramLabel = "FIRST", defaultValue = "0")
    private int firstPort;

    @CommandLine.Option(names = "--node-flags", hidden = true, required = true, defaultValue = "${sluice.node.flags}")
    private Path flags;

    /** Ends the JVM with 0 (all well), 1 (a fault) or 2 (wrong arguments). */
    public static void main(final String[] arguments)
    {
        System.exit(execute(new PrintWriter(System.out, true, StandardCharsets.UTF_8), arguments));
    }

    /** As the command line, for tests. */
    static int execute(final PrintWriter out, final String... arguments)
    {
        if (System.getProperty("logback.configurationFile") == null)
        {
            System.setProperty("logback.configurationFile", "io/sluice/bench/soak/logback.xml");
        }
        final CommandLine command = new CommandLine(new ClusterCommand()).setOut(out).setErr(out);
        command.setExecutionExceptionHandler((error, failed, parsed) ->
        {
            error.printStackTrace(failed.getErr());
            return 1;
        });
        return command.execute(arguments);
    }

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        final PrintWriter out = spec.commandLine().getOut();
        final Path folder = Files.createTempDirectory("sluice-cluster");
        final List<String> faults;
        try (ClusterRun run = new ClusterRun(folder, ClusterPorts.of(firstPort, NODES), new ClusterJvm(flags, heap),
            ratePerSecond, out))
        {
            faults = run.run();
        }
        catch (final IOException | InterruptedException | RuntimeException e)
        {
            out.println("The nodes' data and logs are kept in " + folder);
            throw e;
        }
        if (faults.isEmpty())
        {
            Folders.delete(folder);
            out.println("PASSED");
            return 0;
        }
        faults.forEach(fault -> out.println("FAULT: " + fault));
        out.println("FAILED; the nodes' data and logs are kept in " + folder);
        return 1;
    }
}
