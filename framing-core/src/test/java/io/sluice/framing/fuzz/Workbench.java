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
package io.sluice.framing.fuzz;

import io.sluice.framing.segment.SegmentScratch;
import io.sluice.memory.BufferPool;
import io.sluice.memory.DirectMemory;

/** Memory that the runs of a target share, one after another, as connections share that of an event loop. */
final class Workbench
{
    private static final long LIMIT_BYTES = 64L << 20;
    private static final int SMALLEST_POOL_BYTES = 1 << 20;

    private final BufferPool pool;
    private final long pinnedLeases;
    private final long pinnedBytes;
    private final SegmentScratch scratch = new SegmentScratch();
    private DirectMemory memory = DirectMemory.allocate(8192);

    private Workbench(final BufferPool pool)
    {
        this.pool = pool;
        this.pinnedLeases = pool.outstandingLeases();
        this.pinnedBytes = pool.outstandingBytes();
    }

    /** With a pool that any input fits in. */
    static Workbench ample()
    {
        return new Workbench(new BufferPool(System::nanoTime, LIMIT_BYTES, true));
    }

    /** With a pool that others have taken all of. */
    static Workbench exhausted()
    {
        final BufferPool pool = new BufferPool(System::nanoTime, SMALLEST_POOL_BYTES, true);
        pool.claim(SMALLEST_POOL_BYTES, "others");
        return new Workbench(pool);
    }

    BufferPool pool()
    {
        return pool;
    }

    SegmentScratch scratch()
    {
        return scratch;
    }

    /** Room for what the socket gave, at least so many bytes. */
    DirectMemory memory(final int capacity)
    {
        if (memory.capacity() < capacity)
        {
            memory = DirectMemory.allocate(2 * capacity);
        }
        return memory;
    }

    /** Bytes that the runs hold at this moment. */
    long leasedBytes()
    {
        return pool.outstandingBytes() - pinnedBytes;
    }

    /** Fails if a run has kept anything. */
    void checkReturned()
    {
        InboundRun.check(pool.outstandingLeases() == pinnedLeases, "leases", pool.outstandingLeases());
        InboundRun.check(leasedBytes() == 0, "leased bytes", leasedBytes());
    }
}
