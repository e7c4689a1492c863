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

import io.sluice.framing.segment.SegmentFormat;
import org.apache.cassandra.transport.StockOutbound;
import org.openjdk.jmh.annotations.Param;

/** The way out: from answers to the bytes of one flush. With one answer: what a lone request waits for. */
public class OutboundBenchmark extends ThreeWays
{
    /** PLAIN or LZ4. */
    @Param({"PLAIN", "LZ4"})
    private SegmentFormat format;

    /** VOID, or ROWS of one row. */
    @Param({"VOID", "ROW"})
    private AnswerKind answer;

    /** In one flush. */
    @Param({"1", "100"})
    private int answers;

    @Override
    Measured make(final Implementation implementation)
    {
        final boolean lz4 = format == SegmentFormat.LZ4;
        return switch (implementation)
        {
            case SLUICE, BARE ->
            {
                final SluiceOutbound outbound = new SluiceOutbound(format, answers, answer.cells());
                yield new Measured(outbound::flush, outbound::close);
            }
            case STOCK -> Measured.of(new StockOutbound(lz4, answers, answer.cells())::flush);
            case NATIVE_PROTOCOL, FLOOR -> Measured.of(
                new NativeProtocolOutbound(lz4, answers, answer.cells())::flush);
        };
    }
}
