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

import static io.sluice.framing.segment.SegmentFormat.LZ4;
import static io.sluice.framing.segment.SegmentFormat.MAX_PAYLOAD;
import static io.sluice.framing.segment.SegmentFormat.PLAIN;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.framing.testkit.Hex;
import io.sluice.framing.testkit.LeaseCheck;
import io.sluice.framing.testkit.Randoms;
import io.sluice.framing.testkit.RecordingSegmentSink;
import io.sluice.framing.testkit.Wire;
import io.sluice.memory.BufferLease;
import io.sluice.memory.BufferPool;
import io.sluice.memory.DirectMemory;
import io.sluice.memory.MemoryExhaustedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SegmentBatcherTest
{
    @RegisterExtension
    final LeaseCheck leases = new LeaseCheck();

    private final SegmentScratch scratch = new SegmentScratch();
    private final SegmentBatcher batcher = new SegmentBatcher(leases.pool(), scratch);
    private final Output output = new Output();

    /** Copies and closes what it gets. */
    private static final class Output implements SegmentOutput
    {
        private final List<byte[]> parts = new ArrayList<>();
        private final List<Integer> segments = new ArrayList<>();
        private final List<Integer> envelopes = new ArrayList<>();
        private final List<Integer> capacities = new ArrayList<>();

        @Override
        public void onOutput(final BufferLease lease, final int segmentCount, final int envelopeCount)
        {
            try (lease)
            {
                assertTrue(segmentCount > 0);
                parts.add(Hex.copy(lease.memory(), 0, lease.length()));
                segments.add(segmentCount);
                envelopes.add(envelopeCount);
                capacities.add(lease.capacity());
            }
        }

        byte[] bytes()
        {
            return Wire.concat(parts.toArray(new byte[0][]));
        }

        int total(final List<Integer> counts)
        {
            return counts.stream().mapToInt(Integer::intValue).sum();
        }
    }

    private void append(final byte[] envelope)
    {
        batcher.append(Hex.memory(Wire.concat(new byte[5], envelope)), 5, envelope.length);
    }

    private RecordingSegmentSink send(final SegmentFormat format, final int expected, final byte[]... envelopes)
    {
        output.parts.clear();
        output.segments.clear();
        output.envelopes.clear();
        batcher.begin(format, expected, output);
        for (final byte[] envelope : envelopes)
        {
            append(envelope);
        }
        batcher.finish();
        return decode(format);
    }

    private RecordingSegmentSink decode(final SegmentFormat format)
    {
        final RecordingSegmentSink sink = new RecordingSegmentSink();
        final byte[] bytes = output.bytes();
        try (SegmentDecoder decoder = new SegmentDecoder(format, leases.pool(), scratch))
        {
            assertEquals(bytes.length, decoder.decode(Hex.memory(bytes), 0, bytes.length, sink));
            assertEquals(0, decoder.heldBytes());
            assertEquals(decoder.segments(), output.total(output.segments));
        }
        return sink;
    }

    private static int sum(final byte[]... envelopes)
    {
        return Arrays.stream(envelopes).mapToInt(envelope -> envelope.length).sum();
    }

    @Test
    void makesGoldenPlainSegments()
    {
        final byte[] options = Wire.options(5, 1);
        send(PLAIN, options.length, options);
        assertEquals("090002a4c8c1050000010500000000b5557486", Hex.text(output.bytes()));
        send(PLAIN, 18, options, Wire.options(5, 2));
        assertEquals("120002f6cbcf05000001050000000005000002050000000017044de6", Hex.text(output.bytes()));
    }

    @Test
    void storesShortPayloadsUncompressed()
    {
        send(LZ4, 9, Wire.options(5, 1));
        assertEquals("0900000004c2b895050000010500000000b5557486", Hex.text(output.bytes()));
        assertEquals(1, batcher.rawSegments());
    }

    @ParameterizedTest
    @EnumSource
    void putsSmallEnvelopesOfABatchIntoOneSegment(final SegmentFormat format)
    {
        final byte[][] envelopes = new byte[100][];
        for (int i = 0; i < envelopes.length; i++)
        {
            envelopes[i] = Wire.query(5, i, 60 + i);
        }
        final RecordingSegmentSink sink = send(format, sum(envelopes), envelopes);
        assertEquals(List.of(true), sink.selfContained());
        assertArrayEquals(Wire.concat(envelopes), sink.payloads().get(0));
        assertEquals(List.of(100), output.envelopes);
        assertEquals(100, batcher.envelopes());
        assertEquals(1, batcher.segments());
        assertEquals(sum(envelopes), batcher.payloadBytes());
        assertEquals(output.bytes().length, batcher.wireBytes());
        assertEquals(0, batcher.rawSegments());
    }

    @ParameterizedTest
    @EnumSource
    void copiesOfShortEnvelopesGoOutOnTheirOwnStreams(final SegmentFormat format)
    {
        final byte[] template = Wire.options(5, 0);
        final byte[][] expected = new byte[20_000][];
        batcher.begin(format, 100, output);
        for (int i = 0; i < expected.length; i++)
        {
            expected[i] = Wire.options(5, i);
            batcher.append(new UnsafeBuffer(template), i);
            if (i % 5_000 == 7)
            {
                append(expected[i]);
            }
        }
        batcher.finish();
        final RecordingSegmentSink sink = decode(format);
        final byte[] all = Wire.concat(sink.payloads().toArray(new byte[0][]));
        int at = 0;
        for (int i = 0; i < expected.length; i++)
        {
            for (int copies = i % 5_000 == 7 ? 2 : 1; copies > 0; copies--)
            {
                assertArrayEquals(expected[i], Arrays.copyOfRange(all, at, at + template.length));
                at += template.length;
            }
        }
        assertEquals(all.length, at);
        assertArrayEquals(Wire.options(5, 0), template);
        assertEquals(expected.length + 4, output.total(output.envelopes));
    }

    @ParameterizedTest
    @EnumSource
    void fillsASegmentToTheLastByte(final SegmentFormat format)
    {
        final byte[] first = Wire.query(5, 1, 100_000);
        final byte[] second = Wire.query(5, 2, MAX_PAYLOAD - 100_000);
        final byte[] third = Wire.query(5, 3, 40);
        final RecordingSegmentSink sink = send(format, sum(first, second, third), first, second, third);
        assertEquals(List.of(true, true), sink.selfContained());
        assertEquals(MAX_PAYLOAD, sink.payloads().get(0).length);
        assertArrayEquals(third, sink.payloads().get(1));
    }

    @ParameterizedTest
    @EnumSource
    void neverSplitsAnEnvelopeThatFitsIntoOneSegment(final SegmentFormat format)
    {
        for (int length = MAX_PAYLOAD - 12; length <= MAX_PAYLOAD; length++)
        {
            final RecordingSegmentSink sink = send(format, length, Wire.query(5, 1, length));
            assertEquals(List.of(true), sink.selfContained(), "length " + length);
        }
    }

    @ParameterizedTest
    @EnumSource
    void splitsALargerEnvelopeIntoPiecesOfItsOwn(final SegmentFormat format)
    {
        for (final int length : new int[]{MAX_PAYLOAD + 1, MAX_PAYLOAD + 9, 2 * MAX_PAYLOAD, 2 * MAX_PAYLOAD + 1,
            1_000_003})
        {
            final byte[] before = Wire.query(5, 1, 50);
            final byte[] large = Wire.envelope(5, 0, 2, Wire.QUERY, Wire.noise(length - 9, length));
            final byte[] after = Wire.query(5, 3, 60);
            final RecordingSegmentSink sink = send(format, sum(before, large, after), before, large, after);
            final int pieces = (length + MAX_PAYLOAD - 1) / MAX_PAYLOAD;
            assertEquals(pieces + 2, sink.payloads().size());
            assertArrayEquals(before, sink.payloads().get(0));
            for (int i = 1; i <= pieces; i++)
            {
                assertEquals(false, sink.selfContained().get(i));
                assertTrue(i == pieces || sink.payloads().get(i).length == MAX_PAYLOAD);
            }
            assertArrayEquals(after, sink.payloads().get(pieces + 1));
            assertArrayEquals(Wire.concat(before, large, after), sink.allBytes());
            assertEquals(3, output.total(output.envelopes));
        }
    }

    @Test
    void storesWhatDoesNotGetShorter()
    {
        final byte[] noise = Wire.envelope(5, 0, 1, Wire.QUERY, Wire.noise(100_000, 3));
        final RecordingSegmentSink sink = send(LZ4, noise.length, noise);
        assertArrayEquals(noise, sink.payloads().get(0));
        assertEquals(1, batcher.rawSegments());
        assertEquals(noise.length + LZ4.overhead(), output.bytes().length);
    }

    @Test
    void compressesFromTheGivenLengthOn()
    {
        final byte[] envelope = Wire.query(5, 1, 200);
        batcher.begin(LZ4, 200, 201, output);
        append(envelope);
        batcher.finish();
        assertEquals(1, batcher.rawSegments());
        batcher.begin(LZ4, 200, 200, output);
        append(envelope);
        batcher.finish();
        assertEquals(1, batcher.rawSegments());
        assertEquals(2, batcher.segments());
    }

    @Test
    void claimsMemoryOfTheSizeThatIsNeeded()
    {
        send(PLAIN, 40, Wire.query(5, 1, 40));
        send(PLAIN, 3000, Wire.query(5, 1, 3000));
        send(PLAIN, 60_000, Wire.query(5, 1, 60_000));
        send(LZ4, 40, Wire.query(5, 1, 40));
        assertEquals(List.of(1024, 4096, 65536, 1024), output.capacities);
    }

    @Test
    void copesWithAWrongExpectation()
    {
        final byte[][] envelopes = new byte[3000][];
        for (int i = 0; i < envelopes.length; i++)
        {
            envelopes[i] = Wire.query(5, i, 100);
        }
        for (final SegmentFormat format : SegmentFormat.values())
        {
            for (final int expected : new int[]{0, 1, 1000, 1 << 24, Integer.MAX_VALUE})
            {
                final RecordingSegmentSink sink = send(format, expected, envelopes);
                assertArrayEquals(Wire.concat(envelopes), sink.allBytes());
                assertTrue(sink.payloads().size() < 20, sink.payloads().size() + " segments");
                assertEquals(envelopes.length, output.total(output.envelopes));
            }
        }
    }

    @Test
    void sendsNothingForNothing()
    {
        batcher.begin(PLAIN, 100, output);
        batcher.finish();
        batcher.begin(LZ4, 100, output);
        batcher.finish();
        assertEquals(0, output.parts.size());
        assertEquals(0, batcher.segments());
    }

    @ParameterizedTest
    @EnumSource
    void abortGivesEverythingBack(final SegmentFormat format)
    {
        batcher.begin(format, 1000, output);
        append(Wire.query(5, 1, 400));
        batcher.abort();
        batcher.abort();
        leases.assertNoneOutstanding();
        batcher.begin(format, 1000, output);
        append(Wire.query(5, 1, 400));
        append(Wire.query(5, 2, 2 * MAX_PAYLOAD + 100));
        batcher.abort();
        leases.assertNoneOutstanding();
        final byte[] fresh = Wire.query(5, 3, 77);
        assertArrayEquals(fresh, send(format, 77, fresh).allBytes());
    }

    @ParameterizedTest
    @EnumSource
    void canBeAbortedAfterMemoryRanOut(final SegmentFormat format)
    {
        try (BufferPool poor = new BufferPool(() -> 0, 1 << 20, true))
        {
            // Room for one segment lease, not for two.
            final BufferLease hog = poor.claim(512 << 10, "hog");
            final SegmentBatcher starved = new SegmentBatcher(poor, scratch);
            final List<BufferLease> kept = new ArrayList<>();
            starved.begin(format, 1 << 20, (lease, segments, envelopes) -> kept.add(lease));
            final DirectMemory large = Hex.memory(Wire.noise(1 << 20, 1));
            assertThrows(MemoryExhaustedException.class, () -> starved.append(large, 0, 1 << 20));
            starved.abort();
            hog.close();
            kept.forEach(BufferLease::close);
            assertEquals(0, poor.outstandingLeases());
            final int sizeBefore = kept.size();
            starved.begin(format, 10, (lease, segments, envelopes) -> kept.add(lease));
            starved.append(large, 0, 10);
            starved.finish();
            assertEquals(sizeBefore + 1, kept.size());
            kept.get(sizeBefore).close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void canBeAbortedByItsOutput(final SegmentFormat format)
    {
        final List<Integer> calls = new ArrayList<>();
        batcher.begin(format, 100, (lease, segments, envelopes) ->
        {
            lease.close();
            calls.add(segments);
            batcher.abort();
        });
        append(Wire.query(5, 1, 400));
        append(Wire.envelope(5, 0, 2, Wire.QUERY, Wire.noise(4 * MAX_PAYLOAD, 5)));
        assertEquals(1, calls.size());
        leases.assertNoneOutstanding();
        assertThrows(IllegalStateException.class, () -> append(Wire.query(5, 3, 400)));
        assertThrows(IllegalStateException.class, batcher::finish);
        final byte[] fresh = Wire.query(5, 3, 77);
        assertArrayEquals(fresh, send(format, 77, fresh).allBytes());
    }

    @Test
    void outputOwnsItsLeaseEvenIfItThrows()
    {
        batcher.begin(PLAIN, 100, (lease, segments, envelopes) ->
        {
            lease.close();
            throw new UnsupportedOperationException("from the output");
        });
        append(Wire.query(5, 1, 100));
        assertThrows(UnsupportedOperationException.class, batcher::finish);
        batcher.abort();
    }

    @Test
    void refusesWhatIsOutOfOrder()
    {
        assertThrows(IllegalStateException.class, () -> append(Wire.options(5, 1)));
        assertThrows(IllegalStateException.class, batcher::finish);
        batcher.begin(PLAIN, 10, output);
        assertThrows(IllegalStateException.class, () -> batcher.begin(PLAIN, 10, output));
        final DirectMemory memory = DirectMemory.allocate(10);
        assertThrows(IllegalArgumentException.class, () -> batcher.append(memory, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> batcher.append(memory, 5, 6));
        assertThrows(IllegalArgumentException.class, () -> batcher.append(memory, -1, 5));
        assertThrows(IllegalArgumentException.class, () -> batcher.append(memory, 5, Integer.MAX_VALUE));
        batcher.abort();
    }

    @Test
    void randomEnvelopesComeBackInOrder()
    {
        Randoms.forSeeds(150, random ->
        {
            final SegmentFormat format = random.nextBoolean() ? PLAIN : LZ4;
            final byte[][] envelopes = new byte[1 + random.nextInt(40)][];
            for (int i = 0; i < envelopes.length; i++)
            {
                final int length = random.nextInt(1 << (1 + random.nextInt(random.nextInt(8) == 0 ? 19 : 13)));
                final byte[] body = random.nextBoolean() ? new byte[length] : Wire.noise(length, i);
                envelopes[i] = Wire.envelope(5, 0, i, Wire.QUERY, body);
            }
            final int expected = random.nextBoolean() ? sum(envelopes) : random.nextInt(100_000);
            final RecordingSegmentSink sink = send(format, expected, envelopes);
            assertArrayEquals(Wire.concat(envelopes), sink.allBytes());
            assertEquals(envelopes.length, output.total(output.envelopes));
            assertWholeEnvelopes(envelopes, sink);
            leases.assertNoneOutstanding();
        });
    }

    /** Envelopes that fit begin and end in a self-contained segment; the others have pieces to themselves. */
    private static void assertWholeEnvelopes(final byte[][] envelopes, final RecordingSegmentSink sink)
    {
        int segment = 0;
        int offset = 0;
        for (final byte[] envelope : envelopes)
        {
            if (segment < sink.payloads().size() && offset == sink.payloads().get(segment).length)
            {
                segment++;
                offset = 0;
            }
            final boolean fits = envelope.length <= MAX_PAYLOAD;
            assertEquals(fits, sink.selfContained().get(segment));
            if (fits)
            {
                offset += envelope.length;
                assertTrue(offset <= sink.payloads().get(segment).length, "envelope split");
                continue;
            }
            assertEquals(0, offset);
            int left = envelope.length;
            while (left > 0)
            {
                assertEquals(false, sink.selfContained().get(segment));
                left -= sink.payloads().get(segment).length;
                segment++;
            }
            assertEquals(0, left);
        }
    }
}
