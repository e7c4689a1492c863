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

import io.sluice.framing.EnvelopeFlags;
import io.sluice.framing.ErrorCode;
import io.sluice.framing.ProtocolException;
import io.sluice.memory.BufferLease;
import io.sluice.memory.BufferPool;
import io.sluice.memory.DirectMemory;
import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Compresses bodies of versions 3 and 4 one by one, as agreed in STARTUP; the header stays plain and says so by a flag.
 * Immutable; what is passed must be owned by the calling thread.
 */
public enum BodyCompression
{
    /** [int] uncompressed length, big endian, and one LZ4 block. */
    LZ4("lz4", Integer.BYTES, 255)
    {
        @Override
        public boolean isAvailable()
        {
            return true;
        }

        @Override
        long uncompressedLength(final DirectMemory memory, final int offset, final int length)
        {
            if (length < Integer.BYTES)
            {
                throw malformed();
            }
            return memory.buffer().getInt(offset, ByteOrder.BIG_ENDIAN);
        }

        @Override
        int decompress(final DirectMemory memory,
            final int offset,
            final int length,
            final DirectMemory target,
            final int uncompressedLength)
        {
            if (uncompressedLength == 0 && length == Integer.BYTES)
            {
                return 0;
            }
            return Lz4Block.decompress(
                memory,
                offset + Integer.BYTES,
                length - Integer.BYTES,
                target,
                uncompressedLength);
        }

        @Override
        long maxCompressedLength(final int length)
        {
            return (long)Integer.BYTES + length + length / 255 + 16;
        }

        @Override
        int compress(final DirectMemory source,
            final int offset,
            final int length,
            final DirectMemory target,
            final int targetOffset)
        {
            target.buffer().putInt(targetOffset, length, ByteOrder.BIG_ENDIAN);
            return Integer.BYTES + Lz4Block.compress(source, offset, length, target, targetOffset + Integer.BYTES);
        }
    },

    /** One raw snappy block, which starts with its own uncompressed length. */
    SNAPPY("snappy", 1, 22)
    {
        @Override
        public boolean isAvailable()
        {
            return SnappyBlock.isAvailable();
        }

        @Override
        long uncompressedLength(final DirectMemory memory, final int offset, final int length)
        {
            final long value = SnappyBlock.uncompressedLength(memory.buffer(), offset, length);
            if (value < 0)
            {
                throw malformed();
            }
            return value;
        }

        @Override
        int decompress(final DirectMemory memory,
            final int offset,
            final int length,
            final DirectMemory target,
            final int uncompressedLength)
        {
            return SnappyBlock.decompress(memory, offset, length, target);
        }

        @Override
        long maxCompressedLength(final int length)
        {
            return 32L + length + length / 6;
        }

        @Override
        int compress(final DirectMemory source,
            final int offset,
            final int length,
            final DirectMemory target,
            final int targetOffset)
        {
            return SnappyBlock.compress(source, offset, length, target, targetOffset);
        }
    };

    private static final int FLAGS_OFFSET = 1;
    private static final int BODY_LENGTH_OFFSET = 5;

    private final String text;
    private final int prefixLength;
    /** No byte of a block can stand for more bytes than this. */
    private final int maxExpansion;

    BodyCompression(final String text, final int prefixLength, final int maxExpansion)
    {
        this.text = text;
        this.prefixLength = prefixLength;
        this.maxExpansion = maxExpansion;
    }

    /** As in STARTUP and SUPPORTED, in lower case. */
    public String text()
    {
        return text;
    }

    /** The compression with this name in any case, or null. */
    public static BodyCompression of(final String name)
    {
        for (final BodyCompression compression : values())
        {
            if (compression.text.equalsIgnoreCase(name))
            {
                return compression;
            }
        }
        return null;
    }

    /** False if the native library that it needs cannot be loaded on this machine. */
    public abstract boolean isAvailable();

    /** What the body says about itself: any number, for LZ4 a signed one. */
    abstract long uncompressedLength(DirectMemory memory, int offset, int length);

    /** Yields at most {@code uncompressedLength} bytes; returns how many, negative if the block is corrupt. */
    abstract int decompress(DirectMemory memory,
        int offset,
        int length,
        DirectMemory target,
        int uncompressedLength);

    abstract long maxCompressedLength(int length);

