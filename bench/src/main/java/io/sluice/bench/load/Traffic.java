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
package io.sluice.bench.load;

/**
 * One kind of traffic. Immutable.
 *
 * @param version 3, 4 or 5
 * @param lz4 compressed segments (version 5) or bodies
 * @param inFlight requests at once
 */
public record Traffic(Workload workload, int version, boolean lz4, int inFlight)
{
    /** Version and compression, for instance {@code v5 lz4}. */
    public String flavour()
    {
        return "v" + version + (lz4 ? " lz4" : "");
    }

    /** For tables. */
    @Override
    public String toString()
    {
        return flavour() + ", " + inFlight + " in flight" + (workload == Workload.VOID ? "" : ", " + workload);
    }
}
