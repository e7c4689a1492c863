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

import static io.sluice.framing.testkit.Wire.concat;
import static io.sluice.framing.testkit.Wire.header;
import static io.sluice.framing.testkit.Wire.options;
import static io.sluice.framing.testkit.Wire.plainSegment;
import static io.sluice.framing.testkit.Wire.query;
import static io.sluice.framing.testkit.Wire.slice;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.framing.ErrorCode;
import io.sluice.framing.ProtocolException;
import io.sluice.framing.segment.SegmentFormat;
import io.sluice.framing.testkit.Hex;
import io.sluice.framing.testkit.InboundConnection;
import io.sluice.framing.testkit.Randoms;
import io.sluice.framing.testkit.RecordingEnvelopeSink;
import io.sluice.framing.testkit.Splits;
import io.sluice.framing.testkit.Wire;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What went wrong in the field, as far as segments and envelopes go. Numbers are those of the case collection. */
class FieldCasesTest extends EnvelopeReaderTestBase
{
    private static final int MAX = SegmentFormat.MAX_PAYLOAD;
    private static final byte[] W1 = Hex.bytes("090002a4c8c1050000010500000000b5557486");
    private static final byte[] W2 = Hex.bytes("120002f6cbcf05000001050000000005000002050000000017044de6");
    private static final byte[] W3 = Hex.bytes("0c0002d7679f050000010500000000050000b03bbbaa");
    private static final byte[] W6 = Hex.bytes("120002f6cbcf050000077f000000000500000805000000005d9a745d");
    private static final byte[] W7 = Hex.bytes("090002a5c8c1050000010500000000b5557486");
    private static final byte[] W8 = Hex.bytes("090002a4c8c1050000010500000000b4557486");
    private static final byte[] W9 = Hex.bytes("0000026a36c4d37e7744");
    private static final byte[] W10 = Hex.bytes("0900000004c2b895050000010500000000b5557486");
    private static final byte[] W11 = Hex.bytes("0a0012000412265390050000010500000000eb1c9cf1");
    private static final byte[] W13 = Hex.bytes("0a000a00046885e590050000010500000000eb1c9cf1");
    private static final byte[] X1 = Hex.bytes("040000077f00000000040000080500000000");
    private static final byte[] X4 = Hex.bytes("040000060509000000");

    private static byte[] run(final byte[] envelope)
    {
        byte[] segments = new byte[0];
        for (int start = 0; start < envelope.length; start += MAX)
        {
            segments = concat(segments,
                plainSegment(slice(envelope, start, Math.min(envelope.length, start + MAX)), false));
        }
        return segments;
    }

    @ParameterizedTest
    @ValueSource(ints = {MAX + 1, 2 * MAX, 1_000_003, 500})
    void k1Case1LargeMessageCompletesByByteCount(final int length)
    {
        final byte[] envelope = query(5, 1, length);
        final byte[] segments = run(envelope);
        // A second one shows that the first has left nothing behind; for the longest it would only take time.
        final boolean twice = length < 1_000_000;
        final byte[] input = concat(segments, plainSegment(options(5, 2), true), twice ? segments : new byte[0]);
        final int[] boundaries = IntStream.of(0, 6, MAX + 6, MAX + 10, segments.length, segments.length + 19)
            .filter(boundary -> boundary <= input.length)
            .toArray();
        Splits.forEach(input.length, boundaries, cuts ->
        {
            final RecordingEnvelopeSink sink = new RecordingEnvelopeSink();
            try (InboundConnection connection = v5(sink))
            {
                connection.receive(input, cuts);
            }
            final String large = "envelope 1 7 " + (length - 9);
            assertEquals(
                twice ? List.of(large, "envelope 2 5 0", large) : List.of(large, "envelope 2 5 0"),
                sink.events());
            assertArrayEquals(slice(envelope, 9, length), sink.bodies().get(twice ? 2 : 0));
            leases.assertNoneOutstanding();
        });
    }

