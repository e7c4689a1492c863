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
package io.sluice.bench.micro;

import io.sluice.framing.segment.SegmentFormat;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/**
 * The work of a segment that nobody can leave out: one copy, CRC32 and, with LZ4, the fastest compressor, over direct
 * memory that is kept. No header, no CRC24, no bookkeeping. Confined to one thread.
 */
final class SegmentFloor
{
    private final boolean lz4;
    private final LZ4Compressor compressor = LZ4Factory.fastestInstance().fastCompressor();
    private final LZ4SafeDecompressor decompressor = LZ4Factory.fastestInstance().safeDecompressor();
    private final CRC32 crc = new CRC32();
    private final ByteBuffer payload;
    private final ByteBuffer copy;
    private final ByteBuffer packed;
    private final ByteBuffer packedCopy;
    private final int packedLength;

    SegmentFloor(final SegmentFormat format, final byte[] payload)
    {
        lz4 = format == SegmentFormat.LZ4;
        this.payload = ByteBuffer.allocateDirect(payload.length).put(payload).flip();
        copy = ByteBuffer.allocateDirect(payload.length);
        final int room = compressor.maxCompressedLength(payload.length);
        packed = ByteBuffer.allocateDirect(room);
        packedCopy = ByteBuffer.allocateDirect(room);
        packedLength = compressor.compress(this.payload, 0, payload.length, packed, 0, room);
    }

    int encode()
    {
        final int length = payload.capacity();
        copy.put(0, payload, 0, length);
        if (!lz4)
        {
            return checksum(copy, length);
        }
        return checksum(packed, compressor.compress(copy, 0, length, packed, 0, packed.capacity()));
    }

    int decode()
    {
        if (!lz4)
        {
            final int length = payload.capacity();
            copy.put(0, payload, 0, length);
            return checksum(copy, length);
        }
        packedCopy.put(0, packed, 0, packedLength);
        return checksum(packedCopy, packedLength) +
            decompressor.decompress(packedCopy, 0, packedLength, copy, 0, copy.capacity());
    }

    private int checksum(final ByteBuffer bytes, final int length)
    {
        crc.reset();
        bytes.limit(length).position(0);
        crc.update(bytes);
        bytes.clear();
        return (int)crc.getValue();
    }
}
