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
package io.sluice.bench.load;

import io.sluice.bench.server.ServerControl;
import io.sluice.bench.server.ServerUsage;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Drives one connection by a plan. In a closed loop each answer is followed by a request; in an open loop requests
 * are due at a steady rate and latency is counted from when a request was due, however late it could be sent. Confined
 * to one thread.
 */
public final class LoadRun implements LoadConnection.Answers
{
    /** Hears how it goes, about once a second. */
    public interface Progress
    {
        /** Nothing is shown. */
        Progress NONE = (seconds, warmUp, requestsPerSecond) ->
        {
        };

        /** So far. */
        void at(double seconds, boolean warmUp, double requestsPerSecond);
    }

    private static final double NANOS_PER_SECOND = 1e9;
    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long PARK_NANOS = 20_000;
    private static final long HIGHEST_NANOS = TimeUnit.MINUTES.toNanos(10);
    private static final int DIGITS = 3;
    private static final int POLL_MILLIS = 100;

    private final LoadPlan plan;
    private final Progress progress;
    private final long[] dueNanos;
    private final int[] freeStreams;
    private int freeCount;
    private Histogram latencies = new Histogram(HIGHEST_NANOS, DIGITS);
    private long answered;
    private long errors;
    private long answeredNanos;

    /** Runs once. */
    public LoadRun(final LoadPlan plan, final Progress progress)
    {
        this.plan = plan;
        this.progress = progress;
        dueNanos = new long[plan.inFlight()];
        freeStreams = new int[plan.inFlight()];
        for (int i = 0; i < freeStreams.length; i++)
        {
            freeStreams[i] = i;
        }
        freeCount = freeStreams.length;
    }

    /** Warms up and measures; {@code control} asks the server what it uses, or is null. */
    public LoadResult run(final ServerControl.Client control) throws IOException
    {
        try (LoadConnection connection = new LoadConnection(plan, this))
        {
            drive(connection, plan.warmUpSeconds(), 0, true);
            latencies = new Histogram(HIGHEST_NANOS, DIGITS);
            answered = 0;
            errors = 0;
            final ServerUsage before = control == null ? null : control.usage();
            final long segments = connection.receivedSegments();
            final long nanos = drive(connection, plan.seconds(), plan.operations(), false);
            final long received = segments < 0 ? -1 : connection.receivedSegments() - segments;
            final ServerUsage used = control == null ? null : control.usage().since(before);
            return new LoadResult(answered, errors, connection.firstError(), nanos, latencies, received, used);
        }
    }

    private long drive(final LoadConnection connection,
        final double seconds,
        final long operations,
        final boolean warmUp) throws IOException
    {
        final long start = System.nanoTime();
        final long length = operations > 0 ? Long.MAX_VALUE : (long)(seconds * NANOS_PER_SECOND);
        final long most = operations > 0 ? operations : Long.MAX_VALUE;
        final double interval = plan.isOpenLoop() ? NANOS_PER_SECOND / plan.ratePerSecond() : 0;
        long sent = 0;
        long nextProgress = SECOND_NANOS;
        long counted = answered;
        long now = start;
        while (now - start < length && sent < most)
        {
            final long due = plan.isOpenLoop() ? (long)((now - start) / interval) + 1 - sent : freeCount;
            for (long i = Math.min(Math.min(due, freeCount), most - sent); i > 0; i--)
            {
                final int stream = freeStreams[--freeCount];
                dueNanos[stream] = plan.isOpenLoop() ? start + (long)(sent * interval) : now;
                connection.add(stream);
                sent++;
            }
            connection.flush();
            receive(connection);
            now = System.nanoTime();
            if (now - start >= nextProgress)
            {
                progress.at((now - start) / NANOS_PER_SECOND, warmUp, (double)(answered - counted));
                counted = answered;
                nextProgress += SECOND_NANOS;
            }
        }
        drain(connection);
        return System.nanoTime() - start;
    }

    private void receive(final LoadConnection connection) throws IOException
    {
        answeredNanos = 0;
        if (plan.isOpenLoop())
        {
            connection.poll(0);
            if (answeredNanos == 0)
            {
                LockSupport.parkNanos(PARK_NANOS);
            }
        }
        else
        {
            connection.poll(POLL_MILLIS);
        }
    }

    private void drain(final LoadConnection connection) throws IOException
    {
        final long giveUp = System.nanoTime() + HIGHEST_NANOS;
        while (freeCount < freeStreams.length)
        {
            answeredNanos = 0;
            connection.poll(POLL_MILLIS);
            if (System.nanoTime() - giveUp > 0)
            {
                throw new IOException("answers: " + (freeStreams.length - freeCount) + " never came");
            }
        }
    }

    @Override
    public void onAnswer(final int streamId, final boolean error)
    {
        if (answeredNanos == 0)
        {
            // Once per read: all its answers came at the same moment.
            answeredNanos = System.nanoTime();
        }
        latencies.recordValue(Math.min(HIGHEST_NANOS, Math.max(0, answeredNanos - dueNanos[streamId])));
        answered++;
        errors += error ? 1 : 0;
        freeStreams[freeCount++] = streamId;
    }
}
