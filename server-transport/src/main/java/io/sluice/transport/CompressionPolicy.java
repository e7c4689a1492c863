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

/**
 * When compressing is worth it, on connections that agreed on it. Pure: what it decides depends on what it is told
 * alone. Immutable.
 * <p>
 * Each connection keeps a running mean of what compressing saved it. While that is too little, payloads (version 5) and
 * bodies (versions 3 and 4) go out raw, which every client must understand, and one now and then is tried to see
 * whether they have changed.
 *
 * @param minimumBytes shorter ones go out raw; 0 and more
 * @param leastSaving the mean saving, in thousandths, below which they go out raw too; 0..1,000, 0 to always try
 * @param probeEvery meanwhile one of so many is tried all the same; 1 and more
 */
public record CompressionPolicy(int minimumBytes, int leastSaving, int probeEvery)
{

    /** What a connection has saved before it has tried, in thousandths: enough to begin with. */
    static final int UNKNOWN_SAVING = 250;

    private static final int ALL = 1_000;
    /** The mean moves by this part of the difference at each try. */
    private static final int WEIGHT = 4;

    /** Checks the ranges. */
    public CompressionPolicy
    {
        if (minimumBytes < 0)
        {
            throw new IllegalArgumentException("minimumBytes: " + minimumBytes + " (expected: >= 0)");
        }
        if (leastSaving < 0 || leastSaving > ALL)
        {
            throw new IllegalArgumentException("leastSaving: " + leastSaving + " (expected: 0.." + ALL + ")");
        }
        if (probeEvery < 1)
        {
            throw new IllegalArgumentException("probeEvery: " + probeEvery + " (expected: >= 1)");
        }
    }

    /** From 64 bytes on, while it saves a twentieth; else one of 32. */
    public static CompressionPolicy defaults()
    {
        return new CompressionPolicy(64, 50, 32);
    }

    /** By length alone. */
    public static CompressionPolicy from(final int minimumBytes)
    {
        return new CompressionPolicy(minimumBytes, 0, 1);
    }

    /**
     * Whether to try.
     *
     * @param length in bytes
     * @param meanSaving in thousandths: {@link #learn}
     * @param rawInARow long enough ones that were not tried since the last one that was
     */
    public boolean tries(final int length, final int meanSaving, final int rawInARow)
    {
        return isLongEnough(length) && (meanSaving >= leastSaving || rawInARow >= probeEvery - 1);
    }

    /** False for what goes out raw whatever was learned. */
    public boolean isLongEnough(final int length)
    {
        return length > 0 && length >= minimumBytes;
    }

    /**
     * The mean after one more try.
     *
     * @param meanSaving before it, in thousandths
     * @param length in bytes, at least 1
     * @param compressedLength what it came down to
     * @return in thousandths, 0..1,000
     */
    public static int learn(final int meanSaving, final int length, final int compressedLength)
    {
        final long saved = Math.max(0, (long)length - compressedLength) * ALL / length;
        // Rounded away from where it was, so that it gets all the way to a saving that stays the same.
        final long step = saved - meanSaving;
        return (int)(meanSaving + (step + Long.signum(step) * (WEIGHT - 1L)) / WEIGHT);
    }
}
