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
package io.sluice.bench.server;

import io.sluice.cassandra.NodeMain;

/**
 * A node in a JVM of its own that must not outlive the program which started it, however that one ends: {@code sluice
 * node}, which ends at once when its standard input does.
 */
public final class ChildNode
{
    private ChildNode()
    {
    }

    /** As {@link NodeMain#main}. */
    public static void main(final String[] arguments)
    {
        UntilInputEnds.haltThen();
        NodeMain.main(arguments);
    }
}
