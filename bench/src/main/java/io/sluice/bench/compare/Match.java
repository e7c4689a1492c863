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

import io.sluice.bench.load.Traffic;
import io.sluice.bench.load.Workload;
import io.sluice.bench.server.ServerKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Contestants whose rounds are interleaved. Immutable. */
record Match(String name, List<Contestant> contestants)
{
    private static final int MANY = 64;

    /** The same traffic for several servers. */
    static Match of(final Traffic traffic, final List<ServerKind> servers)
    {
        return new Match(traffic.toString(),
            servers.stream().map(server -> new Contestant(server, traffic)).toList());
    }

    /** The same without one server. */
    Match without(final ServerKind server)
    {
        return new Match(name,
            contestants.stream().filter(contestant -> contestant.server() != server).toList());
    }

    /** All of null engines. */
    static List<Match> ofNullEngines(final List<ServerKind> servers, final int[] inFlight)
    {
        final List<Match> matches = new ArrayList<>();
        for (final int version : new int[]{5, 4})
        {
            for (final boolean lz4 : new boolean[]{false, true})
            {
                for (final int requests : inFlight)
                {
                    matches.add(of(new Traffic(Workload.VOID, version, lz4, requests),
                        version == 5 && !lz4
                            ? and(servers, ServerKind.SLUICE_SINGLE, ServerKind.SLUICE_BARE)
                            : servers));
                }
            }
        }
        for (final int requests : inFlight)
        {
            matches.add(of(new Traffic(Workload.WAIT, 5, false, requests),
                List.of(ServerKind.SLUICE, ServerKind.SLUICE_SINGLE, ServerKind.STOCK)));
        }
        matches.add(ofPairs("lz4 beside plain, 1 kB of text, 64 in flight", lz4Text(true), lz4Text(false)));
        matches.add(ofPairs("v5 beside v4, 64 in flight", plainVoid(5), plainVoid(4)));
        return matches;
    }

    private static Match ofPairs(final String name, final Traffic one, final Traffic other)
    {
        final List<Contestant> contestants = new ArrayList<>();
        for (final ServerKind server : List.of(ServerKind.SLUICE, ServerKind.STOCK))
        {
            contestants.add(new Contestant(server, one));
            contestants.add(new Contestant(server, other));
        }
        return new Match(name, contestants);
    }

    /** Many answers of 1 kB of text. */
    static Traffic lz4Text(final boolean lz4)
    {
        return new Traffic(Workload.TEXT, 5, lz4, MANY);
    }

    /** Many requests of a version. */
    static Traffic plainVoid(final int version)
    {
        return new Traffic(Workload.VOID, version, false, MANY);
    }

    private static List<ServerKind> and(final List<ServerKind> servers, final ServerKind... others)
    {
        final List<ServerKind> more = new ArrayList<>(servers);
        more.addAll(Arrays.asList(others));
        return more;
    }

    /** All of real nodes. */
    static List<Match> ofNodes(final List<ServerKind> servers)
    {
        return List.of(of(new Traffic(Workload.INSERT, 5, false, 1), servers),
            of(new Traffic(Workload.INSERT, 5, false, 256), and(servers, ServerKind.SLUICE_NODE_EAGER)),
            of(new Traffic(Workload.BATCH, 5, false, 32), servers),
            of(new Traffic(Workload.SELECT, 5, false, 256), servers));
    }
}
