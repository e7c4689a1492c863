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

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class VerdictTest
{
    private static Ratios same(final double value, final int count)
    {
        final double[] values = new double[count];
        Arrays.fill(values, value);
        return new Ratios(values);
    }

    @Test
    void farFromOneTheUpperBoundCounts()
    {
        assertEquals("reached", Verdict.ofRatio(same(0.4, 5), 0.4));
        assertEquals("missed by 10 %", Verdict.ofRatio(same(0.44, 5), 0.4));
        assertEquals("open: spread up to 0.900", Verdict.ofRatio(new Ratios(0.3, 0.3, 0.9), 0.4));
    }

    @Test
    void nearOneItTakesMoreRoundsAndHasRoom()
    {
        assertEquals("reached", Verdict.ofRatio(same(1.04, 20), 1));
        assertEquals("reached in 5 rounds (20 needed)", Verdict.ofRatio(same(1.04, 5), 1));
        assertEquals("missed by 6 %", Verdict.ofRatio(same(1.06, 20), 1));
    }

    @Test
    void valuesHaveNoRoom()
    {
        assertEquals("reached", Verdict.ofValue(same(352, 5), 352));
        assertEquals("missed by 1 %", Verdict.ofValue(same(356, 5), 352));
        assertEquals("missed by 5.90", Verdict.ofValue(same(5.9, 5), 0), "there is no per cent of nothing");
    }

    @Test
    void noTargetNoVerdict()
    {
        assertEquals("", Verdict.ofRatio(same(2, 1), Double.NaN));
    }
}
