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
package io.sluice.conformance;

import java.util.List;

/** What stands behind code and message of an ERROR. */
final class ErrorTail
{
    private ErrorTail()
    {
    }

    static void parse(final int code, final int version, final ByteParser body, final List<String> words)
    {
        switch (code)
        {
            case 0x1000 ->
            {
                consistency(body, words);
                number(body, words);
                number(body, words);
            }
            case 0x1100 ->
            {
                consistency(body, words);
                number(body, words);
                number(body, words);
                words.add(body.string());
                if (version >= 5 && "CAS".equals(words.get(words.size() - 1)))
                {
                    words.add(Integer.toString(body.uint16()));
                }
            }
            case 0x1200 ->
            {
                consistency(body, words);
                number(body, words);
                number(body, words);
                words.add(Integer.toString(body.uint8()));
            }
            case 0x1300 ->
            {
                failures(version, body, words);
                words.add(Integer.toString(body.uint8()));
            }
            case 0x1400 ->
            {
                words.add(body.string());
                words.add(body.string());
                words.addAll(body.stringList());
            }
            case 0x1500 ->
            {
                failures(version, body, words);
                words.add(body.string());
            }
            case 0x1700 ->
            {
                consistency(body, words);
                number(body, words);
                number(body, words);
            }
            case 0x2400 ->
            {
                words.add(body.string());
                words.add(body.string());
            }
            case 0x2500 -> words.add(Segments.hex(body.shortBytes()));
            case 0x0000, 0x000a, 0x0100, 0x1001, 0x1002, 0x1003, 0x1600, 0x2000, 0x2100, 0x2200, 0x2300 -> nothing();
            default -> throw new GarbledBytes("error code " + Integer.toHexString(code));
        }
    }

    private static void failures(final int version, final ByteParser body, final List<String> words)
    {
        if (version < 4)
        {
            throw new GarbledBytes("a failure code that v3 does not know");
        }
        consistency(body, words);
        number(body, words);
        number(body, words);
        final int count = body.int32();
        words.add(Integer.toString(count));
        for (int i = 0; version >= 5 && i < count; i++)
        {
            body.raw(body.uint8(), "address");
            words.add(Integer.toString(body.uint16()));
        }
    }

    private static void consistency(final ByteParser body, final List<String> words)
    {
        final int code = body.uint16();
        if (code > 0x0b)
        {
            throw new GarbledBytes("consistency " + code);
        }
        words.add(Integer.toString(code));
    }

    private static void number(final ByteParser body, final List<String> words)
    {
        words.add(Integer.toString(body.int32()));
    }

    private static void nothing()
    {
        // These codes have no tail: whatever is left is found by the caller.
    }
}
