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

import io.netty.channel.Channel;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.sluice.framing.ErrorCode;
import io.sluice.framing.Opcode;
import io.sluice.framing.ProtocolException;
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.envelope.BodyCompression;
import io.sluice.framing.envelope.EnvelopeHeader;
import io.sluice.framing.request.StartupRequest;
import io.sluice.framing.response.BodyTooLargeException;
import io.sluice.framing.response.EnvelopeEncoder;
import io.sluice.framing.response.ErrorBody;
import io.sluice.framing.response.FixedBody;
import io.sluice.framing.response.ResponseBody;
import io.sluice.framing.segment.SegmentFormat;
import io.sluice.memory.BufferLease;
import io.sluice.memory.ByteBudget;
import io.sluice.memory.MemoryExhaustedException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import javax.net.ssl.SSLSession;

/**
 * One client's connection: what it owns, where it stands, and the one place where all of it ends.
 * <p>
 * Confined to its event loop, but for what {@link ClientConnection} promises and what is marked "any thread".
 */
final class Connection implements ClientConnection
{
    /** Events and errors that belong to no request that could be told. */
    private static final int EVENT_STREAM = -1;
    private static final int CONNECTION_STREAM = 0;

    final TransportContext context;
    final LoopContext loop;
    final Admission admission;
    final ByteBudget inFlight;
    /** Written by the loop, before the client is served. */
    AddressTable.Entry address;
    final AnswerBudget answers;
    final ConnectionLedger ledger = new ConnectionLedger();
    final PreLoginBudget preLogin;
    final Deadlines deadlines;
    final InboundPath inbound;
    final RequestRouter router;
    final Handshake handshake;

    /** The loop's list of connections. */
    Connection nextOnLoop;
    Connection previousOnLoop;
    /** The loop's list of connections to flush. */
    Connection nextDirty;
    boolean dirty;

    private final long id;
    private final Channel channel;
    private final Outbox outbox;
    private final CompressionSample compressionSample;
    /** Answers that were given on the loop and are to be used again. */
    private LoopResponse idleResponses;
    /** Written by the loop, before the client is served. */
    private volatile InetSocketAddress remoteAddress;
    /** Written by the loop, before the client is served. */
    private volatile InetSocketAddress proxyAddress;
    /** Requests that the executor took up while too many answers were unread; any thread adds, the loop takes. */
    private final ConcurrentLinkedQueue<RequestExchange> deferred = new ConcurrentLinkedQueue<>();

    /** Written by the loop. */
    private volatile ConnectionState state = ConnectionState.ESTABLISHED;
    /** Written by the loop at STARTUP. */
    private volatile ProtocolVersion version;
    /** Written by the loop at STARTUP. */
    private volatile StartupRequest startup;
    /** Written by the loop at STARTUP. */
    private volatile BodyCompression bodyCompression;
    private volatile Object attachment;
    private SegmentFormat segmentFormat;
    private RequestExchange oldestInService;
    private RequestExchange newestInService;
    /** No request in service before this one waits for its handler. */
    private RequestExchange firstQueued;
    private int requestsInService;
    private CloseReason closeReason;
    private boolean announced;
    private boolean refused;
    private boolean admitted;
    private boolean awaitsProxyHeader;
    private boolean cutOff;
    private boolean draining;
    private ResponseBody lastError;
    private int lastErrorStream;
    private ProtocolVersion lastErrorVersion;

    Connection(final TransportContext context,
        final LoopContext loop,
        final Channel channel,
        final InetSocketAddress remoteAddress,
        final AddressTable.Entry address)
    {
        this.context = context;
        this.loop = loop;
        this.id = context.connections.nextId();
        this.channel = channel;
        this.remoteAddress = remoteAddress;
        this.address = address;
        this.answers = new AnswerBudget(context, address);
        this.preLogin = new PreLoginBudget(context);
        this.inFlight = new ByteBudget(() -> context.control.limits().inFlightBytesPerConnection());
        this.admission = new Admission(context, this);
        this.compressionSample = new CompressionSample(context.control);
        this.outbox = new Outbox(this, channel, compressionSample);
        this.router = new RequestRouter(this);
        this.inbound = new InboundPath(this, router);
        this.handshake = new Handshake(this);
        this.deadlines = new Deadlines(this, context.clock.nanoTime());
    }

