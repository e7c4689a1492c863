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
package io.sluice.framing.request;

import org.agrona.DirectBuffer;

/** Turns the bytes of a prepared id into the object that stands for it. */
@FunctionalInterface
public interface StatementIds
{
    /** Makes a new object each time. Immutable, any thread. */
    StatementIds UNSHARED = StatementIds::copy;

    /**
     * The object for these bytes: one that is known, or else a new one.
     *
     * @param buffer borrowed until return
     * @param length in bytes; the range is there
     * @return never null
     */
    StatementId intern(DirectBuffer buffer, int offset, int length);

    /** A new object with a copy of these bytes. */
    static StatementId copy(final DirectBuffer buffer, final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes, 0, length);
        return new StatementId(bytes);
    }
}
