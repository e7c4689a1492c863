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
package io.sluice.framing.response;

import io.sluice.memory.BufferLease;
import io.sluice.memory.BufferPool;
import java.net.InetAddress;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Writes the primitives of the native protocol (section 3) into leased memory that grows as needed.
 * <p>
 * One writer serves one thread for as many answers as it likes: {@link #begin}, writes, {@link #finish} or
 * {@link #abort}. Not thread safe.
 */
public final class BodyWriter
{
    /** The longest [string] that the length field can say; also the longest error text. */
    public static final int MAX_STRING_BYTES = 0xFFFF;

    private final BufferPool pool;
    private BufferLease lease;
    private UnsafeBuffer buffer;
    private int position;
    private int limitBytes;

    /** A writer that claims its memory here. */
    public BodyWriter(final BufferPool pool)
    {
        this.pool = pool;
    }

    /**
     * Starts an answer.
     *
     * @param expectedBytes how much memory to claim first
     * @param newLimitBytes how far it may grow; beyond, writes throw {@link BodyTooLargeException}
     */
    public void begin(final int expectedBytes, final int newLimitBytes)
    {
        if (lease != null)
        {
            throw new IllegalStateException("begin: called twice (expected: finish or abort first)");
        }
        lease = pool.claim(Math.min(expectedBytes, newLimitBytes), "response");
        buffer = lease.buffer();
        position = 0;
        limitBytes = newLimitBytes;
    }

    /** What was written: owned by the caller, its length set. */
    public BufferLease finish()
    {
        final BufferLease result = lease;
        result.length(position);
        lease = null;
        buffer = null;
        return result;
    }

    /** Gives the memory back, if there is any. */
    public void abort()
    {
        if (lease != null)
        {
            lease.close();
            lease = null;
            buffer = null;
        }
    }

    /** The memory written to at the moment; changes whenever it grows. Borrowed. */
    public BufferLease lease()
    {
        return lease;
    }

    /** Where the next byte goes, in bytes from the start of the memory. */
    public int position()
    {
        return position;
    }

    /** How many more bytes the limit leaves. */
    public int bytesLeft()
    {
        return limitBytes - position;
    }

    /** Moves on after somebody else wrote into {@link #lease()}, or back to write something anew. */
    public void position(final int newPosition)
    {
        if (newPosition < 0 || newPosition > lease.capacity())
        {
            throw new IllegalArgumentException("position: " + newPosition + " (expected: 0.." + lease.capacity() + ")");
        }
        position = newPosition;
    }

    /** Makes room for this many more bytes; what was written stays. */
    public void ensure(final int bytes)
    {
        if (bytes < 0 || bytes > limitBytes - position)
        {
            throw new BodyTooLargeException("answer: more than " + limitBytes + " bytes");
        }
        if (bytes > lease.capacity() - position)
        {
            grow(bytes);
        }
    }

    private void grow(final int bytes)
    {
        final int doubled = (int)Math.min(limitBytes, 2L * lease.capacity());
        final BufferLease larger = pool.claim(Math.max(position + bytes, doubled), "response");
        larger.buffer().putBytes(0, buffer, 0, position);
        lease.close();
        lease = larger;
        buffer = larger.buffer();
    }

    /** [byte]. */
    public void putByte(final int value)
    {
        ensure(1);
        buffer.putByte(position, (byte)value);
        position += 1;
    }

    /** [short], unsigned: 0..65,535. */
    public void putShort(final int value)
    {
        if (value < 0 || value > 0xFFFF)
        {
            throw new IllegalArgumentException("short: " + value + " (expected: 0..65535)");
        }
        ensure(Short.BYTES);
        buffer.putShort(position, (short)value, ByteOrder.BIG_ENDIAN);
        position += Short.BYTES;
    }

    /** [int]. */
    public void putInt(final int value)
    {
        ensure(Integer.BYTES);
        buffer.putInt(position, value, ByteOrder.BIG_ENDIAN);
        position += Integer.BYTES;
    }

    /** Overwrites an [int] written before. */
    public void putIntAt(final int offset, final int value)
    {
        buffer.putInt(offset, value, ByteOrder.BIG_ENDIAN);
    }

    /** [long]. */
    public void putLong(final long value)
    {
        ensure(Long.BYTES);
        buffer.putLong(position, value, ByteOrder.BIG_ENDIAN);
        position += Long.BYTES;
    }

    /** Bytes as they are, with no length. */
    public void putRaw(final byte[] bytes)
    {
        ensure(bytes.length);
        buffer.putBytes(position, bytes);
        position += bytes.length;
    }

    /** Bytes as they are, with no length, copied from elsewhere. */
    public void putRaw(final DirectBuffer source, final int offset, final int length)
    {
        ensure(length);
        buffer.putBytes(position, source, offset, length);
        position += length;
    }

    /** [string]: cut at a character boundary if it is longer than {@link #MAX_STRING_BYTES}. */
    public void putString(final String value)
    {
        putString(value, MAX_STRING_BYTES);
    }

    /** [string]: cut at a character boundary if it is longer than this. */
    public void putString(final String value, final int mostBytes)
    {
        final byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        final int length = bytes.length <= mostBytes ? bytes.length : boundary(bytes, mostBytes);
        putShort(length);
        ensure(length);
        buffer.putBytes(position, bytes, 0, length);
        position += length;
    }

    private static int boundary(final byte[] utf8, final int limit)
    {
        int end = limit;
        while (end > 0 && (utf8[end] & 0xC0) == 0x80)
        {
            end--;
        }
        return end;
    }

    /** [long string]. */
    public void putLongString(final String value)
    {
        final byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        putInt(bytes.length);
        putRaw(bytes);
    }

    /** [bytes]: null is length -1. */
    public void putBytes(final byte[] value)
    {
        if (value == null)
        {
            putInt(-1);
        }
        else
        {
            putInt(value.length);
            putRaw(value);
        }
    }

    /** [bytes], copied from elsewhere. */
    public void putBytes(final DirectBuffer source, final int offset, final int length)
    {
        putInt(length);
        putRaw(source, offset, length);
    }

    /** [short bytes]. */
    public void putShortBytes(final byte[] value)
    {
        putShort(value.length);
        putRaw(value);
    }

    /** [string list]. */
    public void putStringList(final List<String> values)
    {
        putShort(values.size());
        for (final String value : values)
        {
            putString(value);
        }
    }

    /** [string multimap]. */
    public void putStringMultimap(final Map<String, List<String>> values)
    {
        putShort(values.size());
        for (final Map.Entry<String, List<String>> entry : values.entrySet())
        {
            putString(entry.getKey());
            putStringList(entry.getValue());
        }
    }

    /** [bytes map]. */
    public void putBytesMap(final Map<String, byte[]> values)
    {
        putShort(values.size());
        for (final Map.Entry<String, byte[]> entry : values.entrySet())
        {
            putString(entry.getKey());
            putBytes(entry.getValue());
        }
    }

    /** [uuid]. */
    public void putUuid(final UUID value)
    {
        putLong(value.getMostSignificantBits());
        putLong(value.getLeastSignificantBits());
    }

    /** [inetaddr]: no port. */
    public void putInetAddress(final InetAddress value)
    {
        final byte[] bytes = value.getAddress();
        putByte(bytes.length);
        putRaw(bytes);
    }

    /** [inet]: address and port. */
    public void putInet(final InetAddress value, final int port)
    {
        putInetAddress(value);
        putInt(port);
    }
}
