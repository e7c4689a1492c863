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
package io.sluice.cassandra;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code sluice node}: one Cassandra node in this process until Ctrl-C. Confined to the main thread. */
@Command(name = "sluice node", mixinStandardHelpOptions = true, resourceBundle = "io.sluice.cassandra.NodeMain")
public final class NodeMain implements Callable<Integer>
{
    private static final int INTERRUPTED = 130;

    @Mixin
    private final NodeOptions options = new NodeOptions();

    @Spec
    private CommandSpec spec;

    private final CountDownLatch stopAsked = new CountDownLatch(1);
    private final AtomicInteger signals = new AtomicInteger();

    NodeMain()
    {
    }

    /** Exits 0 after an orderly stop, 1 if the node could not start, 2 if the command line makes no sense. */
    public static void main(final String... arguments)
    {
        final CommandLine command = NodeOptions.commandLine(new NodeMain());
        command.getCommandSpec().usageMessage().sortOptions(false);
        command.setParameterExceptionHandler((exception, given) ->
        {
            exception.getCommandLine().getErr().println("sluice: " + exception.getMessage() + " (see --help)");
            return CommandLine.ExitCode.USAGE;
        });
        System.exit(command.execute(arguments));
    }

    @Override
    public Integer call() throws Exception
    {
        final PrintWriter out = spec.commandLine().getOut();
        final PrintWriter err = spec.commandLine().getErr();
        BootProgress progress = null;
        try
        {
            options.validate();
            final DataDirectory directory = DataDirectory.claim(options.dataDirectory());
            logInto(directory);
            SecurityManagerNotice.silence();
            TerminationSignals.handle(() -> onSignal(err));
            progress = new BootProgress(out, Boolean.getBoolean("sluice.terminal"),
                "Starting Apache Cassandra with " + (options.stock ? "its own transport" : "Sluice"));
            progress.begin();
            final CassandraNode node = CassandraNode.start(options, directory, stopAsked::countDown);
            progress.end();
            out.println(ReadyNotice.text(options, directory, progress.elapsedNanos()));
            out.flush();
            stopAsked.await();
            out.println("Draining...");
            out.flush();
            node.stop();
            out.println("Stopped.");
            out.flush();
            return CommandLine.ExitCode.OK;
        }
        catch (final StartupFailure e)
        {
            if (progress != null)
            {
                progress.end();
                LoggerFactory.getLogger(CassandraNode.class.getPackageName()).debug("start failed", e);
            }
            err.println("sluice: " + e.getMessage());
            err.flush();
            // Nothing was served, and the half-started Cassandra's threads and hooks would only hold up the exit.
            Runtime.getRuntime().halt(CommandLine.ExitCode.SOFTWARE);
            return CommandLine.ExitCode.SOFTWARE;
        }
    }

    /** Before the first logger is made, which is why nothing above logs. */
    private static void logInto(final DataDirectory directory) throws StartupFailure
    {
        directory.folder("logs");
        System.setProperty("sluice.logs", directory.logs().toString());
        if (System.getProperty("logback.configurationFile") == null)
        {
            System.setProperty("logback.configurationFile", "io/sluice/cassandra/node-logback.xml");
        }
    }

    /** The first signal asks for an orderly stop, after the start if need be; the second ends the process. */
    private void onSignal(final PrintWriter err)
    {
        if (signals.incrementAndGet() > 1)
        {
            err.println("sluice: stopped at once; the commit log is replayed at the next start");
            err.flush();
            Runtime.getRuntime().halt(INTERRUPTED);
        }
        stopAsked.countDown();
    }
}
