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
package io.sluice.bench.soak;

import io.sluice.conformance.RawAnswer;
import io.sluice.conformance.RawClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

/**
 * One connection that keeps books: every request must get exactly one answer, on its own stream, with the content that
 * only this request has. One thread asks; a thread of the session's own reads.
 */
final class GoodSession implements AutoCloseable
{
    /** Says what is wrong with an answer; null if nothing is. */
    interface Expectation
    {
        String fault(RawAnswer answer);
    }

    private record Asked(String kind, Expectation expectation, CompletableFuture<RawAnswer> answer, long sinceNanos)
    {
    }

    private static final int STREAMS = 32_768;
    private static final int WINDOW = 32;
    private static final int MOST_TOGETHER = 12;
    private static final int POLL_MILLIS = 500;
    private static final long LOST_NANOS = TimeUnit.MILLISECONDS.toNanos(SoakTarget.PATIENCE_MILLIS);

    private final String name;
    private final RawClient client;
    private final Ledger ledger;
    private final SplittableRandom random;
    private final Semaphore window = new Semaphore(WINDOW);
    private final Map<Integer, Asked> pending = new ConcurrentHashMap<>();
    private final List<byte[]> unsent = new ArrayList<>();
    private final Thread reader;
    private int together = 1;
    private volatile boolean closing;

    /** Takes a connection that is past its login. */
    GoodSession(final String name, final RawClient client, final Ledger ledger, final SplittableRandom random)
    {
        this.name = name + " (" + client.label() + ")";
        this.client = client;
        this.ledger = ledger;
        this.random = random;
        reader = new Thread(this::read, name + "-reader");
        reader.setDaemon(true);
        reader.start();
    }

    RawClient client()
    {
        return client;
    }

    /** Sends a request, perhaps together with the next ones; its answer is checked when it comes. */
    CompletableFuture<RawAnswer> ask(final String kind,
        final Expectation expectation,
        final IntFunction<byte[]> request) throws IOException
    {
        if (!window.tryAcquire())
        {
            flush();
            acquire(1);
        }
        int stream = random.nextInt(STREAMS);
        final CompletableFuture<RawAnswer> answer = new CompletableFuture<>();
        final Asked asked = new Asked(kind, expectation, answer, System.nanoTime());
        while (pending.putIfAbsent(stream, asked) != null)
        {
            stream = random.nextInt(STREAMS);
        }
        ledger.acted(kind);
        unsent.add(request.apply(stream));
        if (unsent.size() >= together)
        {
            flush();
            together = 1 + random.nextInt(MOST_TOGETHER);
        }
        return answer;
    }

    /** Sends all that was asked. */
    void flush() throws IOException
    {
        if (!unsent.isEmpty())
        {
            final byte[] wire = client.wrap(unsent.toArray(new byte[0][]));
            unsent.clear();
            client.send(wire);
        }
    }

    /** Asks and waits for the answer. */
    RawAnswer askAndWait(final String kind,
        final Expectation expectation,
        final IntFunction<byte[]> request) throws IOException
    {
        final CompletableFuture<RawAnswer> answer = ask(kind, expectation, request);
        flush();
        try
        {
            return answer.get(SoakTarget.PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        catch (final ExecutionException | TimeoutException e)
        {
            throw new IOException(kind + ": no answer", e);
        }
    }

    /** Waits until nothing is open any more. */
    void drain() throws IOException
    {
        flush();
        acquire(WINDOW);
        window.release(WINDOW);
    }

    private void acquire(final int permits) throws IOException
    {
        try
        {
            if (!window.tryAcquire(permits, SoakTarget.PATIENCE_MILLIS, TimeUnit.MILLISECONDS))
            {
                ledger.fault(name, pending.size() + " requests without an answer");
                throw new IOException("answers are missing");
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private void read()
    {
        try
        {
            while (!closing || !pending.isEmpty())
            {
                final RawAnswer answer = client.receive(POLL_MILLIS);
                if (answer != null)
                {
                    onAnswer(answer);
                }
                else if (client.end() != RawClient.End.SILENT)
                {
                    onEnd();
                    return;
                }
                else if (hasLost())
                {
                    return;
                }
            }
        }
        catch (final IllegalStateException e)
        {
            ledger.fault(name, e.getMessage());
            abandon();
        }
    }

    private void onAnswer(final RawAnswer answer)
    {
        final Asked asked = pending.remove(answer.stream());
        if (asked == null)
        {
            ledger.fault(name, "an answer that nobody asked for: " + answer.describe());
            return;
        }
        final String fault = asked.expectation().fault(answer);
        if (fault == null)
        {
            ledger.outcome(asked.kind(), "right");
        }
        else
        {
            ledger.outcome(asked.kind(), "wrong");
            ledger.fault(name, asked.kind() + ": " + fault + ", got " + answer.describe());
        }
        // First the permit: who waits for the answer may ask again at once.
        window.release();
        asked.answer().complete(answer);
    }

    private void onEnd()
    {
        if (!closing)
        {
            ledger.fault(name, "the server left (" + client.end() + ") with " + pending.size() + " answers owed");
        }
        abandon();
    }

    private boolean hasLost()
    {
        final long now = System.nanoTime();
        for (final Asked asked : pending.values())
        {
            if (now - asked.sinceNanos() > LOST_NANOS)
            {
                ledger.fault(name, "lost: " + asked.kind());
                abandon();
                return true;
            }
        }
        return false;
    }

    private void abandon()
    {
        for (final Asked asked : pending.values())
        {
            ledger.outcome(asked.kind(), "lost");
            asked.answer().completeExceptionally(new IOException("the connection ended"));
        }
        pending.clear();
    }

    @Override
    public void close() throws IOException
    {
        closing = true;
        client.close();
        try
        {
            reader.join(SoakTarget.PATIENCE_MILLIS);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }
}
