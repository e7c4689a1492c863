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
package io.sluice.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ByteBudgetTest
{
    private long limit = 100;
    private final ByteBudget budget = new ByteBudget(() -> limit);

    @Test
    void givesUpToTheLimitAndNoMore()
    {
        assertTrue(budget.tryAcquire(60));
        assertTrue(budget.tryAcquire(40));
        assertTrue(budget.isExhausted());
        assertFalse(budget.tryAcquire(1));
        assertEquals(100, budget.usedBytes(), "a refusal costs nothing");
        budget.release(1);
        assertFalse(budget.isExhausted());
        assertTrue(budget.tryAcquire(1));
        budget.release(100);
        assertEquals(0, budget.usedBytes());
    }

    @Test
    void followsALimitThatChanges()
    {
        assertTrue(budget.tryAcquire(100));
        limit = 200;
        assertEquals(200, budget.limitBytes());
        assertTrue(budget.tryAcquire(100));
        limit = 50;
        assertTrue(budget.isExhausted());
        assertFalse(budget.tryAcquire(0), "overdrawn");
        budget.release(200);
        assertTrue(budget.tryAcquire(50));
        budget.release(50);
    }

    @Test
    void canBeOverdrawnOnPurpose()
    {
        budget.acquire(150);
        assertEquals(150, budget.usedBytes());
        assertTrue(budget.isExhausted());
        assertFalse(budget.tryAcquire(1));
        budget.release(150);
    }

    @Test
    @Timeout(30)
    void aRefusedClaimDisturbsNoOther() throws InterruptedException
    {
        final CountDownLatch started = new CountDownLatch(1);
        final AtomicBoolean done = new AtomicBoolean();
        final Thread greedy = new Thread(() ->
        {
            started.countDown();
            while (!done.get())
            {
                budget.tryAcquire(1_000_000);
            }
        });
        greedy.start();
        started.await();
        int refused = 0;
        for (int i = 0; i < 200_000; i++)
        {
            if (budget.tryAcquire(1))
            {
                budget.release(1);
            }
            else
            {
                refused++;
            }
        }
        done.set(true);
        greedy.join();
        assertEquals(0, refused, "claims that fit");
    }

    @Test
    @Timeout(30)
    void isExactUnderContention() throws InterruptedException
    {
        final int threads = 4;
        final CountDownLatch start = new CountDownLatch(1);
        final AtomicInteger overdrawn = new AtomicInteger();
        final AtomicInteger holders = new AtomicInteger();
        final AtomicInteger granted = new AtomicInteger();
        final Thread[] all = new Thread[threads];
        for (int i = 0; i < threads; i++)
        {
            all[i] = new Thread(() -> acquireAndRelease(start, holders, granted, overdrawn));
            all[i].start();
        }
        start.countDown();
        for (final Thread thread : all)
        {
            thread.join();
        }
        assertTrue(granted.get() > 0);
        assertEquals(0, overdrawn.get(), "more granted than the limit");
        assertEquals(0, budget.usedBytes());
    }

    private void acquireAndRelease(final CountDownLatch start,
        final AtomicInteger holders,
        final AtomicInteger granted,
        final AtomicInteger overdrawn)
    {
        try
        {
            start.await();
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            return;
        }
        // Three may hold 30 at once, never four.
        for (int i = 0; i < 20_000; i++)
        {
            if (budget.tryAcquire(30))
            {
                granted.incrementAndGet();
                if (holders.incrementAndGet() > 3)
                {
                    overdrawn.incrementAndGet();
                }
                holders.decrementAndGet();
                budget.release(30);
            }
        }
    }
}
