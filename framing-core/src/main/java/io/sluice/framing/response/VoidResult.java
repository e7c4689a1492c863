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

/** RESULT Void: done, nothing to say. Immutable. */
public final class VoidResult implements ResponseBody
{
    /** The only one. */
    public static final VoidResult INSTANCE = new VoidResult();

    private final FixedBody fixed;

    private VoidResult()
    {
        fixed = FixedBody.of(this);
    }

    @Override
    public FixedBody fixed()
    {
        return fixed;
    }

    @Override
    public Opcode opcode()
    {
        return Opcode.RESULT;
    }

    @Override
    public int encodedLengthHint(final ProtocolVersion version)
    {
        return Integer.BYTES;
    }

    @Override
    public void encode(final BodyWriter out, final ProtocolVersion version)
    {
        out.putInt(ResultKind.VOID);
    }
}