    abstract int compress(DirectMemory source, int offset, int length, DirectMemory target, int targetOffset);

    /**
     * Decompresses a body. Nothing is claimed before the length that it declares has been found possible.
     *
     * @param memory borrowed; the body is {@code length} bytes at {@code offset}
     * @param limitBytes the longest uncompressed body that is taken
     * @return the uncompressed body from offset 0, the length set; owned by the caller
     * @throws ProtocolException recoverable, without a stream: the body is longer than the limit ({@code INVALID}),
     * corrupt, or does not yield exactly the length it declares
     * @throws io.sluice.memory.MemoryExhaustedException if there is no memory for it
     */
    public BufferLease decompress(final DirectMemory memory,
        final int offset,
        final int length,
        final int limitBytes,
        final BufferPool pool)
    {
        if (length < 0 || offset < 0 || length > memory.capacity() - offset)
        {
            throw new IllegalArgumentException(
                "range: " + length + " bytes at " + offset + " (expected: within " + memory.capacity() + ")");
        }
        final int uncompressedLength = checkedLength(memory, offset, length, limitBytes);
        final BufferLease lease = pool.claim(uncompressedLength, "decompressed body");
        boolean good = false;
        try
        {
            if (decompress(memory, offset, length, lease.memory(), uncompressedLength) != uncompressedLength)
            {
                throw malformed();
            }
            lease.length(uncompressedLength);
            good = true;
            return lease;
        }
        finally
        {
            if (!good)
            {
                lease.close();
            }
        }
    }

    private int checkedLength(final DirectMemory memory, final int offset, final int length, final int limitBytes)
    {
        final long uncompressedLength = uncompressedLength(memory, offset, length);
        if (uncompressedLength < 0 || uncompressedLength > (long)length * maxExpansion)
        {
            throw malformed();
        }
        if (uncompressedLength > limitBytes)
        {
            throw ProtocolException.refused(
                ErrorCode.INVALID,
                ProtocolException.UNKNOWN_STREAM,
                "Request is too big: length " + uncompressedLength + " exceeds maximum allowed length " + limitBytes +
                    ".");
        }
        return (int)uncompressedLength;
    }

    ProtocolException malformed()
    {
        return ProtocolException.recoverable(text + " body: does not decompress to the length it declares");
    }

    /**
     * Compresses the body of a finished envelope of version 3 or 4.
     *
     * @param envelope borrowed; header and body, uncompressed
     * @param minBodyBytes shorter bodies are left alone
     * @return a new envelope with flag and length set, owned by the caller; or null if compressing does not pay, and
     * the envelope goes as it is
     * @throws io.sluice.memory.MemoryExhaustedException if there is no memory for it
     */
    public BufferLease compress(final BufferLease envelope, final int minBodyBytes, final BufferPool pool)
    {
        final int bodyLength = envelope.length() - EnvelopeHeader.LENGTH;
        final long room = EnvelopeHeader.LENGTH + maxCompressedLength(bodyLength);
        if (bodyLength < minBodyBytes || bodyLength <= prefixLength || room > Integer.MAX_VALUE)
        {
            return null;
        }
        final BufferLease lease = pool.claim((int)room, "compressed envelope");
        boolean pays = false;
        try
        {
            final int compressedLength = compress(
                envelope.memory(),
                EnvelopeHeader.LENGTH,
                bodyLength,
                lease.memory(),
                EnvelopeHeader.LENGTH);
            if (compressedLength >= bodyLength)
            {
                return null;
            }
            writeHeader(envelope.buffer(), lease, compressedLength);
            pays = true;
            return lease;
        }
        finally
        {
            if (!pays)
            {
                lease.close();
            }
        }
    }

    private static void writeHeader(final UnsafeBuffer plain, final BufferLease lease, final int bodyLength)
    {
        final UnsafeBuffer buffer = lease.buffer();
        buffer.putBytes(0, plain, 0, EnvelopeHeader.LENGTH);
        buffer.putByte(FLAGS_OFFSET, (byte)(plain.getByte(FLAGS_OFFSET) | EnvelopeFlags.COMPRESSED));
        buffer.putInt(BODY_LENGTH_OFFSET, bodyLength, ByteOrder.BIG_ENDIAN);
        lease.length(EnvelopeHeader.LENGTH + bodyLength);
    }
}