    @Test
    void k1Case3EveryEnvelopeOfASegmentIsRead()
    {
        yields(this::v5, W2, "envelope 1 5 0", "envelope 2 5 0");

        byte[] payload = new byte[0];
        for (int i = 0; i < 100; i++)
        {
            payload = concat(payload, options(5, i));
        }
        assertEquals(100, events(plainSegment(payload, true)).size());

        final byte[] full = concat(payload, query(5, 100, 60_000), query(5, 101, MAX - 60_000 - payload.length));
        assertEquals(MAX, full.length);
        final List<String> events = events(plainSegment(full, true));
        assertEquals(102, events.size());
        assertEquals("envelope 101 7 " + (MAX - 60_009 - payload.length), events.get(101));
    }

    private List<String> events(final byte[] input)
    {
        final RecordingEnvelopeSink sink = new RecordingEnvelopeSink();
        try (InboundConnection connection = v5(sink))
        {
            connection.receive(input);
        }
        return sink.events();
    }

    @Test
    void k2Case5StoredSegmentsUnderLz4AreTakenAsTheyAre()
    {
        yields(this::v5Lz4, W10, "envelope 1 5 0");
        final byte[] random = Wire.envelope(5, 0, 1, Wire.QUERY, Wire.noise(100_000, 1));
        final byte[] segment = Wire.rawSegment(random, true);
        yields(
            this::v5Lz4,
            RecordingEnvelopeSink::new,
            concat(segment, W11, W10),
            new int[]{0, 8, segment.length - 4, segment.length},
            "envelope 1 7 100000",
            "envelope 1 5 0",
            "envelope 1 5 0");
    }

    @Test
    void k2Case8BlocksThatYieldAnotherLengthEndTheConnectionOnce()
    {
        yields(this::v5Lz4, concat(W13, W11), "fatal ? PROTOCOL_ERROR");
        Randoms.forSeeds(200, random ->
        {
            final byte[] junk = new byte[40];
            random.nextBytes(junk);
            final RecordingEnvelopeSink sink = new RecordingEnvelopeSink();
            try (InboundConnection connection = v5Lz4(sink))
            {
                connection.receive(concat(Wire.lz4Segment(junk, 9 + random.nextInt(500), true), W11));
            }
            assertEquals(1, sink.errors().stream().filter(ProtocolException::isFatal).count());
        });
    }

    @Test
    void k3Case9DamageEndsTheConnectionOnce()
    {
        yields(this::v5, concat(W7, W1), "fatal ? PROTOCOL_ERROR");
        yields(this::v5, concat(W8, W1), "fatal ? PROTOCOL_ERROR");
        yields(this::v5, concat(W1, W8, W1), "envelope 1 5 0", "fatal ? PROTOCOL_ERROR");

        // As the second piece of a large message: what is unfinished is given back.
        final byte[] large = query(5, 7, 300);
        final byte[] second = plainSegment(slice(large, 100, 200), false);
        second[50] ^= 1;
        yields(
            this::v5,
            concat(plainSegment(slice(large, 0, 100), false), second, plainSegment(slice(large, 200, 300), false)),
            "fatal ? PROTOCOL_ERROR",
            "aborted 7 7 291");
    }

    @Test
    void k3Case9AThousandFlippedBits()
    {
        Randoms.forSeeds(1000, random ->
        {
            final int which = random.nextInt(3);
            final byte[] damaged = (which == 0 ? W1 : which == 1 ? W2 : W11).clone();
            final int bit = random.nextInt(8 * damaged.length);
            damaged[bit / 8] ^= (byte)(1 << bit % 8);
            final RecordingEnvelopeSink sink = new RecordingEnvelopeSink();
            try (InboundConnection connection = which == 2 ? v5Lz4(sink) : v5(sink))
            {
                connection.receive(damaged, Splits.random(damaged.length, random));
            }
            assertEquals(List.of("fatal ? PROTOCOL_ERROR"), sink.events());
            leases.assertNoneOutstanding();
        });
    }

    @Test
    void k4Case11StrayBytesBehindTheLastEnvelope()
    {
        yields(this::v5, concat(W3, W1), "envelope 1 5 0", "fatal ? PROTOCOL_ERROR");
        for (int length = 1; length <= 8; length++)
        {
            yields(this::v5, concat(plainSegment(new byte[length], true), W1), "fatal ? PROTOCOL_ERROR");
        }
        yields(this::v5, concat(W9, W1), "envelope 1 5 0");
    }

