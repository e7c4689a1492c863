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

import static io.sluice.conformance.CheckBuilder.SERVES;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Right segments in every shape that the protocol allows. */
final class SegmentChecks extends CheckGroup
{
    SegmentChecks(final Consumer<Check> sink)
    {
        super("segments", sink);
    }

    void add(final Profile profile)
    {
        shapes(profile);
        cuts(profile);
        many(profile);
        if (profile.isLz4Segmented())
        {
            lz4(profile);
        }
    }

    private void shapes(final Profile profile)
    {
        check("hundred-empty", profile).expect("empty segments are ignored", SERVES).script((lab, trace) ->
        {
            final Conversation client = lab.ready(profile, trace);
            for (int i = 0; i < 100; i++)
            {
                client.sayRaw(client.segment());
            }
            client.probe();
        });
        check("padding-bits", profile).expect("padding bits are ignored", "SUPPORTED@1 " + SERVES)
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                final byte[] options = client.requests().options(1);
                client.sayRaw(profile.isLz4Segmented()
                    ? Segments.block(options, 0, true, 0x1f)
                    : Segments.plain(options, true, 0x3f));
                client.hear().probe();
            });
        check("compressed-flag-on-the-envelope", profile)
            .expect("the flag means nothing in v5", "SUPPORTED@1 ROWS@2 " + SERVES)
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                client.say(client.requests().envelope(1, Opcode.OPTIONS, Envelope.COMPRESSED, new byte[0]));
                client.hear();
                client.say(client.requests()
                    .envelope(2, Opcode.QUERY, Envelope.COMPRESSED,
                        client.requests().queryBody(Requests.CHEAP_QUERY, new Parameters())));
                client.hear().probe();
            });
    }

    private void cuts(final Profile profile)
    {
        final byte[] segment = profile.isLz4Segmented() ? GoldenSegments.G9 : GoldenSegments.G2;
        final int cuts = segment.length - 1;
        check("cut-at-every-byte", profile).from("case 1")
            .expect(cuts + " times two answers", cuts + "x\\(ROWS@1 ROWS@2\\) " + SERVES)
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                final Tally tally = new Tally();
                for (int cut = 1; cut < segment.length && !client.isOver(); cut++)
                {
                    client.sayRaw(segment, 0, cut);
                    pace();
                    client.sayRaw(segment, cut, segment.length);
                    tally.add(client.heard(2));
                }
                tally.writeTo(trace);
                client.probe();
            });
        check("byte-by-byte", profile).from("case 1")
            .expect("two answers", "ROWS@1 ROWS@2 " + SERVES)
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                for (int i = 0; i < segment.length; i++)
                {
                    client.sayRaw(segment, i, i + 1);
                    pace();
                }
                client.hearAll(2);
                client.probe();
            });
    }

    private void many(final Profile profile)
    {
        check("hundred-envelopes-in-one", profile).from("case 3")
            .expect("an answer for each stream", "100xSUPPORTED " + SERVES)
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                client.sayRaw(client.segment(IntStream.range(0, 100)
                    .mapToObj(client.requests()::options)
                    .toArray(byte[][]::new)));
                client.hearMany("SUPPORTED", streams(100));
                client.probe();
            });
        check("filled-to-131071", profile).from("case 3")
            .expect("an answer for each stream", "64xROWS " + SERVES)
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                final byte[][] queries = new byte[64][];
                int left = Segments.MAX_PAYLOAD;
                for (int i = 0; i < 63; i++)
                {
                    queries[i] = client.requests().queryOfLength(i, 2000 + i);
                    left -= queries[i].length;
                }
                queries[63] = client.requests().queryOfLength(63, left);
                client.sayRaw(client.segment(queries));
                client.hearMany("ROWS", streams(64));
                client.probe();
            });
        check("hundred-segments-in-one-write", profile).from("case 3")
            .expect("an answer for each stream", "100xROWS " + SERVES)
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                final ByteArrayOutputStream run = new ByteArrayOutputStream();
                for (int i = 0; i < 100; i++)
                {
                    run.writeBytes(client.segment(client.requests().query(i, Requests.CHEAP_QUERY)));
                }
                client.sayRaw(run.toByteArray());
                client.hearMany("ROWS", streams(100));
                client.probe();
            });
    }

    private void lz4(final Profile profile)
    {
        check("compressed-small-answerable", profile).from("case 5")
            .expect("a block longer than its content is legal", "ROWS@1 " + SERVES)
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                final byte[] query = client.requests().query(1, Requests.CHEAP_QUERY);
                client.sayRaw(Segments.block(Segments.literals(query), query.length, true, 0));
                client.hear().probe();
            });
        check("stored-of-100-KB", profile).from("case 5")
            .expect("stored segments are taken as they are", "ROWS@1 " + SERVES)
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                client.sayRaw(Segments.stored(client.requests().queryOfLength(1, 100_000), true));
                client.hear().probe();
            });
        check("stored-and-compressed-mixed", profile).from("case 5")
            .expect("each is answered", "SUPPORTED@1 ROWS@2 SUPPORTED@3 " + SERVES)
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                client.sayRaw(ByteBuilder.join(Segments.stored(client.requests().options(1), true),
                    Segments.lz4(client.requests().queryOfLength(2, 5000), true),
                    Segments.stored(client.requests().options(3), true)));
                client.hearAll(3);
                client.probe();
            });
    }

    static List<Integer> streams(final int count)
    {
        return IntStream.range(0, count).boxed().toList();
    }
}
