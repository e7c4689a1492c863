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

/**
 * The main class of an installed Cassandra that is to be served by Sluice, in place of CassandraDaemon. All else,
 * configuration, logging and the end of the process included, stays as Cassandra does it. See docs/drop-in.md.
 */
public final class DropInMain
{
    private DropInMain()
    {
    }

    /** Returns when clients are served; the process lives on. */
    public static void main(final String... arguments)
    {
        new SluiceDaemon().activate();
    }
}
