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
package io.sluice.framing.testkit;

import io.sluice.memory.DirectMemory;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Bytes as hexadecimal text and back. Blanks in the text are allowed. */
public final class Hex
{
    private Hex()
    {
    }

    /** The bytes that the text stands for. */
    public static byte[] bytes(final String text)
    {
        return HexFormat.of().parseHex(text.replace(" ", "").replace("\n", ""));
    }

    /** All bytes in lower case. */
    public static String text(final byte[] bytes)
    {
        return HexFormat.of().formatHex(bytes);
    }

    /** Some bytes of a memory in lower case. */
    public static String text(final DirectMemory memory, final int offset, final int length)
    {
        return text(copy(memory, offset, length));
    }

    /** Copies bytes out of a memory. */
    public static byte[] copy(final DirectMemory memory, final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        memory.buffer().getBytes(offset, bytes);
        return bytes;
    }

    /** The bytes in memory of their own, from offset 0. */
    public static DirectMemory memory(final byte[] bytes)
    {
        final DirectMemory memory = DirectMemory.allocate(Math.max(1, bytes.length));
        memory.buffer().putBytes(0, bytes);
        return memory;
    }

    /** The SHA-256 digest of some bytes. */
    public static String sha256(final byte[] bytes)
    {
        try
        {
            return text(MessageDigest.getInstance("SHA-256").digest(bytes));
        }
        catch (final NoSuchAlgorithmException e)
        {
            throw new AssertionError(e);
        }
    }
}
