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
package io.sluice.transport.sim;

import io.sluice.memory.BufferLease;
import io.sluice.memory.BufferPool;
import io.sluice.memory.MemoryExhaustedException;
import org.agrona.concurrent.NanoClock;

/** Memory that runs out when the dice say so. */
final class SimPool extends BufferPool
{
    private final Dice dice;
    private final int refusedOneIn;
    private boolean armed;
    private int refusals;

    SimPool(final NanoClock clock, final Dice dice, final int refusedOneIn, final boolean poison)
    {
        super(clock, 256L << 20, poison);
        this.dice = dice;
        this.refusedOneIn = refusedOneIn;
    }

    /** Refuses claims from now on, or no more. */
    void arm(final boolean now)
    {
        armed = now && refusedOneIn > 0;
    }

    int refusals()
    {
        return refusals;
    }

    @Override
    public BufferLease claim(final int minimumCapacity, final String owner)
    {
        if (armed && dice.oneIn(refusedOneIn))
        {
            refusals++;
            throw new MemoryExhaustedException("claim: refused by the simulation", null);
        }
        return super.claim(minimumCapacity, owner);
    }
}
