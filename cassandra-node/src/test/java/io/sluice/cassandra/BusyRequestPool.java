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

/** The node's pool for requests, cut down to one thread that is busy until this is closed. */
public final class BusyRequestPool implements AutoCloseable
{
    private final BusyPool pool;

    /** Returns once the one thread is busy. */
    public BusyRequestPool() throws InterruptedException
    {
        pool = new BusyPool(CassandraInternals.REQUEST_EXECUTOR);
    }

    /** Requests that wait for the thread. */
    public int waiting()
    {
        return RequestStage.pool().pending();
    }

    /** How long the first of them has waited; 0 if none waits. */
    public long oldestNanos()
    {
        return RequestStage.pool().oldestNanos();
    }

    /** Lets the one thread go on to what waits. */
    public void release()
    {
        pool.release();
    }

    @Override
    public void close()
    {
        pool.close();
    }
}
