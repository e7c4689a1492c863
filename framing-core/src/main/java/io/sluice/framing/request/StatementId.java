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

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import org.agrona.DirectBuffer;

/**
 * The id of a prepared statement. Where ids are interned, one object stands for all requests that carry the same bytes,
 * and the node may keep its own form of the id with it.
 * <p>
 * Immutable but for the attachment, which any thread may set: all of them to equal objects.
 */
public final class StatementId
{
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    /** Metadata ids are digests; what is longer is no id of ours and not worth keeping. */
    private static final int LONGEST_KEPT = 16;

    private final byte[] bytes;
    private final int hash;
    private volatile Object attachment;
    /** The result metadata id that came last with this id: most clients send the same. Written by any decoder. */
    private volatile byte[] lastMetadataId;

    /** Takes the array over: it must not change from now on. */
    public StatementId(final byte[] bytes)
    {
        this.bytes = bytes;
        this.hash = Arrays.hashCode(bytes);
    }

    /** As on the wire; borrowed, not to be changed. */
    public byte[] bytes()
    {
        return bytes;
    }

    /** The node's form of this id, or null. */
    public Object attachment()
    {
        return attachment;
    }

    /** Keeps the node's form of this id. */
    public void attachment(final Object newAttachment)
    {
        attachment = newAttachment;
    }

    /** True if these bytes are this id. */
    boolean matches(final DirectBuffer buffer, final int offset, final int length)
    {
        return matches(bytes, buffer, offset, length);
    }

    /**
     * The metadata id that comes with this id in a request; the same array as last time if the bytes are the same.
     *
     * @param buffer borrowed until return; the range is there
     */
    byte[] metadataId(final DirectBuffer buffer, final int offset, final int length)
    {
        final byte[] last = lastMetadataId;
        if (last != null && matches(last, buffer, offset, length))
        {
            return last;
        }
        final byte[] copy = new byte[length];
        buffer.getBytes(offset, copy, 0, length);
        if (length <= LONGEST_KEPT)
        {
            lastMetadataId = copy;
        }
        return copy;
    }

    private static boolean matches(final byte[] array, final DirectBuffer buffer, final int offset, final int length)
    {
        if (array.length != length)
        {
            return false;
        }
        int i = 0;
        for (; length - i >= Long.BYTES; i += Long.BYTES)
        {
            if ((long)LONGS.get(array, i) != buffer.getLong(offset + i, ByteOrder.BIG_ENDIAN))
            {
                return false;
            }
        }
        for (; i < length; i++)
        {
            if (array[i] != buffer.getByte(offset + i))
            {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode()
    {
        return hash;
    }

    @Override
    public boolean equals(final Object other)
    {
        return this == other || other instanceof StatementId that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public String toString()
    {
        return HexFormat.of().formatHex(bytes);
    }
}
