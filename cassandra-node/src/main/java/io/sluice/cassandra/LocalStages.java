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

import org.apache.cassandra.concurrent.SEPExecutor;
import org.apache.cassandra.concurrent.Stage;

/** The stages that do the node's own part of writes and reads. Of the JVM, as Cassandra's are; any thread. */
final class LocalStages
{
    /** At once unless somebody says otherwise. */
    static final ImmediateStage WRITES = inFrontOf(Stage.MUTATION, true);
    /** Handed over unless somebody says otherwise. */
    static final ImmediateStage READS = inFrontOf(Stage.READ, false);

    private LocalStages()
    {
    }

    private static ImmediateStage inFrontOf(final Stage stage, final boolean isOn)
    {
        return new ImmediateStage((SEPExecutor)stage.executor(),
            CassandraInternals.REQUEST_EXECUTOR::getMaximumPoolSize, isOn);
    }

    /** Has Cassandra give its own work to them; a second time changes nothing. */
    static void install()
    {
        Stage.MUTATION.unsafeSetExecutor(WRITES);
        Stage.READ.unsafeSetExecutor(READS);
    }
}
