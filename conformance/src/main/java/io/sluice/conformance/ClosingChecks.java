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

import java.util.Random;
import java.util.function.Consumer;

/** How a server ends a connection: the last ERROR arrives, then an orderly end, never a reset. */
final class ClosingChecks extends CheckGroup
{
    ClosingChecks(final Consumer<Check> sink)
    {
        super("closing", sink);
    }

    void add(final Profile profile)
    {
        if (profile.isSegmented())
        {
            orderly("after-a-corrupt-header", profile, 0, 0);
            orderly("after-a-corrupt-payload", profile, 12, 0);
            orderly("with-64-KiB-unread", profile, 0, 64 << 10);
            orderly("with-4-MiB-unread", profile, 0, 4 << 20);
            check("client-shuts-its-output", profile)
                .expect("the request is answered or not; then an orderly end", "((ROWS@1 )?closed)")
                .stock("(ROWS@1 )?reset")
                .script((lab, trace) -> halfClose(lab, trace, profile));
        }
        else
        {
            check("after-an-absurd-length", profile).from("case 21")
                .expect("one ERROR, then an orderly end",
                    "ERROR-(000a|2200)@6 closed")
                .stock("silent")
                .script((lab, trace) ->
                {
                    final Conversation client = lab.ready(profile, trace);
                    client.sayRaw(
                        Envelope.claiming(profile.version(), 0, 6, Opcode.QUERY, Integer.MAX_VALUE, new byte[0]));
                    client.hear().hear();
                });
            check("client-shuts-its-output", profile)
                .expect("the request is answered or not; then an orderly end", "((ROWS@1 )?closed)")
                .stock("(ROWS@1 )?reset")
                .script((lab, trace) -> halfClose(lab, trace, profile));
        }
        check("other-connections-live-on", profile).expect("a client that resets hurts nobody else", "ROWS@1 ROWS@2")
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                client.say(client.requests().query(1, Requests.CHEAP_QUERY));
                client.hear();
                final Conversation rude = lab.ready(profile, new Trace());
                rude.say(rude.requests().query(9, Requests.CHEAP_QUERY));
                rude.slam();
                client.say(client.requests().query(2, Requests.CHEAP_QUERY));
                client.hear();
            });
    }

    private static void halfClose(final Lab lab, final Trace trace, final Profile profile) throws Exception
    {
        final Conversation client = lab.ready(profile, trace);
        client.say(client.requests().query(1, Requests.CHEAP_QUERY));
        client.finishSaying();
        client.hear().hear();
    }

    /** @param behind bytes of noise behind the damage, which the server need not read but must not choke on */
    private void orderly(final String name, final Profile profile, final int damagedByte, final int behind)
    {
        check(name, profile).from("B14")
            .expect("one ERROR 000a on stream 0, then an orderly end", "ERROR-000a@0 closed")
            .stock("(ERROR-000a@0 )?reset")
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                final byte[] bad = profile.isLz4Segmented() ? GoldenSegments.G10.clone() : GoldenSegments.G1.clone();
                bad[damagedByte] ^= 1;
                final byte[] noise = new byte[behind];
                new Random(behind).nextBytes(noise);
                client.sayRaw(ByteBuilder.join(bad, noise));
                client.hear().hear();
            });
    }
}
