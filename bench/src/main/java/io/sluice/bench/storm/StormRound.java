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
import java.util.List;
import java.util.Locale;

/**
 * One storm and the steady clients beside it. Immutable.
 *
 * @param before the steady clients alone
 * @param slices the same during the storm, half a second each
 * @param seconds from its beginning until all were logged in, or until it was given up
 * @param loggedIn connections that are in
 * @param gaveUp attempts that their clients ended
 * @param closedByServer attempts that the server ended
 * @param complete true if all got in
 */
record StormRound(
    SteadyClients.Stretch before,
    List<SteadyClients.Stretch> slices,
    double seconds,
    int loggedIn,
    int gaveUp,
    int closedByServer,
    boolean complete)
{
    /** Of the slices. */
    double medianP99Micros()
    {
        return slices.stream()
            .mapToDouble(SteadyClients.Stretch::p99Micros)
            .sorted()
            .skip(slices.size() / 2)
            .findFirst()
            .orElse(0);
    }

    /** Of the slices. */
    double worstP99Micros()
    {
        return slices.stream().mapToDouble(SteadyClients.Stretch::p99Micros).max().orElse(0);
    }

    /** Answers to steady clients during the storm. */
    double ratePerSecond()
    {
        return slices.stream().mapToDouble(SteadyClients.Stretch::ratePerSecond).average().orElse(0);
    }

    String json(final String server, final int round)
    {
        return String.format(Locale.ROOT, "{\"benchmark\":\"storm\",\"server\":\"%s\",\"round\":%d," +
            "\"beforeP99Micros\":%.1f,\"duringMedianP99Micros\":%.1f,\"duringWorstP99Micros\":%.1f," +
            "\"duringPerSecond\":%.1f,\"seconds\":%.2f,\"loggedIn\":%d,\"gaveUp\":%d,\"closedByServer\":%d," +
            "\"complete\":%b}", server, round, before.p99Micros(), medianP99Micros(), worstP99Micros(),
            ratePerSecond(), seconds, loggedIn, gaveUp, closedByServer, complete);
    }
}
