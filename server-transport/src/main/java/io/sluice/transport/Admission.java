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

import io.sluice.framing.envelope.EnvelopeSink;

/**
 * Decides whether one envelope may be read now: the only place that does, for small and large envelopes of all
 * versions. Confined to the connection's event loop.
 */
final class Admission
{
    private final TransportContext context;
    private final Connection connection;
    private PauseCause refusal;
    /** The request that is next has a moment of the rate's already. */
    private boolean reserved;
    private int reservedEpoch;
    private long momentNanos;
    private long waitNanos;
    private long backoffNanos;
    private long triedNanos;

    Admission(final TransportContext context, final Connection connection)
    {
        this.context = context;
        this.connection = connection;
        this.triedNanos = context.clock.nanoTime();
    }

    /** What stood in the way when {@link #tryCharge} or {@link #mayServe} last refused. */
    PauseCause refusal()
    {
        return refusal;
    }

    /** True if the connection may have one more request in service. Refused requests wait; they are never shed. */
    boolean mayServe()
    {
        final TransportLimits limits = context.control.limits();
        if (connection.requestsInService() >= limits.requestsPerConnection())
        {
            refusal = PauseCause.REQUESTS_IN_SERVICE;
            return false;
        }
        if (connection.answers.isExhausted())
        {
            refusal = PauseCause.UNREAD_ANSWERS;
            return false;
        }
        return true;
    }

    /**
     * Decides on a request of this many bytes.
     *
     * @return {@link EnvelopeSink#ADMIT}: charged; {@link EnvelopeSink#PAUSE}: it waits until there may be room;
     * {@link EnvelopeSink#DROP}: to be answered with OVERLOADED. {@link #refusal} tells the cause
     */
    int decide(final long bytes)
    {
        if (!mayServe())
        {
            connection.inbound.pause(refusal);
            return EnvelopeSink.PAUSE;
        }
        if (connection.overloadAction() == OverloadAction.SHED)
        {
            return shedOrCharge(bytes);
        }
        if (mustWaitForTime())
        {
            connection.inbound.pauseFor(refusal, waitNanos);
            return EnvelopeSink.PAUSE;
        }
        if (tryCharge(bytes))
        {
            admitted();
            return EnvelopeSink.ADMIT;
        }
        connection.inbound.pause(refusal);
        if (tryCharge(bytes))
        {
            // Given back between the refusal and the queueing: nobody might wake us.
            connection.inbound.unpause();
            admitted();
            return EnvelopeSink.ADMIT;
        }
        return EnvelopeSink.PAUSE;
    }

    private int shedOrCharge(final long bytes)
    {
        final TransportLimits limits = context.control.limits();
        if (!isQueueTooOld(limits) && tryCharge(bytes))
        {
            if (limits.requestsPerSecond() == 0 || reserved || context.rate.tryTake(limits, nowNanos()))
            {
                admitted();
                return EnvelopeSink.ADMIT;
            }
            release(bytes);
            refusal = PauseCause.REQUEST_RATE;
        }
        context.listener.onShed(connection, refusal);
        return EnvelopeSink.DROP;
    }

    /** The next one asks for a moment of its own, and begins with the shortest wait. */
    private void admitted()
    {
        reserved = false;
        backoffNanos = 0;
    }

    /** True if it is too early, by the rate of requests or since those before it still wait for their handler. */
    private boolean mustWaitForTime()
    {
        final TransportLimits limits = context.control.limits();
        if (isQueueTooOld(limits))
        {
            waitNanos = nextBackoffNanos(limits);
            return true;
        }
        if (limits.requestsPerSecond() > 0)
        {
            final int epoch = context.rate.epoch();
            final long now = nowNanos();
            if (!reserved || reservedEpoch != epoch)
            {
                reserved = true;
                reservedEpoch = epoch;
                momentNanos = now + Math.max(0, context.rate.reserve(limits, now));
            }
            waitNanos = momentNanos - now;
            refusal = PauseCause.REQUEST_RATE;
            return waitNanos > 0;
        }
        return false;
    }

    private boolean isQueueTooOld(final TransportLimits limits)
    {
        final long most = limits.queueAge().toNanos();
        if (most > 0 && connection.queuedNanos(nowNanos()) > most)
        {
            refusal = PauseCause.QUEUE_AGE;
            return true;
        }
        return false;
    }

    private long nextBackoffNanos(final TransportLimits limits)
    {
        backoffNanos = Math.min(limits.queueBackoffMost().toNanos(), Math.max(limits.queueBackoffLeast().toNanos(), 2 *
            backoffNanos));
        return backoffNanos;
    }

    /** Read once for all requests of a read, and once more when what has waited is tried again. */
    long nowNanos()
    {
        final long read = connection.deadlines.lastReadNanos();
        return triedNanos - read > 0 ? triedNanos : read;
    }

    /** What has waited is tried again at this moment. */
    void tryAgainAt(final long newNanos)
    {
        triedNanos = newNanos;
    }

    /** Charges an envelope to the connection, its address and the transport, or to none of them. */
    private boolean tryCharge(final long bytes)
    {
        if (!connection.inFlight.tryAcquire(bytes))
        {
            refusal = PauseCause.CONNECTION_BYTES;
            return false;
        }
        if (!connection.address.inFlight().tryAcquire(bytes))
        {
            connection.inFlight.release(bytes);
            refusal = PauseCause.ADDRESS_BYTES;
            return false;
        }
        if (!context.inFlight.tryAcquire(bytes))
        {
            connection.address.inFlight().release(bytes);
            connection.inFlight.release(bytes);
            refusal = PauseCause.GLOBAL_BYTES;
            return false;
        }
        return true;
    }

    /** Charges what is never made to wait, over the limits if need be: heartbeats. */
    void charge(final long bytes)
    {
        connection.inFlight.acquire(bytes);
        connection.address.inFlight().acquire(bytes);
        context.inFlight.acquire(bytes);
    }

    /** Gives back what was charged. */
    void release(final long bytes)
    {
        if (bytes > 0)
        {
            connection.inFlight.release(bytes);
            connection.address.inFlight().release(bytes);
            context.inFlight.release(bytes);
            context.waiting.wakeOne();
        }
    }
}
