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
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * SUPPORTED: what the server speaks. Immutable as long as the map is.
 *
 * @param options written in the map's order; not copied
 */
public record Supported(Map<String, List<String>> options) implements ResponseBody
{
    /** Checks that there is a map. */
    public Supported
    {
        Objects.requireNonNull(options, "options");
    }

    @Override
    public Opcode opcode()
    {
        return Opcode.SUPPORTED;
    }

    @Override
    public int encodedLengthHint(final ProtocolVersion version)
    {
        int hint = Short.BYTES;
        for (final Map.Entry<String, List<String>> entry : options.entrySet())
        {
            hint += LengthHints.ofString(entry.getKey()) + LengthHints.ofStringList(entry.getValue());
        }
        return hint;
    }

    @Override
    public void encode(final BodyWriter out, final ProtocolVersion version)
    {
        out.putStringMultimap(options);
    }
}
