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
package io.sluice.framing.envelope;

import io.sluice.framing.ProtocolException;
import io.sluice.memory.DirectMemory;

/**
 * Takes what an envelope reader finds, in wire order. Called on the connection's event loop only.
 * <p>
 * For each envelope: {@link #onHeader} once, then, if the answer was {@link #ADMIT} or {@link #DROP}, one of
 * {@link #onEnvelope}, {@link #onDropped} or (when the connection ends first, or memory) {@link #onAborted}.
 */
public interface EnvelopeSink
{
    /** Read the envelope. */
    int ADMIT = 0;
    /** Stop before this envelope; its header is offered again when reading goes on. */
    int PAUSE = 1;
    /** Skip the body without keeping it; whatever answer it gets has been sent or will be by {@link #onDropped}. */
    int DROP = 2;
    /** Stop reading for good: the connection is being closed. */
    int STOP = 3;

    /**
     * Decides on an envelope as soon as its header is there, before any memory is claimed for it. The header has passed
     * the checks on version, direction, opcode and sign of the length.
     *
     * @param header borrowed until return
     * @return {@link #ADMIT}, {@link #PAUSE}, {@link #DROP} or {@link #STOP}
     */
    int onHeader(EnvelopeHeader header);

    /**
     * A whole envelope.
     *
     * @param header borrowed until return
     * @param memory borrowed until return; the body is at {@code bodyOffset}, {@code header.bodyLength()} bytes
     * @return false to stop reading, for good (the connection was closed) or until woken (a STARTUP waits for its
     * answer)
     */
    boolean onEnvelope(EnvelopeHeader header, DirectMemory memory, int bodyOffset);

    /** The last byte of an envelope that was answered {@link #DROP} has been skipped. */
    void onDropped(EnvelopeHeader header);

    /** An admitted or dropped envelope will never be complete: give back what it was charged. */
    void onAborted(EnvelopeHeader header);

    /**
     * An envelope, or the bytes where one should be, break the protocol. If it is not fatal the reader skips the
     * envelope and goes on.
     *
     * @return false to stop reading for good
     */
    boolean onProtocolError(ProtocolException error);

    /**
     * Asked when an error has been reported: true to read nothing more until woken, since the answer to it was one too
     * many for now. The envelope at fault is not offered again.
     */
    default boolean isPaused()
    {
        return false;
    }
}
