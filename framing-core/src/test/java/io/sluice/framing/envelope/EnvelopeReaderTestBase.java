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
package io.sluice.framing.envelope;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.segment.SegmentFormat;
import io.sluice.framing.segment.SegmentScratch;
import io.sluice.framing.testkit.InboundConnection;
import io.sluice.framing.testkit.LeaseCheck;
import io.sluice.framing.testkit.RecordingEnvelopeSink;
import io.sluice.framing.testkit.Splits;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Reads the same bytes however they are cut, and expects the same each time. */
abstract class EnvelopeReaderTestBase
{
    @RegisterExtension
    final LeaseCheck leases = new LeaseCheck();

    private final SegmentScratch scratch = new SegmentScratch();

    /** Opens a connection for a sink. */
    @FunctionalInterface
    interface Opening
    {
        InboundConnection open(RecordingEnvelopeSink sink);
    }

    final InboundConnection v5(final RecordingEnvelopeSink sink)
    {
        return new InboundConnection(leases.pool(), SegmentFormat.PLAIN, ProtocolVersion.V5, sink, scratch);
    }

    final InboundConnection v5Lz4(final RecordingEnvelopeSink sink)
    {
        return new InboundConnection(leases.pool(), SegmentFormat.LZ4, ProtocolVersion.V5, sink, scratch);
    }

    final InboundConnection v4(final RecordingEnvelopeSink sink)
    {
        return new InboundConnection(leases.pool(), null, ProtocolVersion.V4, sink, scratch);
    }

    final InboundConnection unfixed(final RecordingEnvelopeSink sink)
    {
        return new InboundConnection(leases.pool(), null, null, sink, scratch);
    }

    /** Expects these events in each cut, with nothing charged and no lease out behind the close. */
    final void yields(final Opening opening, final byte[] input, final String... events)
    {
        yields(opening, RecordingEnvelopeSink::new, input, new int[0], events);
    }

    final void yields(final Opening opening,
        final Supplier<RecordingEnvelopeSink> sinks,
        final byte[] input,
        final int[] boundaries,
        final String... events)
    {
        Splits.forEach(input.length, boundaries, cuts ->
        {
            final RecordingEnvelopeSink sink = sinks.get();
            try (InboundConnection connection = opening.open(sink))
            {
                connection.receive(input, cuts);
                for (int i = 0; i < 1000 && connection.waitingBytes() > 0 && !connection.isOver(); i++)
                {
                    connection.resume();
                }
            }
            assertEquals(List.of(events), sink.events());
            assertEquals(0, sink.charged(), "charged");
            leases.assertNoneOutstanding();
        });
    }
}
