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
package io.sluice.bench.soak;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** One run against a node that is there: load, samples, rest, judgement. Confined to one thread. */
final class SoakRun
{
    private static final long PROGRESS_MILLIS = 10_000;
    private static final double SAMPLE_SECONDS = 60;
    private static final double SHORTEST_SAMPLE_SECONDS = 5;
    private static final int SAMPLES = 30;
    /** A short run on a slow machine goes on until every kind of client has had its turn, but not for ever. */
    private static final double LATE_SECONDS = 180;
    private static final int REST_SECONDS = 120;
    /** From then on each deadline of the server must have closed somebody. */
    private static final double DEADLINES_SECONDS = 300;
    private static final long HEAP_BOUND = 24 << 20;
    private static final long DIRECT_BOUND = 16 << 20;
    private static final long RESIDENT_BOUND = 48 << 20;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MEBIBYTE = 1 << 20;

    private final Soak soak;
    private final NodeProbe probe;
    private final PrintWriter out;
    private final List<MemorySample> samples = new ArrayList<>();
    private long startNanos;
    private double restSeconds;

    SoakRun(final Soak soak, final NodeProbe probe, final PrintWriter out)
    {
        this.soak = soak;
        this.probe = probe;
        this.out = out;
    }

    /**
     * Returns when all is over.
     *
     * @param seconds how long clients are at it
     * @param ratePerSecond of all good raw clients together
     */
    SoakReport run(final double seconds, final double ratePerSecond) throws IOException, InterruptedException
    {
        probe.bePatient(SoakTarget.ENGINE_PATIENCE_MILLIS);
        SoakSchema.create(soak.target(), soak.content());
        final SoakClients clients = new SoakClients(soak, ratePerSecond);
        startNanos = System.nanoTime();
        clients.start();
        watch(seconds);
        final double length = elapsed();
        out.println("Clients end...");
        out.flush();
        clients.end();
        final Map<String, Long> atRest = rest();
        samples.add(probe.sample(elapsed()));
        final Map<String, Long> counters = probe.counters();
        final List<MemoryTrend> trends = judge();
        checkKinds(length, counters);
        return new SoakReport(soak.seed(), length, soak.ledger(), atRest, restSeconds, counters, samples, trends);
    }

    private double elapsed()
    {
        return (System.nanoTime() - startNanos) / NANOS_PER_SECOND;
    }

    private void watch(final double seconds) throws IOException
    {
        final double every = Math.max(SHORTEST_SAMPLE_SECONDS, Math.min(SAMPLE_SECONDS, seconds / SAMPLES));
        double nextSample = every;
        while (elapsed() < seconds || elapsed() < seconds + LATE_SECONDS && !soak.ledger().haveAllActed())
        {
            final double left = Math.min(Math.max(seconds, elapsed() + 1), nextSample) - elapsed();
            if (soak.stop().await((long)Math.max(1, Math.min(PROGRESS_MILLIS, left * 1_000))))
            {
                return;
            }
            if (elapsed() >= nextSample)
            {
                samples.add(probe.sample(elapsed()));
                nextSample += every;
            }
            progress(seconds);
        }
    }

    private void progress(final double seconds) throws IOException
    {
        final Ledger ledger = soak.ledger();
        final Map<String, Long> gauges = probe.gauges();
        final MemorySample memory = samples.isEmpty() ? null : samples.get(samples.size() - 1);
        out.printf(Locale.ROOT, "%5.0f/%.0f s  good %,d  driver %,d  bad %,d  dying %,d  events %,d  FAULTS %d | " +
            "connections %d  in flight %.1f MiB  leases %d%s%n", elapsed(), seconds, ledger.actions("good."),
            ledger.actions("driver."), ledger.actions("bad."), ledger.actions("dying."), ledger.actions("event."),
            ledger.faultCount(), gauges.get("Connections"), gauges.get("InFlightBytes") / MEBIBYTE,
            gauges.get("OutstandingLeases"), memory == null
                ? ""
                : String.format(Locale.ROOT, " | heap %.0f  RSS %.0f MiB", memory.heap() / MEBIBYTE,
                    memory.resident() / MEBIBYTE));
        out.flush();
    }

    /** Waits, bounded, until the node holds nothing for anybody; what is left then is a fault. */
    private Map<String, Long> rest() throws IOException, InterruptedException
    {
        final long start = System.nanoTime();
        Map<String, Long> gauges = probe.gauges();
        while (gauges.values().stream().anyMatch(value -> value != 0) &&
            System.nanoTime() - start < TimeUnit.SECONDS.toNanos(REST_SECONDS))
        {
            TimeUnit.MILLISECONDS.sleep(200);
            gauges = probe.gauges();
        }
        restSeconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
        gauges.forEach((name, value) ->
        {
            if (value != 0)
            {
                soak.ledger().fault("at rest", name + ": " + value + " (expected: 0)");
            }
        });
        return gauges;
    }

    private List<MemoryTrend> judge()
    {
        final List<MemorySample> loaded = samples.subList(0, samples.size() - 1);
        final List<MemoryTrend> trends = List.of(
            MemoryTrend.of("heap after a full collection", loaded, MemorySample::heap, HEAP_BOUND),
            MemoryTrend.of("direct buffers of the JVM", loaded, MemorySample::direct, DIRECT_BOUND),
            MemoryTrend.of("Sluice's pool", loaded, MemorySample::buffers, DIRECT_BOUND),
            MemoryTrend.of("resident anonymous memory", loaded, MemorySample::resident, RESIDENT_BOUND));
        for (final MemoryTrend trend : trends)
        {
            if (trend.isJudged() && !trend.isFlat())
            {
                soak.ledger().fault("memory", trend.name() + " grows");
            }
        }
        return trends;
    }

    private void checkKinds(final double seconds, final Map<String, Long> counters)
    {
        soak.ledger().actions().forEach((kind, count) ->
        {
            if (count == 0)
            {
                soak.ledger().fault(kind, "never acted");
            }
        });
        if (seconds >= DEADLINES_SECONDS)
        {
            for (final String reason : List.of("stalled", "handshake-timeout", "protocol-error", "client"))
            {
                if (counters.getOrDefault("connections.closed." + reason, 0L) == 0)
                {
                    soak.ledger().fault("the node", "closed nobody as " + reason);
                }
            }
        }
    }
}
