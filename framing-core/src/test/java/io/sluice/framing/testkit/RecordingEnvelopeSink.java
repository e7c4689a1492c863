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
package io.sluice.framing.testkit;

import io.sluice.framing.ProtocolException;
import io.sluice.framing.envelope.EnvelopeHeader;
import io.sluice.framing.envelope.EnvelopeSink;
import io.sluice.memory.DirectMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * Writes down what it is told, one line each, and fails if the order of calls is wrong or an envelope that was charged
 * is ended twice or not at all.
 */
public final class RecordingEnvelopeSink implements EnvelopeSink
{
    private final List<String> events = new ArrayList<>();
    private final List<byte[]> bodies = new ArrayList<>();
    private final List<ProtocolException> errors = new ArrayList<>();
    private ToIntFunction<EnvelopeHeader> decision = header -> ADMIT;
    private boolean haltAfterEach;
    private boolean stopOnError;
    private Runnable onHeader = RecordingEnvelopeSink::nothing;
    private Runnable onEnvelope = RecordingEnvelopeSink::nothing;
    private Runnable onError = RecordingEnvelopeSink::nothing;
    private int charged;

    private static void nothing()
    {
        // The default for each hook.
    }

    /** What to answer to each header; ADMIT unless said. */
    public RecordingEnvelopeSink deciding(final ToIntFunction<EnvelopeHeader> newDecision)
    {
        decision = newDecision;
        return this;
    }

    /** Answers false to each whole envelope. */
    public RecordingEnvelopeSink haltAfterEach()
    {
        haltAfterEach = true;
        return this;
    }

    /** Answers false to each error. */
    public RecordingEnvelopeSink stopOnError()
    {
        stopOnError = true;
        return this;
    }

    /** Does this at each header. */
    public RecordingEnvelopeSink onHeader(final Runnable action)
    {
        onHeader = action;
        return this;
    }

    /** Does this at each whole envelope. */
    public RecordingEnvelopeSink onEnvelope(final Runnable action)
    {
        onEnvelope = action;
        return this;
    }

    /** Does this at each error. */
    public RecordingEnvelopeSink onError(final Runnable action)
    {
        onError = action;
        return this;
    }

    @Override
    public int onHeader(final EnvelopeHeader header)
    {
        final int answer = decision.applyAsInt(header);
        charged += answer == ADMIT || answer == DROP ? 1 : 0;
        onHeader.run();
        return answer;
    }

    @Override
    public boolean onEnvelope(final EnvelopeHeader header, final DirectMemory memory, final int bodyOffset)
    {
        final byte[] body = Hex.copy(memory, bodyOffset, header.bodyLength());
        bodies.add(body);
        ended("envelope", header);
        onEnvelope.run();
        // Nobody may have touched it meanwhile.
        if (!java.util.Arrays.equals(body, Hex.copy(memory, bodyOffset, body.length)))
        {
            throw new AssertionError("body changed while it was lent");
        }
        return !haltAfterEach;
    }

    @Override
    public void onDropped(final EnvelopeHeader header)
    {
        ended("dropped", header);
    }

    @Override
    public void onAborted(final EnvelopeHeader header)
    {
        ended("aborted", header);
    }

    private void ended(final String how, final EnvelopeHeader header)
    {
        charged--;
        if (charged < 0)
        {
            throw new AssertionError("ended without a header: " + how + " stream " + header.streamId());
        }
        events.add(how + " " + header.streamId() + " " + header.opcode() + " " + header.bodyLength());
    }

    @Override
    public boolean onProtocolError(final ProtocolException error)
    {
        errors.add(error);
        events.add(
            (error.isFatal() ? "fatal " : "error ") + (error.hasStreamId() ? error.streamId() : "?") + " " +
                error.code());
        onError.run();
        return !stopOnError;
    }

    /** "envelope|dropped|aborted STREAM OPCODE LENGTH" and "fatal|error STREAM CODE", in order. */
    public List<String> events()
    {
        return events;
    }

    /** Of whole envelopes, in order. */
    public List<byte[]> bodies()
    {
        return bodies;
    }

    /** In order. */
    public List<ProtocolException> errors()
    {
        return errors;
    }

    /** Headers that were taken and have not ended: 0 when all is done. */
    public int charged()
    {
        return charged;
    }
}
