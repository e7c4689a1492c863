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
package io.sluice.framing.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.sluice.framing.Opcode;
import io.sluice.framing.ProtocolException;
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.envelope.EnvelopeHeader;
import io.sluice.framing.testkit.WireBytes;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** No body, however damaged, does more than a {@link ProtocolException}, or costs more than its own size allows. */
class RequestRobustnessTest
{
    /** A string of one character, the worst case, is three bytes on the wire and fifty on the heap. */
    private static final int HEAP_PER_WIRE_BYTE = 32;
    /** The exception and its text. */
    private static final int HEAP_PER_REQUEST = 4096;
    private static final int MUTATIONS = 200_000;
    private static final long SEED = Long.getLong("sluice.seed", new Random().nextLong());

    private final RequestDecoder decoder = new RequestDecoder(new StatementIdTable());
    private final ExecuteView view = new ExecuteView();
    /** Full of what earlier bodies left. */
    private final UnsafeBuffer memory = Bodies.direct(new byte[1024]);

    @Test
    void refusesEveryBodyCutAnywhere()
    {
        for (final Bodies.Sample sample : Bodies.samples())
        {
            final UnsafeBuffer buffer = Bodies.direct(sample.body());
            for (int length = 0; length < sample.body().length; length++)
            {
                final int cut = length;
                final EnvelopeHeader header = Bodies.header(sample.version(), sample.flags(), 5, sample.opcode().code(),
                    cut);
                final ProtocolException error = assertThrows(ProtocolException.class,
                    () -> decoder.decode(header, sample.version(), buffer, Bodies.offset(), cut),
                    () -> sample + " cut at " + cut);
                assertFalse(error.isFatal());
                assertEquals(5, error.streamId());
                checkText(error.getMessage());
            }
        }
    }

    /** Java's own words have class names and packages in them. */
    private static void checkText(final String text)
    {
        assertFalse(text.contains("java.") || text.contains("Exception") || text.contains("index="), text);
    }

    @Test
    void survivesDamagedBodies()
    {
        final Random random = new Random(SEED);
        final List<Bodies.Sample> samples = Bodies.samples();
        int good = 0;
        for (int i = 0; i < MUTATIONS; i++)
        {
            final Bodies.Sample sample = samples.get(random.nextInt(samples.size()));
            final byte[] body = mutate(random, sample.body());
            final int flags = random.nextInt(8) == 0 ? random.nextInt(256) : sample.flags();
            if (decodes(sample.version(), sample.opcode(), flags, body))
            {
                good++;
            }
        }
        assertTrue(good > 0 && good < MUTATIONS, "seed " + SEED);
    }

    private static byte[] mutate(final Random random, final byte[] body)
    {
        byte[] mutated = body.clone();
        for (int left = 1 + random.nextInt(4); left > 0; left--)
        {
            final int at = random.nextInt(mutated.length);
            switch (random.nextInt(5))
            {
                case 0 -> mutated[at] ^= (byte)(1 << random.nextInt(8));
                case 1 -> mutated[at] = (byte)random.nextInt();
                case 2 -> Arrays.fill(mutated, at, Math.min(mutated.length, at + 1 + random.nextInt(4)), (byte)0xFF);
                case 3 -> mutated = Arrays.copyOf(mutated, 1 + random.nextInt(mutated.length + 16));
                default -> Arrays.fill(mutated, at, Math.min(mutated.length, at + 1 + random.nextInt(4)), (byte)0);
            }
        }
        return mutated;
    }

    /** Random from the first byte on. */
    @Test
    void survivesNoise()
    {
        final Random random = new Random(SEED);
        final Opcode[] opcodes = {Opcode.QUERY, Opcode.PREPARE, Opcode.EXECUTE, Opcode.BATCH};
        for (int i = 0; i < MUTATIONS / 4; i++)
        {
            final byte[] body = new byte[random.nextInt(64)];
            random.nextBytes(body);
            for (int j = random.nextInt(3); j > 0 && body.length > 0; j--)
            {
                body[random.nextInt(body.length)] = 0;
            }
            decodes(ProtocolVersion.values()[random.nextInt(4)], opcodes[random.nextInt(4)], random.nextInt(256), body);
        }
    }

    private UnsafeBuffer place(final byte[] body)
    {
        if (body.length > memory.capacity() - 2 * Bodies.offset())
        {
            return Bodies.direct(body);
        }
        memory.putBytes(Bodies.offset(), body);
        return memory;
    }

