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
package io.sluice.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class RatiosTest
{
    @Test
    void medianAndSpread()
    {
        final Ratios ratios = new Ratios(0.5, 0.1, 0.3, 0.2);
        assertEquals(0.25, ratios.median(), 1e-12);
        assertEquals(0.1, ratios.least());
        assertEquals(0.5, ratios.most());
        assertEquals(0.3, new Ratios(0.5, 0.1, 0.3).median());
    }

    @Test
    void intervalHoldsTheMedianAndStaysWithinTheSpread()
    {
        final Ratios ratios = new Ratios(0.30, 0.31, 0.29, 0.35, 0.28, 0.33, 0.30, 0.60);
        assertTrue(ratios.least() <= ratios.lower());
        assertTrue(ratios.lower() <= ratios.median());
        assertTrue(ratios.median() <= ratios.upper());
        assertTrue(ratios.upper() < ratios.most(), "one outlier does not move it");
    }

    /** Two JVMs at odds: rounds of the same one tell nothing more about a third. */
    @Test
    void roundsOfOneForkAreNoIndependentOnes()
    {
        final double[] values = {0.70, 0.71, 0.72, 0.70, 1.00, 1.01, 1.02, 1.00, 0.80, 0.81, 0.82, 0.80};
        final Ratios forks = Ratios.ofForks(4, values);
        final Ratios alone = new Ratios(values);
        assertEquals(alone.median(), forks.median());
        assertTrue(forks.upper() > alone.upper() || forks.lower() < alone.lower(), forks.lower() + ".." +
            forks.upper());
        assertTrue(forks.least() <= forks.lower() && forks.upper() <= forks.most());
        assertThrows(IllegalArgumentException.class, () -> Ratios.ofForks(5, values));
        assertThrows(IllegalArgumentException.class, () -> Ratios.ofForks(0, values));
    }

    @Test
    void needsAValue()
    {
        assertThrows(IllegalArgumentException.class, Ratios::new);
    }
}
