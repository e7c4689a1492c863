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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@Timeout(300)
class CompareIT
{
    @TempDir
    private Path directory;

    @Test
    void playsAMatchAndReportsIt() throws IOException
    {
        final StringWriter text = new StringWriter();
        final StringWriter progress = new StringWriter();
        final int status = new CommandLine(new CompareCommand())
            .setOut(new PrintWriter(text))
            .setErr(new PrintWriter(progress))
            .execute("--quick", "--rounds", "2", "--forks", "2", "--warm-up", "0.1", "--seconds", "0.1", "--only",
                "v5 lz4, 16 ", "--without-6", "--json",
                directory.resolve("c.json").toString(), "--report", directory.resolve("c.html").toString());
        assertEquals(0, status, progress.toString());
        assertTrue(text.toString().contains("### server CPU per request"), text.toString());
        assertTrue(text.toString().contains("| v5 lz4, 16 in flight | Sluice, inline |"), text.toString());
        final JsonNode json = new ObjectMapper().readTree(directory.resolve("c.json").toFile());
        assertEquals(6, json.get("rounds").size(), "a round of two JVMs of three servers");
        assertTrue(text.toString().contains("2 JVMs of each server one after another, with 1 rounds"),
            text.toString());
        assertEquals(2, progress.toString().split("starting and warming up: Sluice, inline", -1).length - 1,
            progress.toString());
        json.get("rounds").forEach(round ->
        {
            assertTrue(round.get("requests").asLong() > 0);
            assertTrue(round.get("CPU").asDouble() > 0);
        });
        final String html = Files.readString(directory.resolve("c.html"));
        assertTrue(html.contains("<svg"));
        assertTrue(!html.contains("src=") && !html.contains("href="), "nothing comes from elsewhere");
    }
}
