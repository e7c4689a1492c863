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
 * How the answers of a transport went out, counted since it started. Immutable.
 *
 * @param windows times that answers were held back for others
 * @param filled windows that closed because enough had come together
 * @param expired windows that closed because their time was over
 * @param broken windows that closed for an answer that does not wait
 * @param gapNanos mean time between two answers of late, on the busiest event loop; at most 1,000,000
 */
public record FlushCounts(long windows, long filled, long expired, long broken, long gapNanos)
{

    /** Of no loop. */
    static final FlushCounts NONE = new FlushCounts(0, 0, 0, 0, Long.MAX_VALUE);

    FlushCounts plus(final FlushCounts other)
    {
        return new FlushCounts(windows + other.windows, filled + other.filled, expired + other.expired,
            broken + other.broken, Math.min(gapNanos, other.gapNanos));
    }
}
