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
package io.sluice.bench.compare;

import io.sluice.bench.load.LoadResult;
import java.util.Locale;

/** What is compared: less is better. Immutable. */
enum Figure
{
    /** Of the server's process, in microseconds. */
    CPU("server CPU per request (row of a BATCH), us", "%.2f"),
    /** On the server's heap. */
    BYTES("bytes allocated per request (row of a BATCH)", "%.0f"),
    /** As the client sees it, in microseconds. */
    P50("p50, us", "%.1f"),
    /** As the client sees it, in microseconds. */
    P99("p99, us", "%.1f"),
    /** Of the server. */
    SENDS("send calls per answer", "%.4f"),
    /** The inverse of throughput, in microseconds. */
    TIME("time per request, us", "%.2f");

    private static final double MICROS_PER_SECOND = 1e6;

    private final String text;
    private final String format;

    Figure(final String text, final String format)
    {
        this.text = text;
        this.format = format;
    }

    double of(final LoadResult result)
    {
        return switch (this)
        {
            case CPU -> result.cpuMicrosPerRequest();
            case BYTES -> result.allocatedBytesPerRequest();
            case P50 -> result.percentileMicros(50);
            case P99 -> result.percentileMicros(99);
            case SENDS -> result.sendsPerAnswer();
            case TIME -> MICROS_PER_SECOND / result.requestsPerSecond();
        };
    }

    /** True if it is given by row where a request has several. */
    boolean isPerRow()
    {
        return this == CPU || this == BYTES;
    }

    String show(final double number)
    {
        if (this == SENDS && number > 0 && number < 0.5)
        {
            return String.format(Locale.ROOT, "1/%.0f", 1 / number);
        }
        return String.format(Locale.ROOT, format, number);
    }

    /** For tables. */
    @Override
    public String toString()
    {
        return text;
    }
}
