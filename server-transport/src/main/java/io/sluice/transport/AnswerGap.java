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
 * How far apart the answers of a loop have been of late: a mean over about the last {@value #MEMORY} of them, weighted
 * by age. Confined to the event loop; the mean may be read by any thread.
 */
final class AnswerGap
{
    private static final int MEMORY = 64;
    /** A longer silence says nothing about the rate that follows it. */
    private static final long LONGEST_NANOS = 1_000_000;

    private volatile long meanNanos = LONGEST_NANOS;
    private long lastNanos;

    AnswerGap(final long nowNanos)
    {
        lastNanos = nowNanos;
    }

    /** So many answers have come since the last call; at least 1. */
    void onAnswers(final int count, final long nowNanos)
    {
        final long sinceNanos = Math.max(0, nowNanos - lastNanos);
        lastNanos = nowNanos;
        final long sample = Math.min(LONGEST_NANOS, sinceNanos / count);
        final long mean = meanNanos;
        final int weight = Math.min(count, MEMORY);
        // The loop is the only one to write it.
        meanNanos = mean + (sample - mean) * weight / MEMORY;
    }

    /** In nanoseconds, 0..1,000,000. */
    long meanNanos()
    {
        return meanNanos;
    }
}
