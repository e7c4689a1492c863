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

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Memory on loan from a {@link BufferPool}: owned by whoever claimed it until {@link #close()}.
 * <p>
 * One thread at a time; may be handed from thread to thread through any queue, and closed by any thread, exactly once.
 */
public final class BufferLease implements AutoCloseable
{
    private static final VarHandle CLAIMED;
    static
    {
        try
        {
            CLAIMED = MethodHandles.lookup().findVarHandle(BufferLease.class, "claimed", boolean.class);
        }
        catch (final ReflectiveOperationException e)
        {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final BufferPool pool;
    private final DirectMemory memory;
    private final int sizeClass;
    private Object attachment;
    private String owner;
    private long claimedNanos;
    private int length;
    /** Set by the pool on claiming, cleared by whoever closes: the guard against closing twice. */
    @SuppressWarnings("UnusedVariable")
    private volatile boolean claimed;

    BufferLease(final BufferPool pool, final DirectMemory memory, final int sizeClass)
    {
        this.pool = pool;
        this.memory = memory;
        this.sizeClass = sizeClass;
    }

    BufferLease claim(final String newOwner, final long nowNanos)
    {
        owner = newOwner;
        claimedNanos = nowNanos;
        length = 0;
        CLAIMED.setRelease(this, true);
        return this;
    }

    /** Both views of the memory. */
    public DirectMemory memory()
    {
        return memory;
    }

    /** The Agrona view of the memory. */
    public UnsafeBuffer buffer()
    {
        return memory.buffer();
    }

    /** At least what was asked for, in bytes. */
    public int capacity()
    {
        return memory.capacity();
    }

    /** Bytes in use from offset 0, as last set by the owner; 0 after claiming. */
    public int length()
    {
        return length;
    }

    /** Says how many bytes from offset 0 are in use. */
    public void length(final int newLength)
    {
        if (newLength < 0 || newLength > capacity())
        {
            throw new IllegalArgumentException("length: " + newLength + " (expected: 0.." + capacity() + ")");
        }
        length = newLength;
    }

    /**
     * Whatever a layer above made for this memory, kept as long as the memory itself lives, from loan to loan: the
     * transport keeps the one {@code ByteBuf} here that it writes this memory to sockets with.
     */
    public Object attachment()
    {
        return attachment;
    }

    /** Attaches an object for the life of the memory. */
    public void attachment(final Object newAttachment)
    {
        attachment = newAttachment;
    }

    /** What the memory was claimed for. */
    public String owner()
    {
        return owner;
    }

    /** When it was claimed, on the pool's clock. */
    public long claimedNanos()
    {
        return claimedNanos;
    }

    /** True between claiming and closing. */
    public boolean isClaimed()
    {
        return (boolean)CLAIMED.getAcquire(this);
    }

    int sizeClass()
    {
        return sizeClass;
    }

    /**
     * Gives the memory back. Any thread.
     *
     * @throws IllegalStateException if it was given back before
     */
    @Override
    public void close()
    {
        if (!CLAIMED.compareAndSet(this, true, false))
        {
            throw new IllegalStateException("lease: closed twice, owner " + owner);
        }
        pool.giveBack(this);
    }
}
