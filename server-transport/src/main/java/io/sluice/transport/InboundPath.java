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

import io.sluice.framing.ProtocolException;
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.envelope.EnvelopeReader;
import io.sluice.framing.segment.SegmentDecoder;
import io.sluice.framing.segment.SegmentFormat;
import io.sluice.framing.segment.SegmentSink;
import io.sluice.memory.BufferLease;
import io.sluice.memory.DirectMemory;

/**
 * A connection's bytes from the read buffer to its router: as bare envelopes first, as segments after the switch.
 * <p>
 * The gate is shut while the connection waits: for admission, for its unread answers, for a login. What arrives
 * then, and what was left of the read that shut it, is held here, charged, and read first when the gate opens.
 * Confined to the connection's event loop.
 */
final class InboundPath implements SegmentSink
{
    private final Connection connection;
    private final EnvelopeReader reader;
    private SegmentDecoder segments;

    private boolean gateShut;
    private PauseCause pauseCause;
    /**
     * Why reading has been stopped since {@link #pausedSinceNanos}, across retries that failed; null while it goes
     * on.
     */
    private PauseCause periodCause;
    private long pausedSinceNanos;
    private boolean queued;
    private boolean reading;
    private boolean stopped;
    private boolean inputShut;

    /** The unread rest of a segment's payload. */
    private BufferLease heldPayload;
    private int heldPayloadPosition;
    private boolean heldSelfContained;
    /** Bytes behind it, as they came. */
    private BufferLease heldWire;
    private int heldWirePosition;
    /**
     * Not charged to the budgets that requests wait for (before login there is one of its own): else waiting requests
     * would wait for the room that their own bytes, or each other's, take up. At most what one read brings, since
     * nothing is read while the gate is shut.
     */
    private long heldBytes;

    InboundPath(final Connection connection, final RequestRouter router)
    {
        this.connection = connection;
        this.reader = new EnvelopeReader(connection.context.pool, router, router::drainLimitBytes);
    }

    /** Bytes from the socket: borrowed until return. */
    void onBytes(final DirectMemory memory, final int offset, final int limit)
    {
        if (stopped)
        {
            return;
        }
        if (gateShut || reading || heldWire != null || heldPayload != null)
        {
            hold(memory, offset, limit);
            checkPreLogin();
            return;
        }
        reading = true;
        try
        {
            final int end = read(memory, offset, limit);
            if (end < limit && !stopped)
            {
                hold(memory, end, limit);
            }
        }
        finally
        {
            reading = false;
        }
        closeIfStopped();
        checkPreLogin();
    }

    /** Of clients that are not known yet, all memory is counted, however they make it up. */
    private void checkPreLogin()
    {
        final ConnectionState state = connection.state();
        if ((state == ConnectionState.ESTABLISHED || state == ConnectionState.AUTHENTICATING) &&
            !connection.preLogin.hold(reservedBytes()))
        {
            connection.refuseMemory();
        }
    }

    private long reservedBytes()
    {
        return (long)reader.reservedBytes() + (segments == null ? 0 : segments.reservedBytes()) +
            (heldPayload == null ? 0 : heldPayload.capacity()) + (heldWire == null ? 0 : heldWire.capacity());
    }

    /** Reads until the end, or until the gate shuts; returns the offset after what was read. */
    private int read(final DirectMemory memory, final int offset, final int limit)
    {
        int position = offset;
        while (position < limit && !gateShut && !stopped)
        {
            final SegmentDecoder decoder = segments;
            final int before = position;
            position = decoder == null
                ? reader.readStream(memory, position, limit)
                : decoder.decode(memory, position,
                    limit, this);
            if (position == before && decoder == segments && !gateShut && !stopped)
            {
                throw new IllegalStateException("inbound: no progress at " + position + " of " + limit);
            }
        }
        return position;
    }

    @Override
    public boolean onPayload(final DirectMemory memory, final int offset, final int length, final boolean selfContained)
    {
        connection.router.onSegment();
        final int end = reader.readPayload(memory, offset, length, selfContained);
        final int left = offset + length - end;
        if (left > 0 && !stopped)
        {
            heldPayload = connection.context.pool.claim(left, "held payload");
            heldPayload.buffer().putBytes(0, memory.buffer(), end, left);
            heldPayload.length(left);
            heldPayloadPosition = 0;
            heldSelfContained = selfContained;
            countHeld(left);
        }
        return !gateShut && !stopped;
    }

