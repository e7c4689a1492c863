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

import io.sluice.framing.EnvelopeFlags;
import io.sluice.framing.ErrorCode;
import io.sluice.framing.Opcode;
import io.sluice.framing.ProtocolException;
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.envelope.BodyCompression;
import io.sluice.framing.envelope.EnvelopeHeader;
import io.sluice.framing.envelope.EnvelopeSink;
import io.sluice.framing.request.RegisterRequest;
import io.sluice.framing.request.Request;
import io.sluice.framing.response.ErrorBody;
import io.sluice.memory.BufferLease;
import io.sluice.memory.DirectMemory;
import io.sluice.memory.MemoryExhaustedException;
import java.util.concurrent.RejectedExecutionException;
import org.agrona.DirectBuffer;

/**
 * Sends each envelope where it belongs: to the handshake, to the transport's own answers, to the node, or back with
 * an error. Confined to the connection's event loop.
 */
final class RequestRouter implements EnvelopeSink
{
    /** A body this many times the limit is not worth skipping: the client is lying or lost. */
    private static final int DRAIN_FACTOR = 4;
    /** Heartbeats and the like are shorter than this, and never made to wait for bytes of requests. */
    private static final int CONTROL_BYTES = 4 * 1024;

    private final Connection connection;
    private final TransportContext context;
    /**
     * What will be answered to envelopes that are being skipped, the one that began last first: at most a large one
     * and, between its pieces, a small one. Answered when the last byte is there, so that no client hears of a request
     * that it is still sending.
     */
    private Refusal refusals;
    private int errorsInARow;
    private long requestsRead;
    /** What the envelope that is being routed was charged with, until somebody else owes it. */
    private int owed;
    /** A bit for each envelope that has begun, the innermost lowest: 1 if it is to be set aside. */
    private int asideBits;
    /** When the envelope that is being routed was read. */
    private long receivedNanos;
    /** What the request that was admitted last had to wait for, or null. */
    private PauseCause waitedFor;
    private final EnvelopeHeader asideHeader = new EnvelopeHeader();

    RequestRouter(final Connection connection)
    {
        this.connection = connection;
        this.context = connection.context;
    }

    /** Up to this body length, an envelope over the limit is skipped and the connection goes on. */
    long drainLimitBytes()
    {
        final TransportLimits limits = context.control.limits();
        if (connection.state() != ConnectionState.READY)
        {
            return limits.preLoginMessageBytes();
        }
        return (long)DRAIN_FACTOR * limitBytes(limits);
    }

    private int limitBytes(final TransportLimits limits)
    {
        final ProtocolVersion version = connection.version();
        return version != null && version.usesSegments() ? limits.maxMessageBytes() : limits.maxFrameBytes();
    }

    long requestsRead()
    {
        return requestsRead;
    }

    /** A new segment: errors in a row are counted within one. */
    void onSegment()
    {
        errorsInARow = 0;
    }

    @Override
    public int onHeader(final EnvelopeHeader header)
    {
        asideBits <<= 1;
        final int decision = decide(header);
        if (decision != ADMIT)
        {
            asideBits >>>= 1;
        }
        return decision;
    }

    private int decide(final EnvelopeHeader header)
    {
        if (!connection.isOpen())
        {
            return STOP;
        }
        if (connection.answers.isExhausted())
        {
            // Not even a heartbeat or a mistake: its answer would only be one more that this client does not read.
            connection.inbound.pause(PauseCause.UNREAD_ANSWERS);
            return shutGate();
        }
        final Opcode opcode = Opcode.of(header.opcode());
        final ConnectionState state = connection.state();
        if (state != ConnectionState.READY && !connection.preLogin.countMessage())
        {
            return refuse(header, ProtocolException.fatal(header.streamId(), "Too many messages before login"));
        }
        if (!allows(state, opcode))
        {
            return refuseState(header, state);
        }
        final TransportLimits limits = context.control.limits();
        final int limit = state == ConnectionState.READY && isForNode(opcode)
            ? limitBytes(limits)
            : limits
                .preLoginMessageBytes();
        if (header.envelopeLength() > limit)
        {
            return refuseSize(header, state, limit);
        }
        return admit(header, opcode);
    }

