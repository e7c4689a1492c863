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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rule alone, and the rule under a load of even answers on a simulated clock. */
final class FlushPolicyTest
{
    private static final FlushPolicy POLICY = FlushPolicy.defaults();
    private static final long CAP = POLICY.longestHold().toNanos();

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 1_000, 1_000_000})
    void fewRequestsNeverWait(final long gapNanos)
    {
        for (int inFlight = 0; inFlight < 4; inFlight++)
        {
            assertEquals(0, POLICY.holdNanos(inFlight, gapNanos));
        }
        assertEquals(1, POLICY.fill(1));
        assertEquals(1, POLICY.fill(3));
    }

    @ParameterizedTest
    @CsvSource({"16,2000,16000", "16,5000,20000", "16,10000,20000", "16,10001,0", "16,14000,0", "16,625000,0",
        "64,5000,120000", "256,3000,360000", "256,5000,600000", "256,9000,1000000", "256,400000,1000000",
        "256,600000,0", "10000,1,5000", "1000000,1000000,0"})
    void windowsFollowRateAndRequestsInFlight(final int inFlight, final long gapNanos, final long holdNanos)
    {
        assertEquals(holdNanos, POLICY.holdNanos(inFlight, gapNanos));
    }

    @Test
    void noWindowIsLongerThanTheCap()
    {
        for (int inFlight = 1; inFlight > 0; inFlight *= 2)
        {
            for (long gapNanos = 1; gapNanos > 0; gapNanos *= 2)
            {
                final long hold = POLICY.holdNanos(inFlight, gapNanos);
                assertTrue(hold >= 0 && hold <= CAP, inFlight + " in flight, " + gapNanos + " apart: " + hold);
                assertTrue(hold == 0 || hold >= 2 * gapNanos, "nobody to wait for: " + hold);
                assertEquals(0, FlushPolicy.IMMEDIATE.holdNanos(inFlight, gapNanos));
            }
        }
    }

    @Test
    void checksItsRanges()
    {
        assertThrows(IllegalArgumentException.class, () -> POLICY.withLongestHold(Duration.ofMillis(101)));
        assertThrows(IllegalArgumentException.class, () -> POLICY.withLongestHold(Duration.ofNanos(-1)));
        final Duration cap = POLICY.longestHold();
        assertThrows(IllegalArgumentException.class, () -> new FlushPolicy(cap, cap.plusNanos(1), 0, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> new FlushPolicy(cap, cap, -1, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> new FlushPolicy(cap, cap, 65_536, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> new FlushPolicy(cap, cap, 0, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> new FlushPolicy(cap, cap, 0, 1, 0));
        assertEquals(Duration.ofNanos(5), POLICY.withLongestHold(Duration.ofNanos(5)).grace());
        assertEquals(POLICY, POLICY.withLongestHold(cap));
    }

    /** So many requests are always in flight, and one is answered every so often: how many answers share a flush. */
    private static double answersPerFlush(final int inFlight, final long gapNanos)
    {
        final AnswerGap gap = new AnswerGap(0);
        int flushes = 0;
        int waiting = 0;
        long since = 0;
        final int warmUp = 10_000;
        final int answers = 100_000;
        for (int i = 1; i <= warmUp + answers; i++)
        {
            flushes = i == warmUp ? 0 : flushes;
            final long now = i * gapNanos;
            if (waiting > 0 && now - since > POLICY.holdNanos(inFlight, gap.meanNanos()))
            {
                // The timer was there first.
                flushes++;
                waiting = 0;
            }
            gap.onAnswers(1, now);
            since = waiting == 0 ? now : since;
            waiting++;
            if (waiting >= POLICY.fill(inFlight) || POLICY.holdNanos(inFlight, gap.meanNanos()) == 0)
            {
                flushes++;
                waiting = 0;
            }
        }
        return (double)answers / flushes;
    }

    @Test
    void answersShareFlushesOnlyUnderLoad()
    {
        assertEquals(1, answersPerFlush(1, 5_000), 0.01);
        assertEquals(1, answersPerFlush(2, 5_000), 0.01);
        assertEquals(1, answersPerFlush(16, 15_000), 0.01);
        assertEquals(1, answersPerFlush(256, 600_000), 0.01);
        assertTrue(answersPerFlush(16, 3_000) >= 6, () -> "" + answersPerFlush(16, 3_000));
        assertTrue(answersPerFlush(256, 3_000) >= 100, () -> "" + answersPerFlush(256, 3_000));
        assertTrue(answersPerFlush(256, 4_000) >= 100, () -> "" + answersPerFlush(256, 4_000));
        assertTrue(answersPerFlush(256, 12_000) >= 64, () -> "" + answersPerFlush(256, 12_000));
    }

    @Test
    void theMeanGapFollowsTheRate()
    {
        final AnswerGap gap = new AnswerGap(0);
        long now = 0;
        for (int i = 0; i < 1_000; i++)
        {
            now += 10_000;
            gap.onAnswers(1, now);
        }
        assertEquals(10_000.0, (double)gap.meanNanos(), 100.0);
        now += 1_000_000_000;
        gap.onAnswers(1, now);
        assertTrue(gap.meanNanos() < 30_000, "one silence is no rate: " + gap.meanNanos());
        for (int i = 0; i < 10; i++)
        {
            now += 200_000;
            gap.onAnswers(100, now);
        }
        assertEquals(2_000.0, (double)gap.meanNanos(), 100.0);
        gap.onAnswers(5, now - 1);
        assertTrue(gap.meanNanos() >= 0);
    }
}
