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

import io.sluice.framing.ErrorCode;
import io.sluice.framing.Opcode;
import io.sluice.framing.ProtocolVersion;

/**
 * An answer that can write itself. Encoded once, on the thread that completes the request (or on the loop for inline
 * handlers), straight into memory of ours.
 */
public interface ResponseBody
{
    /** What goes into the header. */
    Opcode opcode();

    /** What went wrong, or null if this is no error: for counting. */
    default ErrorCode errorCode()
    {
        return null;
    }

    /**
     * The form of this body that was encoded before, or null if it is encoded anew for each answer. Used for answers
     * that carry nothing beside their body.
     */
    default FixedBody fixed()
    {
        return null;
    }

    /**
     * How many bytes {@link #encode} will probably write: how much memory is claimed first. A wrong guess costs a copy,
     * nothing else.
     */
    int encodedLengthHint(ProtocolVersion version);

    /**
     * Writes the body (without the prefixes that header flags announce). Anything thrown becomes a SERVER_ERROR on the
     * same stream.
     *
     * @param out borrowed until return
     */
    void encode(BodyWriter out, ProtocolVersion version);
}
