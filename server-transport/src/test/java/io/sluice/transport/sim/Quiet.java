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
package io.sluice.transport.sim;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/** No log from the transport while its engine breaks on purpose, thousands of times. */
final class Quiet
{
    private static final String NAME = "io.sluice.transport";

    private Quiet()
    {
    }

    static void begin()
    {
        ((Logger)LoggerFactory.getLogger(NAME)).setLevel(Level.OFF);
    }

    /** As its parent again. */
    static void end()
    {
        ((Logger)LoggerFactory.getLogger(NAME)).setLevel(null);
    }
}
