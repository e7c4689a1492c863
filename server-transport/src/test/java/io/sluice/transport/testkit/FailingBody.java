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
package io.sluice.transport.testkit;

import io.sluice.framing.Opcode;
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.response.BodyWriter;
import io.sluice.framing.response.ResponseBody;

/** An answer whose encoding fails halfway. */
final class FailingBody implements ResponseBody
{
    @Override
    public Opcode opcode()
    {
        return Opcode.RESULT;
    }

    @Override
    public int encodedLengthHint(final ProtocolVersion version)
    {
        return 100;
    }

    @Override
    public void encode(final BodyWriter out, final ProtocolVersion version)
    {
        out.putInt(2);
        throw new IllegalStateException("secret");
    }
}
