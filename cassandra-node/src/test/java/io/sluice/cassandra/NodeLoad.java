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
package io.sluice.cassandra;

import io.sluice.framing.Opcode;
import io.sluice.transport.testkit.Await;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.WireClient;
import io.sluice.transport.testkit.WireEnvelope;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** Clients of versions 4 and 5 that ask one thing after another until this is closed, and must get every answer. */
public final class NodeLoad implements AutoCloseable
{
    /** Each has one request under way. */
    public static final int CLIENTS = 2;

    private static final int OVERLOADED = 0x1001;
    private static final int READ_TIMEOUT = 0x1200;

    private final List<Thread> threads = new ArrayList<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final AtomicLong answered = new AtomicLong();
    private volatile boolean stopping;

    /** Returns once it is under way. */
    public NodeLoad(final TestNode node) throws IOException
    {
        for (final int version : List.of(4, 5))
        {
            final WireClient client = WireClient.ready(node.address(), version, null);
            final Thread thread = new Thread(() -> run(client), "load");
            threads.add(thread);
            thread.start();
        }
        Await.until("load", () -> answered.get() > 10 || !failures.isEmpty());
    }

    private void run(final WireClient client)
    {
        try (client)
        {
            for (int i = 0; !stopping; i++)
            {
                final WireEnvelope answer = client.ask(Requests.query(client.version(), i & 0x7FFF,
                    "SELECT key FROM system.local"));
                if (answer.type() != Opcode.RESULT && !answer.isError(OVERLOADED) && !answer.isError(READ_TIMEOUT))
                {
                    throw new AssertionError(answer.toString());
                }
                answered.incrementAndGet();
            }
        }
        catch (final Throwable t)
        {
            failures.add(t);
        }
    }

    /** Answers so far. */
    public long answered()
    {
        return answered.get();
    }

    @Override
    public void close()
    {
        stopping = true;
        try
        {
            for (final Thread thread : threads)
            {
                thread.join();
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
        if (!failures.isEmpty())
        {
            throw new AssertionError("the load lost a request", failures.peek());
        }
    }
}
