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
package io.sluice.framing.fuzz;

import java.util.Arrays;

/** A fuzzed input: first a few bytes that steer the test, then bytes as from the wire. Missing ones are 0. */
final class FuzzInput
{
    private final byte[] bytes;
    private int position;

    FuzzInput(final byte[] bytes)
    {
        this.bytes = bytes;
    }

    /** The next byte that steers, 0..255. */
    int next()
    {
        return position < bytes.length ? bytes[position++] & 0xFF : 0;
    }

    /** Up to this many of the next bytes. */
    byte[] next(final int length)
    {
        final byte[] part = Arrays.copyOfRange(bytes, position, Math.min(bytes.length, position + length));
        position += part.length;
        return part;
    }

    boolean hasMore()
    {
        return position < bytes.length;
    }

    /** All that is left. */
    byte[] rest()
    {
        return next(bytes.length);
    }
}
