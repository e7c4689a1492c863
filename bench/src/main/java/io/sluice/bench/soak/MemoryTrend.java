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
package io.sluice.bench.soak;

import java.util.List;
import java.util.function.ToLongFunction;

/**
 * How memory moved once the first third, the warm-up, was over: a straight line through the samples by least squares.
 * Flat means that the line rises by less than a bound over the whole of the rest; one high sample is no rise.
 * Immutable.
 *
 * @param name what
 * @param samples how many the line goes through
 * @param firstBytes where the line begins
 * @param growthBytes by how much it rises from the first to the last sample
 * @param boundBytes most that it may
 */
record MemoryTrend(String name, int samples, long firstBytes, long growthBytes, long boundBytes)
{

    /** Fewer samples make no line. */
    static final int FEWEST_SAMPLES = 8;

    static MemoryTrend of(final String name,
        final List<MemorySample> all,
        final ToLongFunction<MemorySample> value,
        final long boundBytes)
    {
        final List<MemorySample> samples = all.subList(all.size() / 3, all.size());
        final int n = samples.size();
        final double meanX = samples.stream().mapToDouble(MemorySample::seconds).average().orElse(0);
        final double meanY = samples.stream().mapToLong(value).average().orElse(0);
        double covariance = 0;
        double variance = 0;
        for (final MemorySample sample : samples)
        {
            covariance += (sample.seconds() - meanX) * (value.applyAsLong(sample) - meanY);
            variance += (sample.seconds() - meanX) * (sample.seconds() - meanX);
        }
        final double slope = variance == 0 ? 0 : covariance / variance;
        final double first = n == 0 ? 0 : samples.get(0).seconds();
        final double last = n == 0 ? 0 : samples.get(n - 1).seconds();
        return new MemoryTrend(name, n, Math.round(meanY + slope * (first - meanX)), Math.round(slope * (last - first)),
            boundBytes);
    }

    boolean isJudged()
    {
        return samples >= FEWEST_SAMPLES;
    }

    boolean isFlat()
    {
        return growthBytes <= boundBytes;
    }
}
