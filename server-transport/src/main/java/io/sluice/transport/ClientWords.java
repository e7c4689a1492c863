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

import java.util.regex.Pattern;

/** Words that clients chose, for logs and tables: on one line, and not too long. Has no state, any thread. */
final class ClientWords
{
    /** Longer than any that means well. */
    static final int LONGEST = 100;
    private static final Pattern UNSEEN = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");

    private ClientWords()
    {
    }

    /** The words as they may be shown; null if there are none. */
    static String shown(final String words)
    {
        return words == null
            ? null
            : UNSEEN.matcher(words.length() <= LONGEST ? words : words.substring(0, LONGEST) + "...").replaceAll("?");
    }
}
