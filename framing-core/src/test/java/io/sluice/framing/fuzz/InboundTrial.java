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
package io.sluice.framing.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.function.ToLongFunction;

/** What has to be true of a decoder of wire bytes, whatever the bytes are. */
final class InboundTrial<R extends InboundRun>
{
    private static final int HEAP_AT_LEAST = 16 * 1024;
    /** An error, its text and what the text is made of take about 500 bytes, and a wrong envelope is nine. */
    private static final int HEAP_PER_BYTE = 100;

    private static final Workbench AMPLE = Workbench.ample();
    private static final Workbench EXHAUSTED = Workbench.exhausted();

    /** Makes the run under test. */
    interface Maker<R>
    {
        R make(Workbench bench, boolean recording, int policy);
    }

    private final Maker<R> maker;
    private final ToLongFunction<R> payloadBytes;

    InboundTrial(final Maker<R> maker, final ToLongFunction<R> payloadBytes)
    {
        this.maker = maker;
        this.payloadBytes = payloadBytes;
    }

    /**
     * Passes the bytes whole, in parts, with no memory left, and once more to see what that takes from the heap.
     *
     * @param length of each odd part
     * @param nextLength of each even part
     */
    void check(final byte[] wire, final int policy, final int length, final int nextLength)
    {
        final R whole = maker.make(AMPLE, true, policy);
        receive(whole, wire, wire.length, 1);
        final R cut = maker.make(AMPLE, true, policy);
        receive(cut, wire, length, nextLength);
        assertEquals(whole.transcript(), cut.transcript(),
            () -> "cut into " + length + " and " + nextLength + " bytes");
        receive(maker.make(EXHAUSTED, false, policy), wire, length, nextLength);
        HeapUse.check(() -> receive(maker.make(AMPLE, false, 0), wire, wire.length, 1),
            HEAP_AT_LEAST + HEAP_PER_BYTE * (wire.length + payloadBytes.applyAsLong(whole)));
    }

    private void receive(final R run, final byte[] wire, final int length, final int nextLength)
    {
        try (run)
        {
            run.receive(wire, Math.max(1, length), Math.max(1, nextLength));
        }
    }
}
