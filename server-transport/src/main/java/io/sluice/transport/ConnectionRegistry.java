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

import java.util.Collection;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Every accepted connection until its end. Any thread. */
final class ConnectionRegistry
{
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicLong ids = new AtomicLong();

    /** A number that no other connection of this transport has had. */
    long nextId()
    {
        return ids.incrementAndGet();
    }

    /** Counts an accepted socket, also one that is refused next. */
    int opened(final Connection connection)
    {
        connections.add(connection);
        return count.incrementAndGet();
    }

    void closed(final Connection connection)
    {
        if (connections.remove(connection))
        {
            count.decrementAndGet();
        }
    }

    int count()
    {
        return count.get();
    }

    Collection<Connection> all()
    {
        return Collections.unmodifiableSet(connections);
    }
}
