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

import io.sluice.transport.testkit.Await;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;

/**
 * Work that stays on threads of the node's pools until this is closed, given to them as the node's transport does:
 * through the queue in which requests wait, so that it gets its turn whatever else there is to do.
 */
public final class HeldThreads implements AutoCloseable
{
    private final CountDownLatch end = new CountDownLatch(1);
    private final Queue<String> begun = new ConcurrentLinkedQueue<>();

    private HeldThreads(final Executor pool, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            pool.execute(this::hold);
        }
    }

    /** So many threads that serve requests, as soon as they are there. */
    public static HeldThreads ofRequests(final int count)
    {
        return new HeldThreads(RequestStage.pool(), count);
    }

    /** So many steps of logins. */
    public static HeldThreads ofLogins(final int count)
    {
        return new HeldThreads(RequestStage.logins(), count);
    }

    private void hold()
    {
        begun.add(Thread.currentThread().getName());
        try
        {
            end.await();
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns once exactly so many have their thread. */
    public void awaitBegun(final int count)
    {
        Await.until(count + " are on their threads", () -> begun.size() == count);
    }

    /** How many have, or had, a thread whose name begins like this. */
    public long begunOn(final String pool)
    {
        return begun.stream().filter(name -> name.startsWith(pool)).count();
    }

    /** Requests that wait for a thread. */
    public static int waitingRequests()
    {
        return RequestStage.pool().pending();
    }

    /** Lets all of them end. */
    @Override
    public void close()
    {
        end.countDown();
    }
}
