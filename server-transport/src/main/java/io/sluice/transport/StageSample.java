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

/**
 * Measures the stages of one request of an event loop at a time, and of every {@value #EVERY}th at most: three more
 * looks at the clock for each that is measured, and no memory for any.
 * <p>
 * Begun and ended by the loop; in between written by whichever thread completes the request, before it hands it back.
 */
final class StageSample implements StageTimes
{
    /** Requests between two that are measured. */
    static final int EVERY = 16;
    /** One that takes longer is given up, so that the others go on being measured. */
    private static final long LONGEST_NANOS = 10_000_000_000L;

    private final TransportContext context;
    /** Cleared by whoever throws an answer away. */
    private volatile PendingResponse measured;
    private final long[] times = new long[LatencyStage.values().length];
    private int countdown;
    private long readNanos;
    private long decodedNanos;
    private long startedNanos;
    private long answeredNanos;
    private long encodedNanos;
    private long flushedNanos;
    private FlushToken token;

    StageSample(final TransportContext context)
    {
        this.context = context;
    }

    /** On the loop: this request was decoded, and is about to be given to the node. */
    void begin(final RequestExchange exchange)
    {
        if (context.listener == TransportListener.NONE || --countdown > 0)
        {
            return;
        }
        // Also if the last one is still on its way: the clock is not to be read for each request until it has come.
        countdown = EVERY;
        final long now = context.clock.nanoTime();
        if (measured != null && now - readNanos < LONGEST_NANOS)
        {
            return;
        }
        // Of one that had to wait, its wait is a pause and no stage.
        readNanos = exchange.submittedNanos();
        decodedNanos = now;
        answeredNanos = 0;
        encodedNanos = 0;
        token = null;
        measured = exchange;
    }

    /** Any thread: true if this is the one. */
    boolean isOf(final PendingResponse response)
    {
        return measured == response;
    }

    /** The handler has answered it. */
    void answered(final long startNanos)
    {
        startedNanos = startNanos;
        answeredNanos = context.clock.nanoTime();
    }

    /** Its answer is encoded. */
    void encoded()
    {
        encodedNanos = context.clock.nanoTime();
    }

    /** On the loop: it goes out with this flush. */
    void flushed(final FlushToken of, final long nowNanos)
    {
        if (encodedNanos == 0 || startedNanos == 0)
        {
            // Somebody else than its handler has answered it.
            measured = null;
            return;
        }
        token = of;
        flushedNanos = nowNanos;
    }

    /** On the loop: the socket took this flush. */
    void written(final FlushToken of, final Connection connection, final long nowNanos)
    {
        final PendingResponse done = measured;
        if (token != of || done == null)
        {
            return;
        }
        token = null;
        measured = null;
        set(LatencyStage.DECODE, readNanos, decodedNanos);
        set(LatencyStage.QUEUE, decodedNanos, startedNanos);
        set(LatencyStage.SERVE, startedNanos, answeredNanos);
        set(LatencyStage.ENCODE, answeredNanos, encodedNanos);
        set(LatencyStage.FLUSH, encodedNanos, flushedNanos);
        set(LatencyStage.WRITE, flushedNanos, nowNanos);
        context.listener.onStages(connection, done.requestOpcode(), this);
    }

    private void set(final LatencyStage stage, final long fromNanos, final long toNanos)
    {
        times[stage.ordinal()] = Math.max(0, toNanos - fromNanos);
    }

    /** Any thread: it will never be written. */
    void forget(final PendingResponse response)
    {
        if (measured == response)
        {
            measured = null;
        }
    }

    @Override
    public long nanos(final LatencyStage stage)
    {
        return times[stage.ordinal()];
    }
}
