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
import static io.sluice.conformance.CheckBuilder.SERVES_OR_CLOSES;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What may stand in front of a body: custom payload of a request, tracing id and warnings of an answer. */
final class PrefixChecks extends CheckGroup
{
    PrefixChecks(final Consumer<Check> sink)
    {
        super("prefix", sink);
    }

    void add(final Profile profile)
    {
        if (profile.version() >= 4)
        {
            payloads(profile);
            warnings(profile);
        }
        else
        {
            check("payload-in-v3", profile).from("case 31")
                .expectOneError(7)
                .stock("ERROR-000a@7 ERROR-.*|ERROR-000a@0 .*")
                .script(say(profile, withPayload(profile, 7, Opcode.QUERY,
                    Map.of("k", new byte[2]), query(profile))));
            check("no-warnings-in-v3", profile).from("case 33")
                .expect("an answer without the flag", "VOID@3 0-warnings")
                .script((lab, trace) -> warn(lab, trace, profile));
        }
        tracing(profile);
    }

    private void payloads(final Profile profile)
    {
        final Map<String, byte[]> hundred = new LinkedHashMap<>();
        for (int i = 0; i < 100; i++)
        {
            hundred.put("key " + i, new byte[i]);
        }
        final Map<String, byte[]> nothing = new LinkedHashMap<>();
        nothing.put("null", null);
        payload("of-one-entry", profile, Map.of("k", ByteBuilder.fromHex("cafe")));
        payload("of-no-entries", profile, Map.of());
        payload("of-100-entries", profile, hundred);
        payload("with-a-null-value", profile, nothing);
        payload("with-a-value-of-1-MiB", profile, Map.of("big", new byte[1 << 20]));
        final Requests requests = new Requests(profile.version());
        check("payload-on-prepare", profile).from("case 31")
            .expect("as without it", "PREPARED@1 " + SERVES)
            .script(say(profile, withPayload(profile, 1, Opcode.PREPARE, Map.of("k", new byte[2]),
                requests.prepareBody(Requests.CHEAP_QUERY))));
        check("payload-on-execute", profile).from("case 31")
            .expect("as without it", "ROWS@1 " + SERVES)
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                final Answer prepared = ValueChecks.prepare(lab, client, Requests.CHEAP_QUERY);
                client.say(withPayload(profile, 1, Opcode.EXECUTE, Map.of("k", new byte[2]),
                    requests.executeBody(prepared.preparedId(), prepared.metadataId(), new Parameters())));
                client.hear().probe();
            });
        check("payload-on-batch", profile).from("case 31")
            .expect("as without it", "VOID@1 " + SERVES)
            .script(say(profile, withPayload(profile, 1, Opcode.BATCH, Map.of("k", new byte[2]),
                requests.batchBody(1, List.of(), new Parameters()))));
    }

    private void payload(final String name, final Profile profile, final Map<String, byte[]> payload)
    {
        check("payload-" + name, profile).from("case 31")
            .expect("as without it", "ROWS@1 " + SERVES)
            .script(say(profile, withPayload(profile, 1, Opcode.QUERY, payload, query(profile))));
    }

    private void warnings(final Profile profile)
    {
        check("warnings", profile).from("case 33")
            .expect("a batch over many partitions is warned of", "VOID@3 [1-9]-warnings")
            .script((lab, trace) -> warn(lab, trace, profile));
        check("warnings-stay-with-their-request", profile).from("case 33")
            .expect("the next requests have none, in this version and in v3",
                "VOID@3 [1-9]-warnings( ROWS@\\d 0-warnings){8}")
            .script((lab, trace) ->
            {
                warn(lab, trace, profile);
                for (final Profile next : List.of(profile, new Profile(3, Compression.NONE)))
                {
                    final Conversation client = lab.ready(next, trace);
                    for (int i = 1; i <= 4; i++)
                    {
                        client.say(client.requests().query(i, Requests.CHEAP_QUERY));
                        client.hear();
                        trace.add(client.last().warnings().size() + "-warnings");
                    }
                }
            });
    }

    /** An unlogged batch over more partitions than the server likes, 10 if it is as it comes. */
    private static void warn(final Lab lab, final Trace trace, final Profile profile) throws Exception
    {
        final Conversation client = lab.ready(profile, trace);
        lab.needSchema(profile);
        final List<byte[]> statements = new ArrayList<>();
        for (int i = 0; i < 30; i++)
        {
            statements.add(Requests.textInBatch(
                "INSERT INTO " + QueryChecks.TABLE + " (k, v) VALUES (" + lab.freshKey() + ", '" + "x".repeat(300) +
                    "')"));
        }
        client.say(client.requests().batch(3, 1, statements));
        client.hear();
        trace.add(client.last().warnings().size() + "-warnings");
    }

    private void tracing(final Profile profile)
    {
        final Requests requests = new Requests(profile.version());
        traced("query", profile, Opcode.QUERY, query(profile), "ROWS");
        traced("prepare", profile, Opcode.PREPARE, requests.prepareBody(Requests.CHEAP_QUERY), "PREPARED");
        traced("batch", profile, Opcode.BATCH, requests.batchBody(1, List.of(), new Parameters()), "VOID");
        check("tracing-of-execute", profile).expect("the answer has a tracing id", "ROWS@1 id=16")
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                final Answer prepared = ValueChecks.prepare(lab, client, Requests.CHEAP_QUERY);
                client.say(requests.envelope(1, Opcode.EXECUTE, Envelope.TRACING,
                    requests.executeBody(prepared.preparedId(), prepared.metadataId(), new Parameters())));
                client.hear();
                trace.add("id=" + client.last().tracingId().length);
            });
        check("tracing-of-an-error", profile)
            .expect("one ERROR, with or without a tracing id", "ERROR-2000@1 id=(0|16)")
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                client.say(requests.envelope(1, Opcode.QUERY, Envelope.TRACING,
                    requests.queryBody("SELEKT", new Parameters())));
                client.hear();
                trace.add("id=" + client.last().tracingId().length);
            });
        check("no-tracing-unasked", profile).expect("no tracing id", "ROWS@1 id=0 " + SERVES_OR_CLOSES)
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                client.say(requests.query(1, Requests.CHEAP_QUERY));
                client.hear();
                trace.add("id=" + client.last().tracingId().length);
                client.probe();
            });
    }

    private void traced(final String name,
        final Profile profile,
        final int opcode,
        final byte[] body,
        final String answer)
    {
        check("tracing-of-" + name, profile).expect("the answer has a tracing id", answer + "@1 id=16")
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                client.say(client.requests().envelope(1, opcode, Envelope.TRACING, body));
                client.hear();
                trace.add("id=" + client.last().tracingId().length);
            });
    }

    private static byte[] query(final Profile profile)
    {
        return new Requests(profile.version()).queryBody(Requests.CHEAP_QUERY, new Parameters());
    }

    private static byte[] withPayload(final Profile profile,
        final int stream,
        final int opcode,
        final Map<String, byte[]> payload,
        final byte[] body)
    {
        return new Requests(profile.version()).envelope(stream, opcode, Envelope.CUSTOM_PAYLOAD,
            new ByteBuilder().bytesMap(payload).raw(body).toBytes());
    }
}
