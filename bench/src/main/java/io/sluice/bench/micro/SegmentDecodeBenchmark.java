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

import com.datastax.oss.protocol.internal.CrcMismatchException;
import io.sluice.bench.RequestBytes;
import io.sluice.bench.WireSegments;
import io.sluice.framing.segment.SegmentFormat;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.transport.StockInbound;
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

/** The segment layer of the way in: from the bytes of one read to checked, decompressed payloads. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = BenchmarkSettings.WARM_UP_ITERATIONS, time = 1)
@Measurement(iterations = BenchmarkSettings.ITERATIONS, time = 1)
@Fork(BenchmarkSettings.FORKS)
public class SegmentDecodeBenchmark
{
    private static final int VALUES = 5;
    private static final int VALUE_BYTES = 10;

    /** PLAIN or LZ4. */
    @Param({"PLAIN", "LZ4"})
    private SegmentFormat format;

    /** EXECUTEs in the one segment of a read. */
    @Param({"1", "100"})
    private int envelopes;

    private SluiceInbound sluice;
    private StockInbound stock;
    private NativeProtocolInbound nativeProtocol;

    /** Only what this fork measures, so that it alone warms up. */
    @Setup
    public void setUp(final BenchmarkParams parameters)
    {
        final byte[] payload = RequestBytes.executes(5, envelopes, VALUES, VALUE_BYTES);
        final byte[] wire = new WireSegments().of(format, payload);
        final boolean lz4 = format == SegmentFormat.LZ4;
        switch (Implementation.of(parameters))
        {
            case SLUICE -> sluice = new SluiceInbound(format, wire, false);
            case STOCK -> stock = new StockInbound(lz4, wire, false);
            default -> nativeProtocol = new NativeProtocolInbound(lz4, wire, false);
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

    /** Sluice. */
    @Benchmark
    public int sluice()
    {
        return sluice.read();
    }

    /** Cassandra 5.0.8. */
    @Benchmark
    public int stock()
    {
        return stock.read();
    }

    /** DataStax native-protocol. */
    @Benchmark
    public int nativeProtocol() throws CrcMismatchException
    {
        return nativeProtocol.read();
    }
}
