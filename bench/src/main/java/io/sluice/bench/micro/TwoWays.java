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

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * An operation that Sluice and stock have. Which one a fork measures its method's name says; it alone is set up, so
 * that it alone warms up and the compiler knows of no other.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = BenchmarkSettings.WARM_UP_ITERATIONS, time = 1)
@Measurement(iterations = BenchmarkSettings.ITERATIONS, time = 1)
@Fork(BenchmarkSettings.FORKS)
public abstract class TwoWays
{
    private Measured measured;

    /** One implementation, ready. */
    abstract Measured make(Implementation implementation);

    /** Sets up what this fork measures. */
    @Setup
    public void setUp(final BenchmarkParams parameters)
    {
        measured = make(Implementation.of(parameters));
    }

    /** Gives memory back. */
    @TearDown
    public void tearDown()
    {
        measured.close().run();
    }

    final int measure()
    {
        return measured.operation().getAsInt();
    }

    /** Sluice. */
    @Benchmark
    public int sluice()
    {
        return measure();
    }

    /** The Cassandra on the class path. */
    @Benchmark
    public int stock()
    {
        return measure();
    }
}
