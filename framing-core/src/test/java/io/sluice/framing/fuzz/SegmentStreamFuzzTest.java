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
package io.sluice.framing.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.sluice.framing.segment.SegmentFormat;

/** The segments of a connection: four bytes say what is done with those behind them. */
class SegmentStreamFuzzTest
{
    @FuzzTest(maxDuration = "")
    void plain(final byte[] input)
    {
        check(new FuzzInput(input), SegmentFormat.PLAIN);
    }

    @FuzzTest(maxDuration = "")
    void lz4(final byte[] input)
    {
        check(new FuzzInput(input), SegmentFormat.LZ4);
    }

    private static void check(final FuzzInput input, final SegmentFormat format)
    {
        final int stops = input.next();
        final int length = 1 + input.next();
        final int nextLength = 1 + input.next();
        final byte[] wire = Segments.of(input, format);
        new InboundTrial<>(
            (bench, recording, policy) -> new SegmentRun(bench, recording, format, policy % 2 == 1),
            SegmentRun::payloadBytes).check(wire, stops, length, nextLength);
    }
}
