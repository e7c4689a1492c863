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

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A node's system.log. Has no state, any thread. */
public final class NodeLog
{
    private NodeLog()
    {
    }

    /** Lines that should not be there: whatever clients do is not the node's. */
    public static List<String> errors(final Path log) throws IOException
    {
        try (Stream<String> lines = Files.lines(log, StandardCharsets.UTF_8))
        {
            return lines.filter(line -> line.startsWith("ERROR") || line.contains("LEAK:")).toList();
        }
    }
}
