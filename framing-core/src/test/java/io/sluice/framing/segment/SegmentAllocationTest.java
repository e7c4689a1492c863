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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.framing.ProtocolException;
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.envelope.EnvelopeHeader;
import io.sluice.framing.envelope.EnvelopeReader;
import io.sluice.framing.envelope.EnvelopeSink;
import io.sluice.framing.testkit.Allocations;
import io.sluice.framing.testkit.Hex;
import io.sluice.framing.testkit.LeaseCheck;
import io.sluice.framing.testkit.Wire;
import io.sluice.memory.BufferLease;
import io.sluice.memory.DirectMemory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** In steady state nothing is allocated per segment or envelope. */
class SegmentAllocationTest
{
    private static final int ROUNDS = 10_000;
    /** For the measurement itself and for whatever the JVM does once. */
    private static final long CONSTANT_BYTES = 4096;

    @RegisterExtension
    final LeaseCheck leases = new LeaseCheck();

    private final SegmentScratch scratch = new SegmentScratch();

    /** Counts and admits. */
    private static final class CountingSink implements EnvelopeSink
    {
        private long envelopes;

        @Override
        public int onHeader(final EnvelopeHeader header)
        {
            return ADMIT;
        }

        @Override
        public boolean onEnvelope(final EnvelopeHeader header, final DirectMemory memory, final int bodyOffset)
        {
            envelopes++;
            return true;
        }

        @Override
        public void onDropped(final EnvelopeHeader header)
        {
            throw new AssertionError("dropped");
        }

        @Override
        public void onAborted(final EnvelopeHeader header)
        {
            throw new AssertionError("aborted");
        }

        @Override
        public boolean onProtocolError(final ProtocolException error)
        {
            throw new AssertionError(error);
        }
    }

    private static byte[] segment(final SegmentFormat format, final byte[] payload, final boolean selfContained)
    {
        return format == SegmentFormat.PLAIN
            ? Wire.plainSegment(payload, selfContained)
            : Wire.compressedSegment(payload, selfContained);
    }

    @ParameterizedTest
    @EnumSource
    void decodingAllocatesNothing(final SegmentFormat format)
    {
        final byte[] payload = Wire.concat(Wire.query(5, 1, 200), Wire.options(5, 2), Wire.query(5, 3, 90));
        final byte[] large = Wire.query(5, 4, 3000);
        final byte[] input = Wire.concat(
            segment(format, payload, true),
            segment(format, Wire.slice(large, 0, 1000), false),
            segment(format, Wire.slice(large, 1000, 3000), false));
        final DirectMemory memory = Hex.memory(input);
        final CountingSink sink = new CountingSink();
        try (EnvelopeReader reader = new EnvelopeReader(leases.pool(), sink, () -> 1 << 20);
            SegmentDecoder decoder = new SegmentDecoder(format, leases.pool(), scratch))
        {
            reader.fixVersion(ProtocolVersion.V5);
            final SegmentSink payloads = (from, offset, length, selfContained) -> reader
                .readPayload(from, offset, length, selfContained) == offset + length;
            final Runnable round = () ->
            {
                // Whole, and cut in the middle of a segment and of a header.
                decoder.decode(memory, 0, input.length, payloads);
                decoder.decode(memory, 0, 100, payloads);
                decoder.decode(memory, 100, input.length - 3, payloads);
                decoder.decode(memory, input.length - 3, input.length, payloads);
            };
            final long bytes = Allocations.perThread(round, ROUNDS);
            assertTrue(bytes < CONSTANT_BYTES, bytes + " bytes for " + ROUNDS + " rounds");
        }
        assertEquals(0, sink.envelopes % 8);
    }

    @Test
    void readingEnvelopesWithoutSegmentsAllocatesNothing()
    {
        final byte[] input = Wire.concat(Wire.query(4, 1, 200), Wire.options(4, 2), Wire.query(4, 3, 5000));
        final DirectMemory memory = Hex.memory(input);
        final CountingSink sink = new CountingSink();
        try (EnvelopeReader reader = new EnvelopeReader(leases.pool(), sink, () -> 1 << 20))
        {
            reader.fixVersion(ProtocolVersion.V4);
            final Runnable round = () ->
            {
                reader.readStream(memory, 0, input.length);
                reader.readStream(memory, 0, 100);
                reader.readStream(memory, 100, 204);
                reader.readStream(memory, 204, input.length);
            };
            final long bytes = Allocations.perThread(round, ROUNDS);
            assertTrue(bytes < CONSTANT_BYTES, bytes + " bytes for " + ROUNDS + " rounds");
        }
        assertEquals(0, sink.envelopes % 6);
    }

    @ParameterizedTest
    @EnumSource
    void batchingAllocatesNothing(final SegmentFormat format)
    {
        final DirectMemory small = Hex.memory(Wire.query(5, 1, 200));
        final DirectMemory large = Hex.memory(Wire.query(5, 1, 140_000));
        final SegmentBatcher batcher = new SegmentBatcher(leases.pool(), scratch);
        final SegmentOutput output = (final BufferLease lease, final int segments, final int envelopes) -> lease
            .close();
        final Runnable round = () ->
        {
            batcher.begin(format, 10_000, output);
            for (int i = 0; i < 10; i++)
            {
                batcher.append(small, 0, 200);
            }
            batcher.append(large, 0, 140_000);
            batcher.finish();
        };
        final long bytes = Allocations.perThread(round, ROUNDS / 10);
        assertTrue(bytes < CONSTANT_BYTES, bytes + " bytes");
    }
}
