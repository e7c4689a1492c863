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
package io.sluice.framing.request;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class Utf8Test
{
    private static final long SEED = Long.getLong("sluice.seed", new Random().nextLong());

    private static boolean isUtf8(final byte[] bytes)
    {
        try
        {
            StandardCharsets.UTF_8.newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .decode(ByteBuffer.wrap(bytes));
            return true;
        }
        catch (final CharacterCodingException e)
        {
            return false;
        }
    }

    private static void check(final byte[] bytes)
    {
        final boolean accepted = Utf8.firstMalformed(new UnsafeBuffer(bytes), 0, bytes.length) < 0;
        assertEquals(isUtf8(bytes), accepted, () -> "seed " + SEED + " " + java.util.HexFormat.of().formatHex(bytes));
    }

    /** All sequences of two bytes, and of three and four with the interesting beginnings. */
    @Test
    void agreesWithTheStrictDecoder()
    {
        for (int first = 0; first < 256; first++)
        {
            check(new byte[]{(byte)first});
            for (int second = 0; second < 256; second++)
            {
                check(new byte[]{(byte)first, (byte)second});
            }
            for (final int second : new int[]{0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF})
            {
                checkLonger(first, second);
            }
        }
    }

    private static void checkLonger(final int first, final int second)
    {
        for (final int third : new int[]{0x00, 0x7F, 0x80, 0xBF, 0xC0, 0xFF})
        {
            check(new byte[]{(byte)first, (byte)second, (byte)third});
            check(new byte[]{(byte)first, (byte)second, (byte)third, (byte)0x80});
            check(new byte[]{(byte)first, (byte)second, (byte)third, (byte)0xC0});
        }
    }

    @Test
    void agreesOnTextWithOneByteWrong()
    {
        final Random random = new Random(SEED);
        for (int i = 0; i < 50_000; i++)
        {
            final StringBuilder text = new StringBuilder();
            for (int j = random.nextInt(20); j >= 0; j--)
            {
                text.append(
                    random.nextBoolean() ? "plain ascii" : random.nextBoolean() ? "\u20ac\u00fc" : "\ud83d\ude00");
            }
            final byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
            check(bytes);
            bytes[random.nextInt(bytes.length)] ^= (byte)(1 << random.nextInt(8));
            check(bytes);
        }
    }

    @Test
    void saysWhere()
    {
        final byte[] bytes = "0123456789\u20ac".getBytes(StandardCharsets.UTF_8);
        bytes[12] = 'x';
        assertEquals(10, Utf8.firstMalformed(new UnsafeBuffer(bytes), 0, bytes.length));
    }
}
