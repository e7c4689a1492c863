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
package io.sluice.bench.storm;

import io.sluice.bench.SteadyClients;
import io.sluice.bench.report.Ratios;
import io.sluice.bench.server.Folders;
import io.sluice.bench.soak.SoakNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import picocli.CommandLine;

/**
 * Field case 58: steady clients at a rate, then a storm of new connections that want TLS and a login. A real node with
 * login, behind Sluice and behind its own transport, each in a JVM of its own, in turns.
 */
@CommandLine.Command(name = "storm", mixinStandardHelpOptions = true, resourceBundle = StormCommand.TEXTS)
public final class StormCommand implements Callable<Integer>
{
    static final String TEXTS = "io.sluice.bench.storm.StormCommand";

    private static final double SETTLE_SECONDS = 3;
    private static final double SLICE_SECONDS = 0.5;
    private static final int UNCOUNTED = 2;
    private static final long RECOVERY_SECONDS = 120;
    private static final byte[] LOGIN = "\0cassandra\0cassandra".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    private static final String QUERY = "SELECT key FROM system.local";

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @CommandLine.Option(names = "--steady", paramLabel = "N", defaultValue = "200")
    private int steady;

    @CommandLine.Option(names = "--rate", paramLabel = "N", defaultValue = "5000")
    private double rate;

    @CommandLine.Option(names = "--logins", paramLabel = "N", defaultValue = "5000")
    private int logins;

    @CommandLine.Option(names = "--within", paramLabel = "SECONDS", defaultValue = "2")
    private double within;

    @CommandLine.Option(names = "--longest", paramLabel = "SECONDS", defaultValue = "60")
    private double longest;

    @CommandLine.Option(names = "--bcrypt-rounds", paramLabel = "N", defaultValue = "10")
    private int bcryptRounds;

    @CommandLine.Option(names = "--rounds", paramLabel = "N", defaultValue = "5")
    private int rounds;

    @CommandLine.Option(names = "--stock")
    private boolean stockOnly;

    @CommandLine.Option(names = "--node-heap", paramLabel = "SIZE", defaultValue = "512m")
    private String heap;

    @CommandLine.Option(names = "--json", paramLabel = "FILE", defaultValue = "bench-storm.json")
    private Path json;

