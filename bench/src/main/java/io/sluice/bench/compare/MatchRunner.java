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

import io.sluice.bench.load.LoadPlan;
import io.sluice.bench.load.LoadResult;
import io.sluice.bench.load.LoadRun;
import io.sluice.bench.load.NodeTable;
import io.sluice.bench.load.Traffic;
import io.sluice.bench.load.Workload;
import io.sluice.bench.server.ServerKind;
import io.sluice.bench.server.ServerProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Starts servers, plays matches and stops them. Confined to one thread. */
final class MatchRunner implements AutoCloseable
{
    /** What a run costs beside its rounds. */
    static final double WARM_UP_SHARE = 0.25;
    private static final String HOST = "127.0.0.1";
    private static final int MANY = 256;

    private final int rounds;
    private final double seconds;
    private final long operations;
    private final List<String> flags;
    private final Measurements measured;
    private final List<Map<String, Object>> records;
    private final Map<ServerKind, ServerProcess> servers = new EnumMap<>(ServerKind.class);
    private final Map<ServerKind, NodeTable> tables = new EnumMap<>(ServerKind.class);
    private boolean eager;

    /**
     * A runner.
     *
     * @param operations of each round, {@code seconds} being for warming up alone; 0 for rounds by time
     * @param flags more JVM options for the servers
     */
    MatchRunner(final int rounds,
        final double seconds,
        final long operations,
        final List<String> flags,
        final Measurements measured,
        final List<Map<String, Object>> records)
    {
        this.rounds = rounds;
        this.seconds = seconds;
        this.operations = operations;
        this.flags = List.copyOf(flags);
        this.measured = measured;
        this.records = records;
    }

    /** Starts one and warms it up. */
    void start(final ServerKind kind, final double warmUpSeconds) throws IOException
    {
        final ServerProcess server = new ServerProcess(kind, flags, List.of(), null);
        servers.put(kind, server);
        if (kind.isNode())
        {
            tables.put(kind, NodeTable.create(HOST, server.port()));
        }
        final List<Workload> workloads = kind.isNode()
            ? List.of(Workload.INSERT, Workload.BATCH, Workload.SELECT)
            : List.of(Workload.VOID, Workload.TEXT);
        for (final Workload workload : workloads)
        {
            for (final int version : kind.isNode() ? new int[]{5} : new int[]{5, 4})
            {
                run(new Contestant(kind, new Traffic(workload, version, false, MANY)), warmUpSeconds, 0);
            }
        }
    }

    /** True if the Sluice node's coalescing can be turned off. */
    boolean canTurnCoalescingOff() throws IOException
    {
        final ServerProcess node = servers.get(ServerKind.SLUICE_NODE);
        return node != null && !"0".equals(node.control().ask("hold on"));
    }

    /** Plays one round that is not counted and then the others. */
    void play(final Match match) throws IOException
    {
        final List<Contestant> contestants = match.contestants();
        for (int round = -1; round < rounds; round++)
        {
            for (int i = 0; i < contestants.size(); i++)
            {
                // Each round starts with another server, so that none always follows the same one.
                final Contestant contestant = contestants.get(Math.floorMod(i + round, contestants.size()));
                final LoadResult result = run(contestant, round < 0 ? seconds / 2 : seconds,
                    round < 0 ? 0 : operations);
                if (round >= 0)
                {
                    measured.add(contestant, result);
                    records.add(record(contestant, round, result));
                }
            }
        }
    }

    /** Runs one load; by count if {@code requests} is not 0. */
    LoadResult run(final Contestant contestant, final double forSeconds, final long requests) throws IOException
    {
        final ServerProcess server = ready(contestant.server());
        final Traffic traffic = contestant.traffic();
        final LoadPlan plan = new LoadPlan(HOST, server.port(), traffic.version(), traffic.lz4(), traffic.inFlight(),
            forSeconds * WARM_UP_SHARE, forSeconds, requests, 0,
            traffic.workload().requests(traffic.version(), tables.get(server.kind())));
        final LoadResult result = new LoadRun(plan, LoadRun.Progress.NONE).run(server.control());
        if (result.errors() > 0)
        {
            throw new IOException(contestant.server() + ", " + traffic + ": " + result.errors() +
                " errors, the first: " + result.firstError());
        }
        return result;
    }

    /** The node whose coalescing is off is the one whose is on, at another time. */
    private ServerProcess ready(final ServerKind kind) throws IOException
    {
        if (kind != ServerKind.SLUICE_NODE && kind != ServerKind.SLUICE_NODE_EAGER)
        {
            return servers.get(kind);
        }
        final ServerProcess node = servers.get(ServerKind.SLUICE_NODE);
        if (eager != (kind == ServerKind.SLUICE_NODE_EAGER))
        {
            eager = !eager;
            node.control().ask(eager ? "hold off" : "hold on");
        }
        return node;
    }

    private static Map<String, Object> record(final Contestant contestant, final int round, final LoadResult result)
    {
        final Map<String, Object> record = new LinkedHashMap<>();
        record.put("server", contestant.server().name());
        record.put("traffic", contestant.traffic());
        record.put("round", round);
        record.put("requests", result.requests());
        record.put("requestsPerSecond", result.requestsPerSecond());
        for (final Figure figure : Figure.values())
        {
            record.put(figure.name(), figure.of(result));
        }
        record.put("p999", result.percentileMicros(99.9));
        return record;
    }

    /** A server that was started. */
    ServerProcess server(final ServerKind kind)
    {
        return servers.get(kind);
    }

    @Override
    public void close() throws IOException
    {
        for (final ServerProcess server : new ArrayList<>(servers.values()))
        {
            server.close();
        }
    }
}
