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
package io.sluice.framing.fuzz;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The committed inputs are there, and are those that {@link SeedCorpus} makes. */
class SeedCorpusTest
{
    /** Set to "write" it makes the files anew. */
    private static final String PROPERTY = "sluice.seeds";
    private static final int LARGEST_BYTES = 4096;

    @Test
    void isWhatTheTestKitMakes() throws IOException
    {
        for (final Map.Entry<String, byte[]> seed : SeedCorpus.all().entrySet())
        {
            assertTrue(seed.getValue().length <= LARGEST_BYTES, seed.getKey());
            if ("write".equals(System.getProperty(PROPERTY)))
            {
                write(seed.getKey(), seed.getValue());
            }
            else
            {
                assertArrayEquals(seed.getValue(), committed(seed.getKey()), seed.getKey());
            }
        }
    }

    private static void write(final String name, final byte[] bytes) throws IOException
    {
        final Path file = Path.of("src/test/resources/io/sluice/framing/fuzz").resolve(name);
        Files.createDirectories(file.getParent());
        Files.write(file, bytes);
    }

    private static byte[] committed(final String name) throws IOException
    {
        try (InputStream in = SeedCorpusTest.class.getResourceAsStream(name))
        {
            assertNotNull(in, name + " is missing: run this test with -D" + PROPERTY + "=write");
            return in.readAllBytes();
        }
    }
}
