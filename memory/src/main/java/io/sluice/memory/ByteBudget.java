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

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Bytes that may be in use at once, against a limit that can change at any time.
 * <p>
 * Every acquire is paid back by one release of the same number of bytes. Any thread.
 */
public final class ByteBudget
{
    private final AtomicLong usedBytes = new AtomicLong();
    private final LongSupplier limitBytes;

    /** A budget against a live limit in bytes. */
    public ByteBudget(final LongSupplier limitBytes)
    {
        this.limitBytes = limitBytes;
    }

    /** Takes the bytes if they fit under the limit now. */
    public boolean tryAcquire(final long bytes)
    {
        final long limit = limitBytes.getAsLong();
        // Not added first and taken back: a large claim that fails must not make a small one fail beside it.
        long used = usedBytes.get();
        while (bytes <= limit - used)
        {
            final long witness = usedBytes.compareAndExchange(used, used + bytes);
            if (witness == used)
            {
                return true;
            }
            used = witness;
        }
        return false;
    }

    /** Takes the bytes, over the limit if need be: for what exists already and has to be accounted for. */
    public void acquire(final long bytes)
    {
        usedBytes.addAndGet(bytes);
    }

    /** Gives bytes back. */
    public void release(final long bytes)
    {
        final long left = usedBytes.addAndGet(-bytes);
        assert left >= 0 : "usedBytes: " + left + " (expected: >= 0)";
    }

    /** In use now. */
    public long usedBytes()
    {
        return usedBytes.get();
    }

    /** The limit now. */
    public long limitBytes()
    {
        return limitBytes.getAsLong();
    }

    /** True if the budget is used up or overdrawn. */
    public boolean isExhausted()
    {
        return usedBytes.get() >= limitBytes.getAsLong();
    }
}
