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
package io.sluice.framing.testkit;

import io.sluice.framing.segment.SegmentSink;
import io.sluice.memory.DirectMemory;
import java.util.ArrayList;
import java.util.List;

/** Copies what it is given. */
public final class RecordingSegmentSink implements SegmentSink
{
    private final List<byte[]> payloads = new ArrayList<>();
    private final List<Boolean> selfContained = new ArrayList<>();
    private boolean stopAfterEach;
    private Runnable then = () ->
    {
    };

    /** Answers false each time. */
    public RecordingSegmentSink stopAfterEach()
    {
        stopAfterEach = true;
        return this;
    }

    /** Does this before returning, each time. */
    public RecordingSegmentSink then(final Runnable action)
    {
        then = action;
        return this;
    }

    @Override
    public boolean onPayload(final DirectMemory memory,
        final int offset,
        final int length,
        final boolean isSelfContained)
    {
        payloads.add(Hex.copy(memory, offset, length));
        selfContained.add(isSelfContained);
        then.run();
        return !stopAfterEach;
    }

    /** In order. */
    public List<byte[]> payloads()
    {
        return payloads;
    }

    /** In order. */
    public List<Boolean> selfContained()
    {
        return selfContained;
    }

    /** All payloads joined. */
    public byte[] allBytes()
    {
        return Wire.concat(payloads.toArray(new byte[0][]));
    }
}