    // ---- what the node sees

    @Override
    public InetSocketAddress remoteAddress()
    {
        return remoteAddress;
    }

    @Override
    public InetSocketAddress proxyAddress()
    {
        return proxyAddress;
    }

    @Override
    public ProtocolVersion version()
    {
        return version;
    }

    @Override
    public Map<String, String> startupOptions()
    {
        final StartupRequest known = startup;
        return known == null ? Map.of() : known.options();
    }

    @Override
    public String driverName()
    {
        final StartupRequest known = startup;
        return known == null ? null : known.driverName();
    }

    @Override
    public String driverVersion()
    {
        final StartupRequest known = startup;
        return known == null ? null : known.driverVersion();
    }

    @Override
    public SSLSession tlsSession()
    {
        final SslHandler tls = channel.pipeline().get(SslHandler.class);
        return tls == null ? null : tls.engine().getSession();
    }

    @Override
    public boolean isReady()
    {
        return state == ConnectionState.READY;
    }

    @Override
    public boolean isOpen()
    {
        return state.compareTo(ConnectionState.CLOSING) < 0;
    }

    @Override
    public Object attachment()
    {
        return attachment;
    }

    @Override
    public void attachment(final Object newAttachment)
    {
        attachment = newAttachment;
    }

    @Override
    public Channel channel()
    {
        return channel;
    }

    @Override
    public ConnectionFigures figures()
    {
        return ledger.figures(this);
    }

    /** lz4, snappy or none. */
    String compressionName()
    {
        final String name = startupOptions().get(StartupRequest.COMPRESSION);
        return name == null ? "none" : name.toLowerCase(Locale.ROOT);
    }

    @Override
    public boolean push(final ResponseBody event)
    {
        if (!isReady())
        {
            return false;
        }
        if (answers.isExhausted())
        {
            context.listener.onEventDropped(this);
            return false;
        }
        final ControlResponse response = new ControlResponse(this, null, EVENT_STREAM, 0, 0, null, event.opcode());
        if (!encodeAnew(response, version, EVENT_STREAM, event, null, null, null))
        {
            // An error on an event's stream would be an answer to nothing.
            discard(response);
            context.listener.onEventDropped(this);
            // Whoever found the budget used up by it waits for no flush.
            onLoop(this::dispatchDeferred);
            onLoop(this::resume);
            return false;
        }
        offer(response);
        return true;
    }

    @Override
    public void close(final CloseReason reason)
    {
        onLoop(() -> closeNow(reason));
    }

    /** Any thread: the transport waits no longer. */
    void shutDown()
    {
        onLoop(() -> closeNow(requestsInService > 0 || !outbox.isDrained()
            ? CloseReason.SHUTDOWN_FORCED
            : CloseReason.SHUTDOWN));
    }

    private void onLoop(final Runnable action)
    {
        if (loop.loop.inEventLoop())
        {
            action.run();
        }
        else
        {
            try
            {
                loop.loop.execute(() -> guarded(action));
            }
            catch (final RejectedExecutionException e)
            {
                context.log.clientError(this, "event loop has ended");
            }
        }
    }

    /** What goes wrong ends this connection and no other. */
    void guarded(final Runnable action)
    {
        try
        {
            action.run();
        }
        catch (final Throwable t)
        {
            fail(t);
        }
    }

    // ---- handshake

    ConnectionState state()
    {
        return state;
    }

    /** STARTUP was accepted; answers are still bare envelopes. */
    void startupAccepted(final ProtocolVersion newVersion,
        final StartupRequest newStartup,
        final BodyCompression newBodyCompression)
    {
        version = newVersion;
        startup = newStartup;
        bodyCompression = newBodyCompression;
    }

    /** The node refused after all. */
    void startupRefused()
    {
        version = null;
        startup = null;
        bodyCompression = null;
    }

    /** The answer to STARTUP is in the outbox: everything behind it is in segments. */
    void switchToSegments(final SegmentFormat format)
    {
        segmentFormat = format;
        inbound.switchToSegments(format);
    }

