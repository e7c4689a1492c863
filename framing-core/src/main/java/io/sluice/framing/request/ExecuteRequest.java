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

import io.sluice.framing.Opcode;
import java.util.Map;

/**
 * A prepared statement with its values. Immutable.
 *
 * @param resultMetadataId which result metadata the client has (may be empty; null before version 5); may be shared
 *        with other requests, not to be changed
 */
public record ExecuteRequest(
    int flags,
    Map<String, byte[]> customPayload,
    StatementId statementId,
    byte[] resultMetadataId,
    QueryParameters parameters) implements Request
{
    @Override
    public Opcode opcode()
    {
        return Opcode.EXECUTE;
    }
}
