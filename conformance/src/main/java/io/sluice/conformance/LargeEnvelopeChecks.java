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

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/** Envelopes in pieces: non-self-contained segments in many shapes, right and wrong. */
final class LargeEnvelopeChecks extends CheckGroup
{
    private static final int MAX = Segments.MAX_PAYLOAD;

    LargeEnvelopeChecks(final Consumer<Check> sink)
    {
        super("large", sink);
    }

    void add(final Profile profile)
    {
        shapes(profile);
        whole(profile);
        between(profile);
        wrong(profile);
        lies(profile);
    }

    private void shapes(final Profile profile)
    {
        for (final int length : List.of(131_071, 131_072, 262_142, 262_143, 1_000_003))
        {
            inPieces("of-" + length + "-bytes", profile, length, MAX, MAX);
        }
        inPieces("first-piece-of-9", profile, 200_000, 9, MAX);
        inPieces("first-piece-of-10", profile, 200_000, 10, MAX);
        inPieces("pieces-of-1000", profile, 150_000, 1000, 1000);
        inPieces("last-piece-of-1", profile, 131_072 + 1000, MAX, 1000);
        inPieces("small-in-pieces-of-9", profile, 200, 9, 9);
        check("cut-anywhere-by-tcp", profile).from("case 1")
            .expect("one answer, however the bytes arrive", "ROWS@1 SUPPORTED@2 " + SERVES)
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                final byte[] run = ByteBuilder.join(
                    run(client, client.requests().queryOfLength(1, 1_000_003), MAX, MAX),
                    client.segment(client.requests().options(2)));
                final Random random = new Random(run.length);
                int from = 0;
                while (from < run.length)
                {
                    final int to = Math.min(run.length, from + 1 + random.nextInt(60_000));
                    client.sayRaw(run, from, to);
                    from = to;
                }
                client.hearAll(2);
                client.probe();
            });
        check("cut-inside-every-header-and-trailer", profile).from("case 1")
            .expect("one answer", "ROWS@1 " + SERVES)
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                final byte[] envelope = client.requests().queryOfLength(1, 140_000);
                byte[] carried = new byte[0];
                for (int from = 0; from < envelope.length; from += 50_000)
                {
                    final byte[] segment = client
                        .piece(Arrays.copyOfRange(envelope, from, Math.min(envelope.length, from + 50_000)));
                    client.sayRaw(ByteBuilder.join(carried, Arrays.copyOf(segment, 4)));
                    pace();
                    client.sayRaw(segment, 4, segment.length - 2);
                    pace();
                    carried = Arrays.copyOfRange(segment, segment.length - 2, segment.length);
                }
                client.sayRaw(carried);
                client.hear().probe();
            });
    }

    /** One message in pieces, then a second one like it: the first must leave nothing behind. */
    private void inPieces(final String name, final Profile profile, final int length, final int first, final int next)
    {
        final CheckBuilder check = check(name, profile).from(length == MAX ? "case 1, D2" : "case 1")
            .expect("both messages are answered", "ROWS@1 ROWS@2 " + SERVES);
        if (length <= first)
        {
            check.stock("ROWS@1 silent");
        }
        check.script((lab, trace) ->
        {
            final Conversation client = lab.ready(profile, trace);
            client.sayRaw(run(client, client.requests().queryOfLength(1, length), first, next));
            client.hear();
            client.sayRaw(run(client, client.requests().queryOfLength(2, length), first, next));
            client.hear().probe();
        });
    }

    private void whole(final Profile profile)
    {
        wholeThenLarge("whole-in-one-piece", profile, 47);
        for (final int length : List.of(131_060, 131_064, 131_068))
        {
            wholeThenLarge("whole-in-one-piece-of-" + length, profile, length);
        }
        check("options-in-one-piece", profile).from("case 1, D2")
            .expect("a piece may be the whole", "SUPPORTED@1 ROWS@2 " + SERVES)
            .stock("SUPPORTED@1 silent")
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                client.sayRaw(client.piece(client.requests().options(1)));
                client.hear();
                client.sayRaw(run(client, client.requests().queryOfLength(2, 200_000), MAX, MAX));
                client.hear().probe();
            });
    }

    private void wholeThenLarge(final String name, final Profile profile, final int length)
    {
        check(name, profile).from("case 1, D2")
            .expect("it is answered, and so is the next large message",
                "ROWS@1 ROWS@2 " + SERVES)
            .stock("ROWS@1 silent")
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                client.sayRaw(client.piece(length == 47
                    ? client.requests().query(1, Requests.CHEAP_QUERY)
                    : client.requests().queryOfLength(1, length)));
                client.hear();
                client.sayRaw(run(client, client.requests().queryOfLength(2, 200_000), MAX, MAX));
                client.hear().probe();
            });
    }

    private void between(final Profile profile)
    {
        check("small-between-the-pieces", profile).from("case 1")
            .expect("the small one is answered at once, the large one when it is whole", "SUPPORTED@8 ROWS@1 " + SERVES)
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                final byte[] envelope = client.requests().queryOfLength(1, 200_000);
                client.sayRaw(client.piece(Arrays.copyOf(envelope, MAX)));
                client.say(client.requests().options(8));
                client.hear();
                client.sayRaw(client.piece(Arrays.copyOfRange(envelope, MAX, envelope.length)));
                client.hear().probe();
            });
        check("empty-between-the-pieces", profile).expect("empty segments change nothing", "ROWS@1 " + SERVES)
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                final byte[] envelope = client.requests().queryOfLength(1, 200_000);
                client.sayRaw(ByteBuilder.join(client.piece(Arrays.copyOf(envelope, MAX)), client.segment(),
                    client.piece(Arrays.copyOfRange(envelope, MAX, envelope.length))));
                client.hear().probe();
            });
        check("bad-small-between-the-pieces", profile)
            .expect("one error for the bad one; the large one is answered, or the connection closes",
                "ERROR-000a@8 (ROWS@1 " + SERVES + "|" + CLOSE + ")")
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                final byte[] envelope = client.requests().queryOfLength(1, 200_000);
                client.sayRaw(client.piece(Arrays.copyOf(envelope, MAX)));
                client.say(client.requests().envelope(8, 0x7f, new byte[0]));
                client.hear();
                client.sayRaw(client.piece(Arrays.copyOfRange(envelope, MAX, envelope.length)));
                client.hear().probe();
            });
        check("never-finished", profile).expect("others on the connection are served meanwhile", SERVES)
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                client.sayRaw(client.piece(Arrays.copyOf(client.requests().queryOfLength(1, 200_000), MAX)));
                client.probe();
            });
    }

    private void wrong(final Profile profile)
    {
        final Requests requests = new Requests(5);
        final String atNought = "ERROR-000a@0 " + CLOSE;
        large("unknown-opcode", profile, requests.envelope(7, 0x7f, new byte[200_000]),
            "ERROR-000a@7 " + SERVES_OR_CLOSES,
            atNought);
        large("response-opcode", profile, requests.envelope(7, Opcode.RESULT, new byte[200_000]),
            "ERROR-000a@7 " + SERVES_OR_CLOSES, atNought);
        large("response-direction", profile, Envelope.of(0x85, 0, 7, Opcode.QUERY, new byte[200_000]),
            "ERROR-000a@7 " + SERVES_OR_CLOSES, atNought);
        large("other-version", profile, new Requests(4).queryOfLength(7, 200_000), "ERROR-000a@7 " + SERVES_OR_CLOSES,
            "ROWS:v4@7 " + SERVES);
        large("body-of-zeros", profile, requests.envelope(7, Opcode.QUERY, new byte[200_000]),
            "ERROR-(000a|2000)@7 " + SERVES_OR_CLOSES, null);
        check("header-cut-by-the-first-piece", profile)
            .expect("closed, or answered all the same", "ROWS@1 " + SERVES + "|(ERROR-000a@0 )?" + CLOSE)
            .stock("(ERROR-0000@0!java )+.*")
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                client.sayRaw(run(client, client.requests().queryOfLength(1, 200_000), 8, MAX));
                client.hear().probe();
            });
        check("longer-than-its-length", profile).from("D2")
            .expect("never a hang: closed, or the surplus is an error of its own and the next message is answered",
                "(ROWS@1 )?(ERROR-000a@[01] )?" + CLOSE + "|(ROWS@1|ERROR-000a@1) ROWS@2 " + SERVES)
            .stock("(ROWS@1 )?silent")
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                final byte[] surplus = Arrays.copyOf(client.requests().queryOfLength(1, 140_000), 140_020);
                client.sayRaw(run(client, surplus, MAX, MAX));
                client.hear();
                client.sayRaw(run(client, client.requests().queryOfLength(2, 140_000), MAX, MAX));
                client.hear().probe();
            });
        check("second-piece-corrupt", profile).from("case 9")
            .expect("one ERROR 000a on stream 0, then closed",
                "ERROR-000a@0 " + CLOSE)
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                final byte[] envelope = client.requests().queryOfLength(1, 300_000);
                final byte[] second = client.piece(Arrays.copyOfRange(envelope, 100_000, 200_000));
                second[second.length - 1] ^= 1;
                client.sayRaw(ByteBuilder.join(client.piece(Arrays.copyOf(envelope, 100_000)), second,
                    client.piece(Arrays.copyOfRange(envelope, 200_000, 300_000))));
                client.hearEnd();
            });
        for (final boolean first : new boolean[]{true, false})
        {
            check(first ? "empty-first-piece" : "empty-piece-in-the-middle", profile).from("D1")
                .expect("closed, or ignored", "(ERROR-000a@[01] )?" + CLOSE + "|ROWS@1 " + SERVES)
                .stock("ERROR-0000@0.*")
                .script((lab, trace) ->
                {
                    final Conversation client = lab.ready(profile, trace);
                    final byte[] envelope = client.requests().queryOfLength(1, 200_000);
                    final int cut = first ? 0 : MAX;
                    client.sayRaw(ByteBuilder.join(first ? new byte[0] : client.piece(Arrays.copyOf(envelope, cut)),
                        client.piece(new byte[0]),
                        run(client, Arrays.copyOfRange(envelope, cut, envelope.length), MAX, MAX)));
                    client.hear().probe();
                });
        }
    }

    private void lies(final Profile profile)
    {
        check("of-17-MiB", profile).from("D14")
            .expect("one ERROR 2200 on stream 7; then serves or closes", "ERROR-2200@7 " + SERVES_OR_CLOSES)
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                client.sayRaw(run(client, client.requests().queryOfLength(7, 17 << 20), MAX, MAX));
                client.hear().probe();
            });
        check("claims-2-GiB", profile).from("case 21")
            .expect("refused without waiting for it: one ERROR on stream 7",
                "ERROR-(000a|2200)@7 " + SERVES_OR_CLOSES)
            .stock("silent")
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                client.sayRaw(
                    client.piece(Envelope.claiming(5, 0, 7, Opcode.QUERY, Integer.MAX_VALUE, new byte[100_000])));
                client.hear().probe();
            });
        check("claims-a-negative-length", profile).expect("one ERROR 000a on stream 7; then serves or closes",
            "ERROR-000a@7 " + SERVES_OR_CLOSES).stock("ERROR-000a@0 " + CLOSE).script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                client.sayRaw(client.piece(Envelope.claiming(5, 0, 7, Opcode.QUERY, -1, new byte[1000])));
                client.hear().probe();
            });
    }

    private void large(final String name,
        final Profile profile,
        final byte[] envelope,
        final String traces,
        final String stock)
    {
        final CheckBuilder check = check(name, profile).expect("one ERROR on stream 7; then serves or closes", traces);
        if (stock != null)
        {
            check.stock(stock);
        }
        check.script((lab, trace) ->
        {
            final Conversation client = lab.ready(profile, trace);
            client.sayRaw(run(client, envelope, MAX, MAX));
            client.hear().probe();
        });
    }

    private static byte[] run(final Conversation client, final byte[] envelope, final int first, final int next)
    {
        return Segments.pieces(envelope, first, next, client.profile().isLz4Segmented());
    }
}
