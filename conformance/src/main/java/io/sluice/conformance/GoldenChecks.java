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
package io.sluice.conformance;

import static io.sluice.conformance.CheckBuilder.CLOSE;
import static io.sluice.conformance.CheckBuilder.SERVES;
import static io.sluice.conformance.CheckBuilder.SERVES_OR_CLOSES;

import java.util.function.Consumer;

/** The golden segments, sent as they are. */
final class GoldenChecks extends CheckGroup
{
    GoldenChecks(final Consumer<Check> sink)
    {
        super("golden", sink);
    }

    void add(final Profile profile)
    {
        if (profile.isLz4Segmented())
        {
            answered("G9-two-queries", "case 3", profile, GoldenSegments.G9, 2, "ROWS@1 ROWS@2 " + SERVES);
            answered("G10-stored-options", "case 5", profile, GoldenSegments.G10, 1, "SUPPORTED@1 " + SERVES);
            answered("G11-empty", "", profile, GoldenSegments.G11, 0, SERVES);
            answered("W11-block-longer-than-content", "case 8", profile, GoldenSegments.W11, 1,
                "SUPPORTED@1 " + SERVES);
            refused("G6-no-envelope", profile, GoldenSegments.G6, "30057");
            refused("G7-stored-no-envelope", profile, GoldenSegments.G7, "515");
            refused("G8-largest-zeros", profile, GoldenSegments.g8(), "0");
        }
        else if (profile.isSegmented())
        {
            answered("G1-options", "", profile, GoldenSegments.G1, 1, "SUPPORTED@1 " + SERVES);
            answered("G2-two-queries", "case 3", profile, GoldenSegments.G2, 2, "ROWS@1 ROWS@2 " + SERVES);
            answered("G4-empty", "", profile, GoldenSegments.G4, 0, SERVES);
            answered("G1-with-padding-bits", "", profile, GoldenSegments.G1_PADDED, 1, "SUPPORTED@1 " + SERVES);
            answered("W2-two-options", "case 3", profile, GoldenSegments.W2, 2, "SUPPORTED@1 SUPPORTED@2 " + SERVES);
            refused("G3-piece-of-nothing", profile, GoldenSegments.G3, "515");
            refused("G5-largest-payload", profile, GoldenSegments.g5(), "15965");
            corrupt("G1-header-bit", "case 9", profile, GoldenSegments.G1_HEADER_BIT);
            corrupt("G1-payload-bit", "case 9", profile, GoldenSegments.G1_PAYLOAD_BIT);
            corrupt("W7-header-crc", "case 9", profile, GoldenSegments.W7);
            corrupt("W8-payload-crc", "case 9", profile, GoldenSegments.W8);
        }
    }

    private void answered(final String name,
        final String source,
        final Profile profile,
        final byte[] segment,
        final int answers,
        final String traces)
    {
        check(name, profile).from(source).expect(traces, traces).script((lab, trace) ->
        {
            final Conversation client = lab.ready(profile, trace);
            client.sayRaw(segment);
            client.hearAll(answers);
            client.probe();
        });
    }

    /** Right segments around bytes that are no request: the envelope is refused, not the segment. */
    private void refused(final String name, final Profile profile, final byte[] segment, final String stream)
    {
        check(name, profile)
            .expect("the segment is taken, its payload refused: one ERROR on stream " + stream + " or 0, or closed",
                "ERROR-(000a|2200)@(0|" + stream + ") " + SERVES_OR_CLOSES + "|" + CLOSE)
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                client.sayRaw(segment);
                client.hear().probe();
            });
    }

    private void corrupt(final String name, final String source, final Profile profile, final byte[] segment)
    {
        check(name, profile).from(source)
            .expect("one ERROR 000a on stream 0, then closed", "ERROR-000a@0 " + CLOSE)
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                client.sayRaw(segment);
                client.hearEnd();
            });
    }
}
