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
package io.sluice.framing.response;

import java.util.List;

/** Guesses at encoded lengths, in bytes: right for ASCII, and only ever a hint. */
final class LengthHints
{
    private LengthHints()
    {
    }

    static int ofString(final String value)
    {
        return Short.BYTES + value.length();
    }

    static int ofStringList(final List<String> values)
    {
        int hint = Short.BYTES;
        for (final String value : values)
        {
            hint += ofString(value);
        }
        return hint;
    }

    static int ofBytes(final byte[] value)
    {
        return Integer.BYTES + (value == null ? 0 : value.length);
    }
}
