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
package io.sluice.framing.fuzz;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.sluice.framing.ProtocolException;
import io.sluice.framing.envelope.BodyCompression;
import io.sluice.framing.envelope.EnvelopeHeader;
import io.sluice.framing.testkit.Hex;
import io.sluice.memory.BufferLease;
import io.sluice.memory.DirectMemory;
import io.sluice.memory.MemoryExhaustedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import net.jpountz.lz4.LZ4Factory;
import org.xerial.snappy.Snappy;

/** Compressed bodies of versions 3 and 4: a byte chooses the limit, all others are the body. */
class BodyCompressionFuzzTest
{
    private static final int[] LIMITS = {1 << 20, 0, 1, 1000, Integer.MAX_VALUE};
    private static final int LONGEST = 1 << 22;
    private static final int MARGIN = 5;
    private static final byte OUTSIDE = 0x55;
    /** No byte of a block of either kind stands for more. */
    private static final int LARGEST_EXPANSION = 255;
    private static final int SMALLEST_LEASE = 1024;
    /** Leases come in sizes of which the next is at most eight times the one before. */
    private static final int LARGEST_STEP = 8;

    private static final Workbench AMPLE = Workbench.ample();
    private static final Workbench EXHAUSTED = Workbench.exhausted();

    @FuzzTest(maxDuration = "")
    void lz4(final byte[] input)
    {
        check(BodyCompression.LZ4, new FuzzInput(input));
    }

    @FuzzTest(maxDuration = "")
    void snappy(final byte[] input)
    {
        assumeTrue(BodyCompression.SNAPPY.isAvailable(), "snappy has no library for this machine");
        check(BodyCompression.SNAPPY, new FuzzInput(input));
    }

    private static void check(final BodyCompression compression, final FuzzInput input)
    {
        final int limitBytes = LIMITS[input.next() % LIMITS.length];
        final byte[] body = input.rest();
        final byte[] plain = decompress(compression, body, limitBytes, AMPLE);
        if (plain != null)
        {
            assertArrayEquals(reference(compression, body, plain.length), plain);
        }
        decompress(compression, body, limitBytes, EXHAUSTED);
        checkRoundTrip(compression, body);
        AMPLE.checkReturned();
        EXHAUSTED.checkReturned();
    }

    /** The plain body, or null if it is refused. */
    private static byte[] decompress(final BodyCompression compression,
        final byte[] body,
        final int limitBytes,
        final Workbench bench)
    {
        final DirectMemory memory = bench.memory(body.length + 2 * MARGIN);
        memory.buffer().setMemory(0, body.length + 2 * MARGIN, OUTSIDE);
        memory.buffer().putBytes(MARGIN, body);
        final long before = bench.leasedBytes();
        try (BufferLease lease = compression.decompress(memory, MARGIN, body.length, limitBytes, bench.pool()))
        {
            assertTrue(lease.length() <= limitBytes, "length: " + lease.length());
            final long most = Math.min(limitBytes, (long)LARGEST_EXPANSION * body.length);
            final long leased = bench.leasedBytes() - before;
            assertTrue(leased <= Math.max(SMALLEST_LEASE, LARGEST_STEP * most), "leased bytes: " + leased);
            return Hex.copy(lease.memory(), 0, lease.length());
        }
        catch (final ProtocolException e)
        {
            assertFalse(e.isFatal());
            return null;
        }
        catch (final MemoryExhaustedException e)
        {
            return null;
        }
    }

    /** The same by another way: on arrays, for LZ4 in plain Java. */
    private static byte[] reference(final BodyCompression compression, final byte[] body, final int length)
    {
        try
        {
            if (compression == BodyCompression.SNAPPY)
            {
                return Snappy.uncompress(body);
            }
            assertTrue(ByteBuffer.wrap(body).getInt() == length, "declared length");
            return length == 0
                ? new byte[0]
                : Arrays.copyOf(LZ4Factory.safeInstance()
                    .safeDecompressor()
                    .decompress(body, Integer.BYTES,
                        body.length - Integer.BYTES, length),
                    length);
        }
        catch (final IOException e)
        {
            throw new AssertionError(e);
        }
    }

    /** What we compress we can decompress, and it is shorter. */
    private static void checkRoundTrip(final BodyCompression compression, final byte[] body)
    {
        try (BufferLease envelope = AMPLE.pool().claim(EnvelopeHeader.LENGTH + body.length, "envelope"))
        {
            EnvelopeHeader.encodeResponse(envelope.buffer(), 0, 4, 0, 1, 8, body.length);
            envelope.buffer().putBytes(EnvelopeHeader.LENGTH, body);
            envelope.length(EnvelopeHeader.LENGTH + body.length);
            try (BufferLease compressed = compression.compress(envelope, 0, AMPLE.pool()))
            {
                if (compressed != null)
                {
                    assertTrue(compressed.length() < envelope.length(), "length: " + compressed.length());
                    final byte[] compressedBody = Hex.copy(compressed.memory(), EnvelopeHeader.LENGTH,
                        compressed.length() - EnvelopeHeader.LENGTH);
                    assertArrayEquals(body, decompress(compression, compressedBody, LONGEST, AMPLE));
                }
            }
        }
    }
}
