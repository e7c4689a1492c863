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
package io.sluice.framing.segment;

import io.sluice.memory.BufferLease;
import io.sluice.memory.BufferPool;
import io.sluice.memory.DirectMemory;

/**
 * The memory that a batch seals its segments into: claimed at need, handed out when it is full.
 * Confined to one event loop.
 */
final class OutputLease
{
    private final BufferPool pool;
    private SegmentOutput output;
    private BufferLease lease;
    private int end;
    private int segments;
    private int envelopes;
    /** Last claimed in this batch, so that one that was expected to be small grows quickly. */
    private int lastCapacity;

    OutputLease(final BufferPool pool)
    {
        this.pool = pool;
    }

    void begin(final SegmentOutput newOutput)
    {
        output = newOutput;
        lastCapacity = 0;
    }

    /** True between {@link #begin} and the end of the batch. */
    boolean isActive()
    {
        return output != null;
    }

    /** Where the next segment goes; null before {@link #ensureRoom}. */
    DirectMemory memory()
    {
        return lease.memory();
    }

    /** End of the sealed segments: where the next one begins. */
    int end()
    {
        return end;
    }

    /** Bytes behind the sealed segments. */
    int room()
    {
        return lease.capacity() - end;
    }

    /**
     * Makes room for one more segment behind the sealed ones, or in new memory if there is less than {@code enough}.
     *
     * @param needed room for this segment, in bytes
     * @param enough room, at least {@code needed}, below which what is there is handed out
     * @param wanted room to claim if possible
     * @return false if the batch was aborted meanwhile, by the output
     */
    boolean ensureRoom(final int needed, final long enough, final long wanted)
    {
        if (lease != null && enough <= room())
        {
            return true;
        }
        emit();
        if (output == null)
        {
            return false;
        }
        final long capacity = Math.max(needed, Math.max(wanted, 2L * lastCapacity));
        lastCapacity = (int)Math.min(BufferPool.SEGMENT_CAPACITY, capacity);
        lease = pool.claim(lastCapacity, "segments");
        return true;
    }

    void sealed(final int newEnd)
    {
        end = newEnd;
        segments++;
    }

    void envelopesEnded(final int count)
    {
        envelopes += count;
    }

    /** Hands out what is sealed, if anything is. */
    void emit()
    {
        if (lease == null)
        {
            return;
        }
        final BufferLease full = lease;
        final int fullSegments = segments;
        final int fullEnvelopes = envelopes;
        full.length(end);
        lease = null;
        clear();
        output.onOutput(full, fullSegments, fullEnvelopes);
    }

    /** Ends the batch and gives back what was not handed out. */
    void close()
    {
        output = null;
        clear();
        if (lease != null)
        {
            final BufferLease unfinished = lease;
            lease = null;
            unfinished.close();
        }
    }

    private void clear()
    {
        end = 0;
        segments = 0;
        envelopes = 0;
    }
}
