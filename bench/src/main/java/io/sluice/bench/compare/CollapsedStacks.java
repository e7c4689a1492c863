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
package io.sluice.bench.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;

/** Stacks with a number each, as async-profiler writes them: frames from the outermost, then what was allocated. */
final class CollapsedStacks
{
    private final Map<String, Long> stacks = new LinkedHashMap<>();

    private CollapsedStacks()
    {
    }

    static CollapsedStacks read(final Path file) throws IOException
    {
        final CollapsedStacks read = new CollapsedStacks();
        for (final String line : Files.readAllLines(file))
        {
            final int space = line.lastIndexOf(' ');
            if (space > 0)
            {
                read.stacks.merge(line.substring(0, space), Long.parseLong(line.substring(space + 1)), Long::sum);
            }
        }
        return read;
    }

    long total()
    {
        return sum(stack -> true);
    }

    /** Of the stacks that this holds for. */
    long sum(final Predicate<String> which)
    {
        return stacks.entrySet()
            .stream()
            .filter(entry -> which.test(entry.getKey()))
            .mapToLong(Map.Entry::getValue)
            .sum();
    }

    /** Of the stacks that end with an object of this class, whose simple name is not another's end. */
    long sumOf(final String className)
    {
        return sum(stack -> stack.substring(stack.lastIndexOf(';') + 1).startsWith(className));
    }
}
