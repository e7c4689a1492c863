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
package io.sluice.framing.request;

import java.nio.ByteOrder;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The prepared ids that the node knows, each as one object, found from the bytes of a request without allocating.
 * <p>
 * Only {@link #learn} adds: for ids that the node gave out or confirmed. An id that merely came from a client is made
 * anew for its request and forgotten with it, so that clients cannot fill the table. It is bounded all the same; when
 * full, a newly learned id takes the place of another, which then costs an allocation per request and nothing else.
 * <p>
 * Any thread. Look-ups take no lock and may miss an id that is being learned or moved at that moment, with the same
 * small cost; writers take turns.
 */
// An empty id equals the mark of an empty slot, so only identity tells them apart.
@SuppressWarnings("ReferenceEquality")
public final class StatementIdTable implements StatementIds
{
    /** For {@link #StatementIdTable()}: more statements than nodes usually keep. */
    public static final int DEFAULT_CAPACITY = 16_384;

    /** A slot whose id was forgotten: searches go on behind it. */
    private static final StatementId GONE = new StatementId(new byte[0]);
    private static final int FEWEST_SLOTS = 64;

    private final int capacity;
    /** Makes it pointless to prepare statements whose ids fall on the same slot. */
    private final long seed = ThreadLocalRandom.current().nextLong();
    /** Replaced as a whole when it grows or is swept; written under the lock. */
    private volatile AtomicReferenceArray<StatementId> slots = new AtomicReferenceArray<>(FEWEST_SLOTS);
    /** Under the lock. */
    private int used;
    /** Under the lock. */
    private int gone;

    /** A table for {@link #DEFAULT_CAPACITY} ids. */
    public StatementIdTable()
    {
        this(DEFAULT_CAPACITY);
    }

    /**
     * A table.
     *
     * @param capacity most ids at a time, 1..1,048,576
     */
    public StatementIdTable(final int capacity)
    {
        if (capacity < 1 || capacity > 1 << 20)
        {
            throw new IllegalArgumentException("capacity: " + capacity + " (expected: 1..1048576)");
        }
        this.capacity = capacity;
    }

    @Override
    public StatementId intern(final DirectBuffer buffer, final int offset, final int length)
    {
        final StatementId known = find(buffer, offset, length);
        return known != null ? known : StatementIds.copy(buffer, offset, length);
    }

    /**
     * The object for a known id, or null.
     *
     * @param buffer borrowed until return
     */
    public StatementId find(final DirectBuffer buffer, final int offset, final int length)
    {
        final AtomicReferenceArray<StatementId> table = slots;
        final int mask = table.length() - 1;
        int slot = hash(buffer, offset, length) & mask;
        StatementId candidate = table.getAcquire(slot);
        while (candidate != null)
        {
            if (candidate != GONE && candidate.matches(buffer, offset, length))
            {
                return candidate;
            }
            slot = (slot + 1) & mask;
            candidate = table.getAcquire(slot);
        }
        return null;
    }

    /**
     * Adds an id that the node gave out or confirmed, unless it is there.
     *
     * @param id copied
     * @return the object that stands for it from now on
     */
    public synchronized StatementId learn(final byte[] id)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(id);
        final StatementId known = find(buffer, 0, id.length);
        if (known != null)
        {
            return known;
        }
        if (used == capacity)
        {
            displace(hash(buffer, 0, id.length));
        }
        if (2 * (used + gone + 1) > slots.length())
        {
            rebuild();
        }
        final StatementId learned = StatementIds.copy(buffer, 0, id.length);
        insert(slots, learned);
        used++;
        return learned;
    }

    /** Removes an id that the node no longer knows. Returns false if it was not there. */
    public synchronized boolean forget(final byte[] id)
    {
        final StatementId known = find(new UnsafeBuffer(id), 0, id.length);
        if (known == null)
        {
            return false;
        }
        final int mask = slots.length() - 1;
        int slot = hash(new UnsafeBuffer(id), 0, id.length) & mask;
        while (slots.get(slot) != known)
        {
            slot = (slot + 1) & mask;
        }
        remove(slot);
        return true;
    }

    /** Ids in the table. */
    public synchronized int size()
    {
        return used;
    }

    /** Takes out the first id at or behind the place where a new one wants to go. */
    private void displace(final int hash)
    {
        final int mask = slots.length() - 1;
        int slot = hash & mask;
        StatementId candidate = slots.get(slot);
        while (candidate == null || candidate == GONE)
        {
            slot = (slot + 1) & mask;
            candidate = slots.get(slot);
        }
        remove(slot);
    }

    private void remove(final int slot)
    {
        slots.setRelease(slot, GONE);
        used--;
        gone++;
    }

    /** Twice the room that the ids need, without the gaps: searches always end at an empty slot. */
    private void rebuild()
    {
        final int length = Math.max(FEWEST_SLOTS, BitUtil.findNextPositivePowerOfTwo(4 * (used + 1)));
        final AtomicReferenceArray<StatementId> table = new AtomicReferenceArray<>(length);
        for (int i = 0; i < slots.length(); i++)
        {
            final StatementId id = slots.get(i);
            if (id != null && id != GONE)
            {
                insert(table, id);
            }
        }
        slots = table;
        gone = 0;
    }

    private void insert(final AtomicReferenceArray<StatementId> table, final StatementId id)
    {
        final int mask = table.length() - 1;
        final byte[] bytes = id.bytes();
        int slot = hash(new UnsafeBuffer(bytes), 0, bytes.length) & mask;
        while (table.get(slot) != null)
        {
            slot = (slot + 1) & mask;
        }
        table.setRelease(slot, id);
    }

    private int hash(final DirectBuffer buffer, final int offset, final int length)
    {
        long hash = seed ^ length;
        int i = 0;
        for (; length - i >= Long.BYTES; i += Long.BYTES)
        {
            hash = mix(hash ^ buffer.getLong(offset + i, ByteOrder.BIG_ENDIAN));
        }
        for (; i < length; i++)
        {
            hash = mix(hash ^ buffer.getByte(offset + i));
        }
        return (int)(hash >>> Integer.SIZE);
    }

    private static long mix(final long value)
    {
        final long product = value * 0x9E3779B97F4A7C15L;
        return product ^ product >>> 29;
    }
}
