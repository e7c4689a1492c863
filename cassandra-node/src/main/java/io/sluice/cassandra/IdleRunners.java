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

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Runners without work, each on a seat of its own. The lowest one that is taken is woken first, so that few threads
 * stay busy and the others leave in time. Lock free; any thread.
 */
final class IdleRunners
{
    /** One bit each. */
    private static final int SEATS = Long.SIZE;

    private final AtomicLong taken = new AtomicLong();
    private final AtomicLong sitting = new AtomicLong();
    private final AtomicReferenceArray<Thread> threads = new AtomicReferenceArray<>(SEATS);

    /** A seat for the calling thread, or -1 if all are taken. */
    int takeSeat()
    {
        long before = taken.get();
        while (before != -1)
        {
            final long free = Long.lowestOneBit(~before);
            if (taken.compareAndSet(before, before | free))
            {
                final int seat = Long.numberOfTrailingZeros(free);
                threads.set(seat, Thread.currentThread());
                return seat;
            }
            before = taken.get();
        }
        return -1;
    }

    /** Gives a seat back that nobody sits on. */
    void leaveSeat(final int seat)
    {
        if (seat >= 0)
        {
            threads.set(seat, null);
            taken.getAndAdd(-(1L << seat));
        }
    }

    /** From here on {@link #wakeOne} may choose this one. */
    void sit(final int seat)
    {
        sitting.getAndAdd(1L << seat);
    }

    /** True if nobody has called this one in time; from then on nobody will. */
    boolean getUp(final int seat)
    {
        final long bit = 1L << seat;
        long before = sitting.get();
        while ((before & bit) != 0)
        {
            if (sitting.compareAndSet(before, before & ~bit))
            {
                return true;
            }
            before = sitting.get();
        }
        return false;
    }

    /** Waits on a seat; true if it was called, false if it sat for so many nanoseconds and is up again. */
    boolean awaitCall(final int seat, final long nanos)
    {
        final long bit = 1L << seat;
        final long end = System.nanoTime() + nanos;
        while ((sitting.get() & bit) != 0)
        {
            final long left = end - System.nanoTime();
            if (left <= 0)
            {
                return !getUp(seat);
            }
            // A request may have left its thread interrupted, and then this would not wait.
            Thread.interrupted();
            LockSupport.parkNanos(this, left);
        }
        return true;
    }

    /** Calls one; false if none sits. */
    boolean wakeOne()
    {
        long before = sitting.get();
        while (before != 0)
        {
            final long first = Long.lowestOneBit(before);
            if (sitting.compareAndSet(before, before & ~first))
            {
                // Only now: it was that runner's bit. If it has seen that already, whoever sits there is woken in vain.
                LockSupport.unpark(threads.get(Long.numberOfTrailingZeros(first)));
                return true;
            }
            before = sitting.get();
        }
        return false;
    }

    /** How many sit. */
    int count()
    {
        return Long.bitCount(sitting.get());
    }
}
