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
package io.sluice.bench;

import io.sluice.framing.segment.SegmentBatcher;
import io.sluice.framing.segment.SegmentEncoder;
import io.sluice.framing.segment.SegmentFormat;
import io.sluice.framing.segment.SegmentScratch;
import io.sluice.memory.DirectMemory;

/** Segments as a client sends them. Confined to one thread. */
public final class WireSegments
{
    private final SegmentScratch scratch = new SegmentScratch();
    private final SegmentEncoder encoder = new SegmentEncoder(scratch);

    /** One self-contained segment with this payload of at most 131,071 bytes. */
    public byte[] of(final SegmentFormat format, final byte[] payload)
    {
        final DirectMemory memory = DirectMemory.allocate(SegmentEncoder.roomFor(format, payload.length));
        final int end;
        if (format == SegmentFormat.PLAIN)
        {
            memory.buffer().putBytes(format.headerLength(), payload);
            end = encoder.sealPlain(memory, 0, payload.length, true);
        }
        else
        {
            final DirectMemory source = DirectMemory.allocate(payload.length);
            source.buffer().putBytes(0, payload);
            end = encoder.sealLz4(source, 0, payload.length, true, SegmentBatcher.DEFAULT_MIN_COMPRESS_BYTES, memory,
                0);
        }
        final byte[] bytes = new byte[end];
        memory.buffer().getBytes(0, bytes);
        return bytes;
    }
}
