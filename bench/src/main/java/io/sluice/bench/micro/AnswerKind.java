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
package io.sluice.bench.micro;

import io.sluice.bench.RequestBytes;
import java.nio.charset.StandardCharsets;

/** What is answered. Immutable. */
public enum AnswerKind
{
    /** RESULT Void. */
    VOID(0),
    /** RESULT Rows of one row with 7 cells of 10 bytes, columns not named. */
    ROW(7);

    private static final int CELL_BYTES = 10;

    private final int columns;

    AnswerKind(final int columns)
    {
        this.columns = columns;
    }

    /** Of the one row; none for VOID. */
    byte[][] cells()
    {
        final byte[][] cells = new byte[columns][];
        for (int i = 0; i < columns; i++)
        {
            cells[i] = RequestBytes.text(CELL_BYTES, i).getBytes(StandardCharsets.US_ASCII);
        }
        return cells;
    }
}
