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

import java.time.Duration;

/** Settings that are being changed together, checked when all of them are there. Not thread safe. */
final class SettingsDraft
{
    final TransportLimitsBuilder limits;
    long longestHoldNanos;
    long graceNanos;
    int free;
    int fillBytes;
    int largeBytes;
    int minimumBytes;
    int leastSaving;
    int probeEvery;
    boolean olderVersionsAllowed;

    SettingsDraft(final TransportControl from)
    {
        limits = from.limits().with();
        final FlushPolicy flush = from.flushPolicy();
        longestHoldNanos = flush.longestHold().toNanos();
        graceNanos = flush.grace().toNanos();
        free = flush.free();
        fillBytes = flush.fillBytes();
        largeBytes = flush.largeBytes();
        final CompressionPolicy compression = from.compression();
        minimumBytes = compression.minimumBytes();
        leastSaving = compression.leastSaving();
        probeEvery = compression.probeEvery();
        olderVersionsAllowed = from.olderVersionsAllowed();
    }

    FlushPolicy flushPolicy()
    {
        if (graceNanos > longestHoldNanos)
        {
            throw new IllegalArgumentException(
                "flushGrace: " + graceNanos + " (expected: at most flushLongestHold, " + longestHoldNanos + ")");
        }
        return new FlushPolicy(Duration.ofNanos(longestHoldNanos), Duration.ofNanos(graceNanos), free, fillBytes,
            largeBytes);
    }

    CompressionPolicy compression()
    {
        return new CompressionPolicy(minimumBytes, leastSaving, probeEvery);
    }
}
