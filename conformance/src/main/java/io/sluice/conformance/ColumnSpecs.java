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

import java.util.ArrayList;
import java.util.List;

/** Column specifications: names, and types walked through to their end. */
final class ColumnSpecs
{
    private ColumnSpecs()
    {
    }

    /** The columns' names. */
    static List<String> parse(final ByteParser body, final boolean global, final int count)
    {
        final List<String> names = new ArrayList<>();
        if (global && count > 0)
        {
            body.string();
            body.string();
        }
        for (int i = 0; i < count; i++)
        {
            if (!global)
            {
                body.string();
                body.string();
            }
            names.add(body.string());
            type(body);
        }
        return names;
    }

    private static void type(final ByteParser body)
    {
        final int code = body.uint16();
        switch (code)
        {
            case 0x00 -> body.string();
            case 0x20, 0x22 -> type(body);
            case 0x21 ->
            {
                type(body);
                type(body);
            }
            case 0x30 ->
            {
                body.string();
                body.string();
                final int fields = body.uint16();
                for (int i = 0; i < fields; i++)
                {
                    body.string();
                    type(body);
                }
            }
            case 0x31 ->
            {
                final int members = body.uint16();
                for (int i = 0; i < members; i++)
                {
                    type(body);
                }
            }
            default ->
            {
                if (code > 0x15)
                {
                    throw new GarbledBytes("type code " + Integer.toHexString(code));
                }
            }
        }
    }
}
