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
package io.sluice.cassandra;

import java.util.Map;

/** What operators see of the write plans, and the switch. Counts are since the node started. */
public interface WritePlansMXBean
{
    /** True if prepared writes go from cells to mutations by plans where there is one; true at the start. */
    boolean isEnabled();

    /** From the next request on; false sends every write the ordinary road. */
    void setEnabled(boolean enabled);

    /**
     * Writes that went by a plan, each statement of a batch counted. With {@link #getUnplannedStatements} every write
     * of an EXECUTE and every statement of a BATCH is counted once, unless Cassandra did not know it and had it
     * prepared anew.
     */
    long getPlannedStatements();

    /** Writes that went the ordinary road, each statement of a batch counted, by reason; those that occurred. */
    Map<String, Long> getUnplannedStatements();

    /** How many statements were looked at for a plan. */
    long getCompiledStatements();

    /** How many of those were looked at again, since Cassandra prepared them anew or their keyspace changed. */
    long getRecompiledStatements();
}