    /** From now on this state; never back from closing. */
    void advance(final ConnectionState newState)
    {
        if (isOpen())
        {
            state = newState;
        }
        if (newState == ConnectionState.READY)
        {
            preLogin.hold(0);
        }
    }

    /** The compression of bodies in versions 3 and 4, or null. */
    BodyCompression bodyCompression()
    {
        return bodyCompression;
    }

    /** What to do with requests that do not fit: as STARTUP said, else as the setting says. */
    OverloadAction overloadAction()
    {
        final StartupRequest known = startup;
        if (known != null && known.options().containsKey(StartupRequest.THROW_ON_OVERLOAD))
        {
            // Said either way, it is the client's own choice.
            return known.throwOnOverload() ? OverloadAction.SHED : OverloadAction.PAUSE;
        }
        return context.control.limits().overloadAction();
    }

    // ---- requests in service

    void enterService(final RequestExchange exchange)
    {
        exchange.inService = true;
        exchange.previousInService = newestInService;
        if (newestInService == null)
        {
            oldestInService = exchange;
        }
        else
        {
            newestInService.nextInService = exchange;
        }
        newestInService = exchange;
        if (firstQueued == null)
        {
            firstQueued = exchange;
        }
        requestsInService++;
        loop.countInService(1);
    }

    void leaveService(final RequestExchange exchange)
    {
        if (!exchange.inService)
        {
            return;
        }
        exchange.inService = false;
        if (firstQueued == exchange)
        {
            firstQueued = exchange.nextInService;
        }
        if (exchange.previousInService == null)
        {
            oldestInService = exchange.nextInService;
        }
        else
        {
            exchange.previousInService.nextInService = exchange.nextInService;
        }
        if (exchange.nextInService == null)
        {
            newestInService = exchange.previousInService;
        }
        else
        {
            exchange.nextInService.previousInService = exchange.previousInService;
        }
        exchange.previousInService = null;
        exchange.nextInService = null;
        requestsInService--;
        loop.countInService(-1);
    }

    int requestsInService()
    {
        return requestsInService;
    }

    /**
     * On the loop: how long the oldest request that its handler has not got has waited for it; 0 if there is none. What
     * it waited for before it was given to the executor does not count: else one that had to wait would make the next
     * one wait.
     */
    long queuedNanos(final long nowNanos)
    {
        while (firstQueued != null && firstQueued.isStarted())
        {
            firstQueued = firstQueued.nextInService;
        }
        return firstQueued == null ? 0 : nowNanos - firstQueued.submittedNanos();
    }

    RequestExchange oldestInService()
    {
        return oldestInService;
    }

    /** Executor threads: true if this request must wait until the client has read more of its answers. */
    boolean deferIfAnswersUnread(final RequestExchange exchange)
    {
        if (!answers.isExhausted())
        {
            return false;
        }
        exchange.waitForReader();
        deferred.add(exchange);
        if (!answers.isExhausted() || !isOpen())
        {
            // The last answers may have gone out, or the connection, between the look and the add.
            onLoop(this::dispatchDeferred);
        }
        return true;
    }

    void dispatchDeferred()
    {
        while (state == ConnectionState.CLOSED || !answers.isExhausted())
        {
            final RequestExchange exchange = deferred.poll();
            if (exchange == null)
            {
                return;
            }
            exchange.submittedAt(context.clock.nanoTime());
            router.submit(exchange);
        }
    }

    /** On the loop: true if no answer waits to be written and no request to be served. */
    boolean isAtRest()
    {
        return outbox.isDrained() && deferred.isEmpty();
    }

    // ---- answers

    /**
     * Any thread. Encodes once, into memory of the pool, unless the bytes were known before; whatever goes wrong
     * becomes an error on the same stream.
     */
    void encode(final PendingResponse response,
        final int streamId,
        final ResponseBody body,
        final UUID tracingId,
        final List<String> warnings,
        final Map<String, byte[]> customPayload)
    {
        final boolean alone = tracingId == null && warnings == null && customPayload == null;
        final FixedBody fixed = alone && body != null ? body.fixed() : null;
        if (fixed == null)
        {
            encodeAnew(response, version, streamId, body, tracingId, warnings, customPayload);
        }
        else
        {
            response.fixed = fixed;
            response.answerBytes = fixed.envelope(version).capacity();
            charge(response.answerBytes);
        }
    }

