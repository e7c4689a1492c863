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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.testkit.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.cassandra.concurrent.SEPExecutor;
import org.apache.cassandra.concurrent.SharedExecutorPool;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a request's thread does itself in front of one of Cassandra's real pools, and what it hands over. */
final class ImmediateStageTest
{
    private static final int THREADS = 3;
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final AtomicInteger requestThreads = new AtomicInteger(8);
    private final List<CountDownLatch> held = new ArrayList<>();
    private SEPExecutor pool;
    private SEPExecutor requestPool;
    private RequestPool requests;
    private ImmediateStage stage;

    @BeforeAll
    static void configure()
    {
        DatabaseDescriptor.clientInitialization(false);
    }

    @BeforeEach
    void make()
    {
        pool = pool(THREADS);
        requestPool = pool(8);
        requests = new RequestPool(requestPool);
        stage = new ImmediateStage(pool, requestThreads::get, true);
    }

    private static SEPExecutor pool(final int threads)
    {
        return (SEPExecutor)SharedExecutorPool.SHARED.newExecutor(threads, size ->
        {
        }, "internal", "ImmediateStageTest-" + NUMBER.incrementAndGet());
    }

    @AfterEach
    void end()
    {
        held.forEach(CountDownLatch::countDown);
        pool.shutdownNow();
        requestPool.shutdownNow();
    }

    /** Gives the stage a task from a request's thread; tells which threads did what. */
    private Both onRequest(final Runnable task)
    {
        final Both both = new Both();
        requests.execute(() ->
        {
            both.request.complete(Thread.currentThread());
            stage.maybeExecuteImmediately(() ->
            {
                both.worker.complete(Thread.currentThread());
                task.run();
            });
            both.returned.complete(null);
        });
        return both;
    }

    /** A request's thread and the one that did its work. */
    private static final class Both
    {
        private final CompletableFuture<Thread> request = new CompletableFuture<>();
        private final CompletableFuture<Thread> worker = new CompletableFuture<>();
        private final CompletableFuture<Void> returned = new CompletableFuture<>();

        private void assertAtOnce()
        {
            assertSame(get(request), get(worker));
        }

        private void assertHandedOver()
        {
            assertNotSame(get(request), get(worker));
            get(returned);
        }
    }

    private static <T> T get(final CompletableFuture<T> future)
    {
        return future.orTimeout(Await.HANG.toSeconds(), TimeUnit.SECONDS).join();
    }

    /** A task that stays until the test ends or lets it go. */
    private Runnable hold()
    {
        return holdUntil(latch());
    }

    private CountDownLatch latch()
    {
        final CountDownLatch latch = new CountDownLatch(1);
        held.add(latch);
        return latch;
    }

    private static Runnable holdUntil(final CountDownLatch latch)
    {
        return () ->
        {
            try
            {
                latch.await();
            }
            catch (final InterruptedException e)
            {
                Thread.currentThread().interrupt();
            }
        };
    }

    private static void nothing()
    {
    }

    private void awaitRest()
    {
        Await.until("at rest", () -> pool.getActiveTaskCount() == 0 && pool.getPendingTaskCount() == 0);
    }

    @Test
    void aLoneTaskIsDoneByTheRequestsOwnThreadAndCounts()
    {
        for (int i = 1; i <= 100; i++)
        {
            final AtomicInteger active = new AtomicInteger();
            final Both both = onRequest(() -> active.set(stage.getActiveTaskCount()));
            get(both.returned);
            both.assertAtOnce();
            assertEquals(1, active.get());
            assertEquals(i, stage.getCompletedTaskCount());
        }
        awaitRest();
    }

    @Test
    void threadsThatServeNoRequestHandOver()
    {
        final CompletableFuture<Thread> worker = new CompletableFuture<>();
        stage.maybeExecuteImmediately(() -> worker.complete(Thread.currentThread()));
        assertNotSame(Thread.currentThread(), get(worker));
        // Nor does a thread of the pools that has served some, and does something else now.
        onRequest(ImmediateStageTest::nothing).assertAtOnce();
        final CompletableFuture<Boolean> serves = new CompletableFuture<>();
        pool.execute(() -> serves.complete(RequestRunner.current() != null));
        assertFalse(get(serves));
    }

    @Test
    void nothingIsDoneAtOnceWhileItIsOff()
    {
        stage.turn(false);
        assertFalse(stage.isOn());
        onRequest(ImmediateStageTest::nothing).assertHandedOver();
        stage.turn(true);
        onRequest(ImmediateStageTest::nothing).assertAtOnce();
    }

    @Test
    void workWithinWorkIsHandedOver()
    {
        final CompletableFuture<Thread> inner = new CompletableFuture<>();
        final Both outer = onRequest(
            () -> stage.maybeExecuteImmediately(() -> inner.complete(Thread.currentThread())));
        outer.assertAtOnce();
        assertNotSame(get(outer.request), get(inner));
        get(outer.returned);
        onRequest(ImmediateStageTest::nothing).assertAtOnce();
    }

