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

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.sluice.framing.ProtocolVersion;

/** The envelopes of a connection without segments: four bytes say what is done with those behind them. */
class EnvelopeStreamFuzzTest
{
    /** By the fourth byte; null is before STARTUP. */
    private static final ProtocolVersion[] VERSIONS = {null, ProtocolVersion.V3, ProtocolVersion.V4};

    @FuzzTest(maxDuration = "")
    void stream(final byte[] bytes)
    {
        final FuzzInput input = new FuzzInput(bytes);
        final int chosenPolicy = input.next();
        final int length = 1 + input.next();
        final int nextLength = 1 + input.next();
        final ProtocolVersion version = VERSIONS[input.next() % VERSIONS.length];
        new InboundTrial<>(
            (bench, recording, policy) -> new EnvelopeRun(bench, recording, null, version, policy),
            EnvelopeRun::payloadBytes).check(input.rest(), chosenPolicy, length, nextLength);
    }
}