    /** Any thread: the envelope is in this lease, owned from here on. */
    void encoded(final PendingResponse response, final BufferLease lease)
    {
        try
        {
            response.lease = compressIfPays(lease);
        }
        catch (final Throwable t)
        {
            final ErrorBody failure = failureBody(t);
            response.lease = encodeFailure(version, response.streamId(), failure);
            ledger.errors.incrementAndGet();
            context.listener.onError(this, failure.errorCode());
        }
        if (response.lease != null)
        {
            response.answerBytes = response.lease.length();
            charge(response.answerBytes);
        }
    }

    /** False if an error took its place, or nothing could. */
    private boolean encodeAnew(final PendingResponse response,
        final ProtocolVersion spoken,
        final int streamId,
        final ResponseBody body,
        final UUID tracingId,
        final List<String> warnings,
        final Map<String, byte[]> customPayload)
    {
        ErrorBody failure = null;
        try
        {
            final EnvelopeEncoder encoder = context.encoder();
            response.lease = compressIfPays(encoder.encode(spoken, streamId, body, tracingId, warnings, customPayload,
                TransportLimits.ENVELOPE_LIMIT));
        }
        catch (final Throwable t)
        {
            failure = failureBody(t);
            response.lease = encodeFailure(spoken, streamId, failure);
        }
        final ErrorCode code = failure == null ? body.errorCode() : failure.errorCode();
        if (code != null)
        {
            ledger.errors.incrementAndGet();
            context.listener.onError(this, code);
        }
        if (response.lease != null)
        {
            response.answerBytes = response.lease.length();
            charge(response.answerBytes);
        }
        return failure == null;
    }

    private BufferLease compressIfPays(final BufferLease plain)
    {
        final BodyCompression compression = bodyCompression;
        if (compression == null)
        {
            return plain;
        }
        final int length = plain.length() - EnvelopeHeader.LENGTH;
        if (!compressionSample.opens(length))
        {
            context.listener.onCompression(this, 1, 1, length, length);
            return plain;
        }
        final BufferLease compressed;
        try
        {
            compressed = compression.compress(plain, 0, context.pool);
        }
        catch (final MemoryExhaustedException e)
        {
            // Compression is optional per envelope.
            return plain;
        }
        catch (final RuntimeException | Error e)
        {
            plain.close();
            throw e;
        }
        if (compressed == null)
        {
            if (length > 0)
            {
                compressionSample.onTried(length, length);
            }
            context.listener.onCompression(this, 1, 1, length, length);
            return plain;
        }
        plain.close();
        final int compressedLength = compressed.length() - EnvelopeHeader.LENGTH;
        compressionSample.onTried(length, compressedLength);
        context.listener.onCompression(this, 1, 0, length, compressedLength);
        return compressed;
    }

    ErrorBody failureBody(final Throwable failure)
    {
        if (TransportContext.isDirectMemoryExhausted(failure))
        {
            return ErrorBody.of(ErrorCode.OVERLOADED, "No memory is left to answer with");
        }
        if (failure instanceof BodyTooLargeException)
        {
            return ErrorBody.of(ErrorCode.SERVER_ERROR, "The answer is larger than an envelope may be");
        }
        context.inspect(failure);
        context.log.unexpected("an answer could not be encoded", null, failure);
        return ErrorBody.of(ErrorCode.SERVER_ERROR, "The answer could not be encoded; see the server's log");
    }

    /** Null if there is no memory even for that: the connection closes. */
    private BufferLease encodeFailure(final ProtocolVersion spoken, final int streamId, final ErrorBody error)
    {
        try
        {
            return context.encoder()
                .encode(spoken, streamId, error, null, null, null, TransportLimits.ENVELOPE_LIMIT);
        }
        catch (final MemoryExhaustedException e)
        {
            return null;
        }
        catch (final Throwable t)
        {
            context.inspect(t);
            context.log.unexpected("an error could not be encoded", null, t);
            return null;
        }
    }

