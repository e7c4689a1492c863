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

import io.sluice.bench.compare.AllocCommand;
import io.sluice.bench.compare.CompareCommand;
import io.sluice.bench.micro.MicroCommand;
import io.sluice.bench.storm.StormCommand;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;

/** The command {@code sluice bench}: measures Sluice beside the stock transport. */
@CommandLine.Command(name = "sluice bench", mixinStandardHelpOptions = true, resourceBundle = "io.sluice.bench.Bench")
public final class Bench implements Runnable
{
    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    /** Ends the JVM with 0, 1 (measuring failed) or 2 (wrong arguments). */
    public static void main(final String[] arguments)
    {
        final PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        final PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        final CommandLine commands = commands().setOut(out).setErr(err);
        commands.setExecutionExceptionHandler((error, command, parsed) ->
        {
            error.printStackTrace(command.getErr());
            return 1;
        });
        System.exit(commands.execute(arguments));
    }

    /** All of them. */
    static CommandLine commands()
    {
        return new CommandLine(new Bench())
            .addSubcommand(new MicroCommand())
            .addSubcommand(new NullServerCommand())
            .addSubcommand(new NodeServerCommand())
            .addSubcommand(new LoadCommand())
            .addSubcommand(new CompareCommand())
            .addSubcommand(new AllocCommand())
            .addSubcommand(new HostileCommand())
            .addSubcommand(new StormCommand())
            .setCaseInsensitiveEnumValuesAllowed(true);
    }

    @Override
    public void run()
    {
        throw new CommandLine.ParameterException(spec.commandLine(), "missing: what to measure");
    }
}
