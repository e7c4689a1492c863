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
package io.sluice.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class DirectMemoryTest
{
    @Test
    void showsTheSameBytesBothWays()
    {
        final DirectMemory memory = DirectMemory.allocate(16);
        memory.buffer().putByte(5, (byte)42);
        assertEquals(42, memory.nioView(5, 1).get());
        assertSame(memory.nioView(), memory.nioView(0, 16));
        assertEquals(16, memory.capacity());
    }

    @Test
    void positionsTheNioViewAnywhereAfterAnywhere()
    {
        final DirectMemory memory = DirectMemory.allocate(16);
        assertEquals(16, memory.nioView(15, 1).limit());
        assertEquals(2, memory.nioView(0, 2).remaining());
        assertEquals(14, memory.nioView(14, 0).position());
    }

    @Test
    void seesTheWholeBufferWhateverItsPosition()
    {
        final ByteBuffer buffer = ByteBuffer.allocateDirect(16).position(3).limit(7);
        assertEquals(16, new DirectMemory(buffer).capacity());
    }

    @Test
    void refusesTheHeap()
    {
        assertThrows(IllegalArgumentException.class, () -> new DirectMemory(ByteBuffer.allocate(16)));
    }
}