    private void hold(final DirectMemory memory, final int offset, final int limit)
    {
        final int length = limit - offset;
        if (length == 0)
        {
            return;
        }
        final int present = heldWire == null ? 0 : heldWire.length();
        if (heldWire == null || length > heldWire.capacity() - present)
        {
            final BufferLease larger = connection.context.pool.claim(present + length, "held bytes");
            if (heldWire != null)
            {
                larger.buffer().putBytes(0, heldWire.buffer(), 0, present);
                heldWire.close();
            }
            heldWire = larger;
        }
        heldWire.buffer().putBytes(present, memory.buffer(), offset, length);
        heldWire.length(present + length);
        countHeld(length);
    }

    private void countHeld(final int bytes)
    {
        heldBytes += bytes;
        connection.context.heldBytes.addAndGet(bytes);
    }

    private void uncountHeld(final int bytes)
    {
        heldBytes -= bytes;
        connection.context.heldBytes.addAndGet(-bytes);
    }

    /** Shuts the gate before a request that has to wait. */
    void pause(final PauseCause cause)
    {
        shut();
        pauseCause = cause;
        if (periodCause != cause)
        {
            endPeriod();
            periodCause = cause;
            pausedSinceNanos = connection.context.clock.nanoTime();
            connection.ledger.pause(cause);
            connection.context.listener.onPaused(connection, cause);
        }
        if (cause == PauseCause.ADDRESS_BYTES || cause == PauseCause.GLOBAL_BYTES)
        {
            queued = true;
            connection.context.waiting.add(connection);
        }
    }

    /** What it waited for turned out to be there after all: not paused, not queued. */
    void unpause()
    {
        connection.context.waiting.remove(connection);
        queued = false;
        open();
        endPeriod();
        connection.context.waiting.wakeOne();
        connection.channel().config().setAutoRead(true);
    }

    /** Shuts the gate until {@link #open}: a login is being checked. */
    void shut()
    {
        gateShut = true;
        connection.channel().config().setAutoRead(false);
    }

    private void leaveQueue()
    {
        if (queued)
        {
            queued = false;
            connection.context.waiting.remove(connection);
            connection.context.waiting.wakeOne();
        }
    }

    private void endPeriod()
    {
        if (periodCause != null)
        {
            final PauseCause cause = periodCause;
            periodCause = null;
            final long pausedNanos = connection.context.clock.nanoTime() - pausedSinceNanos;
            connection.ledger.resume(cause, pausedNanos);
            connection.context.listener.onResumed(connection, cause, pausedNanos);
        }
    }

    /** Opens the gate again; {@link #resume} reads on. */
    void open()
    {
        gateShut = false;
        pauseCause = null;
    }

    /** True if the beginning of a request is there, its end is not, and that is the client's fault alone. */
    boolean isInsideRequest()
    {
        return !gateShut && !stopped && (reader.isInsideEnvelope() || segments != null && segments.heldBytes() > 0);
    }

    /** Requests that were read whole, or refused. */
    long requestsRead()
    {
        return connection.router.requestsRead();
    }

    boolean isPaused()
    {
        return gateShut;
    }

    /** True if bytes wait to be read, or a login to be checked. */
    boolean isHolding()
    {
        return gateShut || heldPayload != null || heldWire != null;
    }

    /**
     * The admission queue has come to this connection.
     *
     * @param triesLeft how many others may be asked if what was given back is of no use here
     */
    void wokenFromQueue(final int triesLeft)
    {
        queued = false;
        final boolean waited = pauseCause == PauseCause.ADDRESS_BYTES || pauseCause == PauseCause.GLOBAL_BYTES;
        if (!waited || stopped)
        {
            // Not for us any more: the next one may be able to use what was given back.
            connection.context.waiting.wakeOne();
            return;
        }
        connection.resume();
        if (!queued)
        {
            connection.context.waiting.wakeOne();
        }
        else if (pauseCause == PauseCause.ADDRESS_BYTES)
        {
            connection.context.waiting.wakeOne(triesLeft);
        }
        connection.loop.outbound.flushDirty();
    }

