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
package io.sluice.conformance;

import java.util.LinkedHashMap;
import java.util.Map;

/** Counts like results of a sweep, so that hundreds of them fit into one trace. */
final class Tally
{
    private final Map<String, Integer> counts = new LinkedHashMap<>();

    /** A pattern that every result of a sweep matches. */
    static String each(final String pattern)
    {
        return "(\\d+x\\((" + pattern + ")\\) ?)+";
    }

    void add(final String result)
    {
        counts.merge(result, 1, Integer::sum);
    }

    /** For example {@code 19x(ROWS@1 ROWS@2) 1x(silent)}. */
    void writeTo(final Trace trace)
    {
        counts.forEach((result, count) -> trace.add(count + "x(" + result + ")"));
    }
}
