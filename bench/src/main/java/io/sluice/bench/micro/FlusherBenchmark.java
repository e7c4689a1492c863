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

/** One flush of answers that are encoded already. */
public class FlusherBenchmark extends TwoWays
{
    /** PLAIN or LZ4. */
    @Param({"PLAIN", "LZ4"})
    private SegmentFormat format;

    /** VOIDs in one flush. */
    @Param({"1", "16", "100"})
    private int answers;

    @Override
    Measured make(final Implementation implementation)
    {
        if (implementation == Implementation.STOCK)
        {
            return Measured.of(new StockOutbound(format == SegmentFormat.LZ4, answers)::flushEncoded);
        }
        final SluiceOutbound outbound = new SluiceOutbound(format, answers);
        return new Measured(outbound::flushEncoded, outbound::close);
    }
}