    private static boolean isForNode(final Opcode opcode)
    {
        return switch (opcode)
        {
            case QUERY, PREPARE, EXECUTE, BATCH -> true;
            default -> false;
        };
    }

    private static boolean allows(final ConnectionState state, final Opcode opcode)
    {
        return switch (state)
        {
            case ESTABLISHED -> opcode == Opcode.STARTUP || opcode == Opcode.OPTIONS;
            case AUTHENTICATING -> opcode == Opcode.AUTH_RESPONSE;
            default -> opcode != Opcode.STARTUP && opcode != Opcode.AUTH_RESPONSE;
        };
    }

    private int refuseState(final EnvelopeHeader header, final ConnectionState state)
    {
        final String expected = switch (state)
        {
            case ESTABLISHED -> ", expecting STARTUP or OPTIONS";
            case AUTHENTICATING -> ", expecting SASL_RESPONSE";
            default -> ": the connection is ready";
        };
        final String message = "Unexpected message " + Opcode.of(header.opcode()) + expected;
        if (state == ConnectionState.ESTABLISHED)
        {
            return refuse(header, ProtocolException.fatal(header.streamId(), message));
        }
        return refuse(header, ProtocolException.recoverable(header.streamId(), message));
    }

    private int refuseSize(final EnvelopeHeader header, final ConnectionState state, final int limit)
    {
        final long length = header.envelopeLength();
        if (state != ConnectionState.READY)
        {
            return refuse(header, ProtocolException.fatal(header.streamId(),
                "Request is too big before login: length " + length + " exceeds maximum allowed length " + limit));
        }
        return refuse(header, ProtocolException.refused(ErrorCode.INVALID, header.streamId(),
            spoken(header).usesSegments()
                ? "CQL Message of size " + length + " bytes exceeds allowed maximum of " + limit + " bytes"
                : "Request is too big: length " + length + " exceeds maximum allowed length " + limit + "."));
    }

    private int refuse(final EnvelopeHeader header, final ProtocolException error)
    {
        if (error.isFatal())
        {
            connection.onProtocolError(error, spoken(header), 0);
            return STOP;
        }
        refusals = new Refusal(refusals, error, null);
        return DROP;
    }

    private int admit(final EnvelopeHeader header, final Opcode opcode)
    {
        if (!isCharged(opcode))
        {
            // Small by now; what it takes up is counted as it comes.
            return ADMIT;
        }
        final int bytes = (int)header.envelopeLength();
        final Admission admission = connection.admission;
        if (bytes <= CONTROL_BYTES && !isForNode(opcode))
        {
            admission.charge(bytes);
            return ADMIT;
        }
        if (!context.control.isAccepting())
        {
            return shed(ErrorBody.of(ErrorCode.OVERLOADED, "Server is shutting down"));
        }
        if (connection.inbound.hasAside())
        {
            // Behind those that wait already.
            return setAside(bytes);
        }
        return decide(bytes);
    }

    private int decide(final int bytes)
    {
        final Admission admission = connection.admission;
        final int decision = admission.decide(bytes);
        return switch (decision)
        {
            case PAUSE -> admission.refusal() == PauseCause.UNREAD_ANSWERS ? shutGate() : setAside(bytes);
            case DROP -> shed(overload(admission.refusal()));
            default ->
            {
                waitedFor = connection.inbound.takeHeldFor();
                yield ADMIT;
            }
        };
    }

    private ErrorBody overload(final PauseCause cause)
    {
        return ErrorBody.of(ErrorCode.OVERLOADED, OverloadText.refusal(cause, context.control.limits()));
    }

    /**
     * A request that has to wait is kept, so that a heartbeat behind it is seen: as long as there is room. Without, the
     * gate is shut until it may go on.
     */
    private int setAside(final int bytes)
    {
        if (!connection.inbound.reserveAside(bytes))
        {
            return shutGate();
        }
        asideBits |= 1;
        return ADMIT;
    }

