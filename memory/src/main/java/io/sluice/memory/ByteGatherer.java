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
package io.sluice.memory;

import org.agrona.DirectBuffer;

/**
 * Collects a known number of bytes that arrive in parts, in leased memory that grows with what really arrives: a
 * claimed length with nothing behind it pins no more than {@value #INITIAL_BYTES} bytes, later about twice what came.
 * <p>
 * {@link #begin}, {@link #gather} until {@link #missingBytes()} is 0, then {@link #take}; or {@link #close} at any
 * time. Then it can begin again. Not thread safe.
 */
public final class ByteGatherer implements AutoCloseable
{
    /** Claimed first, unless less is needed or more is there at once. */
    public static final int INITIAL_BYTES = 16 * 1024;

    private final BufferPool pool;
    private final String owner;
    private BufferLease lease;
    private int totalBytes;
    private int heldBytes;

    /**
     * A gatherer with nothing in it, and no memory.
     *
     * @param owner what the memory is for, a constant: shown with leaks
     */
    public ByteGatherer(final BufferPool pool, final String owner)
    {
        this.pool = pool;
        this.owner = owner;
    }

    /** Expects this many bytes, at least 1; claims nothing yet. */
    public void begin(final int newTotalBytes)
    {
        if (newTotalBytes <= 0)
        {
            throw new IllegalArgumentException("totalBytes: " + newTotalBytes + " (expected: > 0)");
        }
        if (isActive())
        {
            throw new IllegalStateException("begin: called twice (expected: take or close first)");
        }
        totalBytes = newTotalBytes;
    }

    /** True between {@link #begin} and {@link #take} or {@link #close}. */
    public boolean isActive()
    {
        return totalBytes > 0;
    }

    /** Bytes collected so far. */
    public int heldBytes()
    {
        return heldBytes;
    }

    /** What the memory for them takes up, which is at least as much. */
    public int reservedBytes()
    {
        return lease == null ? 0 : lease.capacity();
    }

    /** Bytes still to come. */
    public int missingBytes()
    {
        return totalBytes - heldBytes;
    }

    /**
     * Copies as many bytes as are missing, at most {@code length}.
     *
     * @return how many were taken
     * @throws MemoryExhaustedException if memory is needed and there is none; what was collected before stays
     */
    public int gather(final DirectBuffer source, final int offset, final int length)
    {
        final int taken = Math.min(length, missingBytes());
        if (taken > 0)
        {
            ensure(heldBytes + taken);
            lease.buffer().putBytes(heldBytes, source, offset, taken);
            heldBytes += taken;
        }
        return taken;
    }

    private void ensure(final int neededBytes)
    {
        if (lease == null)
        {
            lease = pool.claim(nextCapacity(neededBytes), owner);
        }
        else if (neededBytes > lease.capacity())
        {
            final BufferLease larger = pool.claim(nextCapacity(neededBytes), owner);
            larger.buffer().putBytes(0, lease.buffer(), 0, heldBytes);
            lease.close();
            lease = larger;
        }
    }

    private int nextCapacity(final int neededBytes)
    {
        return (int)Math.min(totalBytes, Math.max(INITIAL_BYTES, 2L * neededBytes));
    }

    /** All bytes, from offset 0, the length set. Owned by the caller. */
    public BufferLease take()
    {
        if (!isActive() || missingBytes() != 0)
        {
            throw new IllegalStateException("take: " + missingBytes() + " bytes missing of " + totalBytes);
        }
        final BufferLease result = lease;
        result.length(totalBytes);
        lease = null;
        reset();
        return result;
    }

    /** Gives back what was collected; does nothing if there is nothing. */
    @Override
    public void close()
    {
        if (lease != null)
        {
            final BufferLease unfinished = lease;
            lease = null;
            unfinished.close();
        }
        reset();
    }

    private void reset()
    {
        totalBytes = 0;
        heldBytes = 0;
    }
}
