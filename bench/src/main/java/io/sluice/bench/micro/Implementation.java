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
package io.sluice.bench.micro;

import org.openjdk.jmh.infra.BenchmarkParams;

/** Whose code a benchmark method measures; told from its name. Immutable. */
enum Implementation
{
    /** Ours. */
    SLUICE("sluice"),
    /** Ours, counting nothing. */
    BARE("withoutMetrics"),
    /** Apache Cassandra. */
    STOCK("stock"),
    /** DataStax native-protocol 1.5.2. */
    NATIVE_PROTOCOL("nativeProtocol"),
    /** Only what cannot be left out. */
    FLOOR("floor");

    private final String method;

    Implementation(final String method)
    {
        this.method = method;
    }

    static Implementation of(final BenchmarkParams parameters)
    {
        final String name = parameters.getBenchmark().substring(parameters.getBenchmark().lastIndexOf('.') + 1);
        for (final Implementation implementation : values())
        {
            if (name.equals(implementation.method))
            {
                return implementation;
            }
        }
        throw new IllegalArgumentException("benchmark: " + name + " (expected: the name of an implementation)");
    }
}