    /** Tries what was paused again, from the end of the queue if it has to wait on. */
    void tryAgain()
    {
        if (gateShut && pauseCause != null && !stopped && !reading)
        {
            if (queued)
            {
                queued = false;
                connection.context.waiting.remove(connection);
            }
            resume();
        }
    }

    /** Tries what was paused again, if its cause may be gone, and reads what is held. */
    void resume()
    {
        if (stopped || reading || gateShut && pauseCause == null)
        {
            return;
        }
        if (gateShut)
        {
            if (connection.isDraining())
            {
                // Nothing is waited for any more: what is held is refused.
                leaveQueue();
            }
            else if (queued || !connection.admission.mayServe())
            {
                return;
            }
            open();
            readHeld();
            if (pauseCause == null)
            {
                endPeriod();
            }
        }
        else
        {
            readHeld();
        }
        closeIfStopped();
        checkPreLogin();
        if (!isHolding() && !stopped && !connection.channel().config().isAutoRead())
        {
            connection.channel().config().setAutoRead(true);
        }
    }

    private void readHeld()
    {
        reading = true;
        try
        {
            while (!gateShut && !stopped && (heldPayload != null || heldWire != null))
            {
                if (heldPayload != null)
                {
                    readHeldPayload();
                }
                else
                {
                    readHeldWire();
                }
            }
        }
        catch (final ProtocolException e)
        {
            connection.onProtocolError(e, spoken(), 0);
        }
        finally
        {
            reading = false;
        }
    }

    private void readHeldPayload()
    {
        final int length = heldPayload.length() - heldPayloadPosition;
        final int end = reader.readPayload(heldPayload.memory(), heldPayloadPosition, length, heldSelfContained);
        if (heldPayload == null)
        {
            return;
        }
        uncountHeld(end - heldPayloadPosition);
        heldPayloadPosition = end;
        if (end == heldPayload.length())
        {
            heldPayload.close();
            heldPayload = null;
        }
    }

    private void readHeldWire()
    {
        final BufferLease wire = heldWire;
        final int length = wire.length();
        final int end = read(wire.memory(), heldWirePosition, length);
        uncountHeld(end - heldWirePosition);
        heldWirePosition = end;
        if (end == length)
        {
            heldWire = null;
            heldWirePosition = 0;
            wire.close();
        }
    }

    private ProtocolVersion spoken()
    {
        final ProtocolVersion version = connection.version();
        return version == null ? ProtocolVersion.V5 : version;
    }

    /** Which header the answer to the envelope read last must have: see {@link EnvelopeReader#answerVersion}. */
    int answerVersion()
    {
        return reader.answerVersion();
    }

    /** STARTUP has fixed the version. */
    void fixVersion(final ProtocolVersion version)
    {
        reader.fixVersion(version);
    }

    /** Everything from here on is in segments. */
    void switchToSegments(final SegmentFormat format)
    {
        segments = new SegmentDecoder(format, connection.context.pool, connection.loop.scratch);
    }

    /** Reads no more, ever; what is held goes when no caller above uses it. */
    void stop()
    {
        stopped = true;
        connection.channel().config().setAutoRead(false);
        closeIfStopped();
    }

    private void closeIfStopped()
    {
        if (stopped && !reading)
        {
            release();
        }
    }

    private void release()
    {
        endPeriod();
        reader.close();
        if (segments != null)
        {
            segments.close();
            segments = null;
        }
        if (heldPayload != null)
        {
            heldPayload.close();
            heldPayload = null;
        }
        if (heldWire != null)
        {
            heldWire.close();
            heldWire = null;
        }
        connection.context.heldBytes.addAndGet(-heldBytes);
        heldBytes = 0;
        connection.preLogin.hold(0);
    }

    /** The connection has ended. */
    void close()
    {
        stopped = true;
        reading = false;
        release();
        endPeriod();
    }

    boolean isStopped()
    {
        return stopped;
    }

    void inputShut()
    {
        inputShut = true;
    }

    boolean isInputShut()
    {
        return inputShut;
    }
}
