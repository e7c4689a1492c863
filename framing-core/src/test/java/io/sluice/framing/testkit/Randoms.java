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
