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
package io.sluice.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;

/**
 * Where and of what figures were measured. Immutable.
 *
 * @param commit of the sources, with a plus if they were changed since
 * @param date in UTC
 */
public record Machine(
    String commit,
    String date,
    String processor,
    int processors,
    String memory,
    String system,
    String jvm)
{

    private static final double KIB_PER_GIB = 1 << 20;

    /** This one, now. */
    public static Machine here()
    {
        return new Machine(System.getProperty("sluice.bench.commit", "unknown"),
            LocalDate.now(ZoneOffset.UTC).toString(), value(Path.of("/proc/cpuinfo"), "model name"),
            Runtime.getRuntime().availableProcessors(), memory(value(Path.of("/proc/meminfo"), "MemTotal")),
            System.getProperty("os.name") + " " + System.getProperty("os.version"),
            System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
    }

    private static String memory(final String kibibytes)
    {
        final String number = kibibytes.replaceAll("[^0-9]", "");
        return number.isEmpty()
            ? "unknown"
            : String.format(Locale.ROOT, "%.0f GiB", Long.parseLong(number) / KIB_PER_GIB);
    }

    private static String value(final Path file, final String key)
    {
        try
        {
            for (final String line : Files.readAllLines(file))
            {
                if (line.startsWith(key))
                {
                    return line.substring(line.indexOf(':') + 1).trim();
                }
            }
        }
        catch (final IOException e)
        {
            // Not Linux.
        }
        return "unknown";
    }

    /** In one line. */
    @Override
    public String toString()
    {
        return "commit " + commit + ", " + date + "; " + processor + ", " + processors + " processors, " + memory +
            "; " + system + "; " + jvm;
    }
}
