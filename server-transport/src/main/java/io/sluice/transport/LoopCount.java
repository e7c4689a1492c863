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
package io.sluice.transport;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Counts what one event loop does, without a contended write: added to by the loop alone, read by any thread. */
final class LoopCount
{
    private static final VarHandle VALUE;
    static
    {
        try
        {
            VALUE = MethodHandles.lookup().findVarHandle(LoopCount.class, "value", long.class);
        }
        catch (final ReflectiveOperationException e)
        {
            throw new ExceptionInInitializerError(e);
        }
    }

    private long value;

    /** On the loop. */
    void increment()
    {
        VALUE.setOpaque(this, value + 1);
    }

    /** On the loop. */
    void add(final long more)
    {
        VALUE.setOpaque(this, value + more);
    }

    /** Any thread. */
    long get()
    {
        return (long)VALUE.getOpaque(this);
    }
}
