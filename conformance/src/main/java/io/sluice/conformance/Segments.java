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
package io.sluice.conformance;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HexFormat;
import net.jpountz.lz4.LZ4Factory;

/** Builds v5 segments, right or wrong. */
final class Segments
{
    static final int MAX_PAYLOAD = 131071;

    private static final LZ4Factory LZ4 = LZ4Factory.safeInstance();

    private Segments()
    {
    }

    static byte[] plain(final byte[] payload, final boolean selfContained)
    {
        return plain(payload, selfContained, 0);
    }

    /** @param padding the six bits that a receiver ignores */
    static byte[] plain(final byte[] payload, final boolean selfContained, final int padding)
    {
        final long word = payload.length | (selfContained ? 1L << 17 : 0) | (long)padding << 18;
        return assemble(word, 3, payload);
    }

    /** A segment of a compressed connection whose payload goes as it is. */
    static byte[] stored(final byte[] payload, final boolean selfContained)
    {
        return block(payload, 0, selfContained, 0);
    }

    /** A segment of a compressed connection that says of {@code wire} what it likes. */
    static byte[] block(final byte[] wire, final int declared, final boolean selfContained, final int padding)
    {
        final long word = wire.length | (long)declared << 17 | (selfContained ? 1L << 34 : 0) | (long)padding << 35;
        return assemble(word, 5, wire);
    }

    /** Compressed if that pays, else stored. */
    static byte[] lz4(final byte[] payload, final boolean selfContained)
    {
        final byte[] compressed = LZ4.fastCompressor().compress(payload);
        return compressed.length < payload.length
            ? block(compressed, payload.length, selfContained, 0)
            : stored(payload, selfContained);
    }

    /** An LZ4 block of nothing but literals: longer than its content, and legal. */
    static byte[] literals(final byte[] payload)
    {
        final ByteBuilder block = new ByteBuilder();
        if (payload.length < 15)
        {
            block.int8(payload.length << 4);
        }
        else
        {
            block.int8(0xf0);
            int rest = payload.length - 15;
            for (; rest >= 255; rest -= 255)
            {
                block.int8(255);
            }
            block.int8(rest);
        }
        return block.raw(payload).toBytes();
    }

    /**
     * Cuts one envelope into non-self-contained pieces: the first of {@code first} bytes, the others of {@code next}.
     */
    static byte[] pieces(final byte[] envelope, final int first, final int next, final boolean lz4)
    {
        final ByteArrayOutputStream run = new ByteArrayOutputStream();
        int from = 0;
        while (from < envelope.length)
        {
            final int to = Math.min(envelope.length, from + (from == 0 ? first : next));
            final byte[] piece = Arrays.copyOfRange(envelope, from, to);
            run.writeBytes(lz4 ? lz4(piece, false) : plain(piece, false));
            from = to;
        }
        return run.toByteArray();
    }

    static String hex(final byte[] bytes)
    {
        return HexFormat.of().formatHex(bytes);
    }

    private static byte[] assemble(final long word, final int width, final byte[] wire)
    {
        return new ByteBuilder().littleEndian(word, width)
            .littleEndian(SegmentChecksums.crc24(word, width), 3)
            .raw(wire)
            .littleEndian(SegmentChecksums.crc32(wire, 0, wire.length), 4)
            .toBytes();
    }
}
