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
package io.sluice.transport;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Requests per second of the whole transport, with as many saved up as {@link TransportLimits#requestBurst} allows.
 * <p>
 * Each request has a moment of its own, one interval after the one before it; whoever may wait takes the next moment
 * and comes back then, so that all are served in the order in which they came, whoever sent them. Any thread.
 */
final class RequestRate
{
    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final TransportControl control;
    /** The next moment that nobody has. */
    private final AtomicLong nextNanos;
    /** Rises when the rate changes: moments that were taken before are worth nothing. */
    private final AtomicInteger epoch = new AtomicInteger();
    /** Confined to whoever changes settings, one at a time. */
    private int knownRate;
    private long knownBurst;

    RequestRate(final TransportControl control, final long nowNanos)
    {
        this.control = control;
        this.nextNanos = new AtomicLong(nowNanos - SECOND_NANOS);
        remember();
    }

    private void remember()
    {
        knownRate = control.limits().requestsPerSecond();
        knownBurst = control.limits().requestBurst().toNanos();
    }

    /** Settings have changed, perhaps these. */
    void settingsChanged(final long nowNanos)
    {
        final TransportLimits limits = control.limits();
        if (limits.requestsPerSecond() != knownRate || limits.requestBurst().toNanos() != knownBurst)
        {
            remember();
            nextNanos.set(nowNanos - knownBurst);
            epoch.incrementAndGet();
        }
    }

    /** See {@link #reserve}. */
    int epoch()
    {
        return epoch.get();
    }

    /** Takes a moment that has come; false, and nothing is taken, if the next one has not. */
    boolean tryTake(final TransportLimits limits, final long nowNanos)
    {
        return take(limits, nowNanos, false) <= 0;
    }

    /**
     * Takes the next moment, whenever that is, in this {@link #epoch}.
     *
     * @return how long until it comes, in nanoseconds; 0 and less if it has
     */
    long reserve(final TransportLimits limits, final long nowNanos)
    {
        return take(limits, nowNanos, true);
    }

    private long take(final TransportLimits limits, final long nowNanos, final boolean alsoLater)
    {
        final long interval = Math.max(1, SECOND_NANOS / limits.requestsPerSecond());
        final long earliest = nowNanos - Math.max(0, limits.requestBurst().toNanos() - interval);
        while (true)
        {
            final long next = nextNanos.get();
            final long moment = next - earliest < 0 ? earliest : next;
            final long wait = moment - nowNanos;
            if (wait > 0 && !alsoLater || nextNanos.compareAndSet(next, moment + interval))
            {
                return wait;
            }
        }
    }
}
