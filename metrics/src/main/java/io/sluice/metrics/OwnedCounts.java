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

/**
 * Counts of threads that have a place of their own here, so that counting needs no atomic instruction: that is for
 * event loops, which count several times for each request. There are few places; who finds none, counts elsewhere.
 * The place of a thread that has ended goes to the next one that comes by, with what it has counted. Any thread.
 */
final class OwnedCounts
{
    private static final int MOST_PLACES = 16;
    /** Between what two threads write, in longs: two cache lines, since processors fetch them in pairs. */
    private static final int PADDING = 16;

    private static final VarHandle PLACE = MethodHandles.arrayElementVarHandle(Place[].class);
    private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(long[].class);

    private final int length;
    private final Place[] places;

    /** @param length how many counts there are */
    OwnedCounts(final int length)
    {
        this.length = length;
        places = new Place[places()];
    }

    /** A power of two: twice the processors, since there may be that many loops. */
    static int places()
    {
        final int processors = Math.min(MOST_PLACES / 2, Runtime.getRuntime().availableProcessors());
        return Integer.highestOneBit(4 * processors - 1);
    }

    /** Adds to a count; false, with nothing changed, if the calling thread has no place. */
    boolean add(final int index, final long more)
    {
        final Thread thread = Thread.currentThread();
        final int slot = (int)thread.getId() & places.length - 1;
        Place place = places[slot];
        if (place == null || place.owner != thread)
        {
            place = take(slot, thread);
            if (place == null)
            {
                return false;
            }
        }
        final long[] counts = place.counts;
        COUNT.setOpaque(counts, PADDING + index, counts[PADDING + index] + more);
        return true;
    }

    private Place take(final int slot, final Thread thread)
    {
        final Place before = (Place)PLACE.getVolatile(places, slot);
        if (before != null && before.owner.isAlive())
        {
            return null;
        }
        // All that a thread has written is seen by those who see that it has ended.
        final Place mine = new Place(thread, before == null ? new long[length + 2 * PADDING] : before.counts);
        return PLACE.compareAndSet(places, slot, before, mine) ? mine : null;
    }

    /** Adds all counts of all threads to these. */
    void addTo(final long[] totals)
    {
        for (int slot = 0; slot < places.length; slot++)
        {
            final Place place = (Place)PLACE.getVolatile(places, slot);
            for (int i = 0; place != null && i < length; i++)
            {
                totals[i] += (long)COUNT.getOpaque(place.counts, PADDING + i);
            }
        }
    }

    private static final class Place
    {
        private final Thread owner;
        private final long[] counts;

        Place(final Thread owner, final long[] counts)
        {
            this.owner = owner;
            this.counts = counts;
        }
    }
}
