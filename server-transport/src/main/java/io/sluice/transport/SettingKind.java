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
package io.sluice.transport;

import java.util.Arrays;
import java.util.Locale;

/** Reads the values of settings from text, and says what is wrong with them. Has no state, any thread. */
final class SettingKind
{
    /** What a flag may be, by 0 and 1. */
    static final String[] FLAG = {"false", "true"};

    private SettingKind()
    {
    }

    /** A whole number in a range; spaces around it and underscores in it do not matter. */
    static long number(final String name, final String text, final long lowest, final long highest)
    {
        final String expected = " (expected: " + lowest + ".." + highest + ")";
        final long value;
        try
        {
            value = Long.parseLong(text.trim().replace("_", ""));
        }
        catch (final NumberFormatException e)
        {
            throw new IllegalArgumentException(name + ": \"" + text + "\" is not a whole number" + expected, e);
        }
        if (value < lowest || value > highest)
        {
            throw new IllegalArgumentException(name + ": " + value + expected);
        }
        return value;
    }

    /** Which of the words it is, whatever their case. */
    static int choice(final String name, final String text, final String... words)
    {
        for (int i = 0; i < words.length; i++)
        {
            if (words[i].equalsIgnoreCase(text.trim()))
            {
                return i;
            }
        }
        throw new IllegalArgumentException(
            name + ": " + text.trim().toLowerCase(Locale.ROOT) + " (expected: " + String.join(", ", words) + ")");
    }

    /** The names of an enum's constants. */
    static String[] words(final Class<? extends Enum<?>> constants)
    {
        return Arrays.stream(constants.getEnumConstants()).map(Enum::name).toArray(String[]::new);
    }
}
