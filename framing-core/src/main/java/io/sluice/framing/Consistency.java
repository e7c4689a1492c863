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

/** How many replicas have to agree (native protocol, section 3); the ordinal is the code on the wire. Immutable. */
public enum Consistency
{
    /** Code 0. */
    ANY,
    /** Code 1. */
    ONE,
    /** Code 2. */
    TWO,
    /** Code 3. */
    THREE,
    /** Code 4. */
    QUORUM,
    /** Code 5. */
    ALL,
    /** Code 6. */
    LOCAL_QUORUM,
    /** Code 7. */
    EACH_QUORUM,
    /** Code 8. */
    SERIAL,
    /** Code 9. */
    LOCAL_SERIAL,
    /** Code 10. */
    LOCAL_ONE,
    /** Code 11, in no text of the protocol: Cassandra's own. Whether a client may ask for it is the node's to say. */
    NODE_LOCAL;

    private static final Consistency[] BY_CODE = values();

    /** As on the wire. */
    public int code()
    {
        return ordinal();
    }

    /**
     * The level with this code.
     *
     * @throws ProtocolException if there is none
     */
    public static Consistency of(final int code)
    {
        if (code < 0 || code >= BY_CODE.length)
        {
            throw ProtocolException.recoverable("Unknown code " + code + " for a consistency level");
        }
        return BY_CODE[code];
    }
}
