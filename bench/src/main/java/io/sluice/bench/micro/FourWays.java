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

import org.openjdk.jmh.annotations.Benchmark;

/** An operation of which it is known what it must cost at least. */
public abstract class FourWays extends ThreeWays
{
    /** CRC32, LZ4 and one copy over memory that is there already. */
    @Benchmark
    public int floor()
    {
        return measure();
    }
}
