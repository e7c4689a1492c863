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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Registered for all events from before the first change to after the last: must hear each change once and in order,
 * between answers to its own requests. Runs in its thread; {@link #finish} from another.
 */
final class EventWatcher implements Runnable
{
    private static final String KIND = "event.heard";
    private static final int ASK_MILLIS = 2_000;
    private static final int STREAM = 77;

    private final Soak soak;
    private final int version;
    private final CountDownLatch registered = new CountDownLatch(1);
    private final List<String> heard = new ArrayList<>();
    private volatile List<String> expected;

    EventWatcher(final Soak soak, final int version)
    {
        this.soak = soak;
        this.version = version;
    }

    /** Waits until the node has confirmed. */
    void awaitRegistered() throws InterruptedException
    {
        registered.await(SoakTarget.PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** All changes are made: these are the events. */
    void finish(final List<String> events)
    {
        expected = List.copyOf(events);
    }

    @Override
    public void run()
    {
        try (RawClient client = soak.target()
            .ready(soak.target().of(version, soak.random("watcher-" + version), 0)))
        {
            client.send(client.wrap(client.requests().register(1)));
            final RawAnswer ready = client.receive(SoakTarget.PATIENCE_MILLIS);
            if (ready == null || !ready.is("READY") || ready.stream() != 1)
            {
                throw new IOException("REGISTER: " + (ready == null ? client.end() : ready.describe()));
            }
            registered.countDown();
            watch(client);
            compare();
        }
        catch (final IOException | IllegalStateException e)
        {
            soak.ledger().fault(KIND, "v" + version + ": " + e.getMessage());
        }
        finally
        {
            registered.countDown();
        }
    }

    private void watch(final RawClient client) throws IOException
    {
        boolean owed = false;
        long patience = SoakTarget.PATIENCE_MILLIS;
        // Once all is heard, one more answer shows that nothing comes behind it.
        while (patience > 0 && (expected == null || heard.size() < expected.size() || owed))
        {
            if (!owed)
            {
                client.send(client.wrap(client.requests().options(STREAM)));
                owed = true;
            }
            final long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ASK_MILLIS);
            while (System.nanoTime() - until < 0)
            {
                final RawAnswer answer = client.receive(ASK_MILLIS);
                if (answer == null && client.end() != RawClient.End.SILENT)
                {
                    throw new IOException("the server left: " + client.end());
                }
                owed &= answer == null || !onAnswer(answer);
            }
            patience -= expected == null ? 0 : ASK_MILLIS;
        }
    }

    /** True if it answers the request. */
    private boolean onAnswer(final RawAnswer answer)
    {
        if (answer.is("SUPPORTED") && answer.stream() == STREAM)
        {
            soak.ledger().outcome(KIND, "answers between");
            return true;
        }
        if (!answer.is("EVENT") || answer.stream() != -1)
        {
            soak.ledger().fault(KIND, "v" + version + ": unasked " + answer.describe());
            return false;
        }
        final List<String> words = answer.words();
        soak.ledger().acted(KIND);
        soak.ledger().outcome(KIND, words.get(0));
        if (words.contains(SoakSchema.KEYSPACE))
        {
            heard.add(String.join(" ", words.subList(1, words.size())));
        }
        return false;
    }

    private void compare()
    {
        if (!heard.equals(expected))
        {
            int i = 0;
            while (i < Math.min(heard.size(), expected.size()) && heard.get(i).equals(expected.get(i)))
            {
                i++;
            }
            soak.ledger()
                .fault(KIND, "v" + version + ": heard " + heard.size() + " of " + expected.size() +
                    " events; they differ from number " + i + " on");
        }
    }
}
