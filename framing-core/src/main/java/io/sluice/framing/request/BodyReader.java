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

import io.sluice.framing.Consistency;
import io.sluice.framing.ProtocolException;
import io.sluice.framing.ProtocolVersion;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.agrona.DirectBuffer;

/**
 * A cursor over one body that reads the primitives of the native protocol (section 3).
 * <p>
 * No length is believed before it was held against the bytes that are there, and no count before the least that so many
 * elements would take: a body can make nobody allocate more than a small multiple of its own size. Whatever is wrong
 * with a body is a recoverable {@link ProtocolException} without a stream id.
 * <p>
 * One object serves any number of bodies, one after another. Not thread safe.
 */
public final class BodyReader
{
    /** {@link #readValueLength} for null. */
    static final int NULL_LENGTH = -1;
    /** {@link #readValueLength} for a value that is to be left as it is. */
    static final int UNSET_LENGTH = -2;

    /** An empty value; another object than {@link Cells#UNSET}. */
    private static final byte[] EMPTY = new byte[0];
    /** Strings up to here are validated in memory that stays with the reader. */
    private static final int SCRATCH_BYTES = 4096;

    private final byte[] scratch = new byte[SCRATCH_BYTES];
    private DirectBuffer buffer;
    private int position;
    private int limit;

    /**
     * Starts on a body.
     *
     * @param newBuffer borrowed until the next call
     * @param offset of the first byte
     * @param newLimit one past the last byte
     * @return this
     */
    public BodyReader wrap(final DirectBuffer newBuffer, final int offset, final int newLimit)
    {
        if (offset < 0 || offset > newLimit || newLimit > newBuffer.capacity())
        {
            throw new IndexOutOfBoundsException(
                "body: " + offset + ".." + newLimit + " (expected: within 0.." + newBuffer.capacity() + ")");
        }
        buffer = newBuffer;
        position = offset;
        limit = newLimit;
        return this;
    }

    /** What is being read. Borrowed. */
    DirectBuffer buffer()
    {
        return buffer;
    }

    /** Where the next byte is. */
    public int position()
    {
        return position;
    }

    /** Bytes left. */
    public int remaining()
    {
        return limit - position;
    }

    /** [byte], 0..255. */
    public int readByte()
    {
        require(1, "byte");
        return buffer.getByte(position++) & 0xFF;
    }

    /** [short], 0..65,535. */
    public int readShort()
    {
        require(Short.BYTES, "short");
        final int value = buffer.getShort(position, ByteOrder.BIG_ENDIAN) & 0xFFFF;
        position += Short.BYTES;
        return value;
    }

    /** [int]. */
    public int readInt()
    {
        require(Integer.BYTES, "int");
        final int value = buffer.getInt(position, ByteOrder.BIG_ENDIAN);
        position += Integer.BYTES;
        return value;
    }

    /** [long]. */
    public long readLong()
    {
        require(Long.BYTES, "long");
        final long value = buffer.getLong(position, ByteOrder.BIG_ENDIAN);
        position += Long.BYTES;
        return value;
    }

    /** [consistency]. */
    public Consistency readConsistency()
    {
        return Consistency.of(readShort());
    }

    /** [string]. */
    public String readString()
    {
        return text(checkedLength(readShort(), "string length"), "string");
    }

    /** [long string]. */
    public String readLongString()
    {
        return text(checkedLength(readInt(), "long string length"), "long string");
    }

    /** Passes over a [string], which has to be one: UTF-8 is checked. Returns its length in bytes. */
    int skipString()
    {
        final int length = checkedLength(readShort(), "string length");
        final int malformed = Utf8.firstMalformed(buffer, position, length);
        if (malformed >= 0)
        {
            throw malformed("string", malformed);
        }
        position += length;
        return length;
    }

    /** [bytes]; null if the length is negative. */
    public byte[] readBytes()
    {
        final int length = readInt();
        return length < 0 ? null : copy(checkedLength(length, "bytes length"));
    }

    /** Passes over [bytes]. Returns their length or -1 for null; they end at {@link #position()}. */
    int skipBytes()
    {
        final int length = readInt();
        if (length < 0)
        {
            return NULL_LENGTH;
        }
        position += checkedLength(length, "bytes length");
        return length;
    }

    /** [short bytes]. */
    public byte[] readShortBytes()
    {
        return copy(checkedLength(readShort(), "short bytes length"));
    }

    /** The length of [short bytes] that are known to be there; {@link #skip} or {@link #copy} comes next. */
    int readShortBytesLength()
    {
        return checkedLength(readShort(), "short bytes length");
    }

    /**
     * [value]: a copy of its own, null, or (from version 4) {@link Cells#UNSET}. In version 3 every negative length is
     * null; later only -1 is, and lengths below -2 are refused.
     */
    public byte[] readValue(final ProtocolVersion version)
    {
        final int length = readValueLength(version);
        if (length >= 0)
        {
            return copy(length);
        }
        return length == NULL_LENGTH ? null : Cells.UNSET;
    }