    @Test
    void aQuarterOfTheRequestThreadsIsInAStageAtMost()
    {
        final CountDownLatch first = latch();
        final Both one = onRequest(holdUntil(first));
        one.assertAtOnce();
        onRequest(hold()).assertAtOnce();
        onRequest(ImmediateStageTest::nothing).assertHandedOver();
        requestThreads.set(12);
        onRequest(ImmediateStageTest::nothing).assertAtOnce();
        requestThreads.set(8);
        first.countDown();
        get(one.returned);
        Await.until("one left", () -> pool.getActiveTaskCount() == 1);
        onRequest(ImmediateStageTest::nothing).assertAtOnce();
    }

    @Test
    void noneOfAHandfulOfRequestThreads()
    {
        requestThreads.set(3);
        onRequest(ImmediateStageTest::nothing).assertHandedOver();
    }

    @Test
    void aFullStageIsWaitedFor()
    {
        pool.setMaximumPoolSize(1);
        final CountDownLatch busy = latch();
        final CountDownLatch begun = new CountDownLatch(1);
        pool.execute(() ->
        {
            begun.countDown();
            holdUntil(busy).run();
        });
        Await.until("busy", () -> begun.getCount() == 0);
        final Both late = onRequest(ImmediateStageTest::nothing);
        get(late.returned);
        assertFalse(late.worker.isDone());
        assertEquals(1, stage.getPendingTaskCount());
        busy.countDown();
        late.assertHandedOver();
        awaitRest();
    }

    @Test
    void whoeverWaitedForARequestsThreadIsCalled()
    {
        pool.setMaximumPoolSize(1);
        for (int i = 0; i < 50; i++)
        {
            final CountDownLatch end = latch();
            final Both first = onRequest(holdUntil(end));
            first.assertAtOnce();
            final CompletableFuture<Thread> second = new CompletableFuture<>();
            pool.execute(() -> second.complete(Thread.currentThread()));
            assertFalse(second.isDone());
            // Long enough, every other time, for the pool's threads to have looked in vain and gone to sleep.
            LockSupport.parkNanos(i % 2 * TimeUnit.MILLISECONDS.toNanos(10));
            end.countDown();
            assertNotSame(get(first.request), get(second));
            awaitRest();
        }
    }

    @Test
    void aFailureIsCassandrasToHandleAndKeepsNoPlace()
    {
        final AtomicReference<Throwable> seen = new AtomicReference<>();
        final Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, error) -> seen.set(error));
        try
        {
            for (final Throwable error : List.of(new IllegalStateException("a bug"), new StackOverflowError("deep")))
            {
                get(onRequest(() -> raise(error)).returned);
                assertSame(error, seen.get());
                awaitRest();
            }
            onRequest(ImmediateStageTest::nothing).assertAtOnce();
        }
        finally
        {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    private static void raise(final Throwable error)
    {
        if (error instanceof Error fatal)
        {
            throw fatal;
        }
        throw (RuntimeException)error;
    }

    @Test
    void aShutdownWaitsForWorkAtOnceAndNoMoreComes() throws InterruptedException
    {
        final CountDownLatch end = latch();
        final Both last = onRequest(holdUntil(end));
        last.assertAtOnce();
        stage.shutdown();
        assertTrue(stage.isShutdown());
        assertFalse(stage.awaitTermination(20, TimeUnit.MILLISECONDS));
        final AtomicBoolean ran = new AtomicBoolean();
        final Both late = onRequest(() -> ran.set(true));
        get(late.returned);
        assertFalse(late.worker.isDone() && get(late.worker) == get(late.request));
        end.countDown();
        assertTrue(stage.awaitTermination(Await.HANG.toSeconds(), TimeUnit.SECONDS));
        get(last.returned);
    }

    @Test
    void everyTaskIsDoneOnceAndEveryPlaceComesBackWhileTheStageChangesItsSize()
    {
        final int size = 40_000;
        final AtomicIntegerArray runs = new AtomicIntegerArray(size);
        final AtomicInteger done = new AtomicInteger();
        final AtomicInteger atOnce = new AtomicInteger();
        final SplittableRandom random = new SplittableRandom(11);
        for (int i = 0; i < size; i++)
        {
            final int task = i;
            final boolean isSlow = random.nextInt(500) == 0;
            final Runnable work = () ->
            {
                if (isSlow)
                {
                    LockSupport.parkNanos(100_000);
                }
                runs.incrementAndGet(task);
                if (RequestRunner.current() != null)
                {
                    atOnce.incrementAndGet();
                }
                done.incrementAndGet();
            };
            if (random.nextInt(4) == 0)
            {
                stage.execute(work);
            }
            else
            {
                requests.execute(() -> stage.maybeExecuteImmediately(work));
            }
            if (random.nextInt(1_000) == 0)
            {
                stage.setMaximumPoolSize(1 + random.nextInt(4));
            }
        }
        Await.until("all are done", () -> done.get() == size);
        for (int i = 0; i < size; i++)
        {
            assertEquals(1, runs.get(i));
        }
        awaitRest();
        assertTrue(atOnce.get() > 0);
        Await.until("all are counted", () -> stage.getCompletedTaskCount() == size);
    }
}
