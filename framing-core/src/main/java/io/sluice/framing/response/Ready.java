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

import io.sluice.framing.Opcode;
import io.sluice.framing.ProtocolVersion;

/** READY: the connection is open for requests. Immutable. */
public final class Ready implements ResponseBody
{
    /** The only one. */
    public static final Ready INSTANCE = new Ready();

    private Ready()
    {
    }

    @Override
    public Opcode opcode()
    {
        return Opcode.READY;
    }

    @Override
    public int encodedLengthHint(final ProtocolVersion version)
    {
        return 0;
    }

    @Override
    public void encode(final BodyWriter out, final ProtocolVersion version)
    {
        // The body is empty.
    }
}
