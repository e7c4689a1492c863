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

/** What a check heard, word by word. Confined to the thread of its check until that has ended. */
final class Trace
{
    private final List<String> words = new ArrayList<>();
    private final List<String> errorTexts = new ArrayList<>();
    private String skipReason;

    void add(final String word)
    {
        words.add(word);
    }

    /** Texts of errors are shown beside the trace, and are not part of it. */
    void addErrorText(final String text)
    {
        errorTexts.add(text);
    }

    void skip(final String reason)
    {
        skipReason = reason;
    }

    boolean isSkipped()
    {
        return skipReason != null;
    }

    String text()
    {
        return skipReason == null ? String.join(" ", words) : skipReason;
    }

    List<String> errorTexts()
    {
        return errorTexts;
    }
}
