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
import java.util.List;
import java.util.Map;

/** What the measurements are asked, with the project's targets. Stateless. */
final class Claims
{
    private static final Map<Integer, Double> EXECUTOR_CPU = Map.of(1, 0.65, 16, 0.5, 256, 0.4);
    private static final Map<Integer, Double> INLINE_CPU = Map.of(1, 0.4, 16, 0.25, 256, 0.15);
    private static final Map<Integer, Double> EXECUTOR_BYTES = Map.of(1, 520.0, 16, 450.0, 256, 450.0);
    private static final double LONE_P50 = 0.8;
    private static final double LONE_P99 = 1.0;
    private static final double LZ4_CPU = 1.4;
    private static final double LZ4_P50 = 1.25;
    private static final double V5_P50 = 1.0;
    private static final double NULL_SENDS = 0.01;
    private static final double NODE_SENDS = 1.0 / 32;
    /** Than with coalescing off. */
    private static final double NO_WORSE = 1.0;
    private static final double NODE_CPU = 0.8;
    private static final double BATCH_BYTES = 0.65;
    private static final double INSERT_BYTES = 0.68;
    private static final double SIXTH_BATCH_BYTES = 1.0;
    /** Than without metrics. */
    private static final double METRICS_CPU = 1.03;
    private static final int FLOOD = 256;

    private Claims()
    {
    }

    /** Those for which everything was measured. */
    static List<Claim> of(final Measurements measured)
    {
        final List<Claim> claims = new ArrayList<>();
        for (final Figure figure : Figure.values())
        {
            for (final Contestant contestant : measured.contestants())
            {
                add(claims, measured, figure, contestant);
            }
        }
        return claims;
    }

    private static void add(final List<Claim> claims,
        final Measurements measured,
        final Figure figure,
        final Contestant ours)
    {
        final ServerKind stock = ours.server().isNode() ? ServerKind.STOCK_NODE : ServerKind.STOCK;
        final Contestant base = new Contestant(stock, ours.traffic());
        final Traffic traffic = ours.traffic();
        if (ours.server() != stock && measured.has(base))
        {
            final boolean absolute = figure == Figure.SENDS || figure == Figure.BYTES && !ours.server().isNode();
            claims.add(new Claim(figure, ours, base, target(figure, ours.server(), traffic), absolute));
        }
        final Contestant sixth = new Contestant(
            ours.server().isNode() ? ServerKind.STOCK_6_NODE : ServerKind.STOCK_6, traffic);
        if (ours.server().isSluice() && measured.has(sixth) && (figure == Figure.CPU || figure == Figure.BYTES))
        {
            claims.add(new Claim(figure, ours, sixth, figure == Figure.BYTES && traffic.workload() == Workload.BATCH
                ? SIXTH_BATCH_BYTES
                : Double.NaN, false));
        }
        final Contestant eager = new Contestant(ServerKind.SLUICE_NODE_EAGER, traffic);
        if (ours.server() == ServerKind.SLUICE_NODE && measured.has(eager))
        {
            claims.add(new Claim(figure, ours, eager,
                figure == Figure.P50 || figure == Figure.TIME ? NO_WORSE : Double.NaN, false));
        }
        final Contestant single = new Contestant(ServerKind.SLUICE, traffic);
        if (ours.server() == ServerKind.SLUICE_SINGLE && measured.has(single))
        {
            claims.add(new Claim(figure, ours, single, Double.NaN, false));
        }
        final Contestant bare = new Contestant(ServerKind.SLUICE_BARE, traffic);
        if (ours.server() == ServerKind.SLUICE && measured.has(bare))
        {
            claims.add(new Claim(figure, ours, bare, figure == Figure.CPU ? METRICS_CPU : Double.NaN, false));
        }
        final Contestant plain = new Contestant(ours.server(), Match.lz4Text(false));
        if (traffic.equals(Match.lz4Text(true)) && measured.has(plain))
        {
            claims.add(new Claim(figure, ours, plain, switch (figure)
            {
                case CPU -> ours.server().isSluice() ? LZ4_CPU : Double.NaN;
                case P50 -> ours.server().isSluice() ? LZ4_P50 : Double.NaN;
                default -> Double.NaN;
            }, false));
        }
        final Contestant older = new Contestant(ours.server(), Match.plainVoid(4));
        if (traffic.equals(Match.plainVoid(5)) && measured.has(older))
        {
            claims.add(new Claim(figure, ours, older,
                figure == Figure.P50 && ours.server().isSluice() ? V5_P50 : Double.NaN, false));
        }
    }

    private static double target(final Figure figure, final ServerKind server, final Traffic traffic)
    {
        if (server == ServerKind.SLUICE_NODE)
        {
            return nodeTarget(figure, traffic);
        }
        if (!server.isSluice() || server == ServerKind.SLUICE_SINGLE ||
            server == ServerKind.SLUICE_BARE || traffic.workload() != Workload.VOID)
        {
            return Double.NaN;
        }
        final boolean executor = server == ServerKind.SLUICE;
        return switch (figure)
        {
            case CPU -> (executor ? EXECUTOR_CPU : INLINE_CPU).getOrDefault(traffic.inFlight(), Double.NaN);
            case BYTES -> executor ? EXECUTOR_BYTES.getOrDefault(traffic.inFlight(), Double.NaN) : Double.NaN;
            case P50 -> executor && traffic.inFlight() == 1 ? LONE_P50 : Double.NaN;
            case P99 -> executor && traffic.inFlight() == 1 ? LONE_P99 : Double.NaN;
            case SENDS -> traffic.inFlight() == FLOOD ? NULL_SENDS : Double.NaN;
            case TIME -> Double.NaN;
        };
    }

    private static double nodeTarget(final Figure figure, final Traffic traffic)
    {
        return switch (figure)
        {
            case CPU -> traffic.workload() != Workload.SELECT && traffic.inFlight() > 1 ? NODE_CPU : Double.NaN;
            case SENDS -> traffic.workload() == Workload.INSERT && traffic.inFlight() == FLOOD
                ? NODE_SENDS
                : Double.NaN;
            case BYTES -> switch (traffic.workload())
            {
                case BATCH -> BATCH_BYTES;
                case INSERT -> INSERT_BYTES;
                default -> Double.NaN;
            };
            default -> Double.NaN;
        };
    }
}
