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

import java.util.Random;
import java.util.function.Consumer;

/** Runs a test once for each of many seeds and names the seed that fails; {@code -Dsluice.seed=N} runs that one. */
public final class Randoms
{
    private static final String SEED_PROPERTY = "sluice.seed";

    private Randoms()
    {
    }

    /** Seeds 1 to {@code runs}. */
    public static void forSeeds(final int runs, final Consumer<Random> test)
    {
        final Long only = Long.getLong(SEED_PROPERTY);
        if (only != null)
        {
            run(only, test);
            return;
        }
        for (long seed = 1; seed <= runs; seed++)
        {
            run(seed, test);
        }
    }

    private static void run(final long seed, final Consumer<Random> test)
    {
        try
        {
            test.accept(new Random(seed));
        }
        catch (final RuntimeException | AssertionError e)
        {
            throw new AssertionError("failed with -D" + SEED_PROPERTY + "=" + seed + ": " + e.getMessage(), e);
        }
    }
}
