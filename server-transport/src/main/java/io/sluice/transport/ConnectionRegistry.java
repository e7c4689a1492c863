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
    private static final int NO_CAP = -1;

    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicInteger admitted = new AtomicInteger();
    private final AtomicLong ids = new AtomicLong();

    /** A number that no other connection of this transport has had. */
    long nextId()
    {
        return ids.incrementAndGet();
    }

    /** Counts an accepted socket, also one that is refused next. */
    void opened(final Connection connection)
    {
        connections.add(connection);
        count.incrementAndGet();
    }

    /**
     * Counts an accepted socket for the caps, of the transport and of its address, if there is room under both. Whoever
     * is refused takes no place from the next one, however long its socket takes to close.
     *
     * @param isProxy true if there is no cap for this address, since others are behind it
     * @return null if there is
     */
    RefusalReason admit(final Connection connection, final TransportLimits limits, final boolean isProxy)
    {
        final AtomicInteger ofAddress = connection.address.admitted();
        if (!take(admitted, limits.maxConnections()))
        {
            return RefusalReason.CONNECTION_LIMIT;
        }
        if (!take(ofAddress, isProxy ? NO_CAP : limits.maxConnectionsPerAddress()))
        {
            admitted.decrementAndGet();
            return RefusalReason.ADDRESS_LIMIT;
        }
        return null;
    }

    /** Counted also without a cap: one may be set while connections are open. */
    private static boolean take(final AtomicInteger counter, final int cap)
    {
        if (counter.incrementAndGet() > cap && cap >= 0)
        {
            counter.decrementAndGet();
            return false;
        }
        return true;
    }

    /** An admitted connection turns out to be this address's: counted there, if there is room under its cap. */
    boolean move(final Connection connection, final AddressTable.Entry client, final TransportLimits limits)
    {
        if (!take(client.admitted(), limits.maxConnectionsPerAddress()))
        {
            return false;
        }
        connection.address.admitted().decrementAndGet();
        return true;
    }

    /** The end of a connection that was admitted. */
    void leave(final Connection connection)
    {
        connection.address.admitted().decrementAndGet();
        admitted.decrementAndGet();
    }

    /** Connections that count for the cap. */
    int admitted()
    {
        return admitted.get();
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
