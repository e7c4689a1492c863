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

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.db.partitions.Partition;
import org.apache.cassandra.triggers.ITrigger;

/** Holds writes on the threads that serve them, for as long as a test says. Cassandra makes the objects. */
public final class HoldingTrigger implements ITrigger
{
    private static final AtomicInteger BEGUN = new AtomicInteger();
    private static volatile CountDownLatch go = new CountDownLatch(0);

    /** From now on, until {@link #letGo}. */
    static void hold()
    {
        BEGUN.set(0);
        go = new CountDownLatch(1);
    }

    /** How many writes have come since. */
    static int begun()
    {
        return BEGUN.get();
    }

    /** From now on none is held. */
    static void letGo()
    {
        go.countDown();
    }

    @Override
    public Collection<Mutation> augment(final Partition update)
    {
        final CountDownLatch end = go;
        BEGUN.incrementAndGet();
        try
        {
            end.await();
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        return List.of();
    }
}
