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

/** A fault put into a run on purpose, once, to see that the rules notice it. */
enum Sabotage
{
    /** None: an honest run. */
    NONE,
    /** An answer never arrives. */
    DROP_ANSWER,
    /** An answer arrives twice. */
    DOUBLE_ANSWER,
    /** An answer comes back on another stream. */
    CROSS_STREAMS,
    /** An answer reaches another client. */
    CROSS_CLIENTS,
    /** One bit of what the server wrote is wrong. */
    FLIP_BIT,
    /** A lease is never given back. */
    LEAK_LEASE,
    /** An event goes to a client that did not ask for it. */
    UNASKED_EVENT,
    /** A loop loses a task: a wake that never comes. */
    LOSE_WAKE,
    /** The node's executor runs a task twice. */
    SERVE_TWICE;

    /** One in so many chances is taken. */
    private static final int RARITY = 12;

    /** What one run does with it. Not thread safe. */
    static final class Once
    {
        private final Sabotage kind;
        private final Dice dice;
        private boolean done;

        Once(final Sabotage kind, final long seed)
        {
            this.kind = kind;
            // Not the run's own dice: an honest run with this seed is the same but for the fault.
            dice = new Dice(~seed);
        }

        /** True if this is the moment for this fault. */
        boolean strikes(final Sabotage asked)
        {
            if (kind != asked || done || !dice.oneIn(RARITY))
            {
                return false;
            }
            done = true;
            return true;
        }

        boolean isDone()
        {
            return done;
        }

        int below(final int bound)
        {
            return dice.below(bound);
        }
    }
}
