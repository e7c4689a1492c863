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
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.cassandra.concurrent.DebuggableTask;
import org.apache.cassandra.concurrent.LocalAwareExecutorPlus;
import org.apache.cassandra.concurrent.SharedExecutorPool;
import org.apache.cassandra.metrics.CassandraMetricsRegistry;
import org.apache.cassandra.metrics.ThreadPoolMetrics;
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
    void eachTaskRunsOnce() throws InterruptedException
    {
        final LocalAwareExecutorPlus threads = pool("RequestPoolIT-Once", THREADS);
        try
        {
            final RequestPool pool = new RequestPool(threads);
            for (final int size : new int[]{1, 3, 100, 5_000, 20_000, 2, 700})
            {
                final Tally tally = new Tally(size);
                for (int i = 0; i < size; i++)
                {
                    pool.execute(tally.task(i));
                }
                tally.checkAll();
            }
        }
        finally
        {
            threads.shutdownNow();
        }
    }

    @Test
    void moreThanTheQueueHoldsWaitAndRun() throws InterruptedException
    {
        final LocalAwareExecutorPlus threads = pool("RequestPoolIT-Many", THREADS);
        final CountDownLatch end = new CountDownLatch(1);
        try
        {
            final RequestPool pool = new RequestPool(threads);
            occupy(pool, THREADS, end);
            final int size = 20_000;
            final Tally tally = new Tally(size);
            for (int i = 0; i < size; i++)
            {
                pool.execute(tally.task(i));
            }
            assertEquals(size, pool.pending());
            end.countDown();
            tally.checkAll();
            Await.until("none waits", () -> pool.pending() == 0 && pool.active() == 0);
        }
        finally
        {
            end.countDown();
            threads.shutdownNow();
        }
    }

    /** Producers at odds, tasks that block, pauses longer than a runner stays, and a pool that changes its size. */
    @Test
    void nothingIsLostHoweverTasksCome() throws InterruptedException
    {
        final LocalAwareExecutorPlus threads = pool("RequestPoolIT-Odds", THREADS);
        try
        {
            final RequestPool pool = new RequestPool(threads);
            final int producers = 3;
            final int each = 30_000;
            final Tally tally = new Tally(producers * each);
            final List<Thread> all = new ArrayList<>();
            for (int p = 0; p < producers; p++)
            {
                final int first = p * each;
                final Thread thread = new Thread(() -> produce(pool, tally, first, each), "producer " + p);
                all.add(thread);
                thread.start();
            }
            final SplittableRandom random = new SplittableRandom(producers);
            while (all.stream().anyMatch(Thread::isAlive))
            {
                threads.setMaximumPoolSize(1 + random.nextInt(2 * THREADS));
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
            tally.checkAll();
            Await.until("none waits", () -> pool.pending() == 0 && pool.active() == 0);
        }
        finally
        {
            threads.shutdownNow();
        }
    }

    private static void produce(final RequestPool pool, final Tally tally, final int first, final int count)
    {
        final SplittableRandom random = new SplittableRandom(first);
        for (int i = 0; i < count; i++)
        {
            final Runnable task = tally.task(first + i);
            final int kind = random.nextInt(10_000);
            pool.execute(kind >= 100 ? task : () ->
            {
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(10L * kind));
                task.run();
            });
            if (kind == 0)
            {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(110));
            }
            else if (kind % 100 == 1)
            {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void figuresCountRequests() throws InterruptedException
    {
        final LocalAwareExecutorPlus threads = pool("RequestPoolIT-Figures", THREADS);
        final CountDownLatch end = new CountDownLatch(1);
        try
        {
            final RequestPool pool = new RequestPool(threads).showFigures();
            occupy(pool, THREADS, end);
            for (int i = 0; i < 10; i++)
            {
                pool.execute(() ->
                {
                });
            }
            final ThreadPoolMetrics figures = CassandraMetricsRegistry.Metrics
                .getThreadPoolMetrics("RequestPoolIT-Figures")
                .orElseThrow();
            assertEquals(THREADS, figures.activeTasks.getValue());
            assertEquals(10, figures.pendingTasks.getValue());
            assertEquals(0, figures.completedTasks.getValue());
            assertEquals(THREADS, figures.maxPoolSize.getValue());
            end.countDown();
            Await.until("all ran", () -> figures.completedTasks.getValue() == THREADS + 10);
            Await.until("at rest", () -> figures.activeTasks.getValue() == 0 && figures.pendingTasks.getValue() == 0);
        }
        finally
        {
            end.countDown();
            threads.shutdownNow();
        }
    }

    private static void occupy(final RequestPool pool, final int count, final CountDownLatch end)
        throws InterruptedException
    {
        final CountDownLatch begun = new CountDownLatch(count);
        for (int i = 0; i < count; i++)
        {
            pool.execute(() ->
            {
                begun.countDown();
                awaitQuietly(end);
            });
        }
        assertTrue(begun.await(1, TimeUnit.MINUTES), "a thread for each");
    }

    @Test
    void tasksThatStayLongDelayNoOther() throws InterruptedException
    {
        final LocalAwareExecutorPlus threads = pool("RequestPoolIT-Long", THREADS);
        final CountDownLatch end = new CountDownLatch(1);
        try
        {
            final RequestPool pool = new RequestPool(threads);
            occupy(pool, THREADS - 1, end);
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

    /** While all tasks are quick nobody is woken for a few that wait behind one; then one is not quick. */
    @Test
    void thoseBehindTheFirstSlowOneOfManyQuickOnesRun() throws InterruptedException
    {
        final LocalAwareExecutorPlus threads = pool("RequestPoolIT-Quick", THREADS);
        final SplittableRandom random = new SplittableRandom(7);
        try
        {
            final RequestPool pool = new RequestPool(threads);
            for (int round = 0; round < 100; round++)
            {
                for (int wave = 0; wave < 20; wave++)
                {
                    runAll(pool, 1 + random.nextInt(16));
                }
                final CountDownLatch end = new CountDownLatch(1);
                for (int slow = 1 + random.nextInt(THREADS - 1); slow > 0; slow--)
                {
                    pool.execute(() -> awaitQuietly(end));
                }
                runAll(pool, 1 + random.nextInt(16));
                end.countDown();
            }
        }
        finally
        {
            threads.shutdownNow();
        }
    }

    private static void runAll(final RequestPool pool, final int count) throws InterruptedException
    {
        final CountDownLatch ran = new CountDownLatch(count);
        for (int i = 0; i < count; i++)
        {
            pool.execute(ran::countDown);
        }
        assertTrue(ran.await(1, TimeUnit.MINUTES), () -> ran.getCount() + " of " + count + " wait");
    }

    /** The runner that is called while all threads are busy gets none of them for as long as the others stay. */
    @Test
    void aRunnerWithoutWorkIsWokenWhileAnotherWaitsForAThread() throws InterruptedException
    {
        final LocalAwareExecutorPlus threads = pool("RequestPoolIT-Behind", 1);
        final int rounds = 20;
        try
        {
            final RequestPool pool = new RequestPool(threads);
            for (int i = 0; i < rounds; i++)
            {
                final CountDownLatch end = new CountDownLatch(1);
                occupy(pool, 1, end);
                runOne(pool, end);
                Await.until("at rest", () -> pool.pending() == 0 && pool.active() == 0);
                runOne(pool, new CountDownLatch(0));
                Await.until("at rest", () -> pool.pending() == 0 && pool.active() == 0);
            }
            final long left = threads.getCompletedTaskCount();
            assertTrue(left < rounds, () -> left + " runners had to leave before a task ran in " + rounds + " rounds");
        }
        finally
        {
            threads.shutdownNow();
        }
    }

    private static void runOne(final RequestPool pool, final CountDownLatch end) throws InterruptedException
    {
        final CountDownLatch ran = new CountDownLatch(1);
        pool.execute(ran::countDown);
        end.countDown();
        assertTrue(ran.await(1, TimeUnit.MINUTES), "it ran");
    }

    /** A thread that always finds the next task must not forget those that came when the queue was full. */
    @Test
    void noTaskIsOvertakenForEver() throws InterruptedException
    {
        final LocalAwareExecutorPlus threads = pool("RequestPoolIT-Overtaken", 1);
        final CountDownLatch end = new CountDownLatch(1);
        final AtomicBoolean isOver = new AtomicBoolean();
        try
        {
            final RequestPool pool = new RequestPool(threads);
            occupy(pool, 1, end);
            pool.execute(new Runnable()
            {
                @Override
                public void run()
                {
                    if (!isOver.get())
                    {
                        pool.execute(this);
                    }
                }
            });
            final Tally tally = new Tally(20_000);
            for (int i = 0; i < tally.runs.length(); i++)
            {
                pool.execute(tally.task(i));
            }
            end.countDown();
            tally.checkAll();
        }
        finally
        {
            isOver.set(true);
            end.countDown();
            threads.shutdownNow();
        }
    }

    /** A runner lives longer than what it runs. */
    @Test
    void aStepOfALoginIsNoOlderThanItself() throws InterruptedException
    {
        final LocalAwareExecutorPlus threads = pool("RequestPoolIT-Login", 1);
        final CountDownLatch end = new CountDownLatch(1);
        try
        {
            final RequestPool pool = new RequestPool(threads);
            occupy(pool, 1, new CountDownLatch(0));
            final long before = System.nanoTime();
            final AtomicReference<String> thread = new AtomicReference<>();
            final CountDownLatch begun = new CountDownLatch(1);
            pool.execute(() ->
            {
                thread.set(Thread.currentThread().getName());
                begun.countDown();
                awaitQuietly(end);
            });
            assertTrue(begun.await(1, TimeUnit.MINUTES), "it runs");
            final DebuggableTask step = SharedExecutorPool.SHARED.runningTasks()
                .stream()
                .filter(task -> task.hasTask() && task.threadId().equals(thread.get()))
                .findAny()
                .orElseThrow();
            assertEquals("AUTH_RESPONSE", step.description());
            assertTrue(step.creationTimeNanos() - before >= 0, "created before it was queued");
            assertEquals(step.creationTimeNanos(), step.startTimeNanos());
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
                Thread.currentThread().setUncaughtExceptionHandler((thread, error) ->
                {
                    thread.setUncaughtExceptionHandler(null);
                    seen.add(error);
                });
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

    /** How often each of many tasks has run. */
    private static final class Tally
    {
        private final AtomicIntegerArray runs;
        private final CountDownLatch done;

        Tally(final int size)
        {
            runs = new AtomicIntegerArray(size);
            done = new CountDownLatch(size);
        }

        Runnable task(final int index)
        {
            return () ->
            {
                runs.incrementAndGet(index);
                done.countDown();
            };
        }

        void checkAll() throws InterruptedException
        {
            assertTrue(done.await(1, TimeUnit.MINUTES), () -> done.getCount() + " of " + runs.length() + " never ran");
            for (int i = 0; i < runs.length(); i++)
            {
                assertEquals(1, runs.get(i), "runs of task " + i + " of " + runs.length());
            }
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
