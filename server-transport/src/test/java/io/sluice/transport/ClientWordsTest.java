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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

/** What clients call themselves cannot make up lines of a log. */
final class ClientWordsTest
{
    @Test
    void wordsStayOnOneLine()
    {
        assertNull(ClientWords.shown(null));
        assertEquals("DataStax Java driver (R) 4.17", ClientWords.shown("DataStax Java driver (R) 4.17"));
        assertEquals("a??INFO made up???b", ClientWords.shown("a\r\nINFO made up\u001b\u2028\u0085b"));
        assertEquals("x".repeat(ClientWords.LONGEST) + "...", ClientWords.shown("x".repeat(50_000)));
    }
}
