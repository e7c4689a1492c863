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
import java.util.Objects;

/**
 * RESULT Schema_change: the answer to a statement that changed the schema. Immutable.
 *
 * @param change what it changed
 */
public record SchemaChangeResult(SchemaChange change) implements ResponseBody
{
    /** Checks that there is a change. */
    public SchemaChangeResult
    {
        Objects.requireNonNull(change, "change");
    }

    @Override
    public Opcode opcode()
    {
        return Opcode.RESULT;
    }

    @Override
    public int encodedLengthHint(final ProtocolVersion version)
    {
        return Integer.BYTES + change.lengthHint();
    }

    @Override
    public void encode(final BodyWriter out, final ProtocolVersion version)
    {
        out.putInt(ResultKind.SCHEMA_CHANGE);
        change.encode(out, version);
    }
}