    private void charge(final int bytes)
    {
        if (answers.charge(bytes) > context.control.limits().answerBytesHardLimit())
        {
            close(CloseReason.ANSWER_LIMIT);
        }
    }

    /** Any thread: hands an encoded answer to the loop. */
    void offer(final PendingResponse response)
    {
        loop.outbound.offer(response);
    }

    /**
     * On the loop: an answer of the transport's own, written with the next flush.
     *
     * @return false if an error took its place, or nothing could
     */
    boolean answer(final Opcode requestOpcode, final int streamId, final int requestBytes, final ResponseBody body)
    {
        return answer(requestOpcode, version, streamId, requestBytes, body);
    }

    /** The same, in the version of a request from before STARTUP. */
    boolean answer(final Opcode requestOpcode,
        final ProtocolVersion spoken,
        final int streamId,
        final int requestBytes,
        final ResponseBody body)
    {
        final ControlResponse response = new ControlResponse(this, requestOpcode, streamId, requestBytes,
            deadlines.lastReadNanos(), null, body.opcode());
        final boolean good = encodeAnew(response, spoken, streamId, body, null, null, null);
        response.responseOpcode = good ? body.opcode() : Opcode.ERROR;
        take(response);
        return good;
    }

    /**
     * On the loop: puts an answer that was made here into the outbox, to be written with the next flush. What goes
     * wrong ends this connection and no other.
     */
    void take(final PendingResponse response)
    {
        try
        {
            if (append(response))
            {
                loop.outbound.markUrgent(this);
            }
        }
        catch (final Throwable t)
        {
            fail(t);
        }
    }

    /** The same for an answer that came from elsewhere: it may wait for others. */
    void takeOffered(final PendingResponse response)
    {
        try
        {
            if (append(response))
            {
                loop.outbound.markDirty(this);
            }
        }
        catch (final Throwable t)
        {
            fail(t);
        }
    }

    private boolean append(final PendingResponse response)
    {
        response.onTaken();
        if (!response.isEncoded())
        {
            discard(response);
            closeNow(CloseReason.OUT_OF_MEMORY);
            return false;
        }
        if (state.compareTo(ConnectionState.LINGERING) >= 0 || !isOpen() && response.isEvent())
        {
            // The last error is last.
            discard(response);
            return false;
        }
        outbox.append(response, segmentFormat == null);
        return true;
    }

    /** Any thread: an answer that nobody will read. */
    void discard(final PendingResponse response)
    {
        loop.stages.forget(response);
        answers.release(response.answerBytes);
        response.answerBytes = 0;
        admission.release(response.takeCharge());
        release(response);
    }

    /** Gives back the memory of an answer, which nobody looks at any more. */
    void release(final PendingResponse response)
    {
        response.fixed = null;
        final BufferLease lease = response.lease;
        if (lease != null)
        {
            response.lease = null;
            lease.close();
        }
        response.onDone();
    }

    /** On the loop: for one answer that is given here. */
    LoopResponse loopResponse()
    {
        final LoopResponse idle = idleResponses;
        if (idle == null)
        {
            return new LoopResponse(this);
        }
        idleResponses = (LoopResponse)idle.next;
        idle.next = null;
        return idle;
    }

    /** On the loop: it may be used again. */
    void recycle(final LoopResponse response)
    {
        response.next = idleResponses;
        idleResponses = response;
    }

    /** On the loop: true if a flush has left something, so that others had their turn. */
    boolean hasMoreToWrite()
    {
        return state != ConnectionState.CLOSED && outbox.hasMore();
    }

    /** On the loop, once per tick: writes the outbox. What goes wrong ends this connection and no other. */
    void flush()
    {
        try
        {
            outbox.flush(segmentFormat);
            inbound.resume();
            progressClose();
        }
        catch (final Throwable t)
        {
            fail(t);
        }
    }

    /** On the loop: reads what is held, if the cause of the pause is gone. */
    void resume()
    {
        try
        {
            inbound.resume();
        }
        catch (final Throwable t)
        {
            fail(t);
        }
    }

