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
package io.sluice.bench;

import java.nio.charset.StandardCharsets;

/** The cells of 1 kB that null engines answer with: not all the same, or one compressed segment would hide it. */
public final class TextCells
{
    /** How many there are; a power of two. */
    public static final int COUNT = 128;
    private static final int BYTES = 1000;
    private static final byte[][] CELLS = new byte[COUNT][];

    static
    {
        for (int i = 0; i < COUNT; i++)
        {
            CELLS[i] = RequestBytes.text(BYTES, i).getBytes(StandardCharsets.US_ASCII);
        }
    }

    private TextCells()
    {
    }

    /** Shared: to be left as it is. */
    public static byte[] cell(final int index)
    {
        return CELLS[index];
    }
}
