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

import java.io.IOException;
import java.util.Locale;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import org.xerial.snappy.Snappy;

/** What a client asks for in STARTUP, and how v3 and v4 compress one body with it. */
enum Compression
{
    NONE,
    LZ4,
    SNAPPY;

    private static final int LARGEST_BELIEVABLE = 512 << 20;

    String wireName()
    {
        return name().toLowerCase(Locale.ROOT);
    }

    byte[] compress(final byte[] body)
    {
        try
        {
            return switch (this)
            {
                case NONE -> body;
                case LZ4 -> new ByteBuilder().int32(body.length)
                    .raw(LZ4Factory.safeInstance().fastCompressor().compress(body))
                    .toBytes();
                case SNAPPY -> Snappy.compress(body);
            };
        }
        catch (final IOException e)
        {
            throw new IllegalStateException(e);
        }
    }

    byte[] decompress(final byte[] body)
    {
        return switch (this)
        {
            case NONE -> throw new GarbledBytes("compressed body without an agreement");
            case LZ4 -> decompressLz4(body);
            case SNAPPY -> decompressSnappy(body);
        };
    }

    private static byte[] decompressLz4(final byte[] body)
    {
        final ByteParser parser = new ByteParser(body);
        final int length = parser.int32();
        if (length < 0 || length > LARGEST_BELIEVABLE)
        {
            throw new GarbledBytes("lz4 body length " + length);
        }
        final byte[] block = parser.raw(parser.remaining(), "lz4 block");
        final byte[] plain = new byte[length];
        try
        {
            if (LZ4Factory.safeInstance().safeDecompressor().decompress(block, plain) != length)
            {
                throw new GarbledBytes("lz4 body shorter than declared");
            }
        }
        catch (final LZ4Exception e)
        {
            throw new GarbledBytes("lz4 body that does not decode: " + e.getMessage());
        }
        return plain;
    }

    private static byte[] decompressSnappy(final byte[] body)
    {
        try
        {
            return Snappy.uncompress(body);
        }
        catch (final IOException e)
        {
            throw new GarbledBytes("snappy body that does not decode: " + e.getMessage());
        }
    }
}