    private int shutGate()
    {
        connection.inbound.shut();
        return PAUSE;
    }

    /**
     * False for what belongs to a login: others' requests must not wait for those who may never log in. The same at an
     * envelope's header and at its end.
     */
    private boolean isCharged(final Opcode opcode)
    {
        return switch (opcode)
        {
            case STARTUP, AUTH_RESPONSE -> false;
            case OPTIONS -> connection.version() != null;
            default -> true;
        };
    }

    private int shed(final ErrorBody answer)
    {
        refusals = new Refusal(refusals, null, answer);
        return DROP;
    }

    private ProtocolVersion spoken(final EnvelopeHeader header)
    {
        final ProtocolVersion fixed = connection.version();
        return fixed == null ? ProtocolVersion.of(header.version()) : fixed;
    }

    @Override
    public boolean onEnvelope(final EnvelopeHeader header, final DirectMemory memory, final int bodyOffset)
    {
        final boolean aside = (asideBits & 1) != 0;
        asideBits >>>= 1;
        requestsRead++;
        receivedNanos = connection.deadlines.lastReadNanos();
        return aside ? keep(header, memory, bodyOffset) : serve(header, memory, bodyOffset);
    }

    private boolean keep(final EnvelopeHeader header, final DirectMemory memory, final int bodyOffset)
    {
        final InboundPath inbound = connection.inbound;
        if (inbound.isFlowing())
        {
            // What it was to wait for has come while the rest of it did.
            final int bytes = (int)header.envelopeLength();
            final int decision = connection.admission.decide(bytes);
            if (decision != PAUSE)
            {
                inbound.unreserveAside(bytes);
                waitedFor = inbound.takeHeldFor();
                return decision == ADMIT ? serve(header, memory, bodyOffset) : answerOverload(header);
            }
            if (connection.admission.refusal() == PauseCause.UNREAD_ANSWERS)
            {
                inbound.shut();
            }
        }
        // Whatever is in it, it is no mistake that can be seen from here.
        errorsInARow = 0;
        try
        {
            inbound.setAside(header, memory, bodyOffset);
        }
        catch (final MemoryExhaustedException e)
        {
            connection.answer(Opcode.of(header.opcode()), spoken(header), header.streamId(), 0,
                ErrorBody.of(ErrorCode.OVERLOADED, "No memory is left for this request"));
        }
        return connection.isOpen();
    }

    /**
     * What was set aside is tried again.
     *
     * @param readNanos when it came
     * @return false if it has to wait on
     */
    boolean serveAside(final DirectMemory memory, final int offset, final long readNanos)
    {
        receivedNanos = readNanos;
        asideHeader.wrap(memory.buffer(), offset);
        final int streamId = asideHeader.streamId();
        final Opcode opcode = Opcode.of(asideHeader.opcode());
        if (!context.control.isAccepting())
        {
            connection.answer(opcode, streamId, 0, ErrorBody.of(ErrorCode.OVERLOADED, "Server is shutting down"));
            return true;
        }
        final int decision = connection.admission.decide(asideHeader.envelopeLength());
        if (decision == PAUSE)
        {
            return false;
        }
        if (decision == DROP)
        {
            answerOverload(asideHeader);
            return true;
        }
        waitedFor = connection.inbound.takeHeldFor();
        // It may be long since its segment was read.
        errorsInARow = 0;
        serve(asideHeader, memory, offset + EnvelopeHeader.LENGTH);
        return true;
    }

    private boolean answerOverload(final EnvelopeHeader header)
    {
        connection.answer(Opcode.of(header.opcode()), header.streamId(), 0, overload(connection.admission.refusal()));
        return connection.isOpen();
    }

    /** What was set aside is not served any more. */
    void refuseAside(final DirectBuffer buffer, final int offset)
    {
        asideHeader.wrap(buffer, offset);
        connection.answer(Opcode.of(asideHeader.opcode()), asideHeader.streamId(), 0, ErrorBody.of(
            ErrorCode.OVERLOADED, "The connection is being closed"));
    }

