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
package io.sluice.framing.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.memory.BufferLease;
import io.sluice.memory.BufferPool;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A pool that poisons what comes back, and a check behind each test that everything did. Register it as a field with
 * {@code @RegisterExtension}.
 */
public final class LeaseCheck implements AfterEachCallback
{
    private final BufferPool pool;

    /** With a pool of 256 MiB. */
    public LeaseCheck()
    {
        this(256L << 20);
    }

    /** With a pool of this size. */
    public LeaseCheck(final long limitBytes)
    {
        pool = new BufferPool(System::nanoTime, limitBytes, true);
    }

    /** The pool to test with. */
    public BufferPool pool()
    {
        return pool;
    }

    /** Fails if a lease is out, and says what it was claimed for. */
    public void assertNoneOutstanding()
    {
        final BufferLease oldest = pool.oldestLease();
        assertEquals(0, pool.outstandingLeases(), () -> "leases out, the oldest of: " + oldest.owner());
        assertEquals(0, pool.outstandingBytes(), "bytes out");
    }

    @Override
    public void afterEach(final ExtensionContext context)
    {
        try
        {
            assertNoneOutstanding();
        }
        finally
        {
            pool.close();
        }
    }
}
