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

import com.codahale.metrics.MetricRegistry;
import io.sluice.bench.RequestBytes;
import io.sluice.bench.VoidEngine;
import io.sluice.bench.WireSegments;
import io.sluice.framing.segment.SegmentFormat;
import io.sluice.metrics.DropwizardTransportListener;
import io.sluice.transport.SluiceRound;
import io.sluice.transport.TransportListener;
import java.util.Map;
import org.apache.cassandra.transport.StockRound;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/** All of a transport but sockets and threads: read, admission, an engine that answers at once, metrics, flush. */
public class TransportRoundBenchmark extends TwoWays
{
    private static final int VALUES = 7;
    private static final int VALUE_BYTES = 10;

    /** PLAIN or LZ4. */
    @Param({"PLAIN", "LZ4"})
    private SegmentFormat format;

    /** EXECUTEs in the one segment of a read. */
    @Param({"1", "16", "100"})
    private int envelopes;

    @Override
    Measured make(final Implementation implementation)
    {
        final byte[] wire = new WireSegments().of(format,
            RequestBytes.executes(5, envelopes, VALUES, VALUE_BYTES));
        if (implementation == Implementation.STOCK)
        {
            return Measured.of(new StockRound(format == SegmentFormat.LZ4, wire)::round);
        }
        final Map<String, String> options = format == SegmentFormat.LZ4 ? Map.of("COMPRESSION", "lz4") : Map.of();
        final TransportListener listener = implementation == Implementation.BARE
            ? TransportListener.NONE
            : DropwizardTransportListener.register(new MetricRegistry());
        final SluiceRound round = new SluiceRound(new VoidEngine(), listener, VoidEngine.statementIds(),
            RequestBytes.startup(5, options), wire);
        return new Measured(round::round, round::close);
    }

    /** Sluice with no listener: what metrics cost is the difference. */
    @Benchmark
    public int withoutMetrics()
    {
        return measure();
    }
}