    private boolean decodes(final ProtocolVersion version, final Opcode opcode, final int flags, final byte[] body)
    {
        final UnsafeBuffer buffer = place(body);
        final EnvelopeHeader header = Bodies.header(version, flags, 5, opcode.code(), body.length);
        final long allowed = (long)HEAP_PER_WIRE_BYTE * body.length + HEAP_PER_REQUEST;
        String refusal = null;
        long allocated = Long.MAX_VALUE;
        // What the virtual machine does when code runs for the first time does not count: it happens once.
        for (int attempt = 0; attempt < 4 && allocated > allowed; attempt++)
        {
            final long before = Allocation.allocatedBytes();
            try
            {
                decoder.decode(header, version, buffer, Bodies.offset(), body.length);
            }
            catch (final ProtocolException e)
            {
                refusal = e.getMessage();
            }
            catch (final RuntimeException | Error e)
            {
                fail("seed " + SEED + ", " + version + " " + opcode + " flags " + flags + " " +
                    WireBytes.toHex(body), e);
            }
            allocated = Allocation.allocatedBytes() - before;
        }
        final long heapBytes = allocated;
        assertTrue(allocated <= allowed, () -> "seed " + SEED + ", " + heapBytes + " bytes (expected: 0.." + allowed +
            ") for " + version + " " + opcode + " " + WireBytes.toHex(body));
        if (refusal != null)
        {
            checkText(refusal);
        }
        if (opcode == Opcode.EXECUTE)
        {
            checkView(header, version, buffer, body.length, refusal);
        }
        return refusal == null;
    }

    /** The view refuses what the decoder refuses, in the same words, and nothing else. */
    private void checkView(final EnvelopeHeader header,
        final ProtocolVersion version,
        final UnsafeBuffer buffer,
        final int length,
        final String refusal)
    {
        try
        {
            if (view.wrap(header, version, buffer, Bodies.offset(), length))
            {
                assertEquals(null, refusal, "seed " + SEED);
                view.expire();
            }
        }
        catch (final ProtocolException e)
        {
            assertEquals(refusal, e.getMessage(), "seed " + SEED);
        }
    }

    @Test
    void allocatesNothingForCountsWithNothingBehind()
    {
        final byte[] body = new WireBytes().int1(0).int2(65535).raw(new byte[5 * 100]).toArray();
        decodes(ProtocolVersion.V5, Opcode.BATCH, 0, body);
        final byte[] values = new WireBytes().longString("q").int2(1).int1(1).int2(65535).toArray();
        decodes(ProtocolVersion.V4, Opcode.QUERY, 0, values);
    }

    /** The most elements that a body can hold. */
    @Test
    void staysWithinBoundsForFullCounts()
    {
        final WireBytes nulls = new WireBytes().longString("q").int2(1).int1(1).int2(65535);
        final WireBytes names = new WireBytes().longString("q").int2(1).int1(0x41).int2(65535);
        final WireBytes batch = new WireBytes().int1(0).int2(65535);
        final WireBytes payload = new WireBytes().int2(65535);
        for (int i = 0; i < 65535; i++)
        {
            nulls.int4(-1);
            names.string("n").int4(0);
            batch.int1(1).int2(0).int2(0);
            payload.string(Integer.toString(i, 36)).int4(-1);
        }
        assertTrue(decodes(ProtocolVersion.V4, Opcode.QUERY, 0, nulls.toArray()));
        assertTrue(decodes(ProtocolVersion.V4, Opcode.QUERY, 0, names.toArray()));
        assertTrue(decodes(ProtocolVersion.V4, Opcode.BATCH, 0, batch.int2(1).int1(0).toArray()));
        assertTrue(decodes(ProtocolVersion.V4, Opcode.QUERY, 4,
            payload.longString("q").int2(1).int1(0).toArray()));
    }

    @Test
    void otherRequestsSurviveDamageToo()
    {
        final Random random = new Random(SEED);
        final byte[] startup = WireBytes.hex("0001 000b\"CQL_VERSION\" 0005\"3.0.0\"");
        final byte[] register = WireBytes.hex("0002 000d\"STATUS_CHANGE\" 000d\"schema_change\"");
        final byte[] token = WireBytes.hex("00000005 00\"a\"00\"b\"00");
        final BodyReader reader = new BodyReader();
        for (int i = 0; i < MUTATIONS / 4; i++)
        {
            try
            {
                final byte[] body = mutate(random, i % 3 == 0 ? startup : i % 3 == 1 ? register : token);
                reader.wrap(place(body), Bodies.offset(), Bodies.offset() + body.length);
                switch (i % 3)
                {
                    case 0 -> StartupRequest.decode(reader, ProtocolVersion.V4);
                    case 1 -> RegisterRequest.decode(reader, ProtocolVersion.V4);
                    default -> AuthResponseRequest.decode(reader, ProtocolVersion.V4);
                }
            }
            catch (final ProtocolException e)
            {
                assertFalse(e.isFatal());
                checkText(e.getMessage());
            }
            catch (final RuntimeException e)
            {
                fail("seed " + SEED, e);
            }
        }
    }
}
