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
package io.sluice.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.MetricRegistry;
import io.sluice.framing.ErrorCode;
import io.sluice.framing.Opcode;
import io.sluice.framing.ProtocolVersion;
import io.sluice.transport.CloseReason;
import io.sluice.transport.PauseCause;
import io.sluice.transport.RefusalReason;
import io.sluice.transport.TransportListener;
import java.lang.management.ManagementFactory;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DropwizardTransportListenerTest
{
    private final MetricRegistry registry = new MetricRegistry();

    @Test
    void twoTransportsShareARegistryUnderTwoPrefixes()
    {
        final DropwizardTransportListener one = DropwizardTransportListener.register(registry);
        final int metrics = registry.getNames().size();
        final DropwizardTransportListener other = DropwizardTransportListener.register(registry, "other");
        assertEquals(2 * metrics, registry.getNames().size());
        one.onShed(null, PauseCause.QUEUE_AGE);
        assertEquals(1, registry.counter("sluice.transport.shed.queue-age").getCount());
        assertEquals(0, registry.counter("other.shed.queue-age").getCount());
        other.close();
        one.close();
        assertEquals(Set.of(), registry.getNames());
    }

    @Test
    void aTakenNameLeavesTheRegistryAsItWas()
    {
        registry.counter("sluice.transport.logins.failure");
        assertThrows(IllegalArgumentException.class, () -> DropwizardTransportListener.register(registry));
        assertEquals(Set.of("sluice.transport.logins.failure"), Set.copyOf(registry.getNames()));
    }

    @Test
    void gaugesAreZeroBeforeATransportIsAttached()
    {
        DropwizardTransportListener.register(registry);
        assertEquals(29, registry.getGauges().size());
        registry.getGauges()
            .forEach((name, gauge) -> assertEquals(0, ((Number)gauge.getValue()).doubleValue(), name));
    }

    @Test
    void everyConstantHasItsMetric()
    {
        final DropwizardTransportListener listener = DropwizardTransportListener.register(registry);
        for (final CloseReason reason : CloseReason.values())
        {
            listener.onConnectionClosed(null, reason);
        }
        for (final RefusalReason reason : RefusalReason.values())
        {
            listener.onConnectionRefused(reason);
        }
        for (final PauseCause cause : PauseCause.values())
        {
            listener.onShed(null, cause);
            listener.onResumed(null, cause, 60);
        }
        for (final ErrorCode code : ErrorCode.values())
        {
            listener.onError(null, code);
        }
        registry.getCounters((name, metric) -> name.matches(".*\\.(connections\\.(closed|refused)|shed|errors)\\..*"))
            .forEach((name, counter) -> assertEquals(1, counter.getCount(), name));
        registry.getTimers((name, metric) -> name.contains(".paused."))
            .forEach((name, timer) -> assertEquals(60, timer.getSnapshot().getMax(), name));
        assertEquals(7, registry.getTimers((name, metric) -> name.contains(".paused.")).size());
        assertEquals(RefusalReason.values().length, registry.getCounters()
            .get("sluice.transport.connections.refused")
            .getCount());
        assertEquals(1, registry.counter("sluice.transport.errors.cas-write-unknown").getCount());
    }

    @Test
    void whatCompressionSavesAndWhatExpires()
    {
        final DropwizardTransportListener listener = DropwizardTransportListener.register(registry);
        listener.onCompression(null, 4, 1, 1_000, 400);
        listener.onExpired(null, Opcode.EXECUTE, 13);
        assertEquals(0.4, registry.getGauges().get("sluice.transport.compression.ratio").getValue());
        assertEquals(0.25, registry.getGauges().get("sluice.transport.compression.raw-share").getValue());
        assertEquals(1, registry.counter("sluice.transport.expired").getCount());
    }

    @Test
    void aRequestAllocatesNothing()
    {
        final TransportListener listener = DropwizardTransportListener.register(registry);
        for (int i = 0; i < 20_000; i++)
        {
            request(listener, i);
        }
        final com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean)ManagementFactory
            .getThreadMXBean();
        final int requests = 100_000;
        long least = Long.MAX_VALUE;
        // The least of several rounds: a round in which the JIT compiler swaps code may count a little of its own.
        for (int round = 0; round < 5; round++)
        {
            final long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < requests; i++)
            {
                request(listener, i);
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        // Reading the counter may itself allocate a few bytes, once per round.
        assertTrue(least < 1000, least + " bytes for " + requests + " requests");
        assertEquals(520_000, registry.timer("sluice.transport.requests.execute").getCount());
        assertEquals(520_000, registry.counter("sluice.transport.segments-out").getCount());
    }

    /** All that a request can cause on its way, in steady state. */
    private static void request(final TransportListener listener, final int i)
    {
        listener.onBytesRead(null, 200 + i);
        listener.onRequest(null, Opcode.EXECUTE, 100 + i);
        listener.onPaused(null, PauseCause.GLOBAL_BYTES);
        listener.onResumed(null, PauseCause.GLOBAL_BYTES, i);
        listener.onError(null, ErrorCode.UNAVAILABLE);
        listener.onShed(null, PauseCause.GLOBAL_BYTES);
        listener.onProtocolError(null, ProtocolVersion.V5, false);
        listener.onResponse(null, Opcode.EXECUTE, Opcode.RESULT, 13 + i, 1000L * i);
        listener.onFlush(null, 1 + i % 100, 1, 24L + i, 30 + i);
    }
}
