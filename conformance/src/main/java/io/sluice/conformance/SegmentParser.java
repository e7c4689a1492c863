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

import java.util.ArrayDeque;
import java.util.Queue;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/**
 * Takes the server's segments apart and holds the server to every rule: checksums, zero padding, whole envelopes in a
 * self-contained segment, pieces of exactly one envelope in the others, stored rather than grown.
 */
final class SegmentParser implements InboundParser
{
    private static final LZ4SafeDecompressor LZ4 = LZ4Factory.safeInstance().safeDecompressor();

    private final boolean lz4;
    private final ByteQueue pending = new ByteQueue();
    private final Queue<Envelope> envelopes = new ArrayDeque<>();
    private final ByteQueue large = new ByteQueue();
    private int needed;

    SegmentParser(final boolean lz4)
    {
        this.lz4 = lz4;
    }

    @Override
    public void feed(final byte[] bytes, final int length)
    {
        pending.add(bytes, length);
    }

    @Override
    public Envelope next()
    {
        while (envelopes.isEmpty())
        {
            if (!nextSegment())
            {
                return null;
            }
        }
        return envelopes.remove();
    }

    @Override
    public int unread()
    {
        return pending.length() + large.length();
    }

    @Override
    public byte[] takeUnread()
    {
        final byte[] unread = pending.peek(0, pending.length());
        pending.remove(unread.length);
        return unread;
    }

    private boolean nextSegment()
    {
        final int width = lz4 ? 5 : 3;
        if (pending.length() < width + 3)
        {
            return false;
        }
        final long word = pending.littleEndian(0, width);
        final long crc = pending.littleEndian(width, 3);
        if (SegmentChecksums.crc24(word, width) != crc)
        {
            throw new GarbledBytes("segment header with a wrong CRC24: " + Segments.hex(pending.peek(0, width + 3)));
        }
        final int wireLength = (int)(word & 0x1ffff);
        if (pending.length() < width + 3 + wireLength + 4)
        {
            return false;
        }
        final byte[] wire = pending.peek(width + 3, wireLength);
        if (SegmentChecksums.crc32(wire, 0, wireLength) != (int)pending.littleEndian(width + 3 + wireLength, 4))
        {
            throw new GarbledBytes("segment payload with a wrong CRC32");
        }
        pending.remove(width + 3 + wireLength + 4);
        final int flagBit = lz4 ? 34 : 17;
        if (word >>> (flagBit + 1) != 0)
        {
            throw new GarbledBytes("segment header with padding bits set");
        }
        final int declared = lz4 ? (int)(word >>> 17 & 0x1ffff) : 0;
        accept(declared == 0 ? wire : decompress(wire, declared), (word >>> flagBit & 1) != 0);
        return true;
    }

    private static byte[] decompress(final byte[] wire, final int declared)
    {
        if (wire.length > declared)
        {
            throw new GarbledBytes("segment grown by compression: " + declared + " bytes as " + wire.length);
        }
        try
        {
            final byte[] payload = new byte[declared];
            final int length = LZ4.decompress(wire, payload);
            if (length != declared)
            {
                throw new GarbledBytes("LZ4 block of " + length + " bytes (expected: " + declared + ")");
            }
            return payload;
        }
        catch (final LZ4Exception e)
        {
            throw new GarbledBytes("LZ4 block that does not decode: " + e.getMessage());
        }
    }

    private void accept(final byte[] payload, final boolean selfContained)
    {
        if (selfContained)
        {
            int offset = 0;
            while (offset < payload.length)
            {
                final Envelope envelope = Envelope.parse(payload, offset, payload.length - offset);
                if (envelope == null)
                {
                    throw new GarbledBytes("self-contained segment that ends inside an envelope");
                }
                envelopes.add(envelope);
                offset += envelope.length();
            }
            return;
        }
        if (large.length() == 0 && payload.length < Envelope.HEADER_LENGTH)
        {
            throw new GarbledBytes("first piece of " + payload.length + " bytes (expected: at least 9)");
        }
        large.add(payload, payload.length);
        if (large.length() < needed)
        {
            return;
        }
        final byte[] soFar = large.peek(0, large.length());
        final Envelope envelope = Envelope.parse(soFar, 0, soFar.length);
        needed = envelope == null ? Envelope.lengthNeeded(soFar) : 0;
        if (envelope != null)
        {
            if (envelope.length() != soFar.length)
            {
                throw new GarbledBytes("pieces of " + soFar.length + " bytes for an envelope of " + envelope.length());
            }
            envelopes.add(envelope);
            large.remove(soFar.length);
        }
    }
}
