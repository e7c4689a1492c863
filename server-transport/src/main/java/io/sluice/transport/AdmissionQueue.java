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
package io.sluice.transport;

import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Connections that wait for bytes of a shared budget, first come first served.
 * <p>
 * Each release of bytes wakes the one that waits longest; if it gets what it needs, it wakes the next. One that is
 * refused again, by its address's budget, goes to the end and passes the wake on, once round at most: what was given
 * back may be of use to clients of other addresses. So the last release always finds somebody who can go on. Any
 * thread.
 */
final class AdmissionQueue
{
    private final ConcurrentLinkedDeque<Connection> waiting = new ConcurrentLinkedDeque<>();
    private final AtomicInteger size = new AtomicInteger();

    void add(final Connection connection)
    {
        size.incrementAndGet();
        waiting.addLast(connection);
    }

    void remove(final Connection connection)
    {
        if (waiting.remove(connection))
        {
            size.decrementAndGet();
        }
    }

    /** Bytes were given back, or a waiter got what it needed and some may be left. */
    void wakeOne()
    {
        wakeOne(size.get());
    }

    /**
     * The same.
     *
     * @param tries how many waiters may be asked, one after the other, until one can go on or the transport is full
     */
    void wakeOne(final int tries)
    {
        if (tries > 0)
        {
            final Connection connection = waiting.pollFirst();
            if (connection != null)
            {
                size.decrementAndGet();
                connection.wakeFromAdmissionQueue(tries - 1);
            }
        }
    }

    int size()
    {
        return size.get();
    }
}
