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

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How often each value occurred, within 3 %: values up to 63 have a bucket each, above that every power of two is cut
 * into 32 buckets. Counting is an increment, atomic only if there are too many threads for each to have counts of its
 * own, and allocates nothing after a thread's first. Any thread.
 */
final class BucketCounts
{
    /** Buckets per power of two, as a power of two. */
    private static final int SUB_BITS = 5;
    private static final int SUB_COUNT = 1 << SUB_BITS;
    /** Larger values count as this one: 2^42 ns are 73 minutes. */
    static final long HIGHEST = (1L << 42) - 1;
    /** How many buckets there are. */
    static final int LENGTH = index(HIGHEST) + 1;
    private static final int MOST_STRIPES = 16;

    private static final VarHandle STRIPE = MethodHandles.arrayElementVarHandle(AtomicLongArray[].class);

    private final OwnedCounts owned = new OwnedCounts(LENGTH);
    private final AtomicLongArray[] stripes;

    BucketCounts()
    {
        final int processors = Math.min(MOST_STRIPES, Runtime.getRuntime().availableProcessors());
        stripes = new AtomicLongArray[Integer.highestOneBit(2 * processors - 1)];
    }

    /** Counts one value; negative ones as 0. */
    void add(final long value)
    {
        final int index = index(value);
        if (!owned.add(index, 1))
        {
            addShared(index);
        }
    }

    private void addShared(final int index)
    {
        final int stripe = (int)Thread.currentThread().getId() & stripes.length - 1;
        AtomicLongArray counts = stripes[stripe];
        if (counts == null)
        {
            counts = make(stripe);
        }
        counts.getAndIncrement(index);
    }

    private AtomicLongArray make(final int stripe)
    {
        final AtomicLongArray fresh = new AtomicLongArray(LENGTH);
        final AtomicLongArray other = (AtomicLongArray)STRIPE.compareAndExchange(stripes, stripe, null, fresh);
        return other == null ? fresh : other;
    }

    private static int index(final long value)
    {
        final long bounded = Math.max(0, Math.min(value, HIGHEST));
        if (bounded < SUB_COUNT)
        {
            return (int)bounded;
        }
        final int shift = Long.SIZE - 1 - SUB_BITS - Long.numberOfLeadingZeros(bounded);
        return (shift << SUB_BITS) + (int)(bounded >>> shift);
    }

    /** The smallest value of a bucket. */
    static long lowest(final int index)
    {
        if (index < 2 * SUB_COUNT)
        {
            return index;
        }
        final int shift = (index >>> SUB_BITS) - 1;
        return (long)(index - (shift << SUB_BITS)) << shift;
    }

    /** The largest value of a bucket. */
    static long highest(final int index)
    {
        return index + 1 == LENGTH ? HIGHEST : lowest(index + 1) - 1;
    }

    /** All counts since the beginning, by bucket. */
    long[] totals()
    {
        final long[] totals = new long[LENGTH];
        owned.addTo(totals);
        for (int stripe = 0; stripe < stripes.length; stripe++)
        {
            final AtomicLongArray counts = (AtomicLongArray)STRIPE.getAcquire(stripes, stripe);
            for (int i = 0; counts != null && i < LENGTH; i++)
            {
                totals[i] += counts.get(i);
            }
        }
        return totals;
    }

    /** How many values were counted since the beginning. */
    long count()
    {
        long count = 0;
        for (final long bucket : totals())
        {
            count += bucket;
        }
        return count;
    }
}
