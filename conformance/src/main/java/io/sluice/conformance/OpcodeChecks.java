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
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Opcodes, directions, versions and flags that do not belong in a request. */
final class OpcodeChecks extends CheckGroup
{
    private static final String ONE_ERROR = "ERROR-000a@7 " + SERVES_OR_CLOSES;
    private static final String SOME_ERROR = "ERROR-000a(:v\\d)?@\\d+ ";
    /** Known of stock v3 and v4: the envelope stays, and its error is given again for all that comes. */
    private static final String REPEATS = SOME_ERROR + SOME_ERROR + ".*|" + SOME_ERROR + "silent.*";

    OpcodeChecks(final Consumer<Check> sink)
    {
        super("opcodes", sink);
    }

    void add(final Profile profile)
    {
        final Requests requests = new Requests(profile.version());
        sweep("unknown", profile, opcode -> opcode > 0x10 && opcode < 0x80);
        sweep("unknown-high", profile, opcode -> opcode >= 0x80);
        sweep("of-responses", profile, opcode -> opcode <= 0x10 && opcode != Opcode.CREDENTIALS);
        sweep("credentials", profile, opcode -> opcode == Opcode.CREDENTIALS);
        check("bad-then-good-in-one-write", profile).from("case 13")
            .expect("one error on stream 7; then OPTIONS on stream 8 is answered or the connection closes",
                "ERROR-000a@7 (SUPPORTED@8 " + SERVES + "|" + CLOSE + ")")
            .stock(REPEATS)
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                final byte[] bad = requests.envelope(7, 0x7f, new byte[0]);
                client.sayRaw(ByteBuilder.join(client.wrap(bad), client.wrap(requests.options(8))));
                client.hearAll(2);
                client.probe();
            });
        check("response-direction", profile).from("case 13")
            .expectOneError(7)
            .stock(REPEATS)
            .script(
                say(profile, Envelope.of(profile.version() | Envelope.RESPONSE, 0, 7, Opcode.OPTIONS, new byte[0])));
        for (final int other : IntStream.of(0, 1, 2, 3, 4, 5, 6, 9, 66, 127)
            .filter(v -> v != profile.version())
            .toArray())
        {
            version(other, profile);
        }
        check("unknown-flags", profile).expect("flags that nobody knows mean nothing", "ROWS@1 " + SERVES)
            .script(
                say(profile, requests.envelope(1, Opcode.QUERY, 0xe0,
                    requests.queryBody(Requests.CHEAP_QUERY, new Parameters()))));
        check("warning-flag-in-a-request", profile).expect("means nothing in a request", "ROWS@1 " + SERVES)
            .script(
                say(profile, requests.envelope(1, Opcode.QUERY, Envelope.WARNING,
                    requests.queryBody(Requests.CHEAP_QUERY, new Parameters()))));
        check("tracing-flag-on-options", profile).expect("means nothing there", "SUPPORTED@1 " + SERVES)
            .script(say(profile, requests.envelope(1, Opcode.OPTIONS, Envelope.TRACING, new byte[0])));
    }

    private void sweep(final String name, final Profile profile, final IntPredicate which)
    {
        final int[] opcodes = IntStream.range(0, 256).filter(which).filter(o -> !Opcode.isRequest(o)).toArray();
        check(name, profile).from(name.equals("unknown-high") ? "case 13, D1" : "case 13")
            .expect("for each of " + opcodes.length + " opcodes one ERROR 000a on stream 7; then serves or closes",
                Tally.each(ONE_ERROR))
            .stock("(\\d+x\\(" + ONE_ERROR + "\\) )*1x\\(opcode \\w+: (ERROR-(000a|0000)(:v\\d)?@\\d+(!java)? ?)+.*\\)")
            .script((lab, trace) ->
            {
                final Sweep sweep = new Sweep(lab, profile, trace, ONE_ERROR);
                for (final int opcode : opcodes)
                {
                    sweep.step("opcode " + Integer.toHexString(opcode), client ->
                    {
                        client.say(client.requests().envelope(7, opcode, new byte[0]));
                        client.hear().probe();
                    });
                }
                sweep.end();
            });
    }

    /** The header is laid out as in this connection's version, so that the stream is known. */
    private void version(final int other, final Profile profile)
    {
        final byte[] envelope = new Requests(profile.version()).options(7);
        envelope[0] = (byte)other;
        final boolean old = other == 1 || other == 2;
        check("version-" + other + "-in-mid-connection", profile)
            .from("case 19" + (other == 2 || other == 6 ? ", D9" : ""))
            .expect(
                "one ERROR 000a on stream 7 in v" + profile.version() + "; then serves or closes" +
                    (old ? ". That version has no such stream: stream 0 and closed will do" : ""),
                old ? ONE_ERROR + "|ERROR-000a@0 " + CLOSE : ONE_ERROR)
            .stock("ERROR-000a(:v[126])?@[07] " + SERVES + "|ERROR-000a:v6@0 ERROR-000a:v6@0 silent" +
                "|garbled\\(compressed flag in a v5 answer\\)")
            .script(say(profile, envelope));
    }
}
