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
package io.sluice.transport.testkit;

import io.sluice.framing.segment.SegmentFormat;
import java.util.Arrays;
import java.util.zip.CRC32;
import net.jpountz.lz4.LZ4Factory;

/** Makes and takes apart segments of version 5 by the text of the protocol, apart from the code under test. */
public final class Segments
{
    /** Most payload bytes of a segment. */
    public static final int MAX_PAYLOAD = 131_071;

    private static final byte[] CRC32_SEED = {(byte)0xFA, 0x2D, 0x55, (byte)0xCA};
    private static final int CRC24_INIT = 0x875060;
    private static final int CRC24_POLYNOMIAL = 0x1974F0B;

    private Segments()
    {
    }

    /** A plain segment. */
    public static byte[] plain(final boolean selfContained, final byte... payload)
    {
        final long header = payload.length | (selfContained ? 1L << 17 : 0);
        return seal(header, 3, payload);
    }

    /** A segment of a compressed connection: compressed, or stored if that is asked for or compressing makes it too long. */
    public static byte[] lz4(final boolean selfContained, final boolean stored, final byte... payload)
    {
        if (stored)
        {
            return lz4Block(selfContained, 0, payload);
        }
        final byte[] block = LZ4Factory.safeInstance().fastCompressor().compress(payload);
        // What grows beyond what a header can say has to be stored.
        return block.length > MAX_PAYLOAD
            ? lz4Block(selfContained, 0, payload)
            : lz4Block(selfContained, payload.length, block);
    }

    /** A segment of a compressed connection that claims whatever it claims, with good checksums. */
    public static byte[] lz4Block(final boolean selfContained, final int uncompressedLength, final byte... block)
    {
        final long header = block.length | (long)uncompressedLength << 17 | (selfContained ? 1L << 34 : 0);
        return seal(header, 5, block);
    }

    private static byte[] seal(final long header, final int headerBytes, final byte... payload)
    {
        return new WireBytes().little(header, headerBytes)
            .little(crc24(header, headerBytes), 3)
            .raw(payload)
            .little(crc32(payload), 4)
            .toArray();
    }

    /** A large envelope as pieces that are not self-contained. */
    public static byte[] pieces(final SegmentFormat format, final int pieceBytes, final byte... envelope)
    {
        final WireBytes all = new WireBytes();
        for (int at = 0; at < envelope.length; at += pieceBytes)
        {
            final byte[] piece = Arrays.copyOfRange(envelope, at, Math.min(envelope.length, at + pieceBytes));
            all.raw(format == SegmentFormat.LZ4 ? lz4(false, false, piece) : plain(false, piece));
        }
        return all.toArray();
    }

    /** The checksum of a segment header of this many bytes. */
    public static int crc24(final long header, final int bytes)
    {
        int crc = CRC24_INIT;
        for (int i = 0; i < bytes; i++)
        {
            crc ^= (int)(header >>> 8 * i & 0xFF) << 16;
            for (int bit = 0; bit < 8; bit++)
            {
                crc <<= 1;
                if ((crc & 0x1000000) != 0)
                {
                    crc ^= CRC24_POLYNOMIAL;
                }
            }
        }
        return crc;
    }

    /** The checksum of a payload as sent. */
    public static long crc32(final byte... payload)
    {
        final CRC32 crc = new CRC32();
        crc.update(CRC32_SEED);
        crc.update(payload);
        return crc.getValue();
    }

    /** The payload of a block that must yield exactly this many bytes. */
    static byte[] decompress(final byte[] block, final int uncompressedLength)
    {
        return LZ4Factory.safeInstance().safeDecompressor().decompress(block, 0, block.length, uncompressedLength);
    }
}
