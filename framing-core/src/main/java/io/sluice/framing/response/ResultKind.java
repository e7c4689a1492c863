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

/** The first [int] of a RESULT (native protocol, section 4.2.5). */
final class ResultKind
{
    static final int VOID = 1;
    static final int ROWS = 2;
    static final int SET_KEYSPACE = 3;
    static final int PREPARED = 4;
    static final int SCHEMA_CHANGE = 5;

    private ResultKind()
    {
    }
}
