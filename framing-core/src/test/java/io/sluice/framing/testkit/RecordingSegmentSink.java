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
