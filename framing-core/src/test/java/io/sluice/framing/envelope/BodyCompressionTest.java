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

import static io.sluice.framing.envelope.BodyCompression.LZ4;
import static io.sluice.framing.envelope.BodyCompression.SNAPPY;
import static io.sluice.framing.testkit.Wire.concat;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.framing.EnvelopeFlags;
import io.sluice.framing.ErrorCode;
import io.sluice.framing.ProtocolException;
import io.sluice.framing.testkit.Hex;
import io.sluice.framing.testkit.LeaseCheck;
import io.sluice.framing.testkit.Randoms;
import io.sluice.framing.testkit.Wire;
import io.sluice.memory.BufferLease;
import io.sluice.memory.DirectMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.xerial.snappy.Snappy;

class BodyCompressionTest
{
    private static final int LIMIT = 1 << 20;

    @RegisterExtension
    final LeaseCheck leases = new LeaseCheck();

    private byte[] decompress(final BodyCompression compression, final byte[] body, final int limit)
    {
        final DirectMemory memory = Hex.memory(concat(new byte[9], body, new byte[3]));
        try (BufferLease lease = compression.decompress(memory, 9, body.length, limit, leases.pool()))
        {
            return Hex.copy(lease.memory(), 0, lease.length());
        }
    }

    private ProtocolException refusal(final BodyCompression compression, final byte[] body, final int limit)
    {
        final long made = leases.pool().madeBytes();
        final ProtocolException error = assertThrows(
            ProtocolException.class,
            () -> decompress(compression, body, limit));
        assertFalse(error.isFatal());
        assertFalse(error.hasStreamId());
        leases.assertNoneOutstanding();
        assertTrue(leases.pool().madeBytes() - made <= 64 * 1024 + 255L * body.length, "claimed before it was checked");
        return error;
    }

