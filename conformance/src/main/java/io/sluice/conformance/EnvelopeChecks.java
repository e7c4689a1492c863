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
import java.util.function.Consumer;

/** v3 and v4: envelopes back to back, bodies compressed one by one, lengths that lie. */
final class EnvelopeChecks extends CheckGroup
{
    EnvelopeChecks(final Consumer<Check> sink)
    {
        super("envelopes", sink);
    }

    void add(final Profile profile)
    {
        stream(profile);
        lengths(profile);
        if (profile.compression() == Compression.NONE)
        {
            check("compressed-flag-without-agreement", profile)
                .expect("taken as plain, or refused", "(ROWS|ERROR-000a)@1 " + SERVES_OR_CLOSES)
                .script(say(profile,
                    new Requests(profile.version()).envelope(1, Opcode.QUERY, Envelope.COMPRESSED,
                        new Requests(profile.version()).queryBody(Requests.CHEAP_QUERY, new Parameters()))));
        }
        else
        {
            compressed(profile);
            lies(profile);
        }
    }

    private void stream(final Profile profile)
    {
        check("cut-at-every-byte", profile).expect("always both answers", "\\d+x\\(SUPPORTED@1 ROWS@2\\) " + SERVES)
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                final byte[] both = ByteBuilder.join(client.wrap(client.requests().options(1)),
                    client.wrap(client.requests().query(2, Requests.CHEAP_QUERY)));
                final Tally tally = new Tally();
                for (int cut = 1; cut < both.length && !client.isOver(); cut++)
                {
                    client.sayRaw(both, 0, cut);
                    pace();
                    client.sayRaw(both, cut, both.length);
                    tally.add(client.heard(2));
                }
                tally.writeTo(trace);
                client.probe();
            });
        check("byte-by-byte", profile).expect("answered", "ROWS@1 " + SERVES).script((lab, trace) ->
        {
            final Conversation client = lab.ready(profile, trace);
            final byte[] query = client.wrap(client.requests().query(1, Requests.CHEAP_QUERY));
            for (int i = 0; i < query.length; i++)
            {
                client.sayRaw(query, i, i + 1);
                pace();
            }
            client.hear().probe();
        });
        check("hundred-in-one-write", profile).expect("an answer for each stream", "100xROWS " + SERVES)
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                final byte[][] queries = new byte[100][];
                for (int i = 0; i < queries.length; i++)
                {
                    queries[i] = client.wrap(client.requests().query(i, Requests.CHEAP_QUERY));
                }
                client.sayRaw(ByteBuilder.join(queries));
                client.hearMany("ROWS", SegmentChecks.streams(100));
                client.probe();
            });
        check("of-1-MB", profile).expect("answered", "ROWS@1 " + SERVES).script((lab, trace) ->
        {
            final Conversation client = lab.ready(profile, trace);
            client.say(client.requests().queryOfLength(1, 1_000_003));
            client.hear().probe();
        });
        check("trailing-bytes-in-options", profile).expect("ignored", "SUPPORTED@1 " + SERVES)
            .script(sayRaw(profile, new Requests(profile.version()).envelope(1, Opcode.OPTIONS, new byte[5])));
    }

    private void lengths(final Profile profile)
    {
        check("of-17-MiB", profile).from("case 60")
            .expect("one ERROR 2200 on stream 7; then serves or closes", "ERROR-2200@7 " + SERVES_OR_CLOSES)
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                client.sayRaw(client.requests().queryOfLength(7, 17 << 20));
                client.hear().probe();
            });
        huge("length-in-the-wrong-byte-order", profile, 0x09000000);
        huge("length-of-2-GiB", profile, Integer.MAX_VALUE);
        huge("length-of-4-GiB", profile, -1);
        huge("length-of-min-int", profile, Integer.MIN_VALUE);
    }

    /** Nobody waits for gigabytes that will not come. */
    private void huge(final String name, final Profile profile, final int claimed)
    {
        check(name, profile).from("case 21")
            .expect("one ERROR on stream 6 at once, then closed; nothing is waited for", "ERROR-(000a|2200)@6 " + CLOSE)
            .stock("silent")
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                client.sayRaw(Envelope.claiming(profile.version(), 0, 6, 9, claimed, new byte[0]));
                client.hear().hear();
            });
    }

    private void compressed(final Profile profile)
    {
        final Requests requests = new Requests(profile.version());
        final byte[] body = requests.queryBody(Requests.CHEAP_QUERY, new Parameters());
        check("answer-to-startup", profile).expect("READY or AUTHENTICATE, its body plain or compressed",
            "(READY|AUTHENTICATE)@9 (plain|compressed)").script((lab, trace) ->
            {
                final Conversation client = lab.connect(profile, trace);
                client.sayRaw(client.requests().startup(9, profile.compression()));
                client.agree();
                final Answer answer = client.hear().last();
                trace.add(answer.wasCompressed() ? "compressed" : "plain");
            });
        check("plain-request", profile).expect("requests may be plain one by one", "ROWS@1 " + SERVES)
            .script(sayRaw(profile, requests.envelope(1, Opcode.QUERY, body)));
        check("plain-and-compressed-mixed", profile).expect("each is answered", "ROWS@1 ROWS@2 ROWS@3 " + SERVES)
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                client.sayRaw(ByteBuilder.join(requests.envelope(1, Opcode.QUERY, body),
                    client.wrap(requests.envelope(2, Opcode.QUERY, body)), requests.envelope(3, Opcode.QUERY, body)));
                client.hearAll(3);
                client.probe();
            });
        check("options-compressed-to-nothing", profile).expect("answered, or refused once",
            "(SUPPORTED|ERROR-000a)@7 " + SERVES_OR_CLOSES)
            .stock("ERROR-(0000|000a)@0(!java)? " + SERVES)
            .script(sayRaw(profile, requests.envelope(7, Opcode.OPTIONS, Envelope.COMPRESSED, new byte[0])));
        check("compressed-empty-body", profile).expect("answered", "SUPPORTED@1 " + SERVES)
            .script(sayRaw(profile, requests.envelope(1, Opcode.OPTIONS, Envelope.COMPRESSED,
                profile.compression().compress(new byte[0]))));
        check("compresses-to-a-thousandth", profile).expect("answered", "ROWS@1 " + SERVES).script((lab, trace) ->
        {
            final Conversation client = lab.ready(profile, trace);
            client.say(client.requests().queryOfLength(1, 2_000_000));
            client.hear().probe();
        });
    }

    private void lies(final Profile profile)
    {
        final byte[] body = new Requests(profile.version()).queryBody(Requests.CHEAP_QUERY, new Parameters());
        if (profile.compression() == Compression.LZ4)
        {
            final byte[] honest = Compression.LZ4.compress(body);
            final byte[] block = Arrays.copyOfRange(honest, 4, honest.length);
            lie("claims-2-GiB", "D6", profile, new ByteBuilder().int32(Integer.MAX_VALUE).int16(0).toBytes());
            lie("claims-300-MiB", "D6", profile, new ByteBuilder().int32(300 << 20).raw(block).toBytes());
            lie("claims-one-more", "D6", profile, new ByteBuilder().int32(body.length + 1).raw(block).toBytes());
            lie("claims-one-less", "D6", profile, new ByteBuilder().int32(body.length - 1).raw(block).toBytes());
            lie("claims-nothing", "D6", profile, new ByteBuilder().int32(0).raw(block).toBytes());
            lie("claims-a-negative-length", "D6", profile, new ByteBuilder().int32(-1).raw(block).toBytes());
            lie("length-in-little-endian", "D6", profile,
                new ByteBuilder().littleEndian(body.length, 4).raw(block).toBytes());
            lie("three-bytes", "D6", profile, new byte[3]);
            lie("block-cut-short", "D17", profile, Arrays.copyOf(honest, honest.length - 5));
        }
        else
        {
            final byte[] honest = Compression.SNAPPY.compress(body);
            lie("claims-2-GiB", "D6", profile, ByteBuilder.fromHex("ffffffff07 00"));
            lie("claims-4-GiB", "D6", profile, ByteBuilder.fromHex("ffffffff0f 00"));
            lie("varint-without-end", "D6", profile, ByteBuilder.fromHex("ffffffffffffffff"));
            lie("block-cut-short", "D17", profile, Arrays.copyOf(honest, honest.length - 5));
            lie("claims-nothing", "D6", profile,
                ByteBuilder.join(new byte[1], Arrays.copyOfRange(honest, 1, honest.length)));
        }
        final byte[] junk = new byte[64];
        Arrays.fill(junk, (byte)0xee);
        lie("junk", "D17", profile, junk);
    }

    private void lie(final String name, final String source, final Profile profile, final byte[] compressedBody)
    {
        check("body-" + name, profile).from(source)
            .expectOneError(7)
            .stock("ERROR-(0000|000a)@(0|7)(!java)? " + SERVES + "|silent.*|ERROR-(0000|000a)@0(!java)? ERROR.*")
            .script(
                sayRaw(profile, Envelope.of(profile.version(), Envelope.COMPRESSED, 7, Opcode.QUERY, compressedBody)));
    }
}