    /** On the loop: more may be allowed now, or less. */
    void settingsChanged()
    {
        try
        {
            if (state != ConnectionState.CLOSED)
            {
                dispatchDeferred();
                inbound.tryAgain();
            }
        }
        catch (final Throwable t)
        {
            fail(t);
        }
    }

    /** On the loop: the socket took everything of one flush, or the channel is closed. */
    void onFlushed(final FlushToken token, final long requestBytes, final long answeredBytes)
    {
        outbox.recycle(token);
        answers.release(answeredBytes);
        admission.release(requestBytes);
        try
        {
            final long nowNanos = context.clock.nanoTime();
            loop.stages.written(token, this, nowNanos);
            deadlines.onWritten(nowNanos);
            dispatchDeferred();
            if (state != ConnectionState.CLOSED)
            {
                inbound.resume();
                progressClose();
                loop.outbound.flushSoon();
            }
        }
        catch (final Throwable t)
        {
            fail(t);
        }
    }

    /** On the loop: something did not reach the socket, so that nothing behind it may. */
    void onWriteFailed(final Throwable cause)
    {
        if (state == ConnectionState.CLOSED || !channel.isOpen())
        {
            // The end of the channel, of which it tells by itself.
            return;
        }
        if (cause instanceof IOException)
        {
            closeNow(CloseReason.CLIENT);
        }
        else
        {
            fail(cause);
        }
    }

    /** On the loop: no memory, or something unforeseen in the server. */
    void fail(final Throwable error)
    {
        if (TransportContext.isDirectMemoryExhausted(error))
        {
            context.log.clientError(this, "no memory is left for it");
            closeNow(CloseReason.OUT_OF_MEMORY);
            return;
        }
        context.inspect(error);
        context.log.unexpected("connection failed", this, error);
        closeNow(CloseReason.SERVER_ERROR);
    }

    /** On the loop: more memory than there is for clients that have not logged in. */
    void refuseMemory()
    {
        closeGracefully(CloseReason.OUT_OF_MEMORY, ErrorBody.of(ErrorCode.OVERLOADED,
            "No memory is left for clients that have not logged in"), CONNECTION_STREAM);
    }

    // ---- the end

    /** A client error: answered on its stream; fatal ones close, once answers in work are out. */
    void onProtocolError(final ProtocolException error, final ProtocolVersion spoken, final int requestBytes)
    {
        if (error.isProbe())
        {
            context.log.debug(error.getMessage());
        }
        else
        {
            context.listener.onProtocolError(this, spoken, error.isFatal());
            context.log.clientError(this, error.getMessage());
        }
        if (error.isFatal())
        {
            closeGracefully(CloseReason.PROTOCOL_ERROR, ErrorBody.of(error),
                error.hasStreamId() ? error.streamId() : CONNECTION_STREAM);
        }
        else
        {
            answer(null, spoken, error.streamId(), requestBytes, ErrorBody.of(error));
        }
    }

    /**
     * Serves nothing new, lets answers in work go out, then the last error, then shuts the output. An error that
     * belongs to the connection as a whole goes out last, when no request is left that it could be taken for an
     * answer to.
     */
    void closeGracefully(final CloseReason reason, final ResponseBody error, final int errorStream)
    {
        if (!isOpen())
        {
            return;
        }
        inbound.refuseAside();
        if (!isOpen())
        {
            return;
        }
        closeReason = reason;
        lastError = error;
        lastErrorStream = errorStream;
        final ProtocolVersion answered = ProtocolVersion.of(inbound.answerVersion());
        lastErrorVersion = version != null ? version : answered != null ? answered : ProtocolVersion.V5;
        state = ConnectionState.CLOSING;
        inbound.stop();
        deadlines.closing();
        progressClose();
    }

    /** The same, with a last error that was encoded already: owned from here on. */
    void closeWithEncoded(final CloseReason reason, final BufferLease error)
    {
        final ControlResponse response = new ControlResponse(this, null, 0, 0, 0, error, Opcode.ERROR);
        response.answerBytes = error.length();
        charge(response.answerBytes);
        take(response);
        closeGracefully(reason, null, 0);
    }

