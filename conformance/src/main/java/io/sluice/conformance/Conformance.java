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
package io.sluice.conformance;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The command: checks a running server of the native protocol over raw sockets and says what it got right. Exit status
 * 0 if every check passed, 1 if one failed, 2 if the command line makes no sense or the server cannot be reached.
 */
@Command(name = "conformance", sortOptions = false, description = {
    Conformance.PURPOSE,
    Conformance.KEYSPACE_USE}, exitCodeListHeading = "%nExit status:%n", exitCodeList = {
        "0:every check passed", "1:a check failed", "2:bad command line, or no server"})
public final class Conformance implements Callable<Integer>
{
    static final String PURPOSE = "Checks a running server of the Cassandra native protocol over raw sockets.";
    static final String KEYSPACE_USE = "Works in a keyspace of its own, " + Lab.KEYSPACE + ", and drops it at the end.";

    @Spec
    private CommandSpec spec;

    @Parameters(arity = "0..1", paramLabel = "HOST:PORT", description = "the server to check")
    private String server;

    @Option(names = "--version", paramLabel = "3|4|5", description = "only this protocol version")
    private int version;

    @Option(names = "--compression", paramLabel = "lz4|snappy|none", description = "only this compression")
    private String compression;

    @Option(names = "--user", description = "login name, if the server wants one")
    private String user;

    @Option(names = "--password", description = "password of that user")
    private String password;

    @Option(names = "--junit", paramLabel = "FILE.xml", description = "also write a JUnit report")
    private Path junit;

    @Option(names = "--side-by-side", paramLabel = "HOST2:PORT2", description = "check this server too")
    private String other;

    @Option(names = "--only", paramLabel = "ID", description = "only checks whose id contains this; may be repeated")
    private List<String> only = new ArrayList<>();

    @Option(names = "--list", description = "print the checks and run none")
    private boolean list;

    @Option(names = "--timeout", paramLabel = "SECONDS", defaultValue = "4", description = "patience with one answer")
    private int timeoutSeconds;

    /** Acted upon by the command line parser itself. */
    @Option(names = {"-h", "--help"}, usageHelp = true, description = "print this help")
    private boolean unusedHelp;

    @Option(names = "--verbose", description = "print error texts of passed checks too")
    private boolean verbose;

    private final PrintStream out;

    Conformance(final PrintStream out)
    {
        this.out = out;
    }

    /**
     * Runs the command and ends the process with its exit status.
     *
     * @param args the command line
     */
    public static void main(final String[] args)
    {
        System.exit(execute(System.out, args));
    }

    static int execute(final PrintStream out, final String... args)
    {
        return new CommandLine(new Conformance(out)).execute(args);
    }

    /**
     * Runs the checks that the options select.
     *
     * @return the exit status
     * @throws IOException if the JUnit report cannot be written
     */
    @Override
    public Integer call() throws IOException
    {
        final List<Profile> profiles = profiles();
        final List<Check> checks = Catalogue.of(profiles)
            .stream()
            .filter(check -> only.isEmpty() || only.stream().anyMatch(check.id()::contains))
            .toList();
        if (checks.isEmpty())
        {
            throw new ParameterException(spec.commandLine(), "no check has " + only + " in its id");
        }
        if (list)
        {
            checks.forEach(
                check -> out.printf(Locale.ROOT, "%-52s %-12s %s%n", check.id(), check.source(), check.expected()));
            return 0;
        }
        if (server == null)
        {
            throw new ParameterException(spec.commandLine(), "HOST:PORT is missing");
        }
        try
        {
            return run(checks, profiles.get(0));
        }
        catch (final NoServer e)
        {
            spec.commandLine().getErr().println(e.getMessage());
            return spec.exitCodeOnInvalidInput();
        }
    }

    private int run(final List<Check> checks, final Profile schemaProfile) throws IOException
    {
        final OutcomeTable table = new OutcomeTable(out, verbose);
        final List<Outcome> outcomes = new ArrayList<>();
        final List<Outcome> others = new ArrayList<>();
        final Lab lab = lab(server);
        final Lab otherLab = other == null ? null : lab(other);
        try (CheckRunner runner = new CheckRunner(lab, guardMillis());
            CheckRunner otherRunner = otherLab == null ? null : new CheckRunner(otherLab, guardMillis()))
        {
            table.header(other == null ? new String[]{server} : new String[]{server, other});
            for (final Check check : checks)
            {
                outcomes.add(runner.run(check));
                final Outcome outcome = outcomes.get(outcomes.size() - 1);
                if (otherRunner == null)
                {
                    table.row(outcome);
                }
                else
                {
                    others.add(otherRunner.run(check));
                    table.row(outcome, others.get(others.size() - 1));
                }
            }
            lab.dropSchema(schemaProfile);
            if (otherLab != null)
            {
                otherLab.dropSchema(schemaProfile);
            }
        }
        table.summary(server, outcomes);
        if (other != null)
        {
            table.summary(other, others);
        }
        if (junit != null)
        {
            final Map<String, List<Outcome>> byServer = new LinkedHashMap<>();
            byServer.put(server, outcomes);
            if (other != null)
            {
                byServer.put(other, others);
            }
            JunitReport.write(junit, byServer);
        }
        final boolean failed = outcomes.stream().anyMatch(outcome -> outcome.verdict().isFailure()) ||
            others.stream().anyMatch(outcome -> outcome.verdict().isFailure());
        return failed ? 1 : 0;
    }

    private List<Profile> profiles()
    {
        if (timeoutSeconds < 1)
        {
            throw new ParameterException(spec.commandLine(), "--timeout: " + timeoutSeconds + " (expected: >= 1)");
        }
        if ((user == null) != (password == null))
        {
            throw new ParameterException(spec.commandLine(), "--user and --password go together");
        }
        try
        {
            final List<Profile> profiles = Profile.select(version,
                compression == null ? null : Profile.compressionOf(compression));
            if (!profiles.isEmpty())
            {
                return profiles;
            }
        }
        catch (final IllegalArgumentException e)
        {
            throw new ParameterException(spec.commandLine(),
                "--compression: " + compression + " (expected: lz4, snappy or none)", e);
        }
        throw new ParameterException(spec.commandLine(),
            "nothing to check: version " + version + " (expected: 3, 4 or 5)" +
                (compression == null ? "" : " with compression " + compression + " (v5 has no snappy)"));
    }

    private Lab lab(final String hostAndPort)
    {
        final InetSocketAddress address = address(hostAndPort);
        final Lab lab = new Lab(address, timeoutSeconds * 1000, user, password);
        try
        {
            lab.connect(new Profile(4, Compression.NONE), new Trace()).close();
            return lab;
        }
        catch (final IOException e)
        {
            throw new NoServer(hostAndPort + ": " + e.getMessage(), e);
        }
    }

    private InetSocketAddress address(final String hostAndPort)
    {
        final int colon = hostAndPort.lastIndexOf(':');
        try
        {
            final InetSocketAddress address = new InetSocketAddress(hostAndPort.substring(0, colon),
                Integer.parseInt(hostAndPort.substring(colon + 1)));
            if (!address.isUnresolved())
            {
                return address;
            }
        }
        catch (final IllegalArgumentException | StringIndexOutOfBoundsException e)
        {
            throw new ParameterException(spec.commandLine(), "server: " + hostAndPort + " (expected: HOST:PORT)", e);
        }
        throw new ParameterException(spec.commandLine(), "server: " + hostAndPort + " (unknown host)");
    }

    private int guardMillis()
    {
        return Math.max(60_000, timeoutSeconds * 20_000);
    }
}
