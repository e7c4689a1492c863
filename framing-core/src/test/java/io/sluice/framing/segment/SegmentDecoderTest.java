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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.framing.ErrorCode;
import io.sluice.framing.ProtocolException;
import io.sluice.framing.testkit.Hex;
import io.sluice.framing.testkit.LeaseCheck;
import io.sluice.framing.testkit.Randoms;
import io.sluice.framing.testkit.RecordingSegmentSink;
import io.sluice.framing.testkit.Splits;
import io.sluice.framing.testkit.Vectors;
import io.sluice.framing.testkit.Wire;
import io.sluice.memory.BufferLease;
import io.sluice.memory.BufferPool;
import io.sluice.memory.DirectMemory;
import io.sluice.memory.MemoryExhaustedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SegmentDecoderTest
{
    @RegisterExtension
    final LeaseCheck leases = new LeaseCheck();

    private final SegmentScratch scratch = new SegmentScratch();
    private final byte[] small = Wire.options(5, 1);
    private final byte[] medium = Wire.query(5, 2, 300);
    private final byte[] largest = Wire.noise(MAX_PAYLOAD, 7);

    /** Cuts the input every way and expects these payloads each time, and nothing held at the end. */
    private void decodesTo(final SegmentFormat format, final byte[] input, final byte[][] payloads, final int... ends)
    {
        final DirectMemory memory = Hex.memory(input);
        Splits.forEach(input.length, ends, cuts ->
        {
            final RecordingSegmentSink sink = new RecordingSegmentSink();
            try (SegmentDecoder decoder = decoder(format))
            {
                int start = 0;
                for (final int cut : cuts)
                {
                    assertEquals(cut, decoder.decode(memory, start, cut, sink));
                    start = cut;
                }
                assertEquals(0, decoder.heldBytes());
                assertEquals(payloads.length, decoder.segments());
                assertEquals(input.length, decoder.wireBytes());
            }
            assertPayloads(payloads, sink);
            leases.assertNoneOutstanding();
        });
    }

    private SegmentDecoder decoder(final SegmentFormat format)
    {
        return new SegmentDecoder(format, leases.pool(), scratch);
    }

    private static void assertPayloads(final byte[][] expected, final RecordingSegmentSink sink)
    {
        assertEquals(expected.length, sink.payloads().size(), "segments");
        for (int i = 0; i < expected.length; i++)
        {
            if (!Arrays.equals(expected[i], sink.payloads().get(i)))
            {
                assertArrayEquals(expected[i], sink.payloads().get(i), "payload " + i);
            }
        }
    }

    private static int[] ends(final byte[]... segments)
    {
        final int[] ends = new int[segments.length];
        int end = 0;
        for (int i = 0; i < segments.length; i++)
        {
            end += segments[i].length;
            ends[i] = end;
        }
        return ends;
    }

    @Test
    void decodesPlainSegmentsCutAnywhere()
    {
        decodesTo(
            PLAIN,
            Wire.concat(
                Wire.plainSegment(small, true),
                Wire.plainSegment(new byte[0], true),
                Wire.plainSegment(medium, false),
                Wire.plainSegment(small, true)),
            new byte[][]{small, {}, medium, small});
    }

    @Test
    void decodesCompressedSegmentsCutAnywhere()
    {
        decodesTo(
            LZ4,
            Wire.concat(
                Wire.compressedSegment(medium, true),
                Wire.rawSegment(small, true),
                Wire.rawSegment(new byte[0], true),
                Wire.compressedSegment(new byte[2000], false)),
            new byte[][]{medium, small, {}, new byte[2000]});
    }

    @Test
    void decodesLargestSegmentsCutAnywhere()
    {
        final byte[] first = Wire.plainSegment(largest, false);
        final byte[] second = Wire.plainSegment(small, true);
        decodesTo(PLAIN, Wire.concat(first, second), new byte[][]{largest, small}, 0, 6, first.length - 4,
            first.length);

        final byte[] raw = Wire.rawSegment(largest, false);
        final byte[] zeros = Wire.compressedSegment(new byte[MAX_PAYLOAD], true);
        decodesTo(
            LZ4,
            Wire.concat(raw, zeros),
            new byte[][]{largest, new byte[MAX_PAYLOAD]},
            0,
            8,
            raw.length - 4,
            raw.length,
            raw.length + 8);
    }

    @Test
    void acceptsBlocksThatAreNoShorterThanTheirContent()
    {
        final byte[] block = Wire.lz4Block(small);
        assertTrue(block.length > small.length);
        decodesTo(LZ4, Wire.lz4Segment(block, small.length, true), new byte[][]{small});
    }

    @Test
    void decodesGoldenSegments()
    {
        final List<Map<String, String>> vectors = Vectors.load("segments.json");
        assertEquals(11, vectors.size());
        for (final Map<String, String> vector : vectors)
        {
            final SegmentFormat format = vector.get("compressed").equals("true") ? LZ4 : PLAIN;
            final byte[] payload = payload(vector);
            final byte[] segment = segment(vector, payload);
            assertEquals(vector.get("segmentSha256"), Hex.sha256(segment), vector.get("name"));
            decodesTo(format, segment, new byte[][]{payload}, 0, format.headerLength(), segment.length - 4);
            final RecordingSegmentSink sink = new RecordingSegmentSink();
            decoder(format).decode(Hex.memory(segment), 0, segment.length, sink);
            assertEquals(List.of(Boolean.valueOf(vector.get("selfContained"))), sink.selfContained());
            waitsForTheLastByte(format, segment);
        }
    }

    private static byte[] payload(final Map<String, String> vector)
    {
        if (vector.containsKey("payloadHex"))
        {
            return Hex.bytes(vector.get("payloadHex"));
        }
        final byte[] payload = new byte[Integer.parseInt(vector.get("payloadLength"))];
        if (vector.get("payload").startsWith("generator"))
        {
            for (int i = 0; i < payload.length; i++)
            {
                payload[i] = (byte)(i * 31 + (i >>> 8));
            }
        }
        assertEquals(vector.get("payloadSha256"), Hex.sha256(payload));
        return payload;
    }

    private static byte[] segment(final Map<String, String> vector, final byte[] payload)
    {
        if (vector.containsKey("segmentHex"))
        {
            return Hex.bytes(vector.get("segmentHex"));
        }
        final byte[] segment = Wire.plainSegment(payload, Boolean.parseBoolean(vector.get("selfContained")));
        assertTrue(Hex.text(segment).startsWith(vector.get("segmentHeadHex")));
        assertTrue(Hex.text(segment).endsWith(vector.get("segmentTailHex")));
        return segment;
    }

    private void waitsForTheLastByte(final SegmentFormat format, final byte[] segment)
    {
        final RecordingSegmentSink sink = new RecordingSegmentSink();
        try (SegmentDecoder decoder = decoder(format))
        {
            decoder.decode(Hex.memory(segment), 0, segment.length - 1, sink);
            assertEquals(0, sink.payloads().size());
            assertEquals(segment.length - 1, decoder.heldBytes());
        }
        leases.assertNoneOutstanding();
    }

    @Test
    void treatsGoldenDamageAsItMust()
    {
        final List<Map<String, String>> vectors = Vectors.load("damaged.json");
        assertEquals(3, vectors.size());
        refuses(PLAIN, bytes(vectors.get(0)), "header. Read 12699812, Computed 11118780");
        refuses(PLAIN, bytes(vectors.get(1)), "body. Read -2039196235, Computed 537091585");
        decodesTo(PLAIN, bytes(vectors.get(2)), new byte[][]{small});
    }

    private static byte[] bytes(final Map<String, String> vector)
    {
        return Hex.bytes(vector.get("hex"));
    }

    /** Refuses the input however it is cut, for good, with nothing delivered and nothing kept. */
    private void refuses(final SegmentFormat format, final byte[] input, final String text)
    {
        final DirectMemory memory = Hex.memory(input);
        Splits.forEach(input.length, new int[]{0, format.headerLength(), input.length - 4}, cuts ->
        {
            final RecordingSegmentSink sink = new RecordingSegmentSink();
            final SegmentDecoder decoder = decoder(format);
            final ProtocolException error = assertThrows(ProtocolException.class,
                () -> decodeAll(decoder, memory, cuts, sink));
            assertTrue(error.isFatal());
            assertFalse(error.hasStreamId());
            assertEquals(ErrorCode.PROTOCOL_ERROR, error.code());
            assertTrue(error.getMessage().contains(text), error.getMessage());
            assertEquals(0, sink.payloads().size());
            assertTrue(decoder.isFailed());
            assertThrows(IllegalStateException.class, () -> decoder.decode(memory, 0, 0, sink));
            leases.assertNoneOutstanding();
        });
    }

    private static void decodeAll(final SegmentDecoder decoder,
        final DirectMemory memory,
        final int[] cuts,
        final RecordingSegmentSink sink)
    {
        int start = 0;
        for (final int cut : cuts)
        {
            decoder.decode(memory, start, cut, sink);
            start = cut;
        }
    }

    @Test
    void rejectsHeaderWithWrongCrc()
    {
        refuses(PLAIN, Hex.bytes("090002a5c8c1050000010500000000b5557486"), "CRC mismatch detected in frame header");
        refuses(LZ4, Hex.bytes("0900000004c2b896050000010500000000b5557486"), "CRC mismatch detected in frame header");
    }

    @Test
    void rejectsPayloadWithWrongCrc()
    {
        refuses(PLAIN, Hex.bytes("090002a4c8c1050000010500000000b4557486"), "CRC mismatch detected in frame body");
        refuses(LZ4, Hex.bytes("0900000004c2b895050000010500000000b4557486"), "CRC mismatch detected in frame body");
    }

    @Test
    void rejectsBlocksThatYieldAnotherLengthThanDeclared()
    {
        final byte[] block = Hex.bytes("7f736c756963652007000a506c75696365");
        decodesTo(LZ4, Wire.lz4Segment(block, 41, true),
            new byte[][]{"sluice ".repeat(6).strip().getBytes(java.nio.charset.StandardCharsets.US_ASCII)});
        refuses(LZ4, Wire.lz4Segment(block, 40, true), "LZ4 block");
        refuses(LZ4, Wire.lz4Segment(block, 42, true), "LZ4 block: yields 41 bytes (expected: 42)");
        refuses(LZ4, Wire.lz4Segment(block, 1, true), "LZ4 block");
        refuses(LZ4, Wire.lz4Segment(block, MAX_PAYLOAD, false), "LZ4 block");
    }

    @Test
    void rejectsBlocksThatAreNoBlocks()
    {
        refuses(LZ4, Wire.lz4Segment(new byte[0], 5, true), "LZ4 block");
        refuses(LZ4, Wire.lz4Segment(new byte[]{0}, 5, true), "LZ4 block");
        // A match that reaches back before the start: it must not read the last payload in the scratch.
        refuses(LZ4, Wire.lz4Segment(Hex.bytes("10410900"), 5, true), "LZ4 block");
        refuses(LZ4, Wire.lz4Segment(Hex.bytes("0f0100ffffff00"), 900, true), "LZ4 block");
        Randoms.forSeeds(500, random ->
        {
            final byte[] junk = new byte[1 + random.nextInt(60)];
            random.nextBytes(junk);
            final byte[] segment = Wire.lz4Segment(junk, 1 + random.nextInt(2000), true);
            final RecordingSegmentSink sink = new RecordingSegmentSink();
            try (SegmentDecoder decoder = decoder(LZ4))
            {
                decoder.decode(Hex.memory(segment), 0, segment.length, sink);
                // A few random blocks are good ones: then they yield what they say.
                assertEquals(
                    SegmentHeader.uncompressedLength(SegmentHeader.read(Hex.memory(segment).buffer(), 0, LZ4), LZ4),
                    sink.payloads().get(0).length);
            }
            catch (final ProtocolException e)
            {
                assertTrue(e.isFatal());
                assertEquals(0, sink.payloads().size());
            }
        });
    }

    @Test
    void deliversWhatLiesBeforeDamage()
    {
        final byte[] input = Wire.concat(Wire.plainSegment(small, true), Hex.bytes("090002a5c8c1"), new byte[13]);
        final RecordingSegmentSink sink = new RecordingSegmentSink();
        final SegmentDecoder decoder = decoder(PLAIN);
        assertThrows(ProtocolException.class, () -> decoder.decode(Hex.memory(input), 0, input.length, sink));
        assertPayloads(new byte[][]{small}, sink);
    }

    @Test
    void everyFlippedBitIsFatal()
    {
        flipBits(PLAIN, "090002a4c8c1050000010500000000b5557486");
        flipBits(PLAIN, "120002f6cbcf05000001050000000005000002050000000017044de6");
        flipBits(LZ4, "0a0012000412265390050000010500000000eb1c9cf1");
    }

    private void flipBits(final SegmentFormat format, final String hex)
    {
        final byte[] good = Hex.bytes(hex);
        for (int bit = 0; bit < 8 * good.length; bit++)
        {
            final byte[] damaged = good.clone();
            damaged[bit / 8] ^= (byte)(1 << bit % 8);
            final RecordingSegmentSink sink = new RecordingSegmentSink();
            final SegmentDecoder decoder = decoder(format);
            final ProtocolException error = assertThrows(
                ProtocolException.class,
                () -> decoder.decode(Hex.memory(damaged), 0, damaged.length, sink),
                "bit " + bit);
            assertTrue(error.isFatal());
            assertEquals(0, sink.payloads().size());
        }
    }

    @Test
    void stopsBehindASegmentWhenTheSinkSaysSo()
    {
        final byte[] first = Wire.plainSegment(small, true);
        final byte[] second = Wire.plainSegment(medium, true);
        final byte[] input = Wire.concat(first, second);
        final RecordingSegmentSink sink = new RecordingSegmentSink().stopAfterEach();
        Splits.forEach(input.length, ends(first, second), cuts ->
        {
            sink.payloads().clear();
            try (SegmentDecoder decoder = decoder(PLAIN))
            {
                int position = 0;
                for (final int cut : cuts)
                {
                    while (position < cut)
                    {
                        final int segments = sink.payloads().size();
                        position = decoder.decode(Hex.memory(input), position, cut, sink);
                        assertTrue(position == cut || sink.payloads().size() == segments + 1, "no progress");
                    }
                }
            }
            assertPayloads(new byte[][]{small, medium}, sink);
        });
    }

    @Test
    void canBeClosedByItsSink()
    {
        final byte[] segment = Wire.compressedSegment(medium, true);
        final byte[] input = Wire.concat(segment, segment);
        Splits.forEach(input.length, new int[0], cuts ->
        {
            final RecordingSegmentSink sink = new RecordingSegmentSink();
            final SegmentDecoder decoder = decoder(LZ4);
            sink.then(decoder::close);
            int start = 0;
            for (final int cut : cuts)
            {
                if (sink.payloads().isEmpty())
                {
                    decoder.decode(Hex.memory(input), start, cut, sink);
                }
                start = cut;
            }
            assertPayloads(new byte[][]{medium}, sink);
            assertThrows(IllegalStateException.class, () -> decoder.decode(Hex.memory(input), 0, 1, sink));
            leases.assertNoneOutstanding();
        });
    }

    @Test
    void cannotBeCalledByItsSink()
    {
        final byte[] segment = Wire.plainSegment(small, true);
        final DirectMemory memory = Hex.memory(segment);
        final RecordingSegmentSink sink = new RecordingSegmentSink();
        final SegmentDecoder decoder = decoder(PLAIN);
        sink.then(
            () -> assertThrows(IllegalStateException.class, () -> decoder.decode(memory, 0, segment.length, sink)));
        decoder.decode(memory, 0, segment.length, sink);
        assertPayloads(new byte[][]{small}, sink);
    }

    @Test
    void sharedScratchIsNotLentTwice()
    {
        final byte[] segment = Wire.compressedSegment(medium, true);
        final DirectMemory memory = Hex.memory(segment);
        final RecordingSegmentSink inner = new RecordingSegmentSink();
        final RecordingSegmentSink outer = new RecordingSegmentSink().then(
            () -> assertThrows(
                IllegalStateException.class,
                () -> decoder(LZ4).decode(memory, 0, segment.length, inner)));
        decoder(LZ4).decode(memory, 0, segment.length, outer);
        decoder(LZ4).decode(memory, 0, segment.length, inner);
        assertPayloads(new byte[][]{medium}, inner);
    }

    @Test
    void failsForGoodIfItsSinkThrows()
    {
        final byte[] segment = Wire.plainSegment(small, true);
        final SegmentDecoder decoder = decoder(PLAIN);
        decoder.decode(Hex.memory(segment), 0, 7, new RecordingSegmentSink());
        final RecordingSegmentSink sink = new RecordingSegmentSink().then(() ->
        {
            throw new UnsupportedOperationException("from the sink");
        });
        assertThrows(
            UnsupportedOperationException.class,
            () -> decoder.decode(Hex.memory(segment), 7, segment.length, sink));
        assertThrows(IllegalStateException.class, () -> decoder.decode(Hex.memory(segment), 0, 1, sink));
    }

    @Test
    void failsForGoodWithoutMemoryForACutSegment()
    {
        try (BufferPool poor = new BufferPool(() -> 0, 1 << 20, true); BufferLease hog = poor.claim(1 << 20, "hog"))
        {
            assertTrue(hog.isClaimed());
            final byte[] segment = Wire.plainSegment(medium, true);
            final SegmentDecoder decoder = new SegmentDecoder(PLAIN, poor, scratch);
            final RecordingSegmentSink sink = new RecordingSegmentSink();
            assertThrows(MemoryExhaustedException.class, () -> decoder.decode(Hex.memory(segment), 0, 50, sink));
            assertThrows(IllegalStateException.class, () -> decoder.decode(Hex.memory(segment), 50, 51, sink));
            assertEquals(1, poor.outstandingLeases());
        }
    }

    @Test
    void givesBackACutSegmentOnClosing()
    {
        final byte[] segment = Wire.plainSegment(largest, false);
        final SegmentDecoder decoder = decoder(PLAIN);
        decoder.decode(Hex.memory(segment), 0, 100_000, new RecordingSegmentSink());
        assertEquals(100_000, decoder.heldBytes());
        assertEquals(1, leases.pool().outstandingLeases());
        decoder.close();
        decoder.close();
        assertEquals(0, decoder.heldBytes());
    }

    @Test
    void pinsLittleForAHeaderWithNothingBehind()
    {
        final byte[] segment = Wire.plainSegment(largest, false);
        try (SegmentDecoder decoder = decoder(PLAIN))
        {
            decoder.decode(Hex.memory(segment), 0, 6, new RecordingSegmentSink());
            assertEquals(0, leases.pool().outstandingBytes());
            decoder.decode(Hex.memory(segment), 6, 7, new RecordingSegmentSink());
            assertTrue(leases.pool().outstandingBytes() <= 16 * 1024);
        }
    }

    @Test
    void checksItsArguments()
    {
        final SegmentDecoder decoder = decoder(PLAIN);
        final DirectMemory memory = DirectMemory.allocate(10);
        final RecordingSegmentSink sink = new RecordingSegmentSink();
        assertThrows(IllegalArgumentException.class, () -> decoder.decode(memory, 0, 11, sink));
        assertThrows(IllegalArgumentException.class, () -> decoder.decode(memory, -1, 1, sink));
        assertThrows(IllegalArgumentException.class, () -> decoder.decode(memory, 5, 4, sink));
        assertEquals(10, decoder.decode(memory, 10, 10, sink));
    }

    @Test
    void counts()
    {
        final byte[] input = Wire.concat(Wire.compressedSegment(medium, true), Wire.rawSegment(small, true));
        try (SegmentDecoder decoder = decoder(LZ4))
        {
            decoder.decode(Hex.memory(input), 0, input.length, new RecordingSegmentSink());
            assertEquals(2, decoder.segments());
            assertEquals(1, decoder.rawSegments());
            assertEquals(input.length, decoder.wireBytes());
            assertEquals(medium.length + small.length, decoder.payloadBytes());
        }
    }

    @Test
    void decodesRandomSegmentsInRandomParts()
    {
        Randoms.forSeeds(200, random ->
        {
            final SegmentFormat format = random.nextBoolean() ? PLAIN : LZ4;
            final List<byte[]> payloads = new ArrayList<>();
            final List<byte[]> segments = new ArrayList<>();
            for (int i = 0; i < 1 + random.nextInt(20); i++)
            {
                final int length = random.nextInt(1 << (1 + random.nextInt(17)));
                final byte[] payload = random.nextBoolean() ? Wire.noise(length, i) : new byte[length];
                payloads.add(payload);
                segments.add(
                    format == PLAIN
                        ? Wire.plainSegment(payload, random.nextBoolean())
                        : random.nextBoolean() && length > 0 && Wire.lz4Block(payload).length <= MAX_PAYLOAD
                            ? Wire.compressedSegment(payload, random.nextBoolean())
                            : Wire.rawSegment(payload, random.nextBoolean()));
            }
            final byte[] input = Wire.concat(segments.toArray(new byte[0][]));
            final RecordingSegmentSink sink = new RecordingSegmentSink();
            try (SegmentDecoder decoder = decoder(format))
            {
                decodeAll(decoder, Hex.memory(input), Splits.random(input.length, random), sink);
            }
            assertPayloads(payloads.toArray(new byte[0][]), sink);
            leases.assertNoneOutstanding();
        });
    }
}
