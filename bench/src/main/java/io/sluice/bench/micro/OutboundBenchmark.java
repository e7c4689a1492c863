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
import io.sluice.framing.segment.SegmentFormat;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.transport.StockOutbound;
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

/** The way out: from answers to the bytes of one flush. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = BenchmarkSettings.WARM_UP_ITERATIONS, time = 1)
@Measurement(iterations = BenchmarkSettings.ITERATIONS, time = 1)
@Fork(BenchmarkSettings.FORKS)
public class OutboundBenchmark
{
    private static final int CELLS = 7;
    private static final int CELL_BYTES = 10;

    /** PLAIN or LZ4. */
    @Param({"PLAIN", "LZ4"})
    private SegmentFormat format;

    /** VOID, or ROWS of one row. */
    @Param({"VOID", "ROW"})
    private String answer;

    /** In one flush. */
    @Param({"1", "100"})
    private int answers;

    private SluiceOutbound sluice;
    private StockOutbound stock;
    private NativeProtocolOutbound nativeProtocol;

    /** Only what this fork measures. */
    @Setup
    public void setUp(final BenchmarkParams parameters)
    {
        final byte[][] cells = new byte["VOID".equals(answer) ? 0 : CELLS][];
        for (int i = 0; i < cells.length; i++)
        {
            cells[i] = RequestBytes.text(CELL_BYTES, i).getBytes(StandardCharsets.US_ASCII);
        }
        final boolean lz4 = format == SegmentFormat.LZ4;
        switch (Implementation.of(parameters))
        {
            case SLUICE -> sluice = new SluiceOutbound(format, answers, cells);
            case STOCK -> stock = new StockOutbound(lz4, answers, cells);
            default -> nativeProtocol = new NativeProtocolOutbound(lz4, answers, cells);
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
        return sluice.flush();
    }

    /** Cassandra 5.0.8. */
    @Benchmark
    public int stock()
    {
        return stock.flush();
    }

    /** DataStax native-protocol. */
    @Benchmark
    public int nativeProtocol()
    {
        return nativeProtocol.flush();
    }
}
