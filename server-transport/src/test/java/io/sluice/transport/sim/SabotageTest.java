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

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Rules that never fail prove nothing: each kind of fault must be caught, in runs that are honest but for it. Not in
 * every run, since what is lost on a connection that is reset a moment later was not owed.
 */
final class SabotageTest
{
    private static final int RUNS = 40;
    private static final int MOST_SEEDS = 400;

    @BeforeAll
    static void silence()
    {
        Quiet.begin();
    }

    @AfterAll
    static void restore()
    {
        Quiet.end();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void isCaught(final Sabotage fault)
    {
        int struck = 0;
        int caught = 0;
        for (long seed = 1; struck < RUNS && seed <= MOST_SEEDS; seed++)
        {
            final Simulation simulation = new Simulation(seed, false, fault);
            boolean failed = false;
            try
            {
                simulation.run();
            }
            catch (final SimulationFailure e)
            {
                failed = true;
            }
            if (simulation.sabotage().isDone())
            {
                struck++;
                caught += failed ? 1 : 0;
            }
            else
            {
                assertTrue(!failed, "an honest run failed, seed " + seed);
            }
        }
        assertTrue(struck >= RUNS / 2 && caught >= struck / 4, fault + ": caught " + caught + " of " + struck);
    }
}
