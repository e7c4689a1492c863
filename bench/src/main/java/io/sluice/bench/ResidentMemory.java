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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the kernel says of a process of this machine. Stateless. */
public final class ResidentMemory
{
    private static final Pattern STATUS_LINE = Pattern.compile("RssAnon:\\s+(\\d+) kB");

    private ResidentMemory()
    {
    }

    /**
     * Anonymous memory in bytes: pages of mapped files, which the kernel may drop, are not in it.
     *
     * @return 0 if there is no such process here, or no such kernel
     */
    public static long ofProcess(final long pid) throws IOException
    {
        try
        {
            final Matcher line = STATUS_LINE.matcher(
                Files.readString(Path.of("/proc", Long.toString(pid), "status")));
            return line.find() ? Long.parseLong(line.group(1)) << 10 : 0;
        }
        catch (final NoSuchFileException e)
        {
            return 0;
        }
    }
}
