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
import static io.sluice.conformance.CheckBuilder.SERVES_OR_CLOSES;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** The way to READY: OPTIONS, STARTUP in all its shapes, what may come too early or too soon behind it. */
final class HandshakeChecks extends CheckGroup
{
    HandshakeChecks(final Consumer<Check> sink)
    {
        super("handshake", sink);
    }

    /** @param firstOfVersion what comes before compression matters is asked once per version */
    void add(final Profile profile, final boolean firstOfVersion)
    {
        if (firstOfVersion)
        {
            options(profile);
            refusals(profile);
            tooEarly(profile);
        }
        startup(profile);
        bytesBehind(profile);
        late(profile);
    }

    private void options(final Profile profile)
    {
        check("options-first", profile).from("case 17")
            .expect("SUPPORTED on each stream, any number of times", "SUPPORTED@32767 SUPPORTED@0 SUPPORTED@1")
            .script((lab, trace) ->
            {
                final Conversation client = lab.connect(profile, trace);
                for (final int stream : List.of(32767, 0, 1))
                {
                    client.sayRaw(client.requests().options(stream));
                    client.hear();
                }
            });
        check("options-and-startup-in-one-write", profile)
            .expect("SUPPORTED, then READY or AUTHENTICATE", "SUPPORTED@3 (READY|AUTHENTICATE)@4")
            .script((lab, trace) ->
            {
                final Conversation client = lab.connect(profile, trace);
                client.sayRaw(ByteBuilder.join(client.requests().options(3),
                    client.requests().startup(4, profile.compression())));
                client.agree();
                client.hear().hear();
            });
        check("options-of-another-version-first", profile)
            .expect("OPTIONS fixes no version: SUPPORTED in the version asked, then READY or AUTHENTICATE",
                "SUPPORTED:v\\d@3 (READY|AUTHENTICATE)@4")
            .script((lab, trace) ->
            {
                final Conversation client = lab.connect(profile, trace);
                client.sayRaw(new Requests(profile.version() == 4 ? 3 : 4).options(3));
                client.hear();
                client.sayRaw(client.requests().startup(4, profile.compression()));
                client.agree();
                client.hear();
            });
    }