    /** The length of a [value] that is known to be there, {@link #NULL_LENGTH} or {@link #UNSET_LENGTH}. */
    int readValueLength(final ProtocolVersion version)
    {
        final int length = readInt();
        if (length >= 0)
        {
            return checkedLength(length, "value length");
        }
        if (length == NULL_LENGTH || version == ProtocolVersion.V3)
        {
            return NULL_LENGTH;
        }
        if (length != UNSET_LENGTH)
        {
            throw ProtocolException.recoverable("value length: " + length + " (expected: >= -2)");
        }
        return UNSET_LENGTH;
    }

    /**
     * A [short] that says how many elements follow.
     *
     * @param leastBytes what one element takes at least
     */
    public int readCount(final int leastBytes)
    {
        final int count = readShort();
        if (count > remaining() / leastBytes)
        {
            throw ProtocolException.recoverable(
                "count: " + count + " (expected: 0.." + remaining() / leastBytes + " in " + remaining() + " bytes)");
        }
        return count;
    }

    /** [string list]. */
    public List<String> readStringList()
    {
        final int count = readCount(Short.BYTES);
        final List<String> strings = new ArrayList<>(count);
        for (int i = 0; i < count; i++)
        {
            strings.add(readString());
        }
        return strings;
    }

    /** [string map], in wire order; of a key that comes twice the last value counts. */
    public Map<String, String> readStringMap()
    {
        final int count = readCount(Short.BYTES + Short.BYTES);
        final Map<String, String> map = new LinkedHashMap<>();
        for (int i = 0; i < count; i++)
        {
            final String key = readString();
            map.put(key, readString());
        }
        return map;
    }

    /** [string multimap], in wire order; of a key that comes twice the last list counts. */
    public Map<String, List<String>> readStringMultimap()
    {
        final int count = readCount(Short.BYTES + Short.BYTES);
        final Map<String, List<String>> map = new LinkedHashMap<>();
        for (int i = 0; i < count; i++)
        {
            final String key = readString();
            map.put(key, readStringList());
        }
        return map;
    }

    /** [bytes map], in wire order; values may be null. */
    public Map<String, byte[]> readBytesMap()
    {
        final int count = readCount(Short.BYTES + Integer.BYTES);
        final Map<String, byte[]> map = new LinkedHashMap<>();
        for (int i = 0; i < count; i++)
        {
            final String key = readString();
            map.put(key, readBytes());
        }
        return map;
    }

    /** [uuid]. */
    public UUID readUuid()
    {
        require(Long.BYTES + Long.BYTES, "uuid");
        final long mostSignificantBits = readLong();
        return new UUID(mostSignificantBits, readLong());
    }

    /** [inetaddr]: no port. */
    public InetAddress readInetAddress()
    {
        final int length = readByte();
        if (length != 4 && length != 16)
        {
            throw ProtocolException.recoverable("address length: " + length + " (expected: 4 or 16)");
        }
        require(length, "address");
        try
        {
            return InetAddress.getByAddress(copy(length));
        }
        catch (final UnknownHostException e)
        {
            throw new AssertionError("address length: " + length, e);
        }
    }

    /** [inet]: address and port. */
    public InetSocketAddress readInet()
    {
        final InetAddress address = readInetAddress();
        final int port = readInt();
        if (port < 0 || port > 0xFFFF)
        {
            throw ProtocolException.recoverable("port: " + port + " (expected: 0..65535)");
        }
        return new InetSocketAddress(address, port);
    }

    /** Moves on over bytes that are known to be there. */
    void skip(final int length)
    {
        position += length;
    }

    /** The next bytes, which are known to be there, in an array of exactly that length. */
    byte[] copy(final int length)
    {
        if (length == 0)
        {
            return EMPTY;
        }
        final byte[] bytes = new byte[length];
        buffer.getBytes(position, bytes, 0, length);
        position += length;
        return bytes;
    }

    private String text(final int length, final String what)
    {
        if (length == 0)
        {
            return "";
        }
        final int malformed = Utf8.firstMalformed(buffer, position, length);
        if (malformed >= 0)
        {
            throw malformed(what, malformed);
        }
        final byte[] bytes = length <= SCRATCH_BYTES ? scratch : new byte[length];
        buffer.getBytes(position, bytes, 0, length);
        position += length;
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    private static ProtocolException malformed(final String what, final int at)
    {
        return ProtocolException.recoverable(what + ": malformed at byte " + at + " (expected: UTF-8)");
    }

    private int checkedLength(final int length, final String what)
    {
        if (length < 0 || length > limit - position)
        {
            throw ProtocolException.recoverable(what + ": " + length + " (expected: 0.." + (limit - position) + ")");
        }
        return length;
    }

    private void require(final int bytes, final String what)
    {
        if (bytes > limit - position)
        {
            throw ProtocolException.recoverable(
                what + ": " + (limit - position) + " bytes left (expected: " + bytes + ")");
        }
    }
}
