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
package io.sluice.transport.sim;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads the primitives of an answer's body; anything that is not there is a failure of the server's. */
final class AnswerBody
{
    private final byte[] bytes;
    private int position;

    AnswerBody(final byte[] bytes)
    {
        this.bytes = bytes;
    }

    int byteOf()
    {
        need(1);
        return bytes[position++] & 0xFF;
    }

    int shortOf()
    {
        return byteOf() << 8 | byteOf();
    }

    int intOf()
    {
        return shortOf() << 16 | shortOf();
    }

    long longOf()
    {
        return (long)intOf() << 32 | intOf() & 0xFFFFFFFFL;
    }

    String string()
    {
        return new String(raw(shortOf()), StandardCharsets.UTF_8);
    }

    byte[] bytesOf()
    {
        final int length = intOf();
        return length < 0 ? null : raw(length);
    }

    byte[] raw(final int length)
    {
        need(length);
        position += length;
        return Arrays.copyOfRange(bytes, position - length, position);
    }

    byte[] rest()
    {
        return raw(bytes.length - position);
    }

    int left()
    {
        return bytes.length - position;
    }

    private void need(final int length)
    {
        if (length < 0 || length > bytes.length - position)
        {
            throw new SimulationFailure("answer: " + length + " bytes wanted at " + position + " of " + bytes.length);
        }
    }
}
