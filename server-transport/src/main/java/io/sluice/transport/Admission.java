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

    Admission(final TransportContext context, final Connection connection)
    {
        this.context = context;
        this.connection = connection;
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
     * @return {@link EnvelopeSink#ADMIT}: charged; {@link EnvelopeSink#PAUSE}: the gate is shut until there may be
     * room; {@link EnvelopeSink#DROP}: to be answered with OVERLOADED, for the cause that {@link #refusal} tells
     */
    int decide(final long bytes)
    {
        if (!mayServe())
        {
            connection.inbound.pause(refusal);
            return EnvelopeSink.PAUSE;
        }
        if (tryCharge(bytes))
        {
            return EnvelopeSink.ADMIT;
        }
        final PauseCause cause = refusal;
        if (connection.overloadAction() == OverloadAction.SHED)
        {
            context.listener.onShed(connection, cause);
            return EnvelopeSink.DROP;
        }
        connection.inbound.pause(cause);
        if (tryCharge(bytes))
        {
            // Given back between the refusal and the queueing: nobody might wake us.
            connection.inbound.unpause();
            return EnvelopeSink.ADMIT;
        }
        return EnvelopeSink.PAUSE;
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
