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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Real processes: whoever is started as a child ends with its parent, however that ends. */
class UntilInputEndsTest
{
    private static final long HANG_SECONDS = 60;

    /** Starts a child, says its number and stays. */
    public static final class Parent
    {
        private Parent()
        {
        }

        /** What a process runs. */
        public static void main(final String... arguments) throws IOException, InterruptedException
        {
            final Process child = start(Child.class);
            System.out.println(child.pid());
            System.out.flush();
            child.waitFor();
        }
    }

    /** Stays for as long as there is somebody at the other end of its input. */
    public static final class Child
    {
        private Child()
        {
        }

        /** What a process runs. */
        public static void main(final String... arguments) throws InterruptedException
        {
            UntilInputEnds.haltThen();
            Thread.currentThread().join();
        }
    }

    private static Process start(final Class<?> main) throws IOException
    {
        return new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-Xmx32m", "-cp", System.getProperty("java.class.path"), main
                .getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    }

    @Test
    void aChildEndsWhenItsParentIsKilled() throws Exception
    {
        final Process parent = start(Parent.class);
        final ProcessHandle child;
        try (BufferedReader said = parent.inputReader(StandardCharsets.UTF_8))
        {
            child = ProcessHandle.of(Long.parseLong(said.readLine())).orElseThrow();
            assertTrue(child.isAlive());
        }
        finally
        {
            parent.destroyForcibly();
        }
        child.onExit().get(HANG_SECONDS, TimeUnit.SECONDS);
        assertEquals(128 + 9, parent.waitFor());
    }

    @Test
    void aChildEndsAtOnceWhenItsInputDoes() throws Exception
    {
        final Process child = start(Child.class);
        child.getOutputStream().close();
        try
        {
            assertTrue(child.waitFor(HANG_SECONDS, TimeUnit.SECONDS), "it outlives its input");
            assertEquals(3, child.exitValue());
        }
        finally
        {
            child.destroyForcibly();
        }
    }
}
