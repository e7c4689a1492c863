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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The rule alone, and what a connection makes of it. */
final class CompressionPolicyTest
{
    private static final CompressionPolicy POLICY = new CompressionPolicy(64, 50, 32);

    @Test
    void shortOnesAreNeverTried()
    {
        assertFalse(POLICY.tries(63, 1_000, 1_000));
        assertTrue(POLICY.tries(64, 1_000, 0));
        assertFalse(CompressionPolicy.from(0).tries(0, 1_000, 0));
        assertTrue(CompressionPolicy.from(0).tries(1, 0, 0));
    }

    @Test
    void whatSavesTooLittleIsTriedNowAndThen()
    {
        assertTrue(POLICY.tries(100, 50, 0));
        assertFalse(POLICY.tries(100, 49, 0));
        assertFalse(POLICY.tries(100, 49, 30));
        assertTrue(POLICY.tries(100, 0, 31));
        assertTrue(new CompressionPolicy(0, 1_000, 1).tries(100, 0, 0));
    }

    @Test
    void theMeanGetsToASavingThatStays()
    {
        for (final int compressed : new int[]{0, 1, 499, 500, 999, 1_000, 2_000})
        {
            for (final int start : new int[]{0, 250, 1_000})
            {
                int mean = start;
                for (int i = 0; i < 50; i++)
                {
                    mean = CompressionPolicy.learn(mean, 1_000, compressed);
                    assertTrue(mean >= 0 && mean <= 1_000, "mean: " + mean);
                }
                assertEquals(Math.max(0, 1_000 - compressed), mean);
            }
        }
        assertEquals(0, CompressionPolicy.learn(0, Integer.MAX_VALUE, Integer.MAX_VALUE));
        assertEquals(250, CompressionPolicy.learn(0, Integer.MAX_VALUE, 0));
    }

    @Test
    void checksItsRanges()
    {
        assertThrows(IllegalArgumentException.class, () -> new CompressionPolicy(-1, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> new CompressionPolicy(0, -1, 1));
        assertThrows(IllegalArgumentException.class, () -> new CompressionPolicy(0, 1_001, 1));
        assertThrows(IllegalArgumentException.class, () -> new CompressionPolicy(0, 0, 0));
    }

    /** How many of so many payloads of 1,000 bytes were tried. */
    private static int tried(final CompressionSample sample, final int payloads, final int compressedLength)
    {
        int tried = 0;
        for (int i = 0; i < payloads; i++)
        {
            if (sample.opens(1_000))
            {
                tried++;
                sample.onTried(1_000, compressedLength);
            }
        }
        return tried;
    }

    @Test
    void aConnectionThatCannotSaveGoesRawAndComesBack()
    {
        final TransportControl control = new TransportControl(TransportLimits.defaults(), POLICY,
            FlushPolicy.defaults());
        final CompressionSample sample = new CompressionSample(control);
        assertEquals(100, tried(sample, 100, 400));
        final int tries = tried(sample, 3_200, 1_000);
        assertTrue(tries > 95 && tries < 115, "tries: " + tries);
        assertFalse(sample.opens(63));
        final int after = tried(sample, 100, 400);
        assertTrue(after >= 68, "tries: " + after);
        assertEquals(100, tried(sample, 100, 400));
        control.compression(CompressionPolicy.from(2_000));
        assertEquals(0, tried(sample, 100, 400));
        control.compression(CompressionPolicy.from(1));
        assertEquals(100, tried(sample, 100, 1_000));
    }
}
