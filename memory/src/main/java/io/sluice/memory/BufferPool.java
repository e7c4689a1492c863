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

import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.ManyToManyConcurrentArrayQueue;
import org.agrona.concurrent.NanoClock;

/**
 * Direct memory in a few sizes, lent as {@link BufferLease}s and counted: what is out, since when, and for what.
 * <p>
 * A claim takes a free buffer of the smallest size that fits and makes one where none is free. Sizes above the largest
 * are made to measure and freed at once on return. What lies idle is bounded by the size of the free queues.
 * Any thread.
 * <p>
 * Open to subclasses for one reason: a test's pool refuses claims of its own choosing.
 */
public class BufferPool implements AutoCloseable
{
    /** Holds any segment: header, 131,071 bytes of payload and trailer. */
    public static final int SEGMENT_CAPACITY = 132 * 1024;
    /** Returned to no queue. */
    private static final int UNPOOLED = -1;
    private static final byte POISON = (byte)0xDB;
    /** The larger ones have some room beside a value of round size, for what comes around it. */
    private static final int[] CAPACITIES = {1 << 10, 1 << 12, 1 << 14, 1 << 16, SEGMENT_CAPACITY, 272 << 10, 544 << 10,
        1 << 20, 1088 << 10, 2112 << 10, 1 << 22};
    /** At most this much idle memory per size, unless a size is itself larger. */
    private static final int IDLE_BYTES_PER_SIZE = 1 << 24;

    private final NanoClock clock;
    private final long limitBytes;
    private final boolean poison;
    private final ManyToManyConcurrentArrayQueue<BufferLease>[] free;
    private final AtomicLong madeBytes = new AtomicLong();
    private final AtomicLong outstandingLeases = new AtomicLong();
    private final AtomicLong outstandingBytes = new AtomicLong();
    private final Set<BufferLease> made = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * A pool.
     *
     * @param clock for the age of leases
     * @param limitBytes most direct memory that this pool makes, idle memory included; at least 1 MiB
     * @param poison true to overwrite memory on return, so that late use shows (for tests; costs time)
     */
    public BufferPool(final NanoClock clock, final long limitBytes, final boolean poison)
    {
        if (limitBytes < 1 << 20)
        {
            throw new IllegalArgumentException("limitBytes: " + limitBytes + " (expected: >= 1048576)");
        }
        this.clock = clock;
        this.limitBytes = limitBytes;
        this.poison = poison;
        this.free = queues();
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static ManyToManyConcurrentArrayQueue<BufferLease>[] queues()
    {
        final int sizes = CAPACITIES.length;
        final ManyToManyConcurrentArrayQueue<BufferLease>[] queues = new ManyToManyConcurrentArrayQueue[sizes];
        for (int i = 0; i < queues.length; i++)
        {
            queues[i] = new ManyToManyConcurrentArrayQueue<>(
                Math.max(4, Math.min(4096, IDLE_BYTES_PER_SIZE / CAPACITIES[i])));
        }
        return queues;
    }

    /**
     * Lends at least {@code minimumCapacity} bytes; the contents are whatever was there before.
     *
     * @param owner what it is for, a constant: shown with leaks
     * @return owned by the caller
     * @throws MemoryExhaustedException if the limit or the machine's direct memory is used up
     */
    public BufferLease claim(final int minimumCapacity, final String owner)
    {
        if (minimumCapacity < 0)
        {
            throw new IllegalArgumentException("minimumCapacity: " + minimumCapacity + " (expected: >= 0)");
        }
        final int sizeClass = sizeClass(minimumCapacity);
        BufferLease lease = sizeClass == UNPOOLED ? null : free[sizeClass].poll();
        if (lease == null)
        {
            lease = make(sizeClass, sizeClass == UNPOOLED ? minimumCapacity : CAPACITIES[sizeClass]);
        }
        outstandingLeases.incrementAndGet();
        outstandingBytes.addAndGet(lease.capacity());
        return lease.claim(owner, clock.nanoTime());
    }

    private static int sizeClass(final int minimumCapacity)
    {
        for (int i = 0; i < CAPACITIES.length; i++)
        {
            if (minimumCapacity <= CAPACITIES[i])
            {
                return i;
            }
        }
        return UNPOOLED;
    }

    private BufferLease make(final int sizeClass, final int capacity)
    {
        if (madeBytes.addAndGet(capacity) > limitBytes)
        {
            madeBytes.addAndGet(-capacity);
            freeIdle();
            if (madeBytes.addAndGet(capacity) > limitBytes)
            {
                madeBytes.addAndGet(-capacity);
                throw new MemoryExhaustedException(
                    "claim: " + capacity + " (expected: at most " + Math.max(0, limitBytes - madeBytes.get()) +
                        " left)",
                    null);
            }
        }
        final ByteBuffer direct;
        try
        {
            direct = ByteBuffer.allocateDirect(capacity);
        }
        catch (final OutOfMemoryError e)
        {
            madeBytes.addAndGet(-capacity);
            // Nothing was taken from the Java heap: the JVM only refused to reserve direct memory.
            throw new MemoryExhaustedException("claim: " + capacity + " bytes of direct memory refused", e);
        }
        final BufferLease lease = new BufferLease(this, new DirectMemory(direct), sizeClass);
        made.add(lease);
        return lease;
    }

    void giveBack(final BufferLease lease)
    {
        outstandingLeases.decrementAndGet();
        outstandingBytes.addAndGet(-lease.capacity());
        if (poison)
        {
            lease.buffer().setMemory(0, lease.capacity(), POISON);
        }
        if (lease.sizeClass() == UNPOOLED || closed.get() || !free[lease.sizeClass()].offer(lease))
        {
            destroy(lease);
        }
        else if (closed.get())
        {
            freeIdle();
        }
    }

    private void destroy(final BufferLease lease)
    {
        made.remove(lease);
        madeBytes.addAndGet(-lease.capacity());
        lease.memory().free();
    }

    /** Frees all memory that nobody holds. */
    public void freeIdle()
    {
        for (final ManyToManyConcurrentArrayQueue<BufferLease> queue : free)
        {
            for (BufferLease lease = queue.poll(); lease != null; lease = queue.poll())
            {
                destroy(lease);
            }
        }
    }

    /** Leases out at this moment: 0 when nothing is in work. */
    public long outstandingLeases()
    {
        return outstandingLeases.get();
    }

    /** Capacity of the leases out at this moment, in bytes. */
    public long outstandingBytes()
    {
        return outstandingBytes.get();
    }

    /** All direct memory of this pool, idle and lent, in bytes. */
    public long madeBytes()
    {
        return madeBytes.get();
    }

    /** The lease that has been out longest, or null; for gauges and leak reports. Walks all buffers. */
    public BufferLease oldestLease()
    {
        BufferLease oldest = null;
        for (final BufferLease lease : made)
        {
            if (lease.isClaimed() && (oldest == null || lease.claimedNanos() - oldest.claimedNanos() < 0))
            {
                oldest = lease;
            }
        }
        return oldest;
    }

    /** Frees idle memory now and lent memory as it comes back. */
    @Override
    public void close()
    {
        closed.set(true);
        freeIdle();
    }
}
