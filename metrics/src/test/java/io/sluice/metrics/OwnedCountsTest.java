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
package io.sluice.metrics;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class OwnedCountsTest
{
    private static long[] totals(final OwnedCounts counts, final int length)
    {
        final long[] totals = new long[length];
        counts.addTo(totals);
        return totals;
    }

    /** A thread, not started, that would have the same place as this one. */
    private static Thread rivalOf(final Thread thread, final Runnable command)
    {
        Thread rival = new Thread(command);
        while ((rival.getId() - thread.getId()) % OwnedCounts.places() != 0)
        {
            rival = new Thread(command);
        }
        return rival;
    }

    @Test
    void aThreadHasAPlaceForAsLongAsItLives() throws InterruptedException
    {
        final OwnedCounts counts = new OwnedCounts(3);
        final CountDownLatch counted = new CountDownLatch(1);
        final CountDownLatch end = new CountDownLatch(1);
        final List<Boolean> answers = new CopyOnWriteArrayList<>();
        final Thread first = new Thread(() ->
        {
            answers.add(counts.add(0, 1));
            answers.add(counts.add(2, 70));
            counted.countDown();
            awaitQuietly(end);
        });
        first.start();
        counted.await();
        assertEquals(List.of(true, true), answers);
        assertArrayEquals(new long[]{1, 0, 70}, totals(counts, 3));
        final Thread second = rivalOf(first, () -> answers.add(counts.add(0, 1)));
        second.start();
        second.join();
        assertEquals(List.of(true, true, false), answers);
        assertArrayEquals(new long[]{1, 0, 70}, totals(counts, 3));
        end.countDown();
        first.join();
        final Thread third = rivalOf(first, () -> answers.add(counts.add(2, -5)));
        third.start();
        third.join();
        assertEquals(List.of(true, true, false, true), answers);
        assertArrayEquals(new long[]{1, 0, 65}, totals(counts, 3));
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

    /** More threads than places, some of which end while others come. */
    @Test
    void whatWasTakenIsCountedOnce() throws InterruptedException
    {
        final OwnedCounts counts = new OwnedCounts(1);
        final AtomicLong elsewhere = new AtomicLong();
        final int each = 2_000;
        final int threads = 6 * OwnedCounts.places();
        ManyThreads.run(threads, each, i ->
        {
            if (!counts.add(0, 1))
            {
                elsewhere.incrementAndGet();
            }
        });
        assertEquals((long)threads * each, totals(counts, 1)[0] + elsewhere.get());
        assertTrue(elsewhere.get() < (long)threads * each, "somebody had a place");
    }

    @Test
    void aCounterCountsForAllThreads() throws InterruptedException
    {
        final LoopCounter counter = new LoopCounter();
        ManyThreads.run(20, 1000, i ->
        {
            counter.inc();
            counter.inc(9);
            counter.dec();
            counter.dec(3);
        });
        assertEquals(20 * 1000 * 6, counter.getCount());
    }
}
