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
package io.sluice.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class BenchTest
{
    @ParameterizedTest
    @ValueSource(strings = {"micro", "load", "compare", "alloc", "nullserver", "nodeserver"})
    void everyOptionIsExplained(final String name)
    {
        final StringWriter text = new StringWriter();
        final CommandLine commands = Bench.commands().setOut(new PrintWriter(text));
        assertEquals(0, commands.execute(name, "--help"));
        assertTrue(text.toString().startsWith("Usage: sluice bench " + name), text.toString());
        commands.getSubcommands()
            .get(name)
            .getCommandSpec()
            .options()
            .stream()
            .filter(option -> !option.hidden())
            .forEach(option -> assertTrue(option.description().length > 0, option.longestName() + ": no words"));
    }
}
