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
package io.sluice.cassandra.open;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import io.sluice.cassandra.BusyRequestPool;
import io.sluice.cassandra.NodeExtension;
import io.sluice.cassandra.RequestPool;
import io.sluice.cassandra.TestNode;
import io.sluice.cassandra.Wire;
import io.sluice.transport.testkit.Await;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.apache.cassandra.concurrent.LocalAwareExecutorPlus;
import org.apache.cassandra.concurrent.SharedExecutorPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What Cassandra's pools and views know of a request that was handed to them. */
@ExtendWith(NodeExtension.class)
final class RequestPoolIT
{
    private static final int THREADS = 4;

    private final TestNode node;

    RequestPoolIT(final TestNode node)
    {
        this.node = node;
    }

    @Test
    void aRunningRequestIsInTheViewOfQueries()
    {
        try (CqlSession session = node.connect(Wire.V5_PLAIN))
        {
            final Row own = session.execute("SELECT * FROM system_views.queries")
                .all()
                .stream()
                .filter(row -> row.getString("task").contains("system_views.queries"))
                .findAny()
                .orElseThrow();
            assertTrue(own.getString("task").startsWith("QUERY SELECT"), own::getFormattedContents);
            assertTrue(own.getLong("queued_micros") >= 0, own::getFormattedContents);
            assertTrue(own.getLong("running_micros") >= 0, own::getFormattedContents);
        }
    }

    @Test
    void aWaitingRequestHasAnAge() throws InterruptedException
    {
        try (CqlSession session = node.connect(Wire.V5_PLAIN); BusyRequestPool pool = new BusyRequestPool())
        {
            final CompletionStage<?> answer = session.executeAsync("SELECT key FROM system.local");
            Await.until("it waits", () -> pool.waiting() == 1);
            Await.until("it ages", () -> pool.oldestNanos() > TimeUnit.MILLISECONDS.toNanos(1));
            pool.release();
            answer.toCompletableFuture().join();
            Await.until("none waits", () -> pool.waiting() == 0 && pool.oldestNanos() == 0);
        }
    }

    @Test
    void eachTaskRunsOnceThoughItsObjectsServeAgain() throws InterruptedException
    {
        final LocalAwareExecutorPlus threads = pool("RequestPoolIT-Once", THREADS);
        try
        {
            final RequestPool pool = new RequestPool(threads);
            // From one task to more than the objects that are kept, and back.
            final int[] sizes = {1, 3, 100, 511, 512, 513, 5_000, 20_000, 2, 700};
            for (final int size : sizes)
            {
                final AtomicIntegerArray runs = new AtomicIntegerArray(size);
                final CountDownLatch done = new CountDownLatch(size);
                for (int i = 0; i < size; i++)
                {
                    final int index = i;
                    pool.execute(() ->
                    {
                        runs.incrementAndGet(index);
                        done.countDown();
                    });
                }
                assertTrue(done.await(1, TimeUnit.MINUTES), () -> done.getCount() + " of " + size + " never ran");
                for (int i = 0; i < size; i++)
                {
                    assertEquals(1, runs.get(i), "runs of task " + i + " of " + size);
                }
            }
        }
        finally
        {
            threads.shutdownNow();
        }
    }

    @Test
    void tasksThatStayLongDelayNoOther() throws InterruptedException
    {
        final LocalAwareExecutorPlus threads = pool("RequestPoolIT-Long", THREADS);
        final CountDownLatch end = new CountDownLatch(1);
        try
        {
            final RequestPool pool = new RequestPool(threads);
            final CountDownLatch begun = new CountDownLatch(THREADS - 1);
            for (int i = 0; i < THREADS - 1; i++)
            {
                pool.execute(() ->
                {
                    begun.countDown();
                    awaitQuietly(end);
                });
            }
            assertTrue(begun.await(1, TimeUnit.MINUTES), "a thread for each");
            // The long ones' objects come round again and again meanwhile.
            final AtomicInteger ran = new AtomicInteger();
            final int others = 2_000;
            for (int i = 0; i < others; i++)
            {
                pool.execute(ran::incrementAndGet);
            }
            Await.until("the others ran", () -> ran.get() == others);
        }
        finally
        {
            end.countDown();
            threads.shutdownNow();
        }
    }

    @Test
    void aTaskThatThrowsEndsNoThread() throws InterruptedException
    {
        final LocalAwareExecutorPlus threads = pool("RequestPoolIT-Throws", 1);
        try
        {
            final RequestPool pool = new RequestPool(threads);
            final List<Throwable> seen = new CopyOnWriteArrayList<>();
            final CountDownLatch done = new CountDownLatch(1);
            pool.execute(() ->
            {
                Thread.currentThread().setUncaughtExceptionHandler((thread, error) -> seen.add(error));
                throw new IllegalStateException("on purpose");
            });
            pool.execute(done::countDown);
            assertTrue(done.await(1, TimeUnit.MINUTES), "the next one ran");
            Await.until("it was reported", () -> seen.size() == 1);
            assertEquals("on purpose", seen.get(0).getMessage());
        }
        finally
        {
            threads.shutdownNow();
        }
    }

    private static LocalAwareExecutorPlus pool(final String name, final int threads)
    {
        return SharedExecutorPool.SHARED.newExecutor(threads, size ->
        {
        }, "transport", name);
    }

    private static void awaitQuietly(final CountDownLatch latch)
    {
        try
        {
            latch.await();
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }
}
