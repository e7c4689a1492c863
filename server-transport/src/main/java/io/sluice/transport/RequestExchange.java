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

import io.sluice.framing.ErrorCode;
import io.sluice.framing.Opcode;
import io.sluice.framing.ProtocolException;
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.request.BatchRequest;
import io.sluice.framing.request.ExecuteRequest;
import io.sluice.framing.request.PrepareRequest;
import io.sluice.framing.request.QueryRequest;
import io.sluice.framing.request.Request;
import io.sluice.framing.response.ErrorBody;
import io.sluice.framing.response.ResponseBody;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * One request from its decoding to the moment the loop takes its answer: the task that the executor runs, the
 * exchange that the handler completes, and the node that carries the answer home. One object per request.
 * <p>
 * The prefixes are written by the loop, and from then on by whichever one thread handles the request; {@code state}
 * decides who completes it.
 */
final class RequestExchange extends PendingResponse implements Exchange, Runnable
{
    private static final int OPEN = 0;
    private static final int COMPLETED = 1;
    private static final int ABANDONED = 2;
    /** The deadline has answered; a late completion is ignored. */
    private static final int EXPIRED = 3;

    private static final VarHandle STATE;
    private static final VarHandle ON_ABANDONED;
    private static final VarHandle RELEASED;
    private static final VarHandle STARTED;
    /** In place of the time when it was started: it was not, because of the client's own unread answers. */
    private static final long WAITS_FOR_READER = Long.MIN_VALUE;
    private static final Runnable ALREADY_RUN = () ->
    {
    };
    static
    {
        try
        {
            final MethodHandles.Lookup lookup = MethodHandles.lookup();
            STATE = lookup.findVarHandle(RequestExchange.class, "state", int.class);
            ON_ABANDONED = lookup.findVarHandle(RequestExchange.class, "onAbandoned", Runnable.class);
            RELEASED = lookup.findVarHandle(RequestExchange.class, "released", boolean.class);
            STARTED = lookup.findVarHandle(RequestExchange.class, "startedNanos", long.class);
        }
        catch (final ReflectiveOperationException e)
        {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Request request;
    private final short streamId;
    private final int requestBytes;
    private final long receivedNanos;
    private long startedNanos;
    /** What the answer carries beside its body, and what only few requests have: or null. */
    private Prefixes prefixes;
    @SuppressWarnings("UnusedVariable")
    private volatile int state;
    @SuppressWarnings("UnusedVariable")
    private volatile Runnable onAbandoned;
    @SuppressWarnings("UnusedVariable")
    private volatile boolean released;

    /** Neighbours among the connection's requests in service, oldest first. Confined to the loop. */
    RequestExchange previousInService;
    RequestExchange nextInService;
    boolean inService;

    RequestExchange(final Connection connection,
        final Request request,
        final int streamId,
        final int requestBytes,
        final long receivedNanos)
    {
        super(connection);
        this.request = request;
        this.streamId = (short)streamId;
        this.requestBytes = requestBytes;
        this.receivedNanos = receivedNanos;
    }

    /** On the request executor. */
    @Override
    public void run()
    {
        if ((int)STATE.getAcquire(this) != OPEN)
        {
            // The client has left, or the deadline has passed, while this waited in the executor's queue.
            releaseCharge();
            return;
        }
        try
        {
            if (!connection.deferIfAnswersUnread(this))
            {
                startedNanos = connection.context.clock.nanoTime();
                final long timeoutNanos = connection.context.control.limits().requestTimeout().toNanos();
                if (timeoutNanos > 0 && startedNanos - receivedNanos > timeoutNanos)
                {
                    expireInQueue();
                }
                else
                {
                    dispatch();
                }
            }
        }
        catch (final Throwable t)
        {
            connection.context.inspect(t);
            failQuietly(t);
        }
    }

    /** Nobody waits for its answer any more, says the setting: it is not worth starting. */
    private void expireInQueue()
    {
        if (STATE.compareAndSet(this, OPEN, COMPLETED))
        {
            connection.context.listener.onExpired(connection, request.opcode(), startedNanos - submittedNanos());
            complete(ErrorBody.of(ErrorCode.OVERLOADED, "Query timed out before it could start"));
        }
        else
        {
            releaseIfOver();
        }
    }

    private void dispatch()
    {
        final RequestHandler handler = connection.context.handler;
        switch (request.opcode())
        {
            case QUERY -> handler.onQuery((QueryRequest)request, this);
            case PREPARE -> handler.onPrepare((PrepareRequest)request, this);
            case EXECUTE -> handler.onExecute((ExecuteRequest)request, this);
            case BATCH -> handler.onBatch((BatchRequest)request, this);
            default -> throw new IllegalStateException("opcode: " + request.opcode() + " (expected: a request)");
        }
    }

    private void failQuietly(final Throwable error)
    {
        if (STATE.compareAndSet(this, OPEN, COMPLETED))
        {
            complete(bodyOf(connection, error));
        }
        else
        {
            releaseIfOver();
        }
    }

    /** Gives the charge back if no answer will. */
    void releaseIfOver()
    {
        if ((int)STATE.getAcquire(this) != COMPLETED)
        {
            releaseCharge();
        }
    }

    @Override
    public void respond(final ResponseBody body)
    {
        if (STATE.compareAndSet(this, OPEN, COMPLETED))
        {
            complete(body);
        }
        else
        {
            completedAgain();
        }
    }

    private void completedAgain()
    {
        if ((int)STATE.getAcquire(this) == COMPLETED)
        {
            throw new IllegalStateException("exchange: completed twice, stream " + streamId);
        }
        releaseCharge();
    }

    private void complete(final ResponseBody body)
    {
        final Prefixes some = prefixes;
        final StageSample stages = connection.loop.stages;
        final boolean measured = stages.isOf(this);
        if (measured)
        {
            stages.answered(startedNanos);
        }
        try
        {
            if (some == null)
            {
                connection.encode(this, streamId, body, null, null, null);
            }
            else
            {
                connection.encode(this, streamId, body, some.tracingId, some.warnings(connection),
                    some.customPayload);
            }
        }
        finally
        {
            if (measured)
            {
                stages.encoded();
            }
            // Nobody else could complete it any more: without an answer the connection closes.
            connection.offer(this);
        }
    }

    /** On the loop, before it is given away: its connection was not read from until there was room for it. */
    void waitedFor(final String warning)
    {
        prefixes().overload = warning;
    }

    /**
     * On the loop, before it is given to the executor: only now it waits for a thread. What it waited for before is
     * told as a pause, and is nobody's queue.
     */
    void submittedAt(final long nanos)
    {
        if (nanos != receivedNanos)
        {
            prefixes().submittedNanos = nanos;
        }
    }

    private Prefixes prefixes()
    {
        if (prefixes == null)
        {
            prefixes = new Prefixes();
        }
        return prefixes;
    }

    @Override
    public void respondWhen(final CompletionStage<? extends ResponseBody> stage)
    {
        stage.whenComplete((body, error) ->
        {
            if (error == null)
            {
                respond(body);
            }
            else
            {
                fail(error instanceof CompletionException && error.getCause() != null ? error.getCause() : error);
            }
        });
    }

    @Override
    public void fail(final ErrorCode code, final String message)
    {
        respond(ErrorBody.of(code, message));
    }

    @Override
    public void fail(final Throwable error)
    {
        respond(bodyOf(connection, error));
    }

    /** An exception's own text may name classes, files or values: it stays in the log. */
    static ResponseBody bodyOf(final Connection connection, final Throwable error)
    {
        if (error instanceof ProtocolException protocol)
        {
            return ErrorBody.of(protocol);
        }
        connection.context.log.unexpected("a request failed", connection, error);
        return ErrorBody.of(ErrorCode.SERVER_ERROR, "The request failed in the server; see its log");
    }

    /**
     * On the loop: the client has left.
     *
     * @return true if nobody has to complete this any more for its charge to come back
     */
    boolean abandon()
    {
        if (!STATE.compareAndSet(this, OPEN, ABANDONED))
        {
            return true;
        }
        connection.loop.stages.forget(this);
        final Runnable action = (Runnable)ON_ABANDONED.getAndSet(this, ALREADY_RUN);
        if (action == null)
        {
            return false;
        }
        run(action);
        // The handler knows and need not complete any more.
        releaseCharge();
        return true;
    }

    /** Any thread: true if it does not wait for its handler any more, but for its client at most. */
    boolean isStarted()
    {
        return (long)STARTED.getOpaque(this) != 0;
    }

    /** Any thread: true if it is not the handler that this waits for, but its own client. */
    boolean isWaitingForReader()
    {
        return (long)STARTED.getOpaque(this) == WAITS_FOR_READER;
    }

    /** Any thread: true if its handler got it less than so long ago, whatever it waited for before. */
    boolean isStartedWithin(final long nanos, final long nowNanos)
    {
        final long started = (long)STARTED.getOpaque(this);
        return started != 0 && started != WAITS_FOR_READER && nowNanos - started < nanos;
    }

    /** On the executor: it is not started yet. */
    void waitForReader()
    {
        STARTED.setOpaque(this, WAITS_FOR_READER);
    }

    boolean isReleased()
    {
        return (boolean)RELEASED.getAcquire(this);
    }

    private void run(final Runnable action)
    {
        try
        {
            action.run();
        }
        catch (final Throwable t)
        {
            connection.context.inspect(t);
            connection.context.log.unexpected("onAbandoned failed", null, t);
        }
    }

    /** On the loop: the handler took too long. True if this answered it. */
    boolean expire(final ResponseBody body)
    {
        if (!STATE.compareAndSet(this, OPEN, EXPIRED))
        {
            return false;
        }
        connection.encode(this, streamId, body, null, null, null);
        connection.offer(this);
        return true;
    }

    @Override
    public boolean isAbandoned()
    {
        return (int)STATE.getAcquire(this) == ABANDONED;
    }

    @Override
    public void onAbandoned(final Runnable action)
    {
        if (!ON_ABANDONED.compareAndSet(this, null, action))
        {
            if ((Runnable)ON_ABANDONED.getVolatile(this) != ALREADY_RUN)
            {
                throw new IllegalStateException("onAbandoned: set twice");
            }
            run(action);
            releaseCharge();
        }
        else if (isAbandoned() && ON_ABANDONED.compareAndSet(this, action, ALREADY_RUN))
        {
            run(action);
            releaseCharge();
        }
    }

    /** Gives back what the request was charged with, once, if its answer never reaches a flush. */
    void releaseCharge()
    {
        if (RELEASED.compareAndSet(this, false, true))
        {
            connection.admission.release(requestBytes);
        }
    }

    /** None if they were given back before. */
    @Override
    int takeCharge()
    {
        return RELEASED.compareAndSet(this, false, true) ? requestBytes : 0;
    }

    @Override
    void onTaken()
    {
        connection.leaveService(this);
    }

    @Override
    public Request request()
    {
        return request;
    }

    @Override
    public ProtocolVersion version()
    {
        return connection.version();
    }

    @Override
    public int streamId()
    {
        return streamId;
    }

    @Override
    public ClientConnection connection()
    {
        return connection;
    }

    @Override
    public long receivedNanos()
    {
        return receivedNanos;
    }

    /** Any thread; one that comes in between may see when it was received. */
    @Override
    public long submittedNanos()
    {
        final Prefixes some = prefixes;
        final long nanos = some == null ? 0 : some.submittedNanos;
        return nanos == 0 ? receivedNanos : nanos;
    }

    @Override
    public long startedNanos()
    {
        return startedNanos;
    }

    @Override
    public void tracingId(final UUID newTracingId)
    {
        if (newTracingId != null || prefixes != null)
        {
            prefixes().tracingId = newTracingId;
        }
    }

    @Override
    public void warnings(final List<String> newWarnings)
    {
        // Most answers have none, and are told so.
        if (newWarnings != null || prefixes != null)
        {
            prefixes().warnings = newWarnings;
        }
    }

    @Override
    public void customPayload(final Map<String, byte[]> newPayload)
    {
        prefixes().customPayload = newPayload;
    }

    @Override
    Opcode requestOpcode()
    {
        return request.opcode();
    }

    /** Apart, so that the many requests whose answers carry none of it are smaller. */
    private static final class Prefixes
    {
        private UUID tracingId;
        private List<String> warnings;
        private Map<String, byte[]> customPayload;
        /** What the client is told about having waited, or null. */
        private String overload;
        /** When it was given to the executor, if that was not when it was received; else 0. */
        private long submittedNanos;

        /** From version 4 on; before it there are none. */
        private List<String> warnings(final Connection connection)
        {
            if (overload == null || !connection.version().isAtLeast(ProtocolVersion.V4))
            {
                return warnings;
            }
            final List<String> all = new ArrayList<>();
            all.add(overload);
            if (warnings != null)
            {
                all.addAll(warnings);
            }
            return all;
        }
    }
}
