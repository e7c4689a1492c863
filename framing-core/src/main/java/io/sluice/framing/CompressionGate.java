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
package io.sluice.framing;

/** Decides before each payload or body whether compressing it is worth a try, and hears what came of it. */
public interface CompressionGate
{
    /**
     * True to try.
     *
     * @param length of what could be compressed, in bytes
     */
    boolean opens(int length);

    /**
     * It was tried.
     *
     * @param length before, in bytes; at least 1
     * @param compressedLength after; not less than {@code length} if it did not get shorter and goes as it is
     */
    void onTried(int length, int compressedLength);
}
