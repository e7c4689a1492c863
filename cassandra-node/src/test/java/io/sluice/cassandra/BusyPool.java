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

import io.sluice.transport.testkit.Await;
import java.util.concurrent.CountDownLatch;
import org.apache.cassandra.concurrent.ExecutorPlus;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.metrics.StorageMetrics;

/** One of the node's pools, cut down to one thread that is busy until this is released or closed. */
public final class BusyPool implements AutoCloseable
{
    private final ExecutorPlus pool;
    private final int threads;
    private final CountDownLatch busy = new CountDownLatch(1);

    /** Returns once the one thread is busy. */
    BusyPool(final ExecutorPlus pool) throws InterruptedException
    {
        this.pool = pool;
        threads = pool.getMaximumPoolSize();
        final CountDownLatch begun = new CountDownLatch(1);
        pool.setMaximumPoolSize(1);
        pool.submit(() ->
        {
            begun.countDown();
            busy.await();
            return null;
        });
        begun.await();
    }

    /** The stage that writes to memtables and commit log: no local write is done until this is released. */
    public static BusyPool mutations() throws InterruptedException
    {
        return new BusyPool(Stage.MUTATION.executor());
    }

    /** Returns once a task waits for the thread. */
    public void awaitWaiting()
    {
        Await.until("a task waits", () -> pool.getPendingTaskCount() > 0);
    }

    /** Lets the one thread go on to what waits. */
    public void release()
    {
        busy.countDown();
    }

    /** Returns once nothing waits or runs, hints included. */
    public void settle()
    {
        release();
        Await.until("what waited is done", () -> pool.getPendingTaskCount() == 0 && pool.getActiveTaskCount() == 0 &&
            StorageMetrics.totalHintsInProgress.getCount() == 0);
    }

    @Override
    public void close()
    {
        release();
        pool.setMaximumPoolSize(threads);
    }
}
