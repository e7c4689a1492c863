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
package io.sluice.memory;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Off-heap memory seen two ways: an Agrona view for all reading and writing, and the NIO view that CRC32 and LZ4
 * ask for.
 * Both are made once, when the memory is made, so that no request, value or segment costs a wrapper.
 * <p>
 * The NIO view's position and limit belong to whoever uses the memory at the moment; they are set before each use.
 * Confined to the thread that owns the memory.
 */
public final class DirectMemory
{
    private static final byte[] EMPTY = new byte[0];

    private final UnsafeBuffer buffer;
    private final ByteBuffer nioView;

    /**
     * Sees the whole of a direct buffer, from 0 to its capacity, whatever its position and limit.
     *
     * @param direct a direct buffer; owned by the new memory from now on
     * @throws IllegalArgumentException if the buffer is on the heap
     */
    public DirectMemory(final ByteBuffer direct)
    {
        Objects.requireNonNull(direct, "direct");
        if (!direct.isDirect())
        {
            throw new IllegalArgumentException("direct: false (expected: true)");
        }
        direct.clear();
        nioView = direct;
        buffer = new UnsafeBuffer(direct);
    }

    /** Fresh memory that the garbage collector frees: for tests and for buffers that live as long as a loop. */
    public static DirectMemory allocate(final int capacity)
    {
        return new DirectMemory(ByteBuffer.allocateDirect(capacity));
    }

    /** The view for all reading and writing; byte order is given at each access. */
    public UnsafeBuffer buffer()
    {
        return buffer;
    }

    /** The same bytes for {@code CRC32} and lz4-java, positioned on {@code length} bytes from {@code offset}. */
    public ByteBuffer nioView(final int offset, final int length)
    {
        return nioView.limit(offset + length).position(offset);
    }

    /** The same bytes as one NIO buffer, positioned anyhow. */
    public ByteBuffer nioView()
    {
        return nioView;
    }

    /** Frees the memory. The Agrona view is empty from now on, so that late use throws and does no harm. */
    void free()
    {
        buffer.wrap(EMPTY);
        BufferUtil.free(nioView);
    }

    /** In bytes. */
    public int capacity()
    {
        return buffer.capacity();
    }
}
