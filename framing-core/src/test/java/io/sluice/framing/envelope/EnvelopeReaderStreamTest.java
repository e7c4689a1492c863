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
import static io.sluice.framing.testkit.Wire.query;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.framing.EnvelopeFlags;
import io.sluice.framing.ErrorCode;
import io.sluice.framing.ProtocolException;
import io.sluice.framing.ProtocolVersion;
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
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Versions 3 and 4, and all versions before STARTUP. */
class EnvelopeReaderStreamTest extends EnvelopeReaderTestBase
{
    @Test
    void readsEnvelopesBackToBack()
    {
        yields(
            this::v4,
            concat(options(4, 1), query(4, 2, 300), options(4, 3), query(4, 4, 21)),
            "envelope 1 5 0",
            "envelope 2 7 291",
            "envelope 3 5 0",
            "envelope 4 7 12");
    }

    @Test
    void readsALargeEnvelopeCutAnywhere()
    {
        final byte[] large = query(4, 2, 200_000);
        yields(
            this::v4,
            RecordingEnvelopeSink::new,
            concat(options(4, 1), large, options(4, 3)),
            new int[]{9, 18, 9 + large.length, 18 + large.length},
            "envelope 1 5 0",
            "envelope 2 7 199991",
            "envelope 3 5 0");
    }

    @Test
    void bodiesComeOutAsTheyWentIn()
    {
        Randoms.forSeeds(200, random ->
        {
            final List<byte[]> bodies = new ArrayList<>();
            byte[] input = new byte[0];
            for (int i = 0; i < 1 + random.nextInt(12); i++)
            {
                final byte[] body = Wire.noise(random.nextInt(1 << (1 + random.nextInt(18))), i);
                bodies.add(body);
                input = concat(input, envelope(4, 0, i, Wire.QUERY, body));
            }
            final RecordingEnvelopeSink sink = new RecordingEnvelopeSink();
            try (InboundConnection connection = v4(sink))
            {
                connection.receive(input, Splits.random(input.length, random));
                assertFalse(connection.reader().isInsideEnvelope());
            }
            assertEquals(bodies.size(), sink.bodies().size());
            for (int i = 0; i < bodies.size(); i++)
            {
                assertArrayEquals(bodies.get(i), sink.bodies().get(i));
            }
            leases.assertNoneOutstanding();
        });
    }

    @Test
    void wholeEnvelopesAreUsedInPlace()
    {
        final byte[] input = concat(query(4, 1, 100), query(4, 2, 200));
        final DirectMemory memory = Hex.memory(input);
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
        assertEquals(300, reader.readStream(memory, 0, 300));
        assertEquals(List.of(9, 109), offsets);
    }

    @Test
    void acceptsEverySupportedVersionBeforeOneIsFixed()
    {
        yields(
            this::unfixed,
            concat(
                options(3, 1),
                options(4, 2),
                options(5, 32767),
                envelope(6, EnvelopeFlags.USE_BETA, 4, Wire.OPTIONS, new byte[0])),
            "envelope 1 5 0",
            "envelope 2 5 0",
            "envelope 32767 5 0",
            "envelope 4 5 0");
    }