    private void startup(final Profile profile)
    {
        check("startup", profile).expect("READY with an empty body, or login; then requests are served",
            "(READY|AUTH_SUCCESS)@\\d+ SUPPORTED@101 SUPPORTED@102").script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                trace.add(client.last().token(profile.version()));
                client.probe();
            });
        accepted("startup-with-lower-case-keys", profile,
            lowerCaseKeys(Requests.startupOptions(profile.compression())));
        final Map<String, String> upperCaseValue = Requests.startupOptions(profile.compression());
        upperCaseValue.computeIfPresent("COMPRESSION", (key, value) -> value.toUpperCase(Locale.ROOT));
        accepted("startup-with-upper-case-compression", profile, upperCaseValue);
        final Map<String, String> manyKeys = Requests.startupOptions(profile.compression());
        manyKeys.put("THROW_ON_OVERLOAD", "1");
        manyKeys.put("CLIENT_ID", "a key that nobody knows");
        manyKeys.put("EMPTY", "");
        accepted("startup-with-other-keys", profile, manyKeys);
        check("startup-byte-by-byte", profile)
            .expect("READY or AUTHENTICATE, however the bytes arrive", "(READY|AUTHENTICATE)@9")
            .script((lab, trace) ->
            {
                final Conversation client = lab.connect(profile, trace);
                final byte[] startup = client.requests().startup(9, profile.compression());
                for (int i = 0; i < startup.length; i++)
                {
                    client.sayRaw(startup, i, i + 1);
                }
                client.agree();
                client.hear();
            });
        check("startup-with-beta-flag", profile)
            .expect("the flag means nothing in a released version", "(READY|AUTHENTICATE)@9")
            .script((lab, trace) ->
            {
                final Conversation client = lab.connect(profile, trace);
                client.sayRaw(client.requests()
                    .envelope(9, Opcode.STARTUP, Envelope.USE_BETA,
                        new ByteBuilder().stringMap(Requests.startupOptions(profile.compression())).toBytes()));
                client.agree();
                client.hear();
            });
        check("startup-with-trailing-bytes", profile).expect("ignored: READY or AUTHENTICATE", "(READY|AUTHENTICATE)@9")
            .script((lab, trace) ->
            {
                final Conversation client = lab.connect(profile, trace);
                client.sayRaw(client.requests()
                    .envelope(9, Opcode.STARTUP, new ByteBuilder()
                        .stringMap(Requests.startupOptions(profile.compression()))
                        .hex("0badcafe")
                        .toBytes()));
                client.agree();
                client.hear();
            });
    }

    private void accepted(final String name, final Profile profile, final Map<String, String> options)
    {
        check(name, profile).expect("READY or AUTHENTICATE", "(READY|AUTHENTICATE)@9").script((lab, trace) ->
        {
            final Conversation client = lab.connect(profile, trace);
            client.sayRaw(client.requests().startup(9, options));
            client.agree();
            client.hear();
        });
    }

    /** After a refusal the connection stays unframed, whatever was wrong, and a right STARTUP works. */
    private void refusals(final Profile profile)
    {
        final Map<String, String> noVersion = Requests.startupOptions(profile.compression());
        noVersion.remove("CQL_VERSION");
        refused("startup-without-cql-version", "case 17, D4", profile, noVersion, true);
        refused("startup-with-cql-version-2", "D4", profile, with(profile, "CQL_VERSION", "2.0.0"), true);
        refused("startup-with-garbled-cql-version", "D4", profile, with(profile, "CQL_VERSION", "three"), true);
        refused("startup-with-unknown-compression", "D4", profile, with(profile, "COMPRESSION", "zstd"), false);
        refused("startup-with-empty-compression", "D4", profile, with(profile, "COMPRESSION", ""), false);
        if (profile.version() >= 5)
        {
            refused("startup-with-snappy", "D4", profile, with(profile, "COMPRESSION", "snappy"), false);
        }
        check("startup-of-lies", profile)
            .expect("one ERROR 000a on stream 9; then STARTUP works or the connection closes",
                "ERROR-000a@9 ((READY|AUTHENTICATE)@10|" + CLOSE + ")")
            .stock("ERROR-000a@0 (READY|AUTHENTICATE)@10")
            .script((lab, trace) ->
            {
                final Conversation client = lab.connect(profile, trace);
                client.sayRaw(client.requests().envelope(9, Opcode.STARTUP, ByteBuilder.fromHex("ffff")));
                client.hear();
                client.sayRaw(client.requests().startup(10, profile.compression()));
                client.agree();
                client.hear();
            });
    }

    private void refused(final String name,
        final String source,
        final Profile profile,
        final Map<String, String> options,
        final boolean stockSwitches)
    {
        final CheckBuilder check = check(name, profile).from(source)
            .expect(
                "unframed ERROR 000a on stream 77; a second, plain STARTUP on stream 78 works",
                "ERROR-000a@77 (READY|AUTHENTICATE)@78 SUPPORTED@79");
        if (profile.isSegmented() && stockSwitches)
        {
            check.stock("ERROR-000a@77 garbled\\(version byte.*");
        }
        check.script((lab, trace) ->
        {
            final Conversation client = lab.connect(profile, trace);
            client.sayRaw(client.requests().startup(77, options));
            client.hear();
            client.sayRaw(client.requests().startup(78, profile.compression()));
            client.agree();
            client.hear();
            if (!client.isOver())
            {
                client.switchFraming();
                finish(lab, client);
            }
        });
    }

    /** Logs in if need be, silently, then asks for OPTIONS on stream 79. */
    private static void finish(final Lab lab, final Conversation client)
    {
        if ("AUTHENTICATE".equals(client.last().name()))
        {
            client.say(client.requests().authResponse(2, lab.loginToken()));
            client.listen(lab.timeoutMillis());
        }
        client.say(client.requests().options(79));
        client.hear();
    }

    private void bytesBehind(final Profile profile)
    {
        check("request-behind-startup-in-one-write", profile).from("D5")
            .expect("READY, then the request that was behind it is answered", "READY@9 SUPPORTED@10")
            .stock("READY@9 silent")
            .script((lab, trace) ->
            {
                if (loginWanted(lab, trace))
                {
                    return;
                }
                final Conversation client = lab.connect(profile, trace);
                client.sayRaw(ByteBuilder.join(client.requests().startup(9, profile.compression()),
                    early(client, client.requests().options(10))));
                client.agree();
                client.hear();
                client.switchFraming();
                client.hear();
            });
        if (profile.isSegmented())
        {
            check("half-a-segment-behind-startup", profile).from("D5")
                .expect("READY; the segment is answered when its rest has come", "READY@9 SUPPORTED@10")
                .stock("READY@9 (silent|ERROR-.*|closed|reset)")
                .script((lab, trace) ->
                {
                    if (loginWanted(lab, trace))
                    {
                        return;
                    }
                    final Conversation client = lab.connect(profile, trace);
                    final byte[] segment = early(client, client.requests().options(10));
                    client.sayRaw(ByteBuilder.join(client.requests().startup(9, profile.compression()),
                        Arrays.copyOf(segment, 7)));
                    client.hear();
                    client.switchFraming();
                    client.sayRaw(segment, 7, segment.length);
                    client.hear();
                });
        }
        final CheckBuilder refusedBehind = check("options-behind-a-refused-startup", profile).from("D5, D4")
            .expect("ERROR on stream 9, then the plain OPTIONS behind it is answered plainly",
                "ERROR-000a@9 SUPPORTED@10");
        if (!profile.isSegmented())
        {
            refusedBehind.stock("ERROR-000a@9 silent");
        }
        refusedBehind.script((lab, trace) ->
        {
            final Conversation client = lab.connect(profile, trace);
            client.sayRaw(ByteBuilder.join(client.requests().startup(9, with(profile, "COMPRESSION", "zstd")),
                client.requests().options(10)));
            client.hear().hear();
        });
    }

    private void tooEarly(final Profile profile)
    {
        final Requests requests = new Requests(profile.version());
        early("query", "case 17", profile, requests.query(21, "SELECT 1"));
        early("prepare", "case 17", profile, requests.prepare(21, Requests.CHEAP_QUERY));
        early("execute", "case 17", profile, requests.execute(21, new byte[16], new byte[16], new Parameters()));
        early("batch", "case 17", profile, requests.batch(21, 1, List.of()));
        early("register", "case 17", profile, requests.register(21, "SCHEMA_CHANGE"));
        early("auth-response", "case 17", profile, requests.authResponse(21, new byte[1]));
        early("value-that-claims-2-GiB", "case 27, D6", profile, requests.query(21, "x",
            new Parameters().values(Parameters.bareLength(Integer.MAX_VALUE))));
        early("unknown-opcode", "case 13", profile, requests.envelope(21, 0x7f, new byte[0]));
        early("response-opcode", "case 13", profile, requests.envelope(21, Opcode.READY, new byte[0]));
        check("first-message-claims-15-MiB", profile).from("case 23")
            .expect("refused at the header: one ERROR on stream 21, or closed at once",
                "(ERROR-(000a|2200)@21 )?" + CLOSE + "|ERROR-(000a|2200)@21 silent")
            .stock("silent")
            .script((lab, trace) ->
            {
                final Conversation client = lab.connect(profile, trace);
                client.sayRaw(Envelope.claiming(profile.version(), 0, 21, Opcode.STARTUP, 15 << 20, new byte[1024]));
                client.hear().hear(lab.timeoutMillis() / 4);
            });
    }

    /** Nothing but OPTIONS and STARTUP may come before READY. */
    private void early(final String name, final String source, final Profile profile, final byte[] request)
    {
        check("early-" + name, profile).from(source)
            .expect("one ERROR 000a on stream 21; then closes, or STARTUP still works",
                "ERROR-000a@21 ((READY|AUTHENTICATE)@22|" + CLOSE + ")")
            .stock("ERROR-000a@0 (READY|AUTHENTICATE)@22|ERROR-000a(:v5)?@21 ERROR-000a(:v5)?@21")
            .script((lab, trace) ->
            {
                final Conversation client = lab.connect(profile, trace);
                client.sayRaw(request);
                client.hear();
                client.sayRaw(client.requests().startup(22, profile.compression()));
                client.agree();
                client.hear();
            });
    }

    private void late(final Profile profile)
    {
        check("second-startup", profile).from("case 17").expectOneError(5).script((lab, trace) ->
        {
            final Conversation client = lab.ready(profile, trace);
            client.say(client.requests().startup(5, profile.compression()));
            client.hear().probe();
        });
        check("options-after-ready", profile).expect("SUPPORTED", CheckBuilder.SERVES)
            .script((lab, trace) -> lab.ready(profile, trace).probe());
        check("negative-stream-id", profile)
            .expect("answered on the stream it came on, or refused there",
                "(SUPPORTED|ERROR-000a)@-5 " + SERVES_OR_CLOSES)
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                client.say(client.requests().options(-5));
                client.hear().probe();
            });
    }

    static boolean loginWanted(final Lab lab, final Trace trace)
    {
        if (lab.hasLogin())
        {
            trace.skip("the server wants a login");
        }
        return lab.hasLogin();
    }

    /** A request as it will be carried once READY is through. */
    private static byte[] early(final Conversation client, final byte[] request)
    {
        return client.profile().isSegmented() ? client.segment(request) : request;
    }

    private static Map<String, String> with(final Profile profile, final String key, final String value)
    {
        final Map<String, String> options = Requests.startupOptions(profile.compression());
        options.put(key, value);
        return options;
    }

    private static Map<String, String> lowerCaseKeys(final Map<String, String> options)
    {
        final Map<String, String> lower = new LinkedHashMap<>();
        options.forEach((key, value) -> lower.put(key.toLowerCase(Locale.ROOT), value));
        return lower;
    }
}
