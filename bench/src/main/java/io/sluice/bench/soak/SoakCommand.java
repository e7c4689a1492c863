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
package io.sluice.bench.soak;

import io.sluice.bench.server.Folders;
import io.sluice.bench.server.NodeLog;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;

/** The command {@code sluice soak}: good, bad and dying clients against a real node for as long as one likes. */
@CommandLine.Command(name = "sluice soak", mixinStandardHelpOptions = true, resourceBundle = SoakCommand.TEXTS)
public final class SoakCommand implements Callable<Integer>
{
    static final String TEXTS = "io.sluice.bench.soak.SoakCommand";

    private static final double SECONDS_PER_MINUTE = 60;
    private static final int MOST_LOG_LINES = 20;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @CommandLine.Option(names = "--minutes", paramLabel = "N", defaultValue = "30")
    private double minutes;

    @CommandLine.Option(names = "--seed", paramLabel = "N")
    private Long seed;

    @CommandLine.Option(names = "--rate", paramLabel = "N", defaultValue = "1500")
    private double ratePerSecond;

    @CommandLine.Option(names = "--host", paramLabel = "HOST", defaultValue = "127.0.0.1")
    private String host;

    @CommandLine.Option(names = "--port", paramLabel = "PORT", defaultValue = "0")
    private int port;

    @CommandLine.Option(names = "--jmx-port", paramLabel = "PORT", defaultValue = "7199")
    private int jmxPort;

    @CommandLine.Option(names = "--user", paramLabel = "NAME")
    private String user;

    @CommandLine.Option(names = "--password", paramLabel = "PASSWORD", defaultValue = "cassandra")
    private String password;

    @CommandLine.Option(names = "--tls")
    private boolean tls;

    @CommandLine.Option(names = "--node-heap", paramLabel = "SIZE", defaultValue = "512m")
    private String heap;

    @CommandLine.Option(names = "--node-ports", paramLabel = "FIRST", defaultValue = "0")
    private int firstPort;

    @CommandLine.Option(names = "--report", paramLabel = "FILE", defaultValue = "soak.txt")
    private Path text;

    @CommandLine.Option(names = "--json", paramLabel = "FILE", defaultValue = "soak.json")
    private Path json;

    @CommandLine.Option(names = "--node-flags", hidden = true, required = true, defaultValue = "${sluice.node.flags}")
    private Path flags;

    /** Ends the JVM with 0 (passed), 1 (a fault) or 2 (wrong arguments). */
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
        final CommandLine command = new CommandLine(new SoakCommand()).setOut(out);
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
        final long chosen = seed == null ? System.nanoTime() : seed;
        out.println("Seed " + chosen + "; " + minutes + " minutes");
        out.flush();
        if (port != 0)
        {
            return run(out, chosen, new SoakTarget(new InetSocketAddress(host, port), user, password, tls
                ? TrustAll.context()
                : null), jmxPort, null);
        }
        final Path folder = Files.createTempDirectory("sluice-soak");
        out.println("Starting a node in " + folder);
        out.flush();
        int status = 1;
        try (SoakNode node = new SoakNode(folder, flags, heap, firstPort))
        {
            status = run(out, chosen,
                new SoakTarget(new InetSocketAddress(InetAddress.getLoopbackAddress(), node.port()), "cassandra",
                    "cassandra", TrustAll.context()),
                node.jmxPort(), node);
        }
        finally
        {
            if (status == 0)
            {
                Folders.delete(folder);
            }
            else
            {
                out.println("The node's data and logs are kept in " + folder);
            }
        }
        return status;
    }

    private int run(final PrintWriter out,
        final long chosen,
        final SoakTarget target,
        final int jmx,
        final SoakNode node) throws IOException, InterruptedException
    {
        final Ledger ledger = new Ledger(out::println);
        final Soak soak = new Soak(target, ledger, new SoakStop(), new Content(chosen), chosen);
        final SoakReport report;
        try (NodeProbe probe = new NodeProbe(host, jmx))
        {
            report = new SoakRun(soak, probe, out).run(minutes * SECONDS_PER_MINUTE, ratePerSecond);
        }
        catch (final IOException e)
        {
            if (node == null || node.isAlive())
            {
                throw e;
            }
            soak.stop().ask();
            out.println("FAILED: the node is dead. It said last:");
            out.println(node.lastWords());
            return 1;
        }
        if (node != null)
        {
            checkNode(node, ledger);
        }
        report.print(out);
        try (PrintWriter file = new PrintWriter(Files.newBufferedWriter(text)))
        {
            report.print(file);
        }
        Files.writeString(json, report.json());
        out.println("Report: " + text.toAbsolutePath() + ", " + json.toAbsolutePath());
        return report.passed() ? 0 : 1;
    }

    /** It must still be there, and have logged no error: whatever clients do is not the node's. */
    private static void checkNode(final SoakNode node, final Ledger ledger) throws IOException
    {
        if (!node.isAlive())
        {
            ledger.fault("the node", "is dead");
        }
        NodeLog.errors(node.log())
            .stream()
            .limit(MOST_LOG_LINES)
            .forEach(line -> ledger.fault("the node's log", line));
    }
}
