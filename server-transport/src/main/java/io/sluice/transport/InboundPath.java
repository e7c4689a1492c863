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
import io.sluice.framing.envelope.EnvelopeHeader;
import io.sluice.framing.envelope.EnvelopeReader;
import io.sluice.framing.segment.SegmentDecoder;
import io.sluice.framing.segment.SegmentFormat;
import io.sluice.framing.segment.SegmentSink;
import io.sluice.memory.BufferLease;
import io.sluice.memory.DirectMemory;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * A connection's bytes from the read buffer to its router: as bare envelopes first, as segments after the switch.
 * <p>
 * The gate is shut while the connection waits: for admission, for its unread answers, for a login. What arrives
 * then, and what was left of the read that shut it, is held here, charged, and read first when the gate opens.
 * Confined to the connection's event loop.
 */
final class InboundPath implements SegmentSink
{
    /** Most bytes of requests that wait. */
    static final int ASIDE_BYTES = 64 * 1024;
    private static final int LEAST_ASIDE_BYTES = 4 * 1024;
    /** In front of each: when it was read. */
    private static final int ASIDE_TIME_BYTES = Long.BYTES;

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
    /** The cause, until the request that had to wait is admitted. */
    private PauseCause heldFor;
    private boolean queued;
    private boolean timerSet;
    private long timerNanos;
    private boolean reading;
    private boolean stopped;
    private boolean inputShut;

    /** Requests that wait, whole and in order; what is behind them is looked at meanwhile, for heartbeats. */
    private BufferLease aside;
    private int asidePosition;
    /** Of those, and of one that is still being read. */
    private int asideReserved;
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

    /** A request has to wait; the caller shuts the gate or keeps the request. */
    void pause(final PauseCause cause)
    {
        leaveQueue();
        pauseCause = cause;
        heldFor = cause;
        if (periodCause != cause)
        {
            endPeriod();
            periodCause = cause;
            pausedSinceNanos = connection.context.clock.nanoTime();
            connection.ledger.pause(cause);
            if (OverloadText.isTold(cause))
            {
                final TransportContext context = connection.context;
                context.log.waiting(connection, cause, OverloadText.warning(cause, context.control.limits()));
            }
            connection.context.listener.onPaused(connection, cause);
        }
        if (cause == PauseCause.ADDRESS_BYTES || cause == PauseCause.GLOBAL_BYTES)
        {
            queued = true;
            connection.context.waiting.add(connection);
        }
    }

    /** The same, for so long: nobody else will wake it. */
    void pauseFor(final PauseCause cause, final long nanos)
    {
        pause(cause);
        final long deadlineNanos = connection.context.clock.nanoTime() + nanos;
        if (!timerSet || deadlineNanos - timerNanos < 0)
        {
            try
            {
                connection.loop.loop.schedule(this::onTimer, nanos, TimeUnit.NANOSECONDS);
                timerSet = true;
                timerNanos = deadlineNanos;
            }
            catch (final RejectedExecutionException e)
            {
                connection.context.log.debug("event loop has ended before a wait");
            }
        }
    }

    private void onTimer()
    {
        timerSet = false;
        connection.resume();
        connection.loop.outbound.flushDirty();
    }

    /** What it waited for turned out to be there after all: not paused, not queued. */
    void unpause()
    {
        connection.context.waiting.remove(connection);
        queued = false;
        pauseCause = null;
        if (aside == null)
        {
            heldFor = null;
            gateShut = false;
            endPeriod();
        }
        connection.context.waiting.wakeOne();
    }

    /** What the next request to be admitted has waited for, once; null if nothing. */
    PauseCause takeHeldFor()
    {
        final PauseCause cause = heldFor;
        heldFor = null;
        return cause;
    }

    // ---- requests that wait while what is behind them is looked at

    /** True if requests wait that were read. */
    boolean hasAside()
    {
        return asideReserved > 0;
    }

    /** Room for one more request that has to wait; false if there is none. */
    boolean reserveAside(final int bytes)
    {
        if (bytes > ASIDE_BYTES - asideReserved)
        {
            return false;
        }
        asideReserved += bytes;
        return true;
    }

