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

import io.sluice.framing.segment.SegmentDecoder;
import io.sluice.framing.segment.SegmentFormat;
import io.sluice.memory.DirectMemory;
import java.util.zip.CRC32;

/** Segments to payloads. */
final class SegmentRun extends InboundRun
{
    private final SegmentDecoder decoder;
    private final boolean stopsAfterEach;

    SegmentRun(final Workbench bench, final boolean recording, final SegmentFormat format, final boolean stopsAfterEach)
    {
        super(bench, recording);
        this.decoder = new SegmentDecoder(format, bench.pool(), bench.scratch());
        this.stopsAfterEach = stopsAfterEach;
    }

    @Override
    int read(final DirectMemory borrowed, final int offset, final int limit)
    {
        return decoder.decode(borrowed, offset, limit, this::onPayload);
    }

    private boolean onPayload(final DirectMemory payload,
        final int offset,
        final int length,
        final boolean selfContained)
    {
        check(offset >= 0 && length >= 0 && length <= SegmentFormat.MAX_PAYLOAD, "payload length", length);
        check(length <= payload.capacity() - offset, "payload end", offset + (long)length);
        checkMemory();
        if (isRecording())
        {
            record("payload", length, selfContained ? 1 : 0, crc(payload, offset, length));
        }
        return !stopsAfterEach;
    }

    static long crc(final DirectMemory memory, final int offset, final int length)
    {
        final CRC32 crc = new CRC32();
        for (int i = 0; i < length; i++)
        {
            crc.update(memory.buffer().getByte(offset + i));
        }
        return crc.getValue();
    }

    @Override
    boolean holdsBytes()
    {
        return false;
    }

    /** Bytes of all good payloads. */
    long payloadBytes()
    {
        return decoder.payloadBytes();
    }

    @Override
    public void close()
    {
        record("held", decoder.heldBytes(), decoder.segments(), decoder.wireBytes());
        decoder.close();
        check(decoder.heldBytes() == 0, "held", decoder.heldBytes());
        super.close();
    }
}
