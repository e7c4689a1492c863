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
package io.sluice.metrics;

import com.codahale.metrics.Snapshot;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.stream.LongStream;

/** Quantiles of counted values, each within 3 % (exact up to 63). Immutable. */
final class BucketSnapshot extends Snapshot
{
    private static final int MOST_VALUES = 1024;

    private final long[] counts;
    private final long size;

    /** A snapshot of counts by bucket; the array is the snapshot's from now on. */
    BucketSnapshot(final long[] counts)
    {
        this.counts = counts;
        this.size = LongStream.of(counts).sum();
    }

    private static double middle(final int index)
    {
        return (BucketCounts.lowest(index) + BucketCounts.highest(index)) / 2.0;
    }

    @Override
    public double getValue(final double quantile)
    {
        if (!(quantile >= 0 && quantile <= 1))
        {
            throw new IllegalArgumentException("quantile: " + quantile + " (expected: 0..1)");
        }
        final long rank = Math.max(1, (long)Math.ceil(quantile * size));
        long seen = 0;
        for (int i = 0; i < counts.length; i++)
        {
            seen += counts[i];
            if (seen >= rank)
            {
                return middle(i);
            }
        }
        return 0;
    }

    /** Up to 1,024 quantiles at even distances: the values themselves were never kept. */
    @Override
    public long[] getValues()
    {
        final long[] values = new long[(int)Math.min(MOST_VALUES, size)];
        for (int i = 0; i < values.length; i++)
        {
            values[i] = (long)getValue((i + 1.0) / values.length);
        }
        return values;
    }

    @Override
    public int size()
    {
        return (int)Math.min(Integer.MAX_VALUE, size);
    }

    @Override
    public long getMax()
    {
        for (int i = counts.length - 1; i >= 0; i--)
        {
            if (counts[i] > 0)
            {
                return BucketCounts.highest(i);
            }
        }
        return 0;
    }

    @Override
    public long getMin()
    {
        for (int i = 0; i < counts.length; i++)
        {
            if (counts[i] > 0)
            {
                return BucketCounts.lowest(i);
            }
        }
        return 0;
    }

    @Override
    public double getMean()
    {
        double sum = 0;
        for (int i = 0; i < counts.length; i++)
        {
            sum += counts[i] * middle(i);
        }
        return size == 0 ? 0 : sum / size;
    }

    @Override
    public double getStdDev()
    {
        if (size < 2)
        {
            return 0;
        }
        final double mean = getMean();
        double squares = 0;
        for (int i = 0; i < counts.length; i++)
        {
            final double distance = middle(i) - mean;
            squares += counts[i] * distance * distance;
        }
        return Math.sqrt(squares / (size - 1));
    }

    /** A line for each bucket that is not empty: its smallest value and its count. */
    @Override
    public void dump(final OutputStream output)
    {
        final PrintWriter writer = new PrintWriter(output, false, StandardCharsets.UTF_8);
        for (int i = 0; i < counts.length; i++)
        {
            if (counts[i] > 0)
            {
                writer.printf(Locale.ROOT, "%d %d%n", BucketCounts.lowest(i), counts[i]);
            }
        }
        writer.flush();
    }
}
