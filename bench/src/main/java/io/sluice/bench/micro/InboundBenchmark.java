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

import io.sluice.bench.RequestBytes;
import io.sluice.bench.WireSegments;
import io.sluice.framing.segment.SegmentFormat;
import org.apache.cassandra.transport.StockInbound;
import org.openjdk.jmh.annotations.Param;

/** The way in: from the bytes of one read to request objects. */
public class InboundBenchmark extends ThreeWays
{
    private static final int VALUES = 5;
    private static final int VALUE_BYTES = 10;

    /** PLAIN or LZ4. */
    @Param({"PLAIN", "LZ4"})
    private SegmentFormat format;

    /** EXECUTEs in the one segment of a read. */
    @Param({"1", "10", "100"})
    private int envelopes;

    @Override
    Measured make(final Implementation implementation)
    {
        final byte[] wire = new WireSegments().of(format,
            RequestBytes.executes(5, envelopes, VALUES, VALUE_BYTES));
        final boolean lz4 = format == SegmentFormat.LZ4;
        return switch (implementation)
        {
            case SLUICE, BARE ->
            {
                final SluiceInbound inbound = new SluiceInbound(format, wire, true);
                yield new Measured(inbound::read, inbound::close);
            }
            case STOCK -> Measured.of(new StockInbound(lz4, wire, true)::read);
            case NATIVE_PROTOCOL, FLOOR -> Measured.of(new NativeProtocolInbound(lz4, wire, true)::read);
        };
    }
}
