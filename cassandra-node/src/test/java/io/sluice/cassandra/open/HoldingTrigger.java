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

/** Holds each write on the thread that serves it, until a test lets all of them go. Cassandra makes the objects. */
public final class HoldingTrigger implements ITrigger
{
    /** How many writes have come. */
    static final AtomicInteger BEGUN = new AtomicInteger();
    private static final CountDownLatch GO = new CountDownLatch(1);

    /** From now on none is held. */
    static void letGo()
    {
        GO.countDown();
    }

    @Override
    public Collection<Mutation> augment(final Partition update)
    {
        BEGUN.incrementAndGet();
        try
        {
            GO.await();
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        return List.of();
    }
}
