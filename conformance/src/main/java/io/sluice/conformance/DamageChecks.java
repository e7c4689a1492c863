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

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;

/** Segments that are broken, and right segments around broken envelopes. */
final class DamageChecks extends CheckGroup
{
    private static final String CORRUPT = "ERROR-000a@0 " + CLOSE;
    /** Known of stock: the same error again and again, to every request that follows. */
    private static final String POISONED = "(SUPPORTED@1 )?(ERROR-0000@0(!java)? )+.*";
    private static final byte[] OPTIONS_BLOCK = Segments.literals(ByteBuilder.fromHex("050000010500000000"));

    DamageChecks(final Consumer<Check> sink)
    {
        super("damage", sink);
    }

    void add(final Profile profile)
    {
        corrupt(profile);
        scraps(profile);
        lengths(profile);
        threshold(profile);
        if (profile.isLz4Segmented())
        {
            lz4(profile);
        }
    }

    private void corrupt(final Profile profile)
    {
        check("every-single-bit", profile).from("case 9")
            .expect("for each flipped bit one ERROR 000a on stream 0, then closed",
                Tally.each(CORRUPT))
            .script((lab, trace) ->
            {
                final Sweep sweep = new Sweep(lab, profile, trace, CORRUPT);
                for (final byte[] good : profile.isLz4Segmented()
                    ? new byte[][]{GoldenSegments.W11, GoldenSegments.G10}
                    : new byte[][]{GoldenSegments.G1, GoldenSegments.W2})
                {
                    for (int bit = 0; bit < good.length * 8; bit++)
                    {
                        final byte[] bad = good.clone();
                        bad[bit / 8] ^= (byte)(1 << bit % 8);
                        sweep.step("bit " + bit + " of " + Segments.hex(good), client ->
                        {
                            client.sayRaw(bad);
                            client.hearEnd();
                        });
                    }
                }
                sweep.end();
            });
        check("behind-fifty-good-requests", profile).from("D11")
            .expect("the good ones are answered, then one ERROR, then closed", "50xROWS 1xERROR-000a@0 " + CLOSE)
            .stock("(\\d+xROWS )?(1xERROR-000a@0 )?" + CLOSE)
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                final ByteArrayOutputStream run = new ByteArrayOutputStream();
                for (int i = 1; i <= 50; i++)
                {
                    run.writeBytes(client.segment(client.requests().query(i, Requests.CHEAP_QUERY)));
                }
                final byte[] bad = client.segment(client.requests().options(60));
                bad[0] ^= 1;
                run.writeBytes(bad);
                client.sayRaw(run.toByteArray());
                client.hearAllUntilEnd(51);
            });
        check("nothing-but-noise", profile).from("case 9")
            .expect("one ERROR 000a on stream 0, then closed", CORRUPT)
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                final byte[] noise = new byte[4096];
                new Random(7).nextBytes(noise);
                client.sayRaw(noise);
                client.hearEnd();
            });
        check("unframed-request-after-ready", profile).from("case 25")
            .expect("one ERROR 000a on stream 0, then closed", CORRUPT)
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                client.sayRaw(client.requests().query(1, Requests.CHEAP_QUERY));
                client.hearEnd();
            });
    }

    private void scraps(final Profile profile)
    {
        final String once = "(ERROR-000a@0 )?" + CLOSE;
        check("three-stray-bytes", profile).from("case 11, D1")
            .expect("OPTIONS is answered; then one error and closed, or skipped",
                "SUPPORTED@1 (" + once + "|" + SERVES + ")|ERROR-000a@0 SUPPORTED@1 " + CLOSE)
            .stock(POISONED)
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                client.sayRaw(profile.isLz4Segmented()
                    ? Segments.stored(ByteBuilder.fromHex("050000010500000000 050000"), true)
                    : GoldenSegments.W3);
                client.hear().probe();
            });
        check("payloads-of-1-to-8-bytes", profile).from("case 11, D1")
            .expect("closed, or skipped",
                Tally.each(once + "|" + SERVES))
            .stock("1x\\(1 bytes: " + POISONED + "\\)")
            .script((lab, trace) ->
            {
                final Sweep sweep = new Sweep(lab, profile, trace, once + "|" + SERVES);
                for (int length = 1; length <= 8; length++)
                {
                    final byte[] scrap = Arrays.copyOf(new Requests(5).options(1), length);
                    sweep.step(length + " bytes", client ->
                    {
                        client.sayRaw(client.segment(scrap));
                        client.probe();
                    });
                }
                sweep.end();
            });
    }

    private void lengths(final Profile profile)
    {
        lie("length-past-the-segment", "D1", profile, 100, POISONED);
        lie("length-of-2-GiB", "D1", profile, Integer.MAX_VALUE, POISONED);
        lie("length-negative", "", profile, -1, "ERROR-000a@0 " + CLOSE);
        lie("length-of-min-int", "", profile, Integer.MIN_VALUE, "ERROR-000a@0 " + CLOSE);
        lie("length-too-short", "case 11, D1", profile, 20, POISONED + "|(ERROR-(000a|0000)@\\d+(!java)? )+.*");
    }

    private void lie(final String name,
        final String source,
        final Profile profile,
        final int claimed,
        final String stock)
    {
        final byte[] body = new Requests(5).queryBody(Requests.CHEAP_QUERY, new Parameters());
        final String surplus = claimed > 0 && claimed < body.length ? "(ERROR-000a@\\d+ )?" : "";
        check(name, profile).from(source)
            .expect("one ERROR 000a on stream 7; then closes or serves",
                surplus + "ERROR-000a@7 " + surplus + SERVES_OR_CLOSES)
            .stock(stock)
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                client.sayRaw(client.segment(Envelope.claiming(5, 0, 7, Opcode.QUERY, claimed, body)));
                client.hear().probe();
            });
    }

    private void threshold(final Profile profile)
    {
        check("bad-then-good-in-one-segment", profile).from("case 13")
            .expect("one error; the good one is answered or the connection closes",
                "ERROR-000a@7 (SUPPORTED@8 " + SERVES + "|" + CLOSE + ")")
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                client.sayRaw(profile.isLz4Segmented()
                    ? Segments.stored(ByteBuilder.fromHex("050000077f00000000 050000080500000000"), true)
                    : GoldenSegments.W6);
                client.hearAll(2);
                client.probe();
            });
        check("many-bad-in-one-segment", profile).from("case 19")
            .expect("at most one error each; the connection may close after any of them",
                "(ERROR-000a@1 )(ERROR-000a@2 )?(ERROR-000a@3 )?(ERROR-000a@4 )?(SUPPORTED@5 " + SERVES + "|" + CLOSE +
                    ")")
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                final byte[][] envelopes = new byte[5][];
                for (int i = 0; i < 4; i++)
                {
                    envelopes[i] = client.requests().envelope(i + 1, 0x7f, new byte[0]);
                }
                envelopes[4] = client.requests().options(5);
                client.sayRaw(client.segment(envelopes));
                client.hearAll(5);
                client.probe();
            });
        check("bad-and-good-by-turns", profile).from("case 19")
            .expect("each is answered, or the connection closes after an error",
                "ERROR-000a@1 (SUPPORTED@2 )?(ERROR-000a@3 )?(SUPPORTED@4 " + SERVES + "|" + CLOSE + ")")
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                client.sayRaw(
                    client.segment(client.requests().envelope(1, 0x7f, new byte[0]), client.requests().options(2),
                        client.requests().envelope(3, 0x7f, new byte[0]), client.requests().options(4)));
                client.hearAll(4);
                client.probe();
            });
    }

    private void lz4(final Profile profile)
    {
        final byte[] text = ByteBuilder.fromHex("7f736c756963652007000a506c75696365");
        mismatch("block-yields-less", "D3", profile, Segments.block(OPTIONS_BLOCK, 10, true, 0), POISONED);
        mismatch("block-yields-much-less", "D3", profile, Segments.block(OPTIONS_BLOCK, 131_071, true, 0),
            "(SUPPORTED@1 )?ERROR-.*");
        mismatch("block-yields-more", "case 8, D3", profile, Segments.block(OPTIONS_BLOCK, 8, true, 0), null);
        mismatch("G6-declares-40", "case 8", profile, Segments.block(text, 40, true, 0), null);
        mismatch("G6-declares-42", "D3", profile, Segments.block(text, 42, true, 0), "ERROR-000a@30057 " + SERVES);
        mismatch("empty-block", "case 8", profile, Segments.block(new byte[0], 5, true, 0), null);
        mismatch("piece-yields-less", "D3", profile, Segments.block(OPTIONS_BLOCK, 10, false, 0),
            "SUPPORTED@1 .*|silent");
        final byte[] junk = new byte[40];
        new Random(40).nextBytes(junk);
        mismatch("junk-block", "case 8", profile, Segments.block(junk, 200, true, 0), null);
        mismatch("W13-then-W11", "case 8", profile, ByteBuilder.join(GoldenSegments.W13, GoldenSegments.W11), null);
    }

    /** A block that is not what its header says: one error, then closed, and nothing of it is served. */
    private void mismatch(final String name,
        final String source,
        final Profile profile,
        final byte[] segments,
        final String stock)
    {
        final String broken = "ERROR-0000@0(!java)? (SUPPORTED@1 )?" + SERVES;
        check("lz4-" + name, profile).from(source)
            .expect("one ERROR 000a on stream 0, then closed", CORRUPT)
            .stock(stock == null ? broken : broken + "|" + stock)
            .script(sayRaw(profile, segments));
    }
}