    /**
     * The transport stops: requests from now on, and those that wait, get OVERLOADED; when the answers in work are
     * out, the output is shut.
     */
    void drain()
    {
        if (isReady())
        {
            draining = true;
            inbound.resume();
            progressClose();
        }
        else
        {
            closeGracefully(CloseReason.SHUTDOWN, null, 0);
        }
    }

    boolean isDraining()
    {
        return draining;
    }

    /** One step on, if nothing stands in the way any more. */
    void progressClose()
    {
        if (isOpen() && !inbound.isHolding())
        {
            if (inbound.isInputShut())
            {
                closeGracefully(CloseReason.CLIENT, null, 0);
            }
            else if (draining && requestsInService == 0)
            {
                closeGracefully(CloseReason.SHUTDOWN, null, 0);
            }
        }
        if (state != ConnectionState.CLOSING || requestsInService > 0)
        {
            return;
        }
        if (lastError != null)
        {
            final ResponseBody error = lastError;
            lastError = null;
            answer(null, lastErrorVersion, lastErrorStream, 0, error);
            return;
        }
        if (outbox.isDrained())
        {
            linger();
        }
    }

    private void linger()
    {
        state = ConnectionState.LINGERING;
        deadlines.lingering();
        final SslHandler tls = channel.pipeline().get(SslHandler.class);
        if (tls != null)
        {
            channel.pipeline().addFirst(DiscardingReads.INSTANCE);
            tls.closeOutbound().addListener(done -> shutdownOutput());
        }
        else
        {
            shutdownOutput();
        }
    }

    private void shutdownOutput()
    {
        if (inbound.isInputShut())
        {
            channel.close();
            return;
        }
        if (channel instanceof DuplexChannel duplex)
        {
            duplex.shutdownOutput();
            channel.config().setAutoRead(true);
        }
        else
        {
            channel.close();
        }
    }

    /** The client sends no more: what is in work is still answered, and so is what it sent before and is held. */
    void onInputShut()
    {
        inbound.inputShut();
        if (state == ConnectionState.LINGERING)
        {
            channel.close();
        }
        else
        {
            // What it sent before and has to wait is still read and answered.
            progressClose();
        }
    }

    /** Fails what is still in work, since the time to wait for it is over. */
    void failInService(final ResponseBody error)
    {
        RequestExchange exchange = oldestInService;
        while (exchange != null)
        {
            final RequestExchange next = exchange.nextInService;
            exchange.expire(error);
            exchange = next;
        }
    }

    /** Ends the connection at once. */
    void closeNow(final CloseReason reason)
    {
        if (closeReason == null || !cutOff && isCauseOfCut(reason))
        {
            // What cut an orderly close short is what the client lost its answers to; what comes of that cut is not.
            closeReason = reason;
        }
        cutOff = true;
        if (state != ConnectionState.CLOSED)
        {
            if (isOpen())
            {
                state = ConnectionState.CLOSING;
                inbound.stop();
                // Else what is in work would be failed as overdue before its handler could hear of the end.
                deadlines.closing();
            }
            closeChannel();
        }
    }

    /** TLS fails in an orderly close that comes before its handshake was done: that is the close's doing. */
    private static boolean isCauseOfCut(final CloseReason reason)
    {
        return switch (reason)
        {
            case CLIENT, SHUTDOWN, TLS_FAILURE -> false;
            default -> true;
        };
    }

    /** On the loop: counted for the caps, unless it has to be refused, and why. */
    RefusalReason admit(final TransportLimits limits, final boolean isProxy)
    {
        final RefusalReason reason = context.connections.admit(this, limits, isProxy);
        admitted = reason == null;
        return reason;
    }

    /** On the loop: the client is not let in. */
    void refuse(final RefusalReason reason)
    {
        refused = true;
        context.refused(reason);
        closeNow(CloseReason.REFUSED);
    }

    /** On the loop, once admitted: the peer is a proxy, and has to say first whom it speaks for. */
    void awaitProxyHeader()
    {
        awaitsProxyHeader = true;
    }

    boolean awaitsProxyHeader()
    {
        return awaitsProxyHeader;
    }

