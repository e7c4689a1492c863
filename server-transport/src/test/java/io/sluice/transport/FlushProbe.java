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

import io.sluice.framing.Opcode;
import io.sluice.framing.response.ResponseBody;
import io.sluice.framing.response.VoidResult;
import io.sluice.transport.testkit.Await;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.TestServer;
import io.sluice.transport.testkit.WireClient;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongConsumer;

/**
 * Tells whether an answer waits for others, by counts alone: the transport's clock moves only when this says so, and
 * the client has an event loop to itself, so that the number of requests in flight and the time between answers are
 * what this makes them. Confined to one thread.
 */
final class FlushProbe
{
    /** So many answers at once make the mean gap anew. */
    private static final int BATCH = 64;

    private final TestServer server;
    private final WireClient client;
    private final LoopContext loop;
    private final LongConsumer clock;

    /**
     * @param client ready, and alone on its event loop
     * @param clock moves the transport's clock, which stands still otherwise, by so many nanoseconds
     */
    FlushProbe(final TestServer server, final WireClient client, final LoopContext loop, final LongConsumer clock)
    {
        this.server = server;
        this.client = client;
        this.loop = loop;
        this.clock = clock;
    }

    /**
     * True if an answer waits for others.
     *
     * @param inFlight requests that are in work as it is given, its own included
     * @param gapNanos time between answers of late
     */
    boolean holds(final int inFlight, final long gapNanos, final ResponseBody answer) throws IOException
    {
        setGap(gapNanos);
        park(inFlight);
        final long before = windows();
        clock.accept(gapNanos);
        server.engine().nextParked().respond(answer);
        if (client.readEnvelope().type() != Opcode.RESULT)
        {
            throw new AssertionError("not a result");
        }
        final long opened = windows() - before;
        answerTogether(inFlight - 1);
        if (opened > 1)
        {
            throw new AssertionError("windows: " + opened + " (expected: 0 or 1 for one answer)");
        }
        return opened == 1;
    }

    /**
     * True if an answer that waits goes out because of the next one, and not when its time is over.
     *
     * @param inFlight as for {@link #holds}: so many that two answers are not half of them
     */
    boolean isFilled(final int inFlight, final long gapNanos, final ResponseBody first, final ResponseBody next)
        throws IOException
    {
        setGap(gapNanos);
        park(inFlight);
        final long windows = windows();
        final long filled = server.transport().flushCounts().filled();
        clock.accept(gapNanos);
        server.engine().nextParked().respond(first);
        Await.until("a window", () -> windows() > windows);
        server.engine().nextParked().respond(next);
        client.readEnvelopes(2);
        final long closed = server.transport().flushCounts().filled() - filled;
        answerTogether(inFlight - 2);
        return closed == 1;
    }

    private long windows()
    {
        return server.transport().flushCounts().windows();
    }

    private void setGap(final long nanos) throws IOException
    {
        // The last answer is of this moment.
        client.ask(Requests.query(client.version(), 1, "void"));
        park(BATCH);
        clock.accept(BATCH * nanos);
        answerTogether(BATCH);
    }

    private void park(final int requests) throws IOException
    {
        final byte[][] all = new byte[requests][];
        for (int i = 0; i < requests; i++)
        {
            all[i] = Requests.query(client.version(), i, "park");
        }
        client.request(all);
        Await.until("parked", () -> server.engine().parked() == requests);
    }

    /** The loop finds all of them at once. */
    private void answerTogether(final int requests) throws IOException
    {
        final CountDownLatch answered = new CountDownLatch(1);
        loop.loop.execute(() ->
        {
            try
            {
                answered.await();
            }
            catch (final InterruptedException e)
            {
                Thread.currentThread().interrupt();
            }
        });
        try
        {
            for (int i = 0; i < requests; i++)
            {
                server.engine().nextParked().respond(VoidResult.INSTANCE);
            }
        }
        finally
        {
            answered.countDown();
        }
        client.readEnvelopes(requests);
    }
}
