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
package io.sluice.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/field-cases.md names tests that exist, and lists every case that a test is named after. */
final class FieldCasesPageTest
{
    private static final Path ROOT = Path.of("..");
    private static final Pattern NAMED = Pattern.compile("`(\\w+)#(\\w+)`");
    private static final Pattern CASE = Pattern.compile("void case(\\d\\d)\\w+\\(");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (\\d+) \\|");

    private static Map<String, String> sourcesOfTests() throws IOException
    {
        final Map<String, String> sources = new HashMap<>();
        try (Stream<Path> modules = Files.list(ROOT))
        {
            for (final Path tests : modules.map(module -> module.resolve("src/test/java"))
                .filter(Files::isDirectory)
                .toList())
            {
                try (Stream<Path> files = Files.walk(tests))
                {
                    for (final Path file : files.filter(path -> path.toString().endsWith(".java")).toList())
                    {
                        sources.merge(file.getFileName().toString().replace(".java", ""), Files.readString(file),
                            String::concat);
                    }
                }
            }
        }
        return sources;
    }

    @Test
    void namesTestsThatExist() throws IOException
    {
        final String page = Files.readString(ROOT.resolve("docs/field-cases.md"));
        final Map<String, String> sources = sourcesOfTests();
        final List<String> missing = new ArrayList<>();
        final Matcher named = NAMED.matcher(page);
        int count = 0;
        while (named.find())
        {
            count++;
            if (!sources.getOrDefault(named.group(1), "").contains(" void " + named.group(2) + "("))
            {
                missing.add(named.group());
            }
        }
        assertEquals(List.of(), missing);
        assertTrue(count > 60, "tests named: " + count);
    }

    @Test
    void listsEveryCaseThatATestIsNamedAfter() throws IOException
    {
        final String page = Files.readString(ROOT.resolve("docs/field-cases.md"));
        final Set<Integer> tested = new TreeSet<>();
        for (final String source : sourcesOfTests().values())
        {
            CASE.matcher(source).results().forEach(found -> tested.add(Integer.parseInt(found.group(1))));
        }
        final Set<Integer> listed = new TreeSet<>();
        ROW.matcher(page).results().forEach(found -> listed.add(Integer.parseInt(found.group(1))));
        assertTrue(listed.containsAll(tested), () -> tested + " (expected: of " + listed + ")");
        listed.removeAll(tested);
        assertEquals(Set.of(), listed, "without a test of its own");
    }
}
