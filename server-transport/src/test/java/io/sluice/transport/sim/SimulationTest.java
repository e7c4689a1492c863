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
package io.sluice.transport.sim;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.sluice.transport.FlushCounts;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Runs the simulation over many seeds. {@code -Dsluice.sim.seeds=N} for another number of them,
 * {@code -Dsluice.sim.first=S} to start elsewhere, {@code -Dsluice.sim.minutes=M} to run by time,
 * {@code -Dsluice.sim.seed=S} for one alone, with its trace if it fails.
 */
final class SimulationTest
{
    private static final int DEFAULT_SEEDS = 4_000;

    @BeforeAll
    static void silence()
    {
        Quiet.begin();
    }

    @AfterAll
    static void restore()
    {
        Quiet.end();
    }

    @Test
    void everySeedKeepsTheRules() throws InterruptedException
    {
        final Long only = Long.getLong("sluice.sim.seed");
        if (only != null)
        {
            run(only);
            return;
        }
        final long minutes = Long.getLong("sluice.sim.minutes", 0);
        final long first = Long.getLong("sluice.sim.first", 1);
        final long last = minutes > 0
            ? Long.MAX_VALUE
            : first + Integer.getInteger("sluice.sim.seeds",
                DEFAULT_SEEDS) - 1;
        final long started = System.nanoTime();
        final AtomicLong next = new AtomicLong(first);
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        final Runnable worker = () ->
        {
            for (long seed = next.getAndIncrement(); seed <= last && failure.get() == null; seed = next
                .getAndIncrement())
            {
                if (minutes > 0 && System.nanoTime() - started > TimeUnit.MINUTES.toNanos(minutes))
                {
                    return;
                }
                try
                {
                    run(seed);
                }
                catch (final Throwable t)
                {
                    failure.compareAndSet(null, t);
                }
            }
        };
        final Thread[] threads = new Thread[Math.min(2, Runtime.getRuntime().availableProcessors())];
        for (int i = 0; i < threads.length; i++)
        {
            threads[i] = new Thread(worker, "simulation " + i);
            threads[i].start();
        }
        for (final Thread thread : threads)
        {
            thread.join();
        }
        if (failure.get() instanceof AssertionError error)
        {
            throw error;
        }
        if (failure.get() != null)
        {
            fail(failure.get());
        }
    }

    /** What the simulation never does it does not test. */
    @Test
    void answersAreHeldBackInManyWays()
    {
        long filled = 0;
        long expired = 0;
        long broken = 0;
        for (long seed = 1; seed <= 60; seed++)
        {
            final FlushCounts flushes = new Simulation(seed, false).run().flushes();
            filled += flushes.filled();
            expired += flushes.expired();
            broken += flushes.broken();
        }
        assertTrue(filled > 0 && expired > 0 && broken > 0, filled + " filled, " + expired + " expired, " + broken +
            " broken");
    }

    private static void run(final long seed)
    {
        try
        {
            new Simulation(seed, false).run();
        }
        catch (final Throwable first)
        {
            // The same again, now with a trace: that it fails again is what a seed is for.
            final Simulation again = new Simulation(seed, true);
            try
            {
                again.run();
            }
            catch (final Throwable second)
            {
                fail(text(seed, again), second);
            }
            fail(text(seed, again) + " (and it did not fail again)", first);
        }
    }

    private static String text(final long seed, final Simulation simulation)
    {
        return "seed " + seed + " fails; again: mvn -o -pl server-transport -am test -Dtest=SimulationTest " +
            "-Dsurefire.failIfNoSpecifiedTests=false -Dsluice.sim.seed=" + seed + System.lineSeparator() + simulation
                .traceText();
    }
}
