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

import java.util.Arrays;
import java.util.function.Consumer;

/** Between AUTHENTICATE and AUTH_SUCCESS. Skipped if the server wants no login. */
final class LoginChecks extends CheckGroup
{
    LoginChecks(final Consumer<Check> sink)
    {
        super("login", sink);
    }

    void add(final Profile profile)
    {
        check("right", profile).from("case 25")
            .expect("AUTHENTICATE plain; AUTH_SUCCESS as the version carries envelopes",
                "AUTHENTICATE@1 AUTH_SUCCESS@2 " + SERVES)
            .script((lab, trace) ->
            {
                final Conversation client = authenticating(lab, trace, profile);
                if (client != null)
                {
                    client.say(client.requests().authResponse(2, lab.loginToken()));
                    client.hear().probe();
                }
            });
        refused("wrong-password", "case 25", profile, "ERROR-0100@2", "", Lab::wrongLoginToken);
        refused("empty-token", "D16", profile, "ERROR-(0100|000a)@2", "ERROR-0000@2(!java)? .*", lab -> new byte[0]);
        refused("null-token", "D16", profile, "ERROR-(0100|000a)@2", "ERROR-0000@2(!java)? .*", lab -> null);
        refused("token-of-junk", "D16", profile, "ERROR-(0100|000a)@2", "ERROR-0000@2(!java)? .*",
            lab -> new byte[]{1, 2, 3});
        tooEarly("options", profile, new Requests(profile.version()).options(2));
        tooEarly("query", profile, new Requests(profile.version()).query(2, Requests.CHEAP_QUERY));
        tooEarly("second-startup", profile, new Requests(profile.version()).startup(2, Compression.NONE));
        tooEarly("value-that-claims-2-GiB", profile, new Requests(profile.version()).query(2, "x",
            new Parameters().values(Parameters.bareLength(Integer.MAX_VALUE))));
        check("second-login", profile)
            .expect("refused, or done again", "(ERROR-000a|AUTH_SUCCESS|ERROR-0100)@2 (" + SERVES + "|" + CLOSE + ")")
            .script((lab, trace) ->
            {
                if (!lab.hasLogin())
                {
                    trace.skip("the server wants no login");
                    return;
                }
                final Conversation client = lab.ready(profile, trace);
                client.say(client.requests().authResponse(2, lab.loginToken()));
                client.hear().probe();
            });
        if (profile.isSegmented())
        {
            large(profile);
        }
        else if (profile.compression() == Compression.LZ4)
        {
            check("body-claims-2-GiB", profile).from("D6")
                .expect("one ERROR 000a on stream 2; then login works, or closed",
                    "AUTHENTICATE@1 ERROR-000a@2 (AUTH_SUCCESS@3|" + CLOSE + ")")
                .stock("AUTHENTICATE@1 (ERROR-0000@.*|silent)")
                .script((lab, trace) ->
                {
                    final Conversation client = authenticating(lab, trace, profile);
                    if (client != null)
                    {
                        client.sayRaw(Envelope.of(profile.version(), Envelope.COMPRESSED, 2, Opcode.AUTH_RESPONSE,
                            ByteBuilder.fromHex("7fffffff0000")));
                        login(lab, client.hear());
                    }
                });
        }
    }

    private void large(final Profile profile)
    {
        check("message-in-pieces", profile).expect("one ERROR 000a on its stream or 0, then closed",
            "AUTHENTICATE@1 ERROR-(000a|2200)@2 (" + CLOSE + "|AUTH_SUCCESS@3)")
            .stock("AUTHENTICATE@1 ERROR-000a@0 " + CLOSE)
            .script((lab, trace) ->
            {
                final Conversation client = authenticating(lab, trace, profile);
                if (client != null)
                {
                    final byte[] envelope = client.requests().queryOfLength(2, 200_000);
                    client.sayRaw(ByteBuilder.join(client.piece(Arrays.copyOf(envelope, 100_000)),
                        client.piece(Arrays.copyOfRange(envelope, 100_000, 200_000))));
                    login(lab, client.hear());
                }
            });
        check("unframed-token", profile).from("case 25")
            .expect("one ERROR 000a on stream 0, then closed",
                "AUTHENTICATE@1 ERROR-000a@0 " + CLOSE)
            .script((lab, trace) ->
            {
                final Conversation client = authenticating(lab, trace, profile);
                if (client != null)
                {
                    client.sayRaw(client.requests().authResponse(2, lab.loginToken()));
                    client.hearEnd();
                }
            });
    }

    @FunctionalInterface
    private interface Token
    {
        byte[] of(Lab lab);
    }

    /** The login fails on its stream; a right one afterwards works, or the connection is closed. */
    private void refused(final String name,
        final String source,
        final Profile profile,
        final String error,
        final String stock,
        final Token token)
    {
        check(name, profile).from(source)
            .expect("one ERROR on stream 2; then a right login works, or closed",
                "AUTHENTICATE@1 " + error + " (AUTH_SUCCESS@3|" + CLOSE + ")")
            .stock("AUTHENTICATE@1 " + stock)
            .script((lab, trace) ->
            {
                final Conversation client = authenticating(lab, trace, profile);
                if (client != null)
                {
                    client.say(client.requests().authResponse(2, token.of(lab)));
                    login(lab, client.hear());
                }
            });
    }

    private void tooEarly(final String name, final Profile profile, final byte[] request)
    {
        check("early-" + name, profile).expect("one ERROR 000a on stream 2; then a right login works, or closed",
            "AUTHENTICATE@1 ERROR-000a@2 (AUTH_SUCCESS@3|" + CLOSE + ")")
            .stock("AUTHENTICATE@1 (ERROR-0000@.*|silent)")
            .script((lab, trace) ->
            {
                final Conversation client = authenticating(lab, trace, profile);
                if (client != null)
                {
                    client.say(request);
                    login(lab, client.hear());
                }
            });
    }

    private static void login(final Lab lab, final Conversation client)
    {
        client.say(client.requests().authResponse(3, lab.loginToken()));
        client.hear();
    }

    /** Null if there is nothing to log in to. */
    private static Conversation authenticating(final Lab lab, final Trace trace, final Profile profile) throws Exception
    {
        if (!lab.hasLogin())
        {
            trace.skip("the server wants no login");
            return null;
        }
        final Conversation client = lab.connect(profile, trace);
        client.sayRaw(client.requests().startup(1, profile.compression()));
        client.agree();
        client.hear();
        client.switchFraming();
        return client;
    }
}