    private boolean serve(final EnvelopeHeader header, final DirectMemory memory, final int bodyOffset)
    {
        final Opcode opcode = Opcode.of(header.opcode());
        owed = isCharged(opcode) ? (int)header.envelopeLength() : 0;
        try
        {
            if (!allows(connection.state(), opcode))
            {
                // A smaller one between its pieces has changed the state.
                throw ProtocolException.recoverable(header.streamId(), "Unexpected message " + opcode);
            }
            final boolean goOn = route(header, memory, bodyOffset);
            errorsInARow = 0;
            return goOn;
        }
        catch (final ProtocolException e)
        {
            return onBadEnvelope(e.onStream(header.streamId()), spoken(header), takeOwed());
        }
        catch (final MemoryExhaustedException e)
        {
            connection.answer(opcode, spoken(header), header.streamId(), takeOwed(),
                ErrorBody.of(ErrorCode.OVERLOADED, "No memory is left for this request"));
            return connection.isOpen();
        }
        catch (final RuntimeException | Error e)
        {
            connection.admission.release(takeOwed());
            throw e;
        }
    }

    /** Whoever calls this gives the bytes back. */
    int takeOwed()
    {
        final int bytes = owed;
        owed = 0;
        return bytes;
    }

    private boolean route(final EnvelopeHeader header, final DirectMemory memory, final int bodyOffset)
    {
        final BodyCompression compression = connection.bodyCompression();
        if (compression == null || !header.hasFlag(EnvelopeFlags.COMPRESSED))
        {
            return route(header, memory, bodyOffset, header.bodyLength());
        }
        final int limit = Math.max(0, limitBytes(context.control.limits()) - EnvelopeHeader.LENGTH);
        try (BufferLease plain = compression.decompress(memory, bodyOffset, header.bodyLength(), limit, context.pool))
        {
            return route(header, plain.memory(), 0, plain.length());
        }
    }

    private boolean route(final EnvelopeHeader header,
        final DirectMemory memory,
        final int offset,
        final int length)
    {
        final Opcode opcode = Opcode.of(header.opcode());
        connection.ledger.requests.increment();
        connection.ledger.requestBytes.add(EnvelopeHeader.LENGTH + (long)length);
        context.listener.onRequest(connection, opcode, EnvelopeHeader.LENGTH + length);
        return switch (opcode)
        {
            case STARTUP -> connection.handshake.onStartup(header, memory.buffer(), offset, length);
            case OPTIONS ->
            {
                connection.answer(opcode, spoken(header), header.streamId(), takeOwed(), context.supported.body());
                yield connection.isOpen();
            }
            case AUTH_RESPONSE -> connection.handshake.onAuthResponse(header, memory.buffer(), offset, length);
            case REGISTER ->
            {
                final RegisterRequest register = connection.handshake.readRegister(memory.buffer(), offset, length);
                yield connection.handshake.onRegister(header, register, takeOwed());
            }
            default -> dispatch(header, memory, offset, length);
        };
    }

    private boolean dispatch(final EnvelopeHeader header,
        final DirectMemory memory,
        final int offset,
        final int length)
    {
        final PauseCause waited = waitedFor;
        waitedFor = null;
        if (waited == null && connection.loop.inline != null && header.opcode() == Opcode.EXECUTE.code() &&
            connection.loop.inline.serve(connection, header, memory, offset, length))
        {
            return connection.isOpen();
        }
        final Request request = connection.loop.decoder.decode(header, connection.version(), memory.buffer(), offset,
            length);
        final RequestExchange exchange = new RequestExchange(connection, request, header.streamId(), owed,
            receivedNanos);
        // The exchange owes it now.
        takeOwed();
        if (waited != null && OverloadText.isTold(waited))
        {
            exchange.waitedFor(OverloadText.warning(waited, context.control.limits()));
        }
        exchange.submittedAt(connection.admission.nowNanos());
        connection.enterService(exchange);
        connection.loop.stages.begin(exchange);
        submit(exchange);
        return connection.isOpen();
    }

