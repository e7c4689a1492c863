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

import com.datastax.oss.protocol.internal.Frame;
import io.sluice.bench.RequestBytes;
import io.sluice.framing.request.Request;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.transport.Message;
import org.apache.cassandra.transport.StockBody;
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
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

/** From one envelope in memory to a request object. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = BenchmarkSettings.WARM_UP_ITERATIONS, time = 1)
@Measurement(iterations = BenchmarkSettings.ITERATIONS, time = 1)
@Fork(BenchmarkSettings.FORKS)
public class RequestDecodeBenchmark
{
    /** What is decoded: values by bytes each. */
    @Param({"EXECUTE_7x10", "EXECUTE_7x1000", "BATCH_10x7x10"})
    private String request;

    private BodyDecoders decoders;
    private StockBody stock;

    /** Only what this fork measures. */
    @Setup
    public void setUp(final BenchmarkParams parameters)
    {
        final byte[] envelope = switch (request)
        {
            case "EXECUTE_7x10" -> RequestBytes.execute(5, 1, 7, 10);
            case "EXECUTE_7x1000" -> RequestBytes.execute(5, 1, 7, 1000);
            case "BATCH_10x7x10" -> RequestBytes.batch(5, 1, 10, 7, 10);
            default -> throw new IllegalArgumentException("request: " + request);
        };
        if (Implementation.of(parameters) == Implementation.STOCK)
        {
            stock = new StockBody(envelope);
        }
        else
        {
            decoders = new BodyDecoders(envelope);
        }
    }

    /** Sluice. */
    @Benchmark
    public Request sluice()
    {
        return decoders.sluice();
    }

    /** Cassandra 5.0.8. */
    @Benchmark
    public Message.Request stock()
    {
        return stock.decode();
    }

    /** DataStax native-protocol. */
    @Benchmark
    public Frame nativeProtocol()
    {
        return decoders.nativeProtocol();
    }
}
