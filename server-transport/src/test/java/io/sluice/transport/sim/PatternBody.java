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
package io.sluice.transport.sim;

import io.sluice.framing.Opcode;
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.response.BodyWriter;
import io.sluice.framing.response.ResponseBody;

/** A RESULT that says whose it is; or one that breaks off. */
final class PatternBody implements ResponseBody
{
    private static final int PIECE = 1024;

    private final Ask ask;
    private final int hint;
    private final boolean breaks;

    PatternBody(final Ask ask, final int hint, final boolean breaks)
    {
        this.ask = ask;
        this.hint = hint;
        this.breaks = breaks;
    }

    @Override
    public Opcode opcode()
    {
        return Opcode.RESULT;
    }

    @Override
    public int encodedLengthHint(final ProtocolVersion version)
    {
        return hint;
    }

    @Override
    public void encode(final BodyWriter out, final ProtocolVersion version)
    {
        out.putInt(ask.nonce);
        final byte[] pattern = WireBytes.pattern(ask.nonce, ask.answerBytes);
        if (breaks)
        {
            InjectedFailure.raise(ask.nonce, "encoding broke off");
        }
        for (int done = 0; done < pattern.length; done += PIECE)
        {
            out.putRaw(java.util.Arrays.copyOfRange(pattern, done, Math.min(pattern.length, done + PIECE)));
        }
    }

    static void check(final Ask ask, final byte[] body)
    {
        final AnswerBody reader = new AnswerBody(body);
        final int nonce = reader.intOf();
        if (nonce != ask.nonce)
        {
            throw new SimulationFailure("answer of nonce " + nonce + " on the stream of " + ask);
        }
        if (reader.left() != ask.answerBytes)
        {
            throw new SimulationFailure("answer of " + reader.left() + " bytes to " + ask);
        }
        for (int i = 0; i < ask.answerBytes; i++)
        {
            if (body[4 + i] != WireBytes.patternAt(nonce, i))
            {
                throw new SimulationFailure("answer's byte " + i + " is not its own: " + ask);
            }
        }
    }
}