    /**
     * On the loop: the proxy has said so.
     *
     * @param client null if it speaks for itself
     * @return false if the client is not let in
     */
    boolean onProxyHeader(final InetSocketAddress client)
    {
        awaitsProxyHeader = false;
        if (!isOpen())
        {
            return false;
        }
        if (client != null && !moveTo(client))
        {
            refuse(RefusalReason.ADDRESS_LIMIT);
            return false;
        }
        onActive();
        return true;
    }

    /** What counts for an address counts for the client's own from here on; nothing is in work yet. */
    private boolean moveTo(final InetSocketAddress client)
    {
        final AddressTable.Entry own = context.addresses.open(client.getAddress());
        if (!context.connections.move(this, own, context.control.limits()))
        {
            context.addresses.close(own);
            return false;
        }
        final AddressTable.Entry ofProxy = address;
        address = own;
        answers.belongTo(own);
        proxyAddress = remoteAddress;
        remoteAddress = client;
        context.addresses.close(ofProxy);
        return true;
    }

    /** On the loop: whom it speaks for is not told, and nobody is let in. */
    void refuseProxy(final String reason)
    {
        if (!awaitsProxyHeader || !isOpen())
        {
            return;
        }
        awaitsProxyHeader = false;
        context.log.clientError(this, "PROXY header: " + reason);
        refuse(RefusalReason.PROXY_HEADER);
    }

    /** On the loop: accepted, within all limits. */
    void onActive()
    {
        if (!announced && !awaitsProxyHeader && isOpen())
        {
            announced = true;
            context.listener.onConnectionOpened(this);
        }
    }

    /**
     * Under TLS a client that still reads is told that this is the end; one that does not would keep the channel open
     * for nothing.
     */
    void closeChannel()
    {
        if (pendingWriteBytes() > 0)
        {
            channel.unsafe().close(channel.voidPromise());
        }
        else
        {
            channel.close();
        }
    }

    /** On the loop, once: the channel is closed. Everything that the connection owns ends here. */
    void onInactive()
    {
        if (state == ConnectionState.CLOSED)
        {
            return;
        }
        state = ConnectionState.CLOSED;
        final CloseReason reason = closeReason == null ? CloseReason.CLIENT : closeReason;
        inbound.close();
        outbox.discard();
        while (oldestInService != null)
        {
            final RequestExchange exchange = oldestInService;
            leaveService(exchange);
            if (!exchange.abandon())
            {
                loop.keepAbandoned(exchange);
            }
        }
        dispatchDeferred();
        preLogin.hold(0);
        loop.remove(this);
        if (loop.loop.isShuttingDown())
        {
            // No timer will come.
            loop.outbound.stop();
        }
        context.waiting.remove(this);
        context.waiting.wakeOne();
        try
        {
            if (announced)
            {
                context.listener.onConnectionClosed(this, reason);
            }
            else if (!refused && RefusalReason.of(reason) != null)
            {
                context.refused(RefusalReason.of(reason));
            }
            context.lifecycle.onClosed(this, reason);
        }
        finally
        {
            if (admitted)
            {
                context.connections.leave(this);
            }
            // Last: whoever sees that it is gone, a drain for one, has also heard of it.
            context.addresses.close(address);
            context.connections.closed(this);
        }
    }

    /** Any thread: bytes of a shared budget may be free. */
    void wakeFromAdmissionQueue(final int triesLeft)
    {
        try
        {
            loop.loop.execute(() -> inbound.wokenFromQueue(triesLeft));
        }
        catch (final RejectedExecutionException e)
        {
            context.waiting.wakeOne(triesLeft);
        }
    }

    long pendingWriteBytes()
    {
        final io.netty.channel.ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        return buffer == null ? 0 : buffer.totalPendingWriteBytes() - buffer.currentProgress();
    }

    /** By number, so that sets of connections have the same order in every run of a simulation. */
    @Override
    public int hashCode()
    {
        return Long.hashCode(id);
    }

    @Override
    public String toString()
    {
        final ProtocolVersion known = version;
        final InetSocketAddress proxy = proxyAddress;
        return remoteAddress + (proxy == null ? "" : " through " + proxy) + (known == null ? "" : " " + known) +
            (driverName() == null ? "" : " " + ClientWords.shown(driverName()));
    }
}
