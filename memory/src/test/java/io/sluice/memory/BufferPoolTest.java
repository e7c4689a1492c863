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
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BufferPoolTest
{
    private static final long MEBIBYTE = 1 << 20;

    private long nanos;
    private final BufferPool pool = new BufferPool(() -> nanos, 16 * MEBIBYTE, true);

    @AfterEach
    void nothingIsOut()
    {
        assertEquals(0, pool.outstandingLeases(), "leases");
        assertEquals(0, pool.outstandingBytes(), "bytes");
        pool.close();
        assertEquals(0, pool.madeBytes(), "bytes made");
    }

    @ParameterizedTest
    @CsvSource({"0, 1024", "1, 1024", "1024, 1024", "1025, 4096", "16384, 16384", "16385, 65536", "65537, 135168",
        "131081, 135168", "135169, 278528", "262244, 278528", "278529, 557056", "557057, 1048576", "1048577, 1114112",
        "1114113, 2162688", "2162689, 4194304", "4194304, 4194304", "4194305, 4194305"})
    void claimsTheSmallestSizeThatFits(final int asked, final int expected)
    {
        try (BufferLease lease = pool.claim(asked, "test"))
        {
            assertEquals(expected, lease.capacity());
            assertEquals(0, lease.length());
            assertEquals(1, pool.outstandingLeases());
            assertEquals(expected, pool.outstandingBytes());
        }
    }

    @Test
    void lendsTheSameMemoryAgain()
    {
        final BufferLease first = pool.claim(100, "first");
        first.length(5);
        first.attachment("kept");
        first.close();
        try (BufferLease second = pool.claim(1000, "second"))
        {
            assertSame(first, second);
            assertEquals(0, second.length(), "length of the loan before");
            assertEquals("kept", second.attachment());
            assertEquals("second", second.owner());
        }
    }

    @Test
    void freesOversizeMemoryAtOnce()
    {
        pool.claim(5 << 20, "large").close();
        assertEquals(0, pool.madeBytes());
    }

    @Test
    void refusesWhatGoesOverTheLimit()
    {
        final BufferLease most = pool.claim((int)(15 * MEBIBYTE), "most");
        final MemoryExhaustedException refused = assertThrows(
            MemoryExhaustedException.class,
            () -> pool.claim((int)(2 * MEBIBYTE), "too much"));
        assertEquals("claim: 2162688 (expected: at most 1048576 left)", refused.getMessage());
        assertEquals(1, pool.outstandingLeases());
        pool.claim((int)MEBIBYTE, "the rest").close();
        most.close();
        pool.claim((int)(2 * MEBIBYTE), "now").close();
    }

    @Test
    void freesIdleMemoryOfOtherSizesBeforeRefusing()
    {
        final List<BufferLease> small = new ArrayList<>();
        for (int i = 0; i < 4; i++)
        {
            small.add(pool.claim(4 << 20, "small"));
        }
        small.forEach(BufferLease::close);
        assertEquals(16 * MEBIBYTE, pool.madeBytes(), "idle");
        pool.claim((int)(16 * MEBIBYTE), "all").close();
    }

    @Test
    void refusesASecondClose()
    {
        final BufferLease lease = pool.claim(10, "once");
        lease.close();
        final IllegalStateException error = assertThrows(IllegalStateException.class, lease::close);
        assertEquals("lease: closed twice, owner once", error.getMessage());
        assertEquals(0, pool.outstandingLeases());
        final BufferLease one = pool.claim(10, "one");
        final BufferLease other = pool.claim(10, "other");
        assertNotSame(one, other, "the same memory lent twice");
        one.close();
        other.close();
    }

    @Test
    void poisonsWhatComesBack()
    {
        final BufferLease lease = pool.claim(1024, "test");
        lease.buffer().putLong(0, 42);
        lease.close();
        assertEquals((byte)0xDB, lease.buffer().getByte(0));
        assertEquals((byte)0xDB, lease.buffer().getByte(1023));
    }

    @Test
    void keepsContentsWithoutPoison()
    {
        try (BufferPool clean = new BufferPool(() -> 0, MEBIBYTE, false))
        {
            final BufferLease lease = clean.claim(1024, "test");
            lease.buffer().putLong(0, 42);
            lease.close();
            assertEquals(42, lease.buffer().getLong(0));
        }
    }

    @Test
    void namesTheOldestLease()
    {
        assertNull(pool.oldestLease());
        nanos = 10;
        final BufferLease old = pool.claim(10, "old");
        nanos = 20;
        final BufferLease young = pool.claim(2000, "young");
        assertSame(old, pool.oldestLease());
        assertEquals(10, old.claimedNanos());
        old.close();
        assertSame(young, pool.oldestLease());
        assertFalse(old.isClaimed());
        assertTrue(young.isClaimed());
        young.close();
        assertNull(pool.oldestLease());
    }

    @Test
    void namesTheOldestLeaseAcrossAnOverflowOfTheClock()
    {
        nanos = Long.MAX_VALUE;
        final BufferLease old = pool.claim(10, "old");
        nanos = Long.MIN_VALUE + 5;
        final BufferLease young = pool.claim(10, "young");
        assertSame(old, pool.oldestLease());
        old.close();
        young.close();
    }

    @Test
    void freesLentMemoryThatComesBackAfterClosing()
    {
        final BufferLease lease = pool.claim(10, "late");
        pool.claim(10, "idle").close();
        pool.close();
        assertEquals(1024, pool.madeBytes());
        lease.close();
        assertEquals(0, pool.madeBytes());
    }

    @Test
    void freedMemoryCannotBeRead()
    {
        final BufferLease lease = pool.claim(5 << 20, "freed");
        lease.close();
        assertThrows(IndexOutOfBoundsException.class, () -> lease.buffer().getByte(0));
    }

    @Test
    void checksItsArguments()
    {
        assertThrows(IllegalArgumentException.class, () -> pool.claim(-1, "negative"));
        assertThrows(IllegalArgumentException.class, () -> new BufferPool(() -> 0, MEBIBYTE - 1, false));
        try (BufferLease lease = pool.claim(10, "test"))
        {
            assertThrows(IllegalArgumentException.class, () -> lease.length(-1));
            assertThrows(IllegalArgumentException.class, () -> lease.length(1025));
        }
    }

    @Test
    @Timeout(60)
    void survivesClaimsAndClosesFromManyThreads() throws Exception
    {
        final int threads = 4;
        final ExecutorService executor = Executors.newFixedThreadPool(threads);
        final ConcurrentLinkedQueue<BufferLease> handOver = new ConcurrentLinkedQueue<>();
        final List<Future<Integer>> results = new ArrayList<>();
        for (int i = 0; i < threads; i++)
        {
            final long seed = i;
            final Callable<Integer> work = () -> claimAndClose(new Random(seed), handOver);
            results.add(executor.submit(work));
        }
        for (final Future<Integer> result : results)
        {
            assertTrue(result.get() > 0, "no claim succeeded");
        }
        executor.shutdown();
        assertTrue(executor.awaitTermination(10, TimeUnit.SECONDS));
        handOver.forEach(BufferLease::close);
    }

    private int claimAndClose(final Random random, final ConcurrentLinkedQueue<BufferLease> handOver)
    {
        int claims = 0;
        for (int i = 0; i < 5000; i++)
        {
            try
            {
                final BufferLease lease = pool.claim(random.nextInt(200_000), "thread");
                final long mark = random.nextLong();
                lease.buffer().putLong(0, mark);
                assertEquals(mark, lease.buffer().getLong(0), "memory lent twice");
                claims++;
                handOver.add(lease);
            }
            catch (final MemoryExhaustedException e)
            {
                // Legal: the others hold it. Nothing may have been counted for it.
            }
            final BufferLease other = random.nextInt(3) == 0 ? null : handOver.poll();
            if (other != null)
            {
                other.close();
            }
        }
        return claims;
    }
}