    @Test
    void refusesTheBetaVersionWithoutItsFlagAndGoesOn()
    {
        yields(
            this::unfixed,
            concat(query(6, 3, 100), options(5, 4)),
            "error 3 PROTOCOL_ERROR",
            "envelope 4 5 0");
        assertText(
            unfixedError(options(6, 3)),
            "Beta version of the protocol used (6/v6-beta), but USE_BETA flag is unset");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 7, 0x41, 0x42, 0x7F})
    void refusesUnknownVersionsOnceForGood(final int version)
    {
        yields(this::unfixed, concat(header(version, 0, 300, 5, 0), options(4, 1)), "fatal 300 PROTOCOL_ERROR");
        assertText(
            unfixedError(header(version, 0, 300, 5, 0)),
            "Invalid or unsupported protocol version (" + version +
                "); supported versions are (3/v3, 4/v4, 5/v5, 6/v6-beta)");
        assertEquals(5, unfixedAnswerVersion(header(version, 0, 300, 5, 0)));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void refusesOldVersionsWithEightBytesAlone(final int version)
    {
        yields(this::unfixed, legacyHeader(version, 3, 5, 0), "fatal 3 PROTOCOL_ERROR");
        yields(this::unfixed, concat(legacyHeader(version, -3, 1, 22), new byte[22]), "fatal -3 PROTOCOL_ERROR");
        assertText(
            unfixedError(legacyHeader(version, 3, 5, 0)),
            "Invalid or unsupported protocol version (" + version +
                "); supported versions are (3/v3, 4/v4, 5/v5, 6/v6-beta)");
        assertEquals(version, unfixedAnswerVersion(legacyHeader(version, 3, 5, 0)));
    }

    @Test
    void answersInTheVersionThatTheClientSpeaks()
    {
        assertEquals(3, unfixedAnswerVersion(header(3, 0, 1, 0x7F, 0)));
        assertEquals(6, unfixedAnswerVersion(header(6, 0, 1, 5, 0)));
        final RecordingEnvelopeSink sink = new RecordingEnvelopeSink();
        try (InboundConnection connection = v4(sink))
        {
            connection.receive(options(3, 1));
            assertEquals(4, connection.reader().answerVersion());
        }
    }

    private ProtocolException unfixedError(final byte[] input)
    {
        final RecordingEnvelopeSink sink = new RecordingEnvelopeSink();
        try (InboundConnection connection = unfixed(sink))
        {
            connection.receive(input);
        }
        assertEquals(1, sink.errors().size());
        return sink.errors().get(0);
    }

    private int unfixedAnswerVersion(final byte[] input)
    {
        final int[] version = new int[1];
        final RecordingEnvelopeSink sink = new RecordingEnvelopeSink();
        try (InboundConnection connection = unfixed(sink))
        {
            sink.onError(() -> version[0] = connection.reader().answerVersion());
            connection.receive(input);
        }
        return version[0];
    }

    private static void assertText(final ProtocolException error, final String text)
    {
        assertEquals(text, error.getMessage());
        assertEquals(ErrorCode.PROTOCOL_ERROR, error.code());
    }

    @Test
    void refusesAnotherVersionOnceOneIsFixedAndGoesOn()
    {
        yields(
            this::v4,
            concat(query(3, 7, 100), query(5, 8, 100), header(9, 0, 9, 5, 0), options(4, 1)),
            "error 7 PROTOCOL_ERROR",
            "error 8 PROTOCOL_ERROR",
            "error 9 PROTOCOL_ERROR",
            "envelope 1 5 0");
        yields(this::v4, concat(options(4, 1), legacyHeader(2, 3, 5, 0)), "envelope 1 5 0", "fatal 3 PROTOCOL_ERROR");
    }

    @Test
    void refusesUnknownOpcodesOnceAndSkipsTheBody()
    {
        for (int opcode = 0; opcode < 256; opcode++)
        {
            final boolean request = opcode == 1 || opcode == 5 || opcode == 7 || opcode == 9 || opcode == 0x0A ||
                opcode == 0x0B || opcode == 0x0D || opcode == 0x0F;
            final RecordingEnvelopeSink sink = new RecordingEnvelopeSink();
            try (InboundConnection connection = v4(sink))
            {
                connection.receive(concat(envelope(4, 0, 7, opcode, new byte[20]), options(4, 8)));
            }
            assertEquals(
                List.of(request ? "envelope 7 " + opcode + " 20" : "error 7 PROTOCOL_ERROR", "envelope 8 5 0"),
                sink.events());
        }
        yields(
            this::v4,
            concat(envelope(4, 0, 7, 0x7F, new byte[100]), options(4, 8)),
            "error 7 PROTOCOL_ERROR",
            "envelope 8 5 0");
    }

    @Test
    void saysWhatIsWrongWithAnOpcode()
    {
        assertText(unfixedError(header(4, 0, 7, 0x7F, 0)), "Unknown opcode 127");
        assertText(unfixedError(header(4, 0, 7, 0x04, 0)), "Unsupported message");
        assertText(
            unfixedError(header(4, 0, 7, 0x08, 0)),
            "Wrong protocol direction (expected RESPONSE, got REQUEST) for opcode 8 (RESULT)");
        assertText(
            unfixedError(header(0x84, 0, 7, 0x05, 0)),
            "Wrong protocol direction (expected REQUEST, got RESPONSE) for opcode 5 (OPTIONS)");
        final ProtocolException both = unfixedError(header(0x84, 0, 7, 0x08, 0));
        assertEquals(7, both.streamId());
        assertFalse(both.isFatal());
    }

    @Test
    void refusesLyingLengthsAtTheHeader()
    {
        final int tooLong = InboundConnection.DRAIN_LIMIT + 1;
        for (final int length : new int[]{-1, Integer.MIN_VALUE, tooLong, Integer.MAX_VALUE, 150_994_944})
        {
            yields(this::v4, header(4, 0, 6, 5, length), "fatal 6 PROTOCOL_ERROR");
            yields(this::unfixed, header(4, 0, 6, 7, length), "fatal 6 PROTOCOL_ERROR");
            // Nothing is drained for an envelope that is refused for another reason either.
            yields(this::v4, header(4, 0, 6, 0x7F, length), "fatal 6 PROTOCOL_ERROR");
            yields(this::v4, header(3, 0, 6, 5, length), "fatal 6 PROTOCOL_ERROR");
        }
        assertText(unfixedError(header(4, 0, 6, 5, -1)),
            "body length: -1 (expected: 0.." + InboundConnection.DRAIN_LIMIT + ")");
    }

    @Test
    void asksForTheDrainLimitEachTime()
    {
        final long[] limit = {100};
        final RecordingEnvelopeSink sink = new RecordingEnvelopeSink();
        try (EnvelopeReader reader = new EnvelopeReader(leases.pool(), sink, () -> limit[0]))
        {
            reader.readStream(Hex.memory(query(4, 1, 109)), 0, 109);
            limit[0] = 99;
            reader.readStream(Hex.memory(query(4, 2, 109)), 0, 109);
        }
        assertEquals(List.of("envelope 1 7 100", "fatal 2 PROTOCOL_ERROR"), sink.events());
    }

    @Test
    void dropsBodiesAsTheyCome()
    {
        final byte[] large = query(4, 2, 100_000);
        yields(
            this::v4,
            () -> new RecordingEnvelopeSink()
                .deciding(header -> header.streamId() == 2 ? EnvelopeSink.DROP : EnvelopeSink.ADMIT),
            concat(options(4, 1), large, query(4, 2, 50), query(4, 3, 30)),
            new int[]{9, 18, 9 + large.length, 18 + large.length},
            "envelope 1 5 0",
            "dropped 2 7 99991",
            "dropped 2 7 41",
            "envelope 3 7 21");
    }

    @Test
    void pinsNothingForWhatItDrops()
    {
        final RecordingEnvelopeSink sink = new RecordingEnvelopeSink().deciding(header -> EnvelopeSink.DROP);
        try (InboundConnection connection = v4(sink))
        {
            connection.receive(Wire.slice(query(4, 2, 100_000), 0, 60_000));
            assertEquals(0, leases.pool().outstandingLeases());
            assertEquals(0, connection.reader().heldBytes());
            assertTrue(connection.reader().isInsideEnvelope());
        }
        assertEquals(List.of("aborted 2 7 99991"), sink.events());
    }

    @Test
    void pinsLittleForAClaimWithNothingBehind()
    {
        final RecordingEnvelopeSink sink = new RecordingEnvelopeSink();
        try (InboundConnection connection = v4(sink))
        {
            connection.receive(header(4, 0, 1, Wire.QUERY, 15 << 20));
            assertEquals(0, leases.pool().outstandingBytes());
            connection.receive(new byte[1]);
            assertTrue(leases.pool().outstandingBytes() <= 16 * 1024);
            connection.receive(new byte[100_000]);
            assertTrue(leases.pool().outstandingBytes() <= 1 << 20);
        }
        assertEquals(List.of("aborted 1 7 15728640"), sink.events());
    }

    @Test
    void offersAPausedHeaderAgain()
    {
        final byte[] input = concat(query(4, 1, 40), options(4, 2), query(4, 3, 5000));
        final int[] calls = new int[1];
        yields(
            this::v4,
            () -> new RecordingEnvelopeSink().deciding(
                header -> calls[0]++ % 3 == 2 ? EnvelopeSink.ADMIT : EnvelopeSink.PAUSE),
            input,
            new int[]{9, 40, 49, 58},
            "envelope 1 7 31",
            "envelope 2 5 0",
            "envelope 3 7 4991");
    }

    @Test
    void leavesSomethingToPassAgainWheneverItPauses()
    {
        final byte[] options = options(4, 1);
        for (int split = 1; split < options.length; split++)
        {
            final int[] decision = {EnvelopeSink.PAUSE};
            final RecordingEnvelopeSink sink = new RecordingEnvelopeSink().deciding(header -> decision[0]);
            try (EnvelopeReader reader = new EnvelopeReader(leases.pool(), sink, () -> 1000))
            {
                final DirectMemory memory = Hex.memory(options);
                assertEquals(split, reader.readStream(memory, 0, split));
                assertEquals(split, reader.readStream(memory, split, 9), "the rest of the header is not used");
                assertEquals(split, reader.readStream(memory, split, 9));
                decision[0] = EnvelopeSink.ADMIT;
                assertEquals(9, reader.readStream(memory, split, 9));
            }
            assertEquals(List.of("envelope 1 5 0"), sink.events());
        }
    }

    @Test
    void stopsForGoodWhenTheSinkSaysStop()
    {
        yields(
            this::v4,
            () -> new RecordingEnvelopeSink()
                .deciding(header -> header.streamId() == 2 ? EnvelopeSink.STOP : EnvelopeSink.ADMIT),
            concat(options(4, 1), query(4, 2, 40), options(4, 3)),
            new int[0],
            "envelope 1 5 0");
    }

    @Test
    void stopsForGoodWhenTheSinkHasEnoughOfErrors()
    {
        yields(
            this::v4,
            () -> new RecordingEnvelopeSink().stopOnError(),
            concat(options(4, 1), envelope(4, 0, 2, 0x7F, new byte[9]), options(4, 3)),
            new int[0],
            "envelope 1 5 0",
            "error 2 PROTOCOL_ERROR");
    }

    @Test
    void haltsBehindAnEnvelopeAndGoesOnLater()
    {
        final byte[] input = concat(query(4, 1, 40), query(4, 2, 50));
        final DirectMemory memory = Hex.memory(input);
        final RecordingEnvelopeSink sink = new RecordingEnvelopeSink().haltAfterEach();
        try (EnvelopeReader reader = new EnvelopeReader(leases.pool(), sink, () -> 1000))
        {
            assertEquals(40, reader.readStream(memory, 0, 90));
            assertEquals(70, reader.readStream(memory, 40, 70));
            assertEquals(90, reader.readStream(memory, 70, 90));
        }
        assertEquals(List.of("envelope 1 7 31", "envelope 2 7 41"), sink.events());
    }

    @Test
    void abortsWhatIsUnfinishedOnClosing()
    {
        final RecordingEnvelopeSink sink = new RecordingEnvelopeSink();
        final InboundConnection connection = v4(sink);
        connection.receive(Wire.slice(query(4, 9, 5000), 0, 3000));
        assertEquals(2991, connection.reader().heldBytes());
        connection.close();
        connection.close();
        connection.receive(options(4, 1));
        assertEquals(List.of("aborted 9 7 4991"), sink.events());
        assertEquals(0, connection.reader().heldBytes());
    }

    @Test
    void abortsNothingForACutHeader()
    {
        final RecordingEnvelopeSink sink = new RecordingEnvelopeSink();
        try (InboundConnection connection = v4(sink))
        {
            connection.receive(Wire.slice(options(4, 1), 0, 8));
            assertEquals(8, connection.reader().heldBytes());
            assertTrue(connection.reader().isInsideEnvelope());
        }
        assertEquals(List.of(), sink.events());
    }

    @Test
    void canBeClosedByItsSinkAtAnyCallback()
    {
        final byte[] input = concat(envelope(4, 0, 1, 0x7F, new byte[9]), query(4, 2, 500), query(4, 3, 500));
        closesAt(input, (sink, connection) -> sink.onError(connection::close), "error 1 PROTOCOL_ERROR");
        closesAt(
            input,
            (sink, connection) -> sink.onHeader(connection::close),
            "error 1 PROTOCOL_ERROR",
            "aborted 2 7 491");
        closesAt(
            input,
            (sink, connection) -> sink.onEnvelope(connection::close),
            "error 1 PROTOCOL_ERROR",
            "envelope 2 7 491");
    }

    /** Makes a sink close its connection. */
    private interface Closing
    {
        void prepare(RecordingEnvelopeSink sink, InboundConnection connection);
    }

    private void closesAt(final byte[] input, final Closing closing, final String... events)
    {
        yields(sink ->
        {
            final InboundConnection connection = v4(sink);
            closing.prepare(sink, connection);
            return connection;
        }, input, events);
    }

    @Test
    void cannotBeReadByItsSink()
    {
        final RecordingEnvelopeSink sink = new RecordingEnvelopeSink();
        final DirectMemory memory = Hex.memory(options(4, 1));
        final EnvelopeReader reader = new EnvelopeReader(leases.pool(), sink, () -> 1000);
        sink.onEnvelope(() -> assertThrows(IllegalStateException.class, () -> reader.readStream(memory, 0, 9)));
        reader.readStream(memory, 0, 9);
        assertEquals(List.of("envelope 1 5 0"), sink.events());
    }

    @Test
    void readsNoMoreAfterItsSinkHasThrown()
    {
        final RecordingEnvelopeSink sink = new RecordingEnvelopeSink().onEnvelope(() ->
        {
            throw new UnsupportedOperationException("from the sink");
        });
        final DirectMemory memory = Hex.memory(concat(query(4, 1, 500), options(4, 2)));
        try (EnvelopeReader reader = new EnvelopeReader(leases.pool(), sink, () -> 1000))
        {
            reader.readStream(memory, 0, 100);
            assertThrows(UnsupportedOperationException.class, () -> reader.readStream(memory, 100, 509));
            assertTrue(reader.isStopped());
            assertEquals(500, reader.readStream(memory, 500, 509));
        }
        assertEquals(List.of("envelope 1 7 491"), sink.events());
    }

    @Test
    void shedsAnEnvelopeThatThereIsNoMemoryFor()
    {
        try (BufferPool poor = new BufferPool(() -> 0, 1 << 20, true))
        {
            final BufferLease hog = poor.claim(1 << 20, "hog");
            final RecordingEnvelopeSink sink = new RecordingEnvelopeSink();
            try (InboundConnection connection = new InboundConnection(poor, null, ProtocolVersion.V4, sink))
            {
                final byte[] input = concat(query(4, 1, 5000), options(4, 2));
                connection.receive(input, new int[]{2000, 3000, input.length});
                assertEquals(ErrorCode.OVERLOADED, sink.errors().get(0).code());
                hog.close();
                connection.receive(query(4, 3, 5000), new int[]{2000, 3000, 5000});
            }
            assertEquals(
                List.of("aborted 1 7 4991", "error 1 OVERLOADED", "envelope 2 5 0", "envelope 3 7 4991"),
                sink.events());
            assertEquals(0, sink.charged());
            assertEquals(0, poor.outstandingLeases());
        }
    }

    @Test
    void anyBytesEndInEnvelopesOrOneFatalError()
    {
        Randoms.forSeeds(3000, random ->
        {
            final byte[] input = concat(options(4, 1), Wire.noise(random.nextInt(200), random.nextLong()));
            final RecordingEnvelopeSink sink = new RecordingEnvelopeSink();
            try (InboundConnection connection = random.nextBoolean() ? v4(sink) : unfixed(sink))
            {
                connection.receive(input, Splits.random(input.length, random));
                final boolean fatal = sink.errors().stream().anyMatch(ProtocolException::isFatal);
                assertEquals(fatal, connection.isOver());
                assertTrue(fatal || connection.waitingBytes() == 0);
            }
            assertEquals(0, sink.charged());
            assertTrue(sink.errors().stream().filter(ProtocolException::isFatal).count() <= 1);
            leases.assertNoneOutstanding();
        });
    }

    @Test
    void cutsDoNotChangeWhatComesOut()
    {
        Randoms.forSeeds(300, random ->
        {
            byte[] input = new byte[0];
            for (int i = 0; i < 10; i++)
            {
                final int version = random.nextInt(8) == 0 ? 3 : 4;
                final int opcode = random.nextInt(6) == 0 ? random.nextInt(256) : Wire.QUERY;
                input = concat(input, envelope(version, 0, i, opcode, new byte[random.nextInt(3000)]));
            }
            final RecordingEnvelopeSink whole = new RecordingEnvelopeSink();
            try (InboundConnection connection = v4(whole))
            {
                connection.receive(input);
            }
            final RecordingEnvelopeSink cut = new RecordingEnvelopeSink();
            try (InboundConnection connection = v4(cut))
            {
                connection.receive(input, Splits.random(input.length, random));
            }
            assertEquals(whole.events(), cut.events());
            assertTrue(Arrays.deepEquals(whole.bodies().toArray(), cut.bodies().toArray()));
        });
    }
}
