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

/** One answer from an object to an encoded envelope, not yet in a segment. */
public class AnswerEncodeBenchmark extends ThreeWays
{
    /** VOID, or ROWS of one row. */
    @Param({"VOID", "ROW"})
    private AnswerKind answer;

    @Override
    Measured make(final Implementation implementation)
    {
        return switch (implementation)
        {
            case SLUICE, BARE ->
            {
                final SluiceOutbound outbound = new SluiceOutbound(SegmentFormat.PLAIN, 1, answer.cells());
                yield new Measured(outbound::encode, outbound::close);
            }
            case STOCK -> Measured.of(new StockOutbound(false, 1, answer.cells())::encode);
            case NATIVE_PROTOCOL, FLOOR -> Measured.of(new NativeProtocolOutbound(false, 1, answer.cells())::encode);
        };
    }
}
