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
import static io.sluice.framing.testkit.Wire.envelope;
import static io.sluice.framing.testkit.Wire.header;
import static io.sluice.framing.testkit.Wire.legacyHeader;
import static io.sluice.framing.testkit.Wire.options;
import static io.sluice.framing.testkit.Wire.plainSegment;
import static io.sluice.framing.testkit.Wire.query;
import static io.sluice.framing.testkit.Wire.slice;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.framing.EnvelopeFlags;
import io.sluice.framing.ErrorCode;
import io.sluice.framing.ProtocolException;
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.segment.SegmentFormat;
import io.sluice.framing.testkit.Hex;
import io.sluice.framing.testkit.InboundConnection;
import io.sluice.framing.testkit.Randoms;
import io.sluice.framing.testkit.RecordingEnvelopeSink;
import io.sluice.framing.testkit.Splits;
import io.sluice.framing.testkit.Wire;
import io.sluice.memory.BufferLease;
import io.sluice.memory.BufferPool;
import io.sluice.memory.DirectMemory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Envelopes in segments. */
class EnvelopeReaderPayloadTest extends EnvelopeReaderTestBase
{
    /** One whole envelope in a segment that says it is a piece, or in several. */
    private static byte[] pieces(final byte[] envelope, final int... ends)
    {
        byte[] segments = new byte[0];
        int start = 0;
        for (final int end : ends)
        {
            segments = concat(segments, plainSegment(slice(envelope, start, end), false));
            start = end;
        }
        return concat(segments, plainSegment(slice(envelope, start, envelope.length), false));
    }

    @Test
    void readsAllEnvelopesOfAPayload()
    {
        yields(
            this::v5,
            concat(
                plainSegment(concat(options(5, 1), query(5, 2, 300), options(5, 3)), true),
                plainSegment(new byte[0], true),
                plainSegment(options(5, 4), true)),
            "envelope 1 5 0",
            "envelope 2 7 291",
            "envelope 3 5 0",
            "envelope 4 5 0");
    }

    @Test
    void readsAnEnvelopeInPiecesCutAnywhere()
    {
        final byte[] envelope = query(5, 2, 700);
        yields(
            this::v5,
            concat(pieces(envelope, 9, 10, 300), plainSegment(options(5, 3), true)),
            "envelope 2 7 691",
            "envelope 3 5 0");
    }

    @Test
    void piecesMayHaveAnyLength()
    {
        final byte[] envelope = query(5, 2, 40);
        for (int first = 9; first < 40; first++)
        {
            final RecordingEnvelopeSink sink = new RecordingEnvelopeSink();
            try (InboundConnection connection = v5(sink))
            {
                connection.receive(concat(pieces(envelope, first), plainSegment(options(5, 3), true)));
            }
            assertEquals(List.of("envelope 2 7 31", "envelope 3 5 0"), sink.events());
            assertArrayEquals(slice(envelope, 9, 40), sink.bodies().get(0));
        }
    }

    @Test
    void completesAnEnvelopeOnItsFirstPiece()
    {
        // Stock sends such segments, and loses the next large message when it gets one.
        yields(
            this::v5,
            concat(pieces(query(5, 1, 400)), pieces(query(5, 2, 400), 100), pieces(options(5, 3)),
                pieces(options(5, 4))),
            "envelope 1 7 391",
            "envelope 2 7 391",
            "envelope 3 5 0",
            "envelope 4 5 0");
    }

    @Test
    void servesSelfContainedSegmentsBetweenPieces()
    {
        final byte[] envelope = query(5, 9, 500);
        yields(
            this::v5,
            concat(
                plainSegment(slice(envelope, 0, 100), false),
                plainSegment(options(5, 1), true),
                plainSegment(slice(envelope, 100, 200), false),
                plainSegment(new byte[0], true),
                plainSegment(query(5, 2, 70), true),
                plainSegment(slice(envelope, 200, 500), false)),
            "envelope 1 5 0",
            "envelope 2 7 61",
            "envelope 9 7 491");
    }