    /** Keeps a request for which room was reserved, as it came; it is not charged to anything. */
    void setAside(final EnvelopeHeader header, final DirectMemory memory, final int bodyOffset)
    {
        final int length = (int)header.envelopeLength();
        boolean done = false;
        try
        {
            final BufferLease lease = roomAside(ASIDE_TIME_BYTES + length);
            final int position = lease.length() + ASIDE_TIME_BYTES;
            lease.buffer().putLong(lease.length(), connection.deadlines.lastReadNanos());
            EnvelopeHeader.encodeResponse(lease.buffer(), position, header.version(), header.flags(),
                header.streamId(), header.opcode(), header.bodyLength());
            lease.buffer().putByte(position, (byte)header.version());
            lease.buffer()
                .putBytes(position + EnvelopeHeader.LENGTH, memory.buffer(), bodyOffset, header.bodyLength());
            lease.length(position + length);
            countHeld(length);
            done = true;
        }
        finally
        {
            if (!done)
            {
                asideReserved -= length;
            }
        }
    }

    private BufferLease roomAside(final int length)
    {
        final int present = aside == null ? 0 : aside.length() - asidePosition;
        if (aside == null || length > aside.capacity() - aside.length())
        {
            final BufferLease larger = connection.context.pool.claim(Math.max(LEAST_ASIDE_BYTES, 2 * (present +
                length)), "waiting requests");
            if (aside != null)
            {
                larger.buffer().putBytes(0, aside.buffer(), asidePosition, present);
                aside.close();
            }
            larger.length(present);
            aside = larger;
            asidePosition = 0;
        }
        return aside;
    }

    /** Serves what waits, oldest first, until one has to wait on. */
    private void serveAside()
    {
        reading = true;
        try
        {
            while (aside != null && !stopped && asidePosition < aside.length())
            {
                final int position = asidePosition;
                final int length = takeAside();
                if (!connection.router.serveAside(aside.memory(), position + ASIDE_TIME_BYTES, aside.buffer()
                    .getLong(position)))
                {
                    asidePosition = position;
                    asideReserved += length;
                    countHeld(length);
                    return;
                }
            }
        }
        finally
        {
            reading = false;
        }
        if (aside != null && asidePosition == aside.length())
        {
            aside.close();
            aside = null;
            asidePosition = 0;
        }
    }

    /** The first that waits does so no more; returns its length. */
    private int takeAside()
    {
        final int length = EnvelopeHeader.LENGTH + EnvelopeHeader.bodyLength(aside.buffer(), asidePosition +
            ASIDE_TIME_BYTES);
        asidePosition += ASIDE_TIME_BYTES + length;
        asideReserved -= length;
        uncountHeld(length);
        return length;
    }

    /** The connection is about to be closed, in order: what waits is refused. */
    void refuseAside()
    {
        while (aside != null && !stopped && asidePosition < aside.length())
        {
            final int position = asidePosition;
            takeAside();
            connection.router.refuseAside(aside.buffer(), position + ASIDE_TIME_BYTES);
        }
    }

    /** The rest of a request that was to be set aside has come, and it does not wait after all. */
    void unreserveAside(final int bytes)
    {
        asideReserved -= bytes;
    }

    /** True if nothing is waited for at this moment. */
    boolean isFlowing()
    {
        return pauseCause == null;
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

    /** True if it is not the client that has to do something next. */
    boolean isWaiting()
    {
        return gateShut || hasAside();
    }

    /** True if requests that are whole, or other bytes, wait to be read, or a login to be checked. */
    boolean isHolding()
    {
        return gateShut || aside != null || heldPayload != null || heldWire != null;
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
        if (pauseCause != null && !stopped && !reading)
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
        if (pauseCause != null)
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
            goOn();
        }
        else
        {
            if (heldPayload != null || heldWire != null)
            {
                connection.admission.tryAgainAt(connection.context.clock.nanoTime());
            }
            readHeld();
        }
        closeIfStopped();
        checkPreLogin();
        if (!gateShut && heldPayload == null && heldWire == null && !stopped && !connection.channel()
            .config()
            .isAutoRead())
        {
            connection.channel().config().setAutoRead(true);
        }
    }

    private void goOn()
    {
        connection.admission.tryAgainAt(connection.context.clock.nanoTime());
        // Set anew by whatever has to wait on.
        pauseCause = null;
        serveAside();
        if (pauseCause == PauseCause.UNREAD_ANSWERS)
        {
            shut();
        }
        else if (pauseCause == null || asideReserved < ASIDE_BYTES / 2)
        {
            gateShut = false;
            readHeld();
        }
        if (pauseCause == null)
        {
            endPeriod();
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
        if (aside != null)
        {
            aside.close();
            aside = null;
        }
        asideReserved = 0;
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
