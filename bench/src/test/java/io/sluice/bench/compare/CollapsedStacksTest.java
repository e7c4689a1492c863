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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CollapsedStacksTest
{
    @TempDir
    private Path directory;

    @Test
    void sumsByWhatWasAllocatedAndWhere() throws IOException
    {
        final Path file = directory.resolve("stacks");
        Files.write(file, List.of("a.run;b.read;java.nio.HeapByteBuffer_[i] 3", "a.run;java.nio.HeapByteBuffer 4",
            "a.run;b.read;byte[] 5", "a.run;java.nio.HeapByteBuffer 1"));
        final CollapsedStacks stacks = CollapsedStacks.read(file);
        assertEquals(13, stacks.total());
        assertEquals(8, stacks.sumOf("java.nio.HeapByteBuffer"));
        assertEquals(8, stacks.sum(stack -> stack.contains("b.read")));
    }
}