    @Test
    void bodiesOfPiecesAndBetweenPiecesDoNotMix()
    {
        Randoms.forSeeds(60, random ->
        {
            final byte[] largeBody = Wire.noise(1000 + random.nextInt(300_000), random.nextLong());
            final byte[] large = envelope(5, 0, 1, Wire.QUERY, largeBody);
            final List<byte[]> smallBodies = new ArrayList<>();
            byte[] input = new byte[0];
            int sent = 0;
            while (sent < large.length)
            {
                final int end = Math.min(
                    large.length,
                    sent + 9 + random.nextInt(Math.min(SegmentFormat.MAX_PAYLOAD - 8, large.length)));
                input = concat(input, plainSegment(slice(large, sent, end), false));
                sent = end;
                if (sent < large.length && random.nextBoolean())
                {
                    smallBodies.add(Wire.noise(random.nextInt(50), sent));
                    input = concat(
                        input,
                        plainSegment(envelope(5, 0, 2, Wire.QUERY, smallBodies.get(smallBodies.size() - 1)), true));
                }
            }
            final RecordingEnvelopeSink sink = new RecordingEnvelopeSink();
            try (InboundConnection connection = v5(sink))
            {
                connection.receive(input, Splits.random(input.length, random));
            }
            final List<byte[]> bodies = sink.bodies();
            assertEquals(smallBodies.size() + 1, bodies.size());
            for (int i = 0; i < smallBodies.size(); i++)
            {
                assertArrayEquals(smallBodies.get(i), bodies.get(i));
            }
            assertArrayEquals(largeBody, bodies.get(smallBodies.size()));
            leases.assertNoneOutstanding();
        });
    }