    /** Gives a request to the node's executor. */
    void submit(final RequestExchange exchange)
    {
        try
        {
            context.requestExecutor.execute(exchange);
        }
        catch (final RejectedExecutionException e)
        {
            exchange.expire(ErrorBody.of(ErrorCode.OVERLOADED, "The request executor takes no more work"));
            exchange.releaseIfOver();
        }
        catch (final Throwable t)
        {
            context.inspect(t);
            context.log.unexpected("the request executor failed", null, t);
            exchange.expire(ErrorBody.of(ErrorCode.SERVER_ERROR, "The request failed in the server; see its log"));
            exchange.releaseIfOver();
        }
    }

    private boolean onBadEnvelope(final ProtocolException error, final ProtocolVersion spoken, final int requestBytes)
    {
        errorsInARow++;
        final boolean enough = error.hasStreamId() && spoken != null && spoken.usesSegments() &&
            connection.state() == ConnectionState.READY && errorsInARow > context.control.limits().consecutiveErrors();
        if (error.isFatal() || enough)
        {
            connection.admission.release(requestBytes);
            connection.onProtocolError(enough ? ProtocolException.fatal(error.streamId(), error.getMessage()) : error,
                spoken, 0);
            return false;
        }
        connection.onProtocolError(error, spoken, requestBytes);
        return connection.isOpen();
    }

    @Override
    public void onDropped(final EnvelopeHeader header)
    {
        requestsRead++;
        final Refusal refusal = refusals;
        refusals = refusal.under;
        if (!connection.isOpen())
        {
            return;
        }
        if (refusal.error != null)
        {
            connection.onProtocolError(refusal.error, spoken(header), 0);
        }
        else
        {
            connection.answer(Opcode.of(header.opcode()), header.streamId(), 0, refusal.answer);
        }
    }

    @Override
    public void onAborted(final EnvelopeHeader header)
    {
        if (refusals != null)
        {
            refusals = refusals.under;
        }
        else
        {
            final boolean aside = (asideBits & 1) != 0;
            asideBits >>>= 1;
            if (aside)
            {
                connection.inbound.unreserveAside((int)header.envelopeLength());
            }
            else if (isCharged(Opcode.of(header.opcode())))
            {
                connection.admission.release(header.envelopeLength());
            }
        }
    }

    @Override
    public boolean onProtocolError(final ProtocolException error)
    {
        final int answerVersion = connection.inbound.answerVersion();
        final ProtocolVersion spoken = ProtocolVersion.of(answerVersion);
        if (spoken == null)
        {
            return refuseLegacy(error, answerVersion);
        }
        final boolean tooMany = connection.state() != ConnectionState.READY && !connection.preLogin.countMessage();
        final boolean goOn = onBadEnvelope(tooMany
            ? ProtocolException.fatal(error.streamId(), "Too many messages before login")
            : error, spoken, 0);
        if (goOn && connection.answers.isExhausted() && !connection.inbound.isPaused())
        {
            connection.inbound.pause(PauseCause.UNREAD_ANSWERS);
            connection.inbound.shut();
        }
        return goOn;
    }

    @Override
    public boolean isPaused()
    {
        return connection.inbound.isPaused();
    }

    /** Versions 1 and 2: the answer has their header of eight bytes, so that the client can read why. */
    private boolean refuseLegacy(final ProtocolException error, final int version)
    {
        context.listener.onProtocolError(connection, null, true);
        context.log.clientError(connection, error.getMessage());
        connection.closeWithEncoded(CloseReason.PROTOCOL_ERROR, context.encoder()
            .encodeLegacyError(version,
                error.hasStreamId() ? error.streamId() : 0, error.code(), error.getMessage()));
        return false;
    }

    /** The answer to an envelope that is being skipped: to a client's error, or to too much work. */
    private record Refusal(Refusal under, ProtocolException error, ErrorBody answer)
    {
    }
}
