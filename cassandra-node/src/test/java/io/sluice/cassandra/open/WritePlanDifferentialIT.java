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
package io.sluice.cassandra.open;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.cassandra.NodeExtension;
import io.sluice.cassandra.PlanDifferential;
import io.sluice.cassandra.TestNode;
import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Writes by their plans against Cassandra's own road, thousands in every build. For hours:
 * {@code -Dsluice.differential.minutes=N}, with {@code -Dsluice.differential.cases=N} for each seed and
 * {@code -Dsluice.differential.seed=N} to begin with.
 */
@ExtendWith(NodeExtension.class)
@NodeExtension.Warns
@DisabledIfSystemProperty(named = "sluice.it.transport", matches = "stock", disabledReason = "stock has no plans")
final class WritePlanDifferentialIT
{
    private static final int CASES = 3_000;
    /** One that never changes, so that a build that fails fails again. */
    private static final long FIRST_SEED = 20_166;

    private final TestNode node;

    WritePlanDifferentialIT(final TestNode node)
    {
        this.node = node;
    }

    @Test
    void writesAndAnswersTheSame() throws IOException
    {
        final int cases = Integer.getInteger("sluice.differential.cases", CASES);
        final long untilNanos = System.nanoTime() + TimeUnit.MINUTES.toNanos(Long.getLong(
            "sluice.differential.minutes", 0));
        long seed = Long.getLong("sluice.differential.seed", FIRST_SEED);
        do
        {
            run(seed, cases);
            seed = ThreadLocalRandom.current().nextLong();
        }
        while (System.nanoTime() - untilNanos < 0);
    }

    private void run(final long seed, final int cases) throws IOException
    {
        try (PlanDifferential differential = new PlanDifferential(node, "plan_differential", seed))
        {
            differential.run(cases);
            System.out.println(differential.summary());
            assertTrue(differential.plannedCases() > cases / 4, differential::summary);
            assertTrue(differential.ordinaryCases() > cases / 8, differential::summary);
        }
    }
}
