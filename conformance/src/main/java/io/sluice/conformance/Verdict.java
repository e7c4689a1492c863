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

/** How a check came out. */
enum Verdict
{
    /** What a right server gives. */
    PASS("pass"),
    /** Wrong, in a way that is not known of any server. */
    FAIL("FAIL"),
    /** Wrong, exactly as Apache Cassandra 5.0.8 with its own transport is. */
    FAIL_AS_STOCK("FAIL as stock 5.0.8"),
    /** Could not be asked of this server, for example a login where none is required. */
    SKIPPED("skipped");

    private final String label;

    Verdict(final String label)
    {
        this.label = label;
    }

    boolean isFailure()
    {
        return this == FAIL || this == FAIL_AS_STOCK;
    }

    String label()
    {
        return label;
    }
}
