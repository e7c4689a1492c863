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

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;

/** How many connections were refused, by reason, since the transport started. Any thread. */
final class RefusalCounts
{
    private final AtomicLongArray counts = new AtomicLongArray(RefusalReason.values().length);

    void count(final RefusalReason reason)
    {
        counts.incrementAndGet(reason.ordinal());
    }

    /** By the reason's name as metrics have it; every reason is there. */
    Map<String, Long> byName()
    {
        final Map<String, Long> all = new LinkedHashMap<>();
        for (final RefusalReason reason : RefusalReason.values())
        {
            all.put(reason.name().toLowerCase(Locale.ROOT).replace('_', '-'), counts.get(reason.ordinal()));
        }
        return all;
    }
}
