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
package io.sluice.bench.micro;

import java.util.Map;

/**
 * What an operation of Sluice may cost at most. Immutable.
 *
 * @param time beside stock; NaN if there is no target
 * @param bytes on the heap per part; NaN if there is no target
 * @param parts of the operation: envelopes, answers
 */
record MicroTarget(double time, double bytes, int parts)
{

    private static final double NONE = Double.NaN;
    /** Beside the floor, from 16 KiB. */
    static final double CODEC = 1.15;
    /** Beside the same without metrics. */
    static final double METRICS = 1.03;
    private static final MicroTarget OTHER = new MicroTarget(NONE, NONE, 1);
    private static final Map<String, MicroTarget> TARGETS = Map.ofEntries(
        Map.entry("RequestDecode EXECUTE_7x10", new MicroTarget(0.5, 352, 1)),
        Map.entry("RequestDecode BATCH_10x7x10", new MicroTarget(0.5, 3050, 1)),
        Map.entry("ExecuteView", new MicroTarget(NONE, 0, 1)),
        Map.entry("Inbound PLAIN 100", new MicroTarget(0.35, 280, 100)),
        Map.entry("Inbound LZ4 100", new MicroTarget(0.4, 280, 100)),
        Map.entry("Inbound PLAIN 1", new MicroTarget(0.4, NONE, 1)),
        Map.entry("Inbound LZ4 1", new MicroTarget(0.4, NONE, 1)),
        Map.entry("Outbound PLAIN VOID 100", new MicroTarget(0.2, 16, 100)),
        Map.entry("Outbound LZ4 VOID 100", new MicroTarget(0.25, 16, 100)),
        Map.entry("Outbound PLAIN ROW 100", new MicroTarget(0.35, NONE, 100)),
        Map.entry("Outbound LZ4 ROW 100", new MicroTarget(0.35, NONE, 100)),
        Map.entry("Outbound PLAIN VOID 1", new MicroTarget(0.3, 64, 1)),
        Map.entry("Outbound LZ4 VOID 1", new MicroTarget(0.3, 64, 1)));

    static MicroTarget of(final String row)
    {
        if (row.startsWith("Segment"))
        {
            return new MicroTarget(NONE, 0, 1);
        }
        return TARGETS.getOrDefault(row, OTHER);
    }
}
