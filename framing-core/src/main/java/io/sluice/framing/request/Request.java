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

import io.sluice.framing.EnvelopeFlags;
import io.sluice.framing.Opcode;
import java.util.Map;

/**
 * A request for the node: heap data only, owned by whoever has it, with no tie to the bytes it came from.
 */
public sealed interface Request permits QueryRequest, PrepareRequest, ExecuteRequest, BatchRequest
{
    /** What it is. */
    Opcode opcode();

    /** The envelope's flags: see {@link EnvelopeFlags}. */
    int flags();

    /** True if the client wants it traced. */
    default boolean isTraced()
    {
        return (flags() & EnvelopeFlags.TRACING) != 0;
    }

    /** What came with it, values may be null; null if nothing did. */
    Map<String, byte[]> customPayload();
}
