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
package io.sluice.framing.segment;

import io.sluice.memory.DirectMemory;
import java.util.zip.CRC32;

/**
 * The checksum of segment payloads as they are on the wire: CRC32 over the bytes FA 2D 55 CA, which the protocol text
 * does not mention, and then the payload. Confined to one thread.
 */
public final class PayloadChecksum
{
    private final CRC32 crc = new CRC32();

    /** Takes the payload through the memory's NIO view, whose position it moves. Allocates nothing. */
    public int of(final DirectMemory memory, final int offset, final int length)
    {
        crc.reset();
        // One by one: as an array the four bytes cost more than a short payload does.
        crc.update(0xFA);
        crc.update(0x2D);
        crc.update(0x55);
        crc.update(0xCA);
        crc.update(memory.nioView(offset, length));
        return (int)crc.getValue();
    }
}
