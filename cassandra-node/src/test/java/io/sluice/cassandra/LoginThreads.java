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

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/** Steps of logins, handed to the node as its transport does, that end when this is closed. */
public final class LoginThreads implements AutoCloseable
{
    private final CountDownLatch end = new CountDownLatch(1);
    private final Queue<String> begun = new ConcurrentLinkedQueue<>();

    /** So many of them. */
    public LoginThreads(final int steps)
    {
        for (int i = 0; i < steps; i++)
        {
            RequestStage.logins().execute(() ->
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
            });
        }
    }

    /** How many have begun. */
    public int begun()
    {
        return begun.size();
    }

    /** How many of them on threads for logins, and not on those for requests. */
    public long onTheirOwn()
    {
        return begun.stream().filter(name -> name.contains("Native-Transport-Auth-Requests")).count();
    }

    @Override
    public void close()
    {
        end.countDown();
    }
}