    @Test
    void wholeEnvelopesAreUsedInPlace()
    {
        final DirectMemory memory = Hex.memory(concat(query(5, 1, 100), query(5, 2, 200)));
        final List<Integer> offsets = new ArrayList<>();
        final EnvelopeReader reader = new EnvelopeReader(leases.pool(), new PlainSink()
        {
            @Override
            public boolean onEnvelope(final EnvelopeHeader header, final DirectMemory from, final int bodyOffset)
            {
                assertEquals(memory, from);
                offsets.add(bodyOffset);
                return true;
            }
        }, () -> 1000);
        assertEquals(300, reader.readPayload(memory, 0, 300, true));
        assertEquals(100, reader.readPayload(memory, 0, 100, false));
        assertEquals(List.of(9, 109, 9), offsets);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void refusesScraps(final int length)
    {
        final byte[] scrap = slice(options(5, 7), 0, length);
        yields(this::v5, plainSegment(scrap, true), "fatal ? PROTOCOL_ERROR");
        yields(this::v5, plainSegment(scrap, false), "fatal ? PROTOCOL_ERROR");
        yields(
            this::v5,
            concat(plainSegment(concat(options(5, 1), scrap), true), plainSegment(options(5, 2), true)),
            "envelope 1 5 0",
            "fatal ? PROTOCOL_ERROR");
    }

    @Test
    void refusesABodyThatGoesPastItsSegment()
    {
        yields(
            this::v5,
            concat(plainSegment(slice(query(5, 7, 100), 0, 99), true), plainSegment(options(5, 2), true)),
            "fatal 7 PROTOCOL_ERROR");
        yields(this::v5, plainSegment(header(5, 0, 7, Wire.QUERY, 1), true), "fatal 7 PROTOCOL_ERROR");
        yields(
            this::v5,
            plainSegment(concat(options(5, 1), header(5, 0, 7, Wire.QUERY, 5), new byte[4]), true),
            "envelope 1 5 0",
            "fatal 7 PROTOCOL_ERROR");
        // Also when the envelope would be refused for another reason: its end is not known.
        yields(this::v5, plainSegment(header(5, 0, 7, 0x7F, 1), true), "fatal 7 PROTOCOL_ERROR");
        yields(this::v5, plainSegment(header(4, 0, 7, Wire.QUERY, 1), true), "fatal 7 PROTOCOL_ERROR");
    }

    @Test
    void refusesAPieceThatGoesPastItsEnvelope()
    {
        yields(this::v5, plainSegment(concat(query(5, 7, 100), new byte[1]), false), "fatal 7 PROTOCOL_ERROR");
        yields(
            this::v5,
            plainSegment(concat(query(5, 7, 100), options(5, 8)), false),
            "fatal 7 PROTOCOL_ERROR");
        final byte[] envelope = query(5, 7, 100);
        yields(
            this::v5,
            concat(
                plainSegment(slice(envelope, 0, 50), false),
                plainSegment(concat(slice(envelope, 50, 100), new byte[1]), false),
                plainSegment(options(5, 8), true)),
            "aborted 7 7 91",
            "fatal 7 PROTOCOL_ERROR");
        yields(
            this::v5,
            () -> new RecordingEnvelopeSink().deciding(header -> EnvelopeSink.DROP),
            concat(plainSegment(slice(envelope, 0, 50), false), plainSegment(new byte[51], false)),
            new int[0],
            "aborted 7 7 91",
            "fatal 7 PROTOCOL_ERROR");
    }

    @Test
    void refusesEmptyPieces()
    {
        yields(
            this::v5,
            concat(plainSegment(new byte[0], false), plainSegment(options(5, 1), true)),
            "fatal ? PROTOCOL_ERROR");
        yields(
            this::v5,
            concat(plainSegment(slice(query(5, 7, 100), 0, 50), false), plainSegment(new byte[0], false)),
            "aborted 7 7 91",
            "fatal 7 PROTOCOL_ERROR");
    }

    @Test
    void refusesLyingLengths()
    {
        for (final int length : new int[]{-1, Integer.MIN_VALUE, InboundConnection.DRAIN_LIMIT + 1, Integer.MAX_VALUE})
        {
            for (final boolean selfContained : new boolean[]{true, false})
            {
                final byte[] lie = concat(header(5, 0, 6, Wire.QUERY, length), new byte[20]);
                yields(this::v5, plainSegment(lie, selfContained), "fatal 6 PROTOCOL_ERROR");
                final byte[] doubleLie = concat(header(5, 0, 6, 0x7F, length), new byte[20]);
                yields(this::v5, plainSegment(doubleLie, selfContained), "fatal 6 PROTOCOL_ERROR");
            }
        }
    }

    @Test
    void refusesOtherVersionsAndGoesOn()
    {
        for (final int version : new int[]{3, 4, 6, 7, 0, 0x7F})
        {
            final byte[] wrong = envelope(version, EnvelopeFlags.USE_BETA, 7, Wire.QUERY, new byte[30]);
            yields(
                this::v5,
                plainSegment(concat(wrong, options(5, 8)), true),
                "error 7 PROTOCOL_ERROR",
                "envelope 8 5 0");
            yields(
                this::v5,
                concat(pieces(wrong), pieces(wrong, 9, 20), plainSegment(options(5, 8), true)),
                "error 7 PROTOCOL_ERROR",
                "error 7 PROTOCOL_ERROR",
                "envelope 8 5 0");
        }
        assertEquals(
            "Invalid message version. Got 4/v4 but previous messages on this connection had version 5/v5",
            error(plainSegment(options(4, 1), true)).getMessage());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void refusesOldVersionsForGood(final int version)
    {
        final byte[] legacy = concat(legacyHeader(version, 3, 5, 0), options(5, 8));
        yields(this::v5, plainSegment(legacy, true), "fatal ? PROTOCOL_ERROR");
        yields(this::v5, plainSegment(legacy, false), "fatal ? PROTOCOL_ERROR");
    }

    private ProtocolException error(final byte[] input)
    {
        final RecordingEnvelopeSink sink = new RecordingEnvelopeSink();
        try (InboundConnection connection = v5(sink))
        {
            connection.receive(input);
            assertEquals(5, connection.reader().answerVersion());
        }
        assertEquals(1, sink.errors().size());
        return sink.errors().get(0);
    }

    @Test
    void refusesEachWrongOpcodeAndDirectionOnceAndGoesOn()
    {
        for (int opcode = 0; opcode < 256; opcode++)
        {
            for (final int version : new int[]{0x05, 0x85})
            {
                final boolean good = version == 0x05 &&
                    (opcode == 1 || opcode == 5 || opcode == 7 || opcode == 9 || opcode == 0x0A || opcode == 0x0B ||
                        opcode == 0x0D || opcode == 0x0F);
                final RecordingEnvelopeSink sink = new RecordingEnvelopeSink();
                final byte[] wrong = envelope(version, 0, 7, opcode, new byte[20]);
                try (InboundConnection connection = v5(sink))
                {
                    connection.receive(
                        concat(plainSegment(concat(wrong, options(5, 8)), true), pieces(wrong, 15),
                            pieces(options(5, 9))));
                }
                final String result = good ? "envelope 7 " + opcode + " 20" : "error 7 PROTOCOL_ERROR";
                assertEquals(List.of(result, "envelope 8 5 0", result, "envelope 9 5 0"), sink.events());
            }
        }
    }

    @Test
    void dropsLargeAndSmall()
    {
        yields(
            this::v5,
            () -> new RecordingEnvelopeSink()
                .deciding(header -> header.streamId() == 2 ? EnvelopeSink.DROP : EnvelopeSink.ADMIT),
            concat(
                plainSegment(concat(query(5, 2, 40), query(5, 3, 50)), true),
                pieces(query(5, 2, 400), 100, 200),
                pieces(query(5, 2, 400)),
                pieces(query(5, 4, 400), 100)),
            new int[0],
            "dropped 2 7 31",
            "envelope 3 7 41",
            "dropped 2 7 391",
            "dropped 2 7 391",
            "envelope 4 7 391");
    }

    @Test
    void offersAPausedHeaderAgain()
    {
        final int[] calls = new int[1];
        yields(
            this::v5,
            () -> new RecordingEnvelopeSink().deciding(
                header -> calls[0]++ % 3 == 2 ? EnvelopeSink.ADMIT : EnvelopeSink.PAUSE),
            concat(
                plainSegment(concat(options(5, 1), query(5, 2, 60)), true),
                pieces(query(5, 3, 400), 100),
                pieces(query(5, 4, 300)),
                plainSegment(options(5, 5), true)),
            new int[0],
            "envelope 1 5 0",
            "envelope 2 7 51",
            "envelope 3 7 391",
            "envelope 4 7 291",
            "envelope 5 5 0");
    }

    @Test
    void anUnfinishedEnvelopeIsNeverPaused()
    {
        final int[] decision = {EnvelopeSink.ADMIT};
        final RecordingEnvelopeSink sink = new RecordingEnvelopeSink().deciding(header -> decision[0]);
        final byte[] envelope = query(5, 3, 400);
        try (InboundConnection connection = v5(sink))
        {
            connection.receive(plainSegment(slice(envelope, 0, 100), false));
            decision[0] = EnvelopeSink.PAUSE;
            connection.receive(plainSegment(slice(envelope, 100, 400), false));
            assertEquals(List.of("envelope 3 7 391"), sink.events());
        }
    }

    @Test
    void stopsForGoodWhenTheSinkSaysStop()
    {
        yields(
            this::v5,
            () -> new RecordingEnvelopeSink()
                .deciding(header -> header.streamId() == 2 ? EnvelopeSink.STOP : EnvelopeSink.ADMIT),
            concat(plainSegment(concat(options(5, 1), query(5, 2, 40), options(5, 3)), true),
                plainSegment(options(5, 4), true)),
            new int[0],
            "envelope 1 5 0");
        yields(
            this::v5,
            () -> new RecordingEnvelopeSink().deciding(header -> EnvelopeSink.STOP),
            pieces(query(5, 2, 400), 100),
            new int[0]);
    }

    @Test
    void stopsForGoodWhenTheSinkHasEnoughOfErrors()
    {
        yields(
            this::v5,
            () -> new RecordingEnvelopeSink().stopOnError(),
            plainSegment(concat(options(4, 1), options(5, 2)), true),
            new int[0],
            "error 1 PROTOCOL_ERROR");
        yields(
            this::v5,
            () -> new RecordingEnvelopeSink().stopOnError(),
            pieces(query(4, 1, 400), 100),
            new int[0],
            "error 1 PROTOCOL_ERROR");
    }

    @Test
    void abortsWhatIsUnfinishedOnClosing()
    {
        yields(
            this::v5,
            concat(plainSegment(slice(query(5, 7, 500), 0, 300), false), plainSegment(options(5, 1), true)),
            "envelope 1 5 0",
            "aborted 7 7 491");
        // One that was refused has been answered already.
        yields(
            this::v5,
            plainSegment(slice(query(4, 7, 500), 0, 300), false),
            "error 7 PROTOCOL_ERROR");
    }

    @Test
    void canBeClosedByItsSinkBetweenPieces()
    {
        final byte[] large = query(5, 7, 500);
        final byte[] input = concat(
            plainSegment(slice(large, 0, 100), false),
            plainSegment(concat(query(5, 1, 50), options(5, 2)), true),
            plainSegment(slice(large, 100, 500), false));
        yields(sink ->
        {
            final InboundConnection connection = v5(sink);
            sink.onEnvelope(connection::close);
            return connection;
        }, input, "envelope 1 7 41", "aborted 7 7 491");
        yields(sink ->
        {
            final InboundConnection connection = v5(sink);
            sink.deciding(header ->
            {
                if (header.streamId() == 1)
                {
                    connection.close();
                }
                return EnvelopeSink.ADMIT;
            });
            return connection;
        }, input, "aborted 7 7 491", "aborted 1 7 41");
    }

    @Test
    void canBeClosedByItsSinkOnTheLastPiece()
    {
        yields(sink ->
        {
            final InboundConnection connection = v5(sink);
            sink.onEnvelope(connection::close);
            return connection;
        }, concat(pieces(query(5, 7, 500), 100), plainSegment(options(5, 1), true)), "envelope 7 7 491");
    }

    @Test
    void canBeClosedByItsSinkOnAnError()
    {
        final byte[] large = query(5, 7, 500);
        yields(sink ->
        {
            final InboundConnection connection = v5(sink);
            sink.onError(connection::close);
            return connection;
        },
            concat(plainSegment(slice(large, 0, 100), false), plainSegment(options(4, 1), true)),
            "error 1 PROTOCOL_ERROR",
            "aborted 7 7 491");
    }

    @Test
    void shedsAnEnvelopeThatThereIsNoMemoryFor()
    {
        try (BufferPool poor = new BufferPool(() -> 0, 1 << 20, true))
        {
            final BufferLease hog = poor.claim(1 << 20, "hog");
            assertEquals(1 << 20, hog.capacity());
            final RecordingEnvelopeSink sink = new RecordingEnvelopeSink();
            try (InboundConnection connection = new InboundConnection(
                poor, SegmentFormat.PLAIN, ProtocolVersion.V5, sink))
            {
                connection.receive(concat(pieces(query(5, 1, 500), 100, 200), plainSegment(options(5, 2), true)));
                hog.close();
                connection.receive(pieces(query(5, 3, 500), 100, 200));
            }
            assertEquals(
                List.of("aborted 1 7 491", "error 1 OVERLOADED", "envelope 2 5 0", "envelope 3 7 491"),
                sink.events());
            assertEquals(ErrorCode.OVERLOADED, sink.errors().get(0).code());
            assertEquals(0, sink.charged());
            assertEquals(0, poor.outstandingLeases());
        }
    }

    @Test
    void randomTrafficEndsInEnvelopesOrOneFatalError()
    {
        Randoms.forSeeds(2000, random ->
        {
            byte[] input = new byte[0];
            for (int i = 0; i < 8; i++)
            {
                final int version = random.nextInt(6) == 0 ? random.nextInt(256) : 5;
                final int opcode = random.nextInt(6) == 0 ? random.nextInt(256) : Wire.QUERY;
                byte[] payload = envelope(version, 0, i, opcode, new byte[random.nextInt(100)]);
                payload = random.nextInt(8) == 0 ? slice(payload, 0, random.nextInt(payload.length + 3)) : payload;
                payload = random.nextInt(8) == 0 ? Wire.noise(random.nextInt(40), i) : payload;
                input = concat(input, plainSegment(payload, random.nextInt(4) != 0));
            }
            final RecordingEnvelopeSink whole = new RecordingEnvelopeSink();
            final RecordingEnvelopeSink cut = new RecordingEnvelopeSink();
            try (InboundConnection connection = v5(whole); InboundConnection other = v5(cut))
            {
                connection.receive(input);
                other.receive(input, Splits.random(input.length, random));
                final boolean fatal = whole.errors().stream().anyMatch(ProtocolException::isFatal);
                assertEquals(fatal, connection.isOver());
                assertTrue(fatal || connection.waitingBytes() == 0);
            }
            assertEquals(whole.events(), cut.events());
            assertEquals(0, whole.charged());
            assertEquals(0, cut.charged());
            assertTrue(whole.errors().stream().filter(ProtocolException::isFatal).count() <= 1);
            leases.assertNoneOutstanding();
        });
    }
}