    private final List<String> records = new ArrayList<>();

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        final PrintWriter out = spec.commandLine().getOut();
        out.printf(Locale.ROOT,
            "%,d steady connections at %,.0f requests/s; then %,d TLS logins (bcrypt 2^%d) within " +
                "%.1f s, of which half give up after 1 s and try again%n",
            steady, rate, logins, bcryptRounds, within);
        out.printf(Locale.ROOT, "  %-8s %12s %12s %12s %8s %10s %10s %10s %10s%n", "server", "p99 before", "p99 during",
            "worst 0.5 s", "rate", "all in", "logged in", "gave up", "closed");
        final Path folder = Files.createTempDirectory("sluice-storm");
        try (SoakNode stock = node(folder.resolve("stock"), "--stock");
            SoakNode sluice = stockOnly ? null : node(folder.resolve("sluice")))
        {
            final Server besides = new Server("stock", stock, new ArrayList<>());
            if (stockOnly)
            {
                storms(out, List.of(besides));
            }
            else
            {
                final Server ours = new Server("Sluice", sluice, new ArrayList<>());
                storms(out, List.of(ours, besides));
                compare(out, ours, besides);
            }
        }
        finally
        {
            Folders.delete(folder);
        }
        Files.writeString(json, "[\n" + String.join(",\n", records) + "\n]\n");
        out.println("Every round: " + json.toAbsolutePath());
        return 0;
    }

    private static Path flags()
    {
        final String flags = System.getProperty("sluice.node.flags");
        if (flags == null)
        {
            throw new IllegalStateException("sluice.node.flags: not set (expected: by bin/sluice)");
        }
        return Path.of(flags);
    }

    private SoakNode node(final Path folder, final String... options) throws IOException
    {
        return new SoakNode(folder, flags(), heap, 0,
            List.of("-Dcassandra.auth_bcrypt_gensalt_log2_rounds=" + bcryptRounds), List.of(options));
    }

    /** The first two of each are not counted: they are there for the JIT compiler. */
    private void storms(final PrintWriter out, final List<Server> servers) throws IOException, InterruptedException
    {
        final List<Server> turns = new ArrayList<>(servers);
        for (int round = -UNCOUNTED; round < rounds; round++)
        {
            for (final Server server : turns)
            {
                final StormRound result = storm(out, server);
                if (round >= 0)
                {
                    print(out, server.name(), result);
                    records.add(result.json(server.name(), round));
                    server.rounds().add(result);
                }
            }
            Collections.rotate(turns, 1);
        }
    }

    private void compare(final PrintWriter out, final Server ours, final Server besides)
    {
        if (rounds > 0)
        {
            out.println("Sluice to stock, median of the rounds (least..most):");
            compare(out, "p99 of steady clients", ours, besides, StormRound::medianP99Micros);
            compare(out, "worst half second", ours, besides, StormRound::worstP99Micros);
            compare(out, "their rate", ours, besides, StormRound::ratePerSecond);
            compare(out, "seconds until all are in", ours, besides, StormRound::seconds);
        }
    }

    private static void compare(final PrintWriter out,
        final String what,
        final Server ours,
        final Server besides,
        final ToDoubleFunction<StormRound> value)
    {
        final Ratios ratios = new Ratios(IntStream.range(0, ours.rounds().size())
            .mapToDouble(i -> value.applyAsDouble(ours.rounds().get(i)) / value.applyAsDouble(besides.rounds().get(i)))
            .toArray());
        out.printf(Locale.ROOT, "  %-26s %s%n", what, ratios.spread());
    }

    /** A node and what it showed. */
    private record Server(String name, SoakNode node, List<StormRound> rounds)
    {
    }

    private StormRound storm(final PrintWriter out, final Server server) throws IOException, InterruptedException
    {
        final InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), server
            .node()
            .port());
        try (SteadyClients clients = loggedIn(out, server.name(), address))
        {
            clients.run(SETTLE_SECONDS / 2, rate);
            final SteadyClients.Stretch before = clients.run(SETTLE_SECONDS, rate);
            try (LoginStorm storm = new LoginStorm(address, logins, within, LOGIN))
            {
                storm.begin();
                return during(clients, storm, before);
            }
        }
    }

    /** A server may be busy with the last storm for a while: stock checks passwords of clients that have long left. */
    private SteadyClients loggedIn(final PrintWriter out, final String server, final InetSocketAddress address)
        throws IOException, InterruptedException
    {
        final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(RECOVERY_SECONDS);
        while (true)
        {
            try
            {
                return SteadyClients.loggedIn(address, steady, QUERY, LOGIN);
            }
            catch (final IOException e)
            {
                if (System.nanoTime() > deadline)
                {
                    throw e;
                }
                out.printf(Locale.ROOT, "  %-8s not yet over the last storm: %s%n", server, e.getMessage());
                TimeUnit.SECONDS.sleep(1);
            }
        }
    }

    private StormRound during(final SteadyClients clients, final LoginStorm storm, final SteadyClients.Stretch before)
        throws IOException
    {
        final long start = System.nanoTime();
        final List<SteadyClients.Stretch> slices = new ArrayList<>();
        while (!storm.isOver() && (System.nanoTime() - start) / 1e9 < longest)
        {
            slices.add(clients.run(SLICE_SECONDS, rate));
        }
        return new StormRound(before, slices, (System.nanoTime() - start) / 1e9, storm.loggedIn(), storm.gaveUp(),
            storm.closedByServer(), storm.isOver());
    }

    private void print(final PrintWriter out, final String server, final StormRound result)
    {
        out.printf(Locale.ROOT, "  %-8s %9.0f us %9.0f us %9.0f us %7.0f%% %8s s %,10d %,10d %,10d%n", server,
            result.before().p99Micros(), result.medianP99Micros(), result.worstP99Micros(),
            100 * result.ratePerSecond() / rate,
            result.complete() ? String.format(Locale.ROOT, "%.1f", result.seconds()) : "> " + (int)longest,
            result.loggedIn(), result.gaveUp(), result.closedByServer());
        out.flush();
    }
}