    /** A body made by the libraries, not by the code under test. */
    private static byte[] reference(final BodyCompression compression, final byte[] content)
    {
        if (compression == LZ4)
        {
            return lz4(content.length, Wire.lz4Block(content));
        }
        try
        {
            return Snappy.compress(content);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] lz4(final int uncompressedLength, final byte[] block)
    {
        return concat(ByteBuffer.allocate(4).putInt(uncompressedLength).array(), block);
    }

    @ParameterizedTest
    @EnumSource
    void namesAreFoundInAnyCase(final BodyCompression compression)
    {
        assertSame(compression, BodyCompression.of(compression.text()));
        assertSame(compression, BodyCompression.of(compression.text().toUpperCase(java.util.Locale.ROOT)));
        assertTrue(compression.isAvailable());
        assertNull(BodyCompression.of("zstd"));
        assertNull(BodyCompression.of(""));
    }

    @ParameterizedTest
    @EnumSource
    void decompressesWhatTheLibrariesMake(final BodyCompression compression)
    {
        Randoms.forSeeds(150, random ->
        {
            final int length = random.nextInt(1 << (1 + random.nextInt(18)));
            final byte[] content = random.nextBoolean() ? Wire.noise(length, 1) : new byte[length];
            assertArrayEquals(content, decompress(compression, reference(compression, content), LIMIT));
        });
    }

    @Test
    void decompressesEmptyBodies()
    {
        assertEquals(0, decompress(LZ4, Hex.bytes("0000000000"), LIMIT).length);
        assertEquals(0, decompress(LZ4, Hex.bytes("00000000"), LIMIT).length);
        assertEquals(0, decompress(LZ4, Hex.bytes("00000000"), 0).length);
        assertEquals(0, decompress(SNAPPY, Hex.bytes("00"), LIMIT).length);
    }

    @ParameterizedTest
    @EnumSource
    void acceptsTheLimitAndNoMore(final BodyCompression compression)
    {
        final byte[] body = reference(compression, new byte[50_000]);
        assertEquals(50_000, decompress(compression, body, 50_000).length);
        final ProtocolException error = refusal(compression, body, 49_999);
        assertEquals(ErrorCode.INVALID, error.code());
        assertEquals("Request is too big: length 50000 exceeds maximum allowed length 49999.", error.getMessage());
    }

    @ParameterizedTest
    @CsvSource({"LZ4, ''", "LZ4, 00", "LZ4, 000000", "LZ4, 00000001", "LZ4, 7fffffff00", "LZ4, ffffffff00",
        "LZ4, 80000000", "LZ4, 0000000010", "LZ4, 000000051041", "LZ4, 0000000510410900", "SNAPPY, ''", "SNAPPY, ff",
        "SNAPPY, ffffffffff", "SNAPPY, ffffffff0f00", "SNAPPY, ffffffff7f00", "SNAPPY, 8080808080800100",
        "SNAPPY, 01", "SNAPPY, 0500", "SNAPPY, 000041", "SNAPPY, 05010900"})
    void refusesCorruptBodies(final BodyCompression compression, final String hex)
    {
        final ProtocolException error = refusal(compression, Hex.bytes(hex), Integer.MAX_VALUE);
        assertEquals(ErrorCode.PROTOCOL_ERROR, error.code());
        assertEquals(
            compression.text() + " body: does not decompress to the length it declares",
            error.getMessage());
    }

    @Test
    void refusesTwoGibibytesFromFifteenBytes()
    {
        // Stock allocates first.
        refusal(LZ4, Hex.bytes("7fffffff0000"), Integer.MAX_VALUE);
        refusal(LZ4, concat(Hex.bytes("7fffffff"), new byte[1000]), Integer.MAX_VALUE);
        refusal(SNAPPY, concat(Hex.bytes("ffffffff07"), new byte[1000]), Integer.MAX_VALUE);
        assertEquals(0, leases.pool().madeBytes());
    }

    @ParameterizedTest
    @EnumSource
    void acceptsTheBestRatioThereIs(final BodyCompression compression)
    {
        final byte[] zeros = new byte[16 << 20];
        assertArrayEquals(zeros, decompress(compression, reference(compression, zeros), zeros.length));
    }

    @Test
    void refusesAnotherLengthThanTheBlockYields()
    {
        final byte[] content = new byte[1000];
        final byte[] block = Wire.lz4Block(content);
        assertEquals(1000, decompress(LZ4, lz4(1000, block), LIMIT).length);
        for (final int declared : new int[]{0, 1, 999, 1001, 2000})
        {
            refusal(LZ4, lz4(declared, block), LIMIT);
        }
        final byte[] snappy = reference(SNAPPY, content);
        assertEquals("e807", Hex.text(Wire.slice(snappy, 0, 2)));
        for (final String declared : new String[]{"e707", "e907", "d00f"})
        {
            refusal(SNAPPY, concat(Hex.bytes(declared), Wire.slice(snappy, 2, snappy.length)), LIMIT);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anyBytesAreRefusedOrYieldWhatTheySay(final BodyCompression compression)
    {
        Randoms.forSeeds(3000, random ->
        {
            final byte[] body;
            if (random.nextBoolean())
            {
                body = Wire.noise(random.nextInt(60), random.nextLong());
                if (compression == LZ4 && body.length > 2)
                {
                    body[0] = 0;
                    body[1] = 0;
                }
            }
            else
            {
                body = reference(compression, new byte[random.nextInt(3000)]);
                body[random.nextInt(body.length)] ^= (byte)(1 << random.nextInt(8));
            }
            try
            {
                assertTrue(decompress(compression, body, LIMIT).length <= LIMIT);
            }
            catch (final ProtocolException e)
            {
                assertFalse(e.isFatal());
            }
            leases.assertNoneOutstanding();
        });
    }

    @Test
    void checksItsArguments()
    {
        final DirectMemory memory = DirectMemory.allocate(10);
        for (final int[] range : new int[][]{{-1, 5}, {0, 11}, {5, 6}, {5, Integer.MAX_VALUE}, {0, -1}})
        {
            assertThrows(
                IllegalArgumentException.class,
                () -> LZ4.decompress(memory, range[0], range[1], LIMIT, leases.pool()));
        }
    }

    private BufferLease envelope(final byte[] body)
    {
        final BufferLease lease = leases.pool().claim(EnvelopeHeader.LENGTH + body.length, "test");
        EnvelopeHeader.encodeResponse(lease.buffer(), 0, 4, EnvelopeFlags.WARNING, 77, 8, body.length);
        lease.buffer().putBytes(EnvelopeHeader.LENGTH, body);
        lease.length(EnvelopeHeader.LENGTH + body.length);
        return lease;
    }

    @ParameterizedTest
    @EnumSource
    void compressesEnvelopes(final BodyCompression compression)
    {
        Randoms.forSeeds(100, random ->
        {
            final byte[] body = new byte[100 + random.nextInt(100_000)];
            Arrays.fill(body, (byte)random.nextInt());
            try (BufferLease plain = envelope(body);
                BufferLease compressed = compression.compress(plain, 64, leases.pool()))
            {
                assertTrue(compressed.length() < plain.length());
                final EnvelopeHeader header = new EnvelopeHeader();
                header.wrap(compressed.buffer(), 0);
                assertEquals(4, header.version());
                assertTrue(header.isResponse());
                assertEquals(EnvelopeFlags.WARNING | EnvelopeFlags.COMPRESSED, header.flags());
                assertEquals(77, header.streamId());
                assertEquals(8, header.opcode());
                assertEquals(compressed.length() - EnvelopeHeader.LENGTH, header.bodyLength());
                final byte[] content = Hex.copy(compressed.memory(), EnvelopeHeader.LENGTH, header.bodyLength());
                assertArrayEquals(body, decompress(compression, content, LIMIT));
                assertEquals(EnvelopeFlags.WARNING, plain.buffer().getByte(1), "the original is left alone");
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void leavesAloneWhatDoesNotPay(final BodyCompression compression)
    {
        for (final byte[] body : new byte[][]{{}, {1}, new byte[4], Wire.noise(63, 1), Wire.noise(5000, 1)})
        {
            try (BufferLease plain = envelope(body))
            {
                assertNull(compression.compress(plain, 0, leases.pool()));
                assertEquals(1, leases.pool().outstandingLeases());
            }
        }
        try (BufferLease plain = envelope(new byte[500]))
        {
            assertNull(compression.compress(plain, 501, leases.pool()));
            compression.compress(plain, 500, leases.pool()).close();
        }
    }
}
