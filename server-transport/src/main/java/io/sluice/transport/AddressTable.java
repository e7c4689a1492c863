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

import io.sluice.memory.ByteBudget;
import java.net.InetAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** What each client address has open and in flight; an address is forgotten with its last connection. Any thread. */
final class AddressTable
{
    private final ConcurrentHashMap<InetAddress, Entry> entries = new ConcurrentHashMap<>();
    private final LongSupplier limitBytes;

    AddressTable(final LongSupplier limitBytes)
    {
        this.limitBytes = limitBytes;
    }

    /** Counts one more connection of this address. */
    Entry open(final InetAddress address)
    {
        return entries.compute(address, (key, present) ->
        {
            final Entry entry = present == null ? new Entry(key, new ByteBudget(limitBytes)) : present;
            entry.connections.incrementAndGet();
            return entry;
        });
    }

    /** Counts one less. */
    void close(final Entry entry)
    {
        entries.computeIfPresent(entry.address, (key, present) -> present.connections.decrementAndGet() == 0
            ? null
            : present);
    }

    /** Request bytes in flight of each address, in no order. */
    long[] inFlightBytes()
    {
        return entries.values().stream().mapToLong(entry -> entry.inFlight.usedBytes()).toArray();
    }

    /** Addresses with connections. */
    int size()
    {
        return entries.size();
    }

    /** One address. */
    static final class Entry
    {
        private final InetAddress address;
        private final ByteBudget inFlight;
        private final AtomicInteger connections = new AtomicInteger();
        private final AtomicInteger admitted = new AtomicInteger();
        private final AtomicLong answerBytes = new AtomicLong();

        Entry(final InetAddress address, final ByteBudget inFlight)
        {
            this.address = address;
            this.inFlight = inFlight;
        }

        ByteBudget inFlight()
        {
            return inFlight;
        }

        /** Unread answers of this address's connections, without their reserves: see {@link AnswerBudget}. */
        AtomicLong answerBytes()
        {
            return answerBytes;
        }

        /** Connections of this address, those that are being refused included. */
        int connections()
        {
            return connections.get();
        }

        /** Connections that count for the cap. */
        AtomicInteger admitted()
        {
            return admitted;
        }
    }
}
