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

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The jars of Cassandra 6.0-alpha2, whose classes have the names of those of 5.0.8: only for JVMs of their own.
 * bin/sluice fetches them and says where their list is.
 */
public final class SixthClasspath
{
    private static final String PROPERTY = "sluice.bench.cassandra6";

    private SixthClasspath()
    {
    }

    /** True if there are such jars. */
    public static boolean isPresent()
    {
        return list() != null;
    }

    private static Path list()
    {
        final String file = System.getProperty(PROPERTY, "");
        return file.isEmpty() || !Files.isReadable(Path.of(file)) ? null : Path.of(file);
    }

    /** Those jars first, then this JVM's own but Cassandra's. */
    public static String get() throws IOException
    {
        final Path list = list();
        if (list == null)
        {
            throw new IOException("Cassandra 6.0-alpha2 is not here (expected: a list of jars in -D" + PROPERTY + ")");
        }
        final String ours = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .filter(entry -> !entry.contains("cassandra-all-"))
            .collect(Collectors.joining(File.pathSeparator));
        return Files.readString(list, StandardCharsets.UTF_8).trim() + File.pathSeparator + ours;
    }
}
