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
package io.sluice.bench.micro;

import io.sluice.framing.segment.SegmentBatcher;
import io.sluice.framing.segment.SegmentFormat;
import io.sluice.framing.segment.SegmentOutput;
import io.sluice.framing.segment.SegmentScratch;
import io.sluice.memory.BufferLease;
import io.sluice.memory.BufferPool;
import io.sluice.memory.DirectMemory;
import org.agrona.concurrent.SystemNanoClock;

/** Sluice's segments, from a payload in memory to bytes for the socket. Confined to one thread. */
final class SluiceSegments implements SegmentOutput, AutoCloseable
{
    private static final int POOL_BYTES = 16 << 20;

    private final SegmentFormat format;
    private final DirectMemory payload;
    private final BufferPool pool = new BufferPool(SystemNanoClock.INSTANCE, POOL_BYTES, false);
    private final SegmentBatcher batcher = new SegmentBatcher(pool, new SegmentScratch());
    private int bytes;

    SluiceSegments(final SegmentFormat format, final byte[] payload)
    {
        this.format = format;
        this.payload = DirectMemory.allocate(payload.length);
        this.payload.buffer().putBytes(0, payload);
    }

    int encode()
    {
        bytes = 0;
        batcher.begin(format, payload.capacity(), this);
        batcher.append(payload, 0, payload.capacity());
        batcher.finish();
        return bytes;
    }

    @Override
    public void onOutput(final BufferLease lease, final int segments, final int envelopes)
    {
        bytes += lease.length();
        lease.close();
    }

    @Override
    public void close()
    {
        pool.close();
    }
}
