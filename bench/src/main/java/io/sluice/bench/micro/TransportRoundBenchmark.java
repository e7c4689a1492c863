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
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.transport.StockRound;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

/** All of a transport but sockets and threads: read, admission, an engine that answers at once, metrics, flush. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = BenchmarkSettings.WARM_UP_ITERATIONS, time = 1)
@Measurement(iterations = BenchmarkSettings.ITERATIONS, time = 1)
@Fork(BenchmarkSettings.FORKS)
public class TransportRoundBenchmark
{
    private static final int VALUES = 7;
    private static final int VALUE_BYTES = 10;

    /** PLAIN or LZ4. */
    @Param({"PLAIN", "LZ4"})
    private SegmentFormat format;

    /** EXECUTEs in the one segment of a read. */
    @Param({"1", "16", "100"})
    private int envelopes;

    private SluiceRound sluice;
    private StockRound stock;

    /** Only what this fork measures. */
    @Setup
    public void setUp(final BenchmarkParams parameters)
    {
        final byte[] payload = RequestBytes.executes(5, envelopes, VALUES, VALUE_BYTES);
        final byte[] wire = new WireSegments().of(format, payload);
        if (Implementation.of(parameters) == Implementation.STOCK)
        {
            stock = new StockRound(format == SegmentFormat.LZ4, wire);
        }
        else
        {
            final Map<String, String> options = format == SegmentFormat.LZ4 ? Map.of("COMPRESSION", "lz4") : Map.of();
            sluice = new SluiceRound(new VoidEngine(), DropwizardTransportListener.register(new MetricRegistry()),
                VoidEngine.statementIds(), RequestBytes.startup(5, options), wire);
        }
    }

    /** Gives memory back. */
    @TearDown
    public void tearDown()
    {
        if (sluice != null)
        {
            sluice.close();
        }
    }

    /** Sluice, with metrics on. */
    @Benchmark
    public int sluice()
    {
        return sluice.round();
    }

    /** Cassandra 5.0.8. */
    @Benchmark
    public int stock()
    {
        return stock.round();
    }
}