    @Test
    void k5Case13UnknownOpcodesAreAnsweredOnceAndSkipped()
    {
        yields(this::v4, X1, "error 7 PROTOCOL_ERROR", "envelope 8 5 0");
        yields(this::v5, W6, "error 7 PROTOCOL_ERROR", "envelope 8 5 0");
        yields(
            this::v4,
            concat(Wire.envelope(4, 0, 7, 0x08, new byte[12]), Wire.envelope(0x84, 0, 6, 0x05, new byte[3]),
                options(4, 8)),
            "error 7 PROTOCOL_ERROR",
            "error 6 PROTOCOL_ERROR",
            "envelope 8 5 0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"01", "02", "07", "41", "42", "7f"})
    void k5Case15ARejectedFirstByteIsAnsweredOnceAlsoOnClosing(final String version)
    {
        final byte[] input = concat(Hex.bytes(version), new byte[30]);
        yields(this::unfixed, input, "fatal 0 PROTOCOL_ERROR");
        assertListsVersions(input);
    }

    @Test
    void k5Case15HttpIsAnsweredOnce()
    {
        final byte[] input = "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        yields(this::unfixed, input, "fatal " + ('T' << 8 | ' ') + " PROTOCOL_ERROR");
        assertListsVersions(input);
    }

    private void assertListsVersions(final byte[] input)
    {
        final RecordingEnvelopeSink sink = new RecordingEnvelopeSink();
        try (InboundConnection connection = unfixed(sink))
        {
            connection.receive(input);
        }
        assertEquals(1, sink.errors().size());
        final String text = sink.errors().get(0).getMessage();
        assertTrue(text.endsWith("; supported versions are (3/v3, 4/v4, 5/v5, 6/v6-beta)"), text);
    }

    @Test
    void k6Case17ErrorsAreOnTheRequestsOwnStream()
    {
        yields(this::unfixed, options(5, 32767), "envelope 32767 5 0");
        for (final int streamId : new int[]{-32768, -1, 0, 1, 32767})
        {
            yields(this::unfixed, header(4, 0, streamId, 0x7F, 0), "error " + streamId + " PROTOCOL_ERROR");
            yields(this::v4, header(4, 0, streamId, 5, -1), "fatal " + streamId + " PROTOCOL_ERROR");
            yields(this::v5, plainSegment(options(4, streamId), true), "error " + streamId + " PROTOCOL_ERROR");
        }
    }

    @Test
    void k6Case19AnotherVersionIsAnsweredAndTheNextEnvelopeServed()
    {
        yields(this::v4, concat(options(3, 5), options(4, 6)), "error 5 PROTOCOL_ERROR", "envelope 6 5 0");
        yields(
            this::v5,
            plainSegment(concat(query(4, 5, 100), options(5, 6)), true),
            "error 5 PROTOCOL_ERROR",
            "envelope 6 5 0");
    }

    @Test
    void k7Case21LengthInTheWrongByteOrderIsAnsweredAtOnce()
    {
        yields(this::v4, X4, "fatal 6 PROTOCOL_ERROR");
        yields(this::v4, header(4, 0, 6, 5, -1), "fatal 6 PROTOCOL_ERROR");
        yields(this::unfixed, X4, "fatal 6 PROTOCOL_ERROR");
        final RecordingEnvelopeSink sink = new RecordingEnvelopeSink();
        try (InboundConnection connection = v4(sink))
        {
            connection.receive(X4);
            assertTrue(connection.isOver(), "nothing is drained");
        }
        assertEquals(ErrorCode.PROTOCOL_ERROR, sink.errors().get(0).code());
    }

    @Test
    void k7Case23HugeClaimsPinLittle()
    {
        final int sockets = 500;
        final RecordingEnvelopeSink sink = new RecordingEnvelopeSink();
        final InboundConnection[] connections = new InboundConnection[sockets];
        for (int i = 0; i < sockets; i++)
        {
            connections[i] = unfixed(sink);
            connections[i].receive(concat(header(4, 0, i, 0x01, 15 << 20), new byte[3000]));
        }
        assertTrue(leases.pool().outstandingBytes() <= sockets * 16L * 1024);
        for (final InboundConnection connection : connections)
        {
            connection.close();
        }
        assertEquals(0, sink.charged());
    }
}
