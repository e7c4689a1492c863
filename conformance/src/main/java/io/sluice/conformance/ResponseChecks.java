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

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;

/** What answers look like, small and large. Every answer of every check is taken apart to its last byte anyway. */
final class ResponseChecks extends CheckGroup
{
    ResponseChecks(final Consumer<Check> sink)
    {
        super("responses", sink);
    }

    void add(final Profile profile)
    {
        shapes(profile);
        errors(profile);
        blobs(profile);
    }

    private void shapes(final Profile profile)
    {
        check("supported", profile)
            .expect("PROTOCOL_VERSIONS, COMPRESSION and CQL_VERSION, this version and compression among them",
                "SUPPORTED@3 CQL_VERSION COMPRESSION PROTOCOL_VERSIONS offers-this")
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                client.say(client.requests().options(3));
                final TreeMap<String, List<String>> supported = new TreeMap<>(client.hear().last().supported());
                for (final String key : List.of("CQL_VERSION", "COMPRESSION", "PROTOCOL_VERSIONS"))
                {
                    trace.add(supported.containsKey(key) ? key : "no-" + key);
                }
                final String version = profile.version() + "/v" + profile.version();
                final boolean offered = supported.getOrDefault("PROTOCOL_VERSIONS", List.of()).contains(version) &&
                    (profile.compression() == Compression.NONE ||
                        supported.getOrDefault("COMPRESSION", List.of()).contains(profile.compression().wireName()));
                trace.add(offered ? "offers-this" : "does-not-offer-this " + supported);
            });
        check("set-keyspace", profile).expect("the keyspace's name", "SET_KEYSPACE@1 system ROWS@2")
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                client.say(client.requests().query(1, "USE system"));
                client.hear();
                trace.add(String.join(" ", client.last().words()));
                client.say(client.requests().query(2, "SELECT key FROM local"));
                client.hear();
            });
        check("schema-change", profile).expect("change, target, keyspace and name",
            "SCHEMA_CHANGE@1 CREATED TABLE " + Lab.KEYSPACE + " shape\\d+").script((lab, trace) ->
            {
                lab.needSchema(profile);
                final Conversation client = lab.ready(profile, trace);
                client.say(client.requests()
                    .query(1,
                        "CREATE TABLE " + Lab.KEYSPACE + ".shape" + lab.freshKey() + " (k int PRIMARY KEY)"));
                client.hear(Math.max(lab.timeoutMillis(), 15_000));
                trace.add(String.join(" ", client.last().words()));
            });
        check("rows", profile).expect("names, null, empty and text", "ROWS@2 k,v 1:null 2:empty 3:63")
            .script((lab, trace) ->
            {
                lab.needSchema(profile);
                final Conversation client = lab.ready(profile, trace);
                final int first = lab.freshKey();
                final int second = lab.freshKey();
                final int third = lab.freshKey();
                final String insert = "INSERT INTO " + QueryChecks.TABLE + " (k, v) VALUES (";
                client.say(client.requests().query(1, insert + first + ", null)"));
                client.say(client.requests().query(1, insert + second + ", '')"));
                client.say(client.requests().query(1, insert + third + ", 'c')"));
                client.heard(3);
                client.say(client.requests()
                    .query(2,
                        "SELECT k, v FROM " + QueryChecks.TABLE + " WHERE k IN (" + first + "," + second + "," + third +
                            ")"));
                final Answer answer = client.hear().last();
                trace.add(String.join(",", answer.columnNames()));
                final TreeMap<Integer, byte[]> cells = new TreeMap<>();
                answer.rows().forEach(row -> cells.put(new ByteParser(row.get(0)).int32() - first + 1, row.get(1)));
                cells.forEach((key, cell) -> trace
                    .add(key + ":" + (cell == null ? "null" : cell.length == 0 ? "empty" : Segments.hex(cell))));
            });
        check("every-type", profile).expect("schema tables, with collections and all, parse to the last byte",
            "ROWS@1 ROWS@2 ROWS@3 ROWS@4").script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                client.say(client.requests().query(1, "SELECT * FROM system_schema.tables"));
                client.hear();
                client.say(client.requests().query(2, "SELECT * FROM system_schema.columns"));
                client.hear();
                client.say(client.requests().query(3, "SELECT * FROM system.local"));
                client.hear();
                client.say(client.requests().query(4, "SELECT * FROM system_schema.keyspaces"));
                client.hear();
            });
    }

    private void errors(final Profile profile)
    {
        final Requests requests = new Requests(profile.version());
        error("syntax", profile, requests.query(1, "SELEKT 1"), "2000", "");
        error("invalid", profile, requests.query(1, "SELECT nothing FROM system.local"), "2200", "");
        check("error-already-exists", profile).expect("ERROR 2400 with keyspace and table",
            "ERROR-2400@1 " + Lab.KEYSPACE + " t " + SERVES).script((lab, trace) ->
            {
                lab.needSchema(profile);
                error(lab, trace, profile,
                    requests.query(1, "CREATE TABLE " + Lab.KEYSPACE + ".t (k int PRIMARY KEY)"));
            });
        check("error-unavailable", profile).expect("ERROR 1000 with consistency, required and alive",
            "ERROR-1000@1 3 3 1 " + SERVES + "|ERROR-1000@1 3 2 1 " + SERVES).script((lab, trace) ->
            {
                lab.needSchema(profile);
                error(lab, trace, profile, requests.query(1, "SELECT v FROM " + QueryChecks.TABLE + " WHERE k = 0",
                    new Parameters().consistency(3)));
            });
        check("error-text-of-70000-characters", profile).from("D15")
            .expect("the text is cut to what a [string] can hold", "ERROR-(2000|2200)@1 long-text " + SERVES)
            .stock("garbled\\(\\d+ bytes behind the end of the body\\)")
            .script((lab, trace) -> longText(lab, trace, profile, 70_000));
        check("error-text-of-40000-characters", profile).from("D15")
            .expect("sent, whole or cut",
                "ERROR-(2000|2200)@1 long-text " + SERVES)
            .script((lab, trace) -> longText(lab, trace, profile, 40_000));
    }

    private void error(final String name,
        final Profile profile,
        final byte[] request,
        final String code,
        final String words)
    {
        check("error-" + name, profile).expect("ERROR " + code, "ERROR-" + code + "@1 " + words + SERVES)
            .script((lab, trace) -> error(lab, trace, profile, request));
    }

    private static void error(final Lab lab, final Trace trace, final Profile profile, final byte[] request)
        throws Exception
    {
        final Conversation client = lab.ready(profile, trace);
        client.say(request);
        client.hear();
        if (!client.isOver())
        {
            client.last().words().forEach(trace::add);
        }
        client.probe();
    }

    private static void longText(final Lab lab, final Trace trace, final Profile profile, final int length)
        throws Exception
    {
        final Conversation client = lab.ready(profile, trace);
        client.say(client.requests().query(1, "SELECT * FROM \"" + "x".repeat(length) + "\".t"));
        client.hear();
        if (!client.isOver())
        {
            trace.add(client.last().text().length() > 100 ? "long-text" : "short-text");
        }
        client.probe();
    }

    private void blobs(final Profile profile)
    {
        for (final int length : List.of(0, 1, 100, 10_000, 1 << 20))
        {
            blob("blob-of-" + length, profile, length, length, false);
        }
        blob("blob-of-1048576-zeros", profile, 1 << 20, 1 << 20, true);
        blob("blobs-round-131060", profile, 130_990, 131_076, false);
        blob("blobs-round-131060-of-zeros", profile, 130_990, 131_076, true);
    }

    /** Up and down again, at every length of the range: answers of every size near a segment's limits. */
    private void blob(final String name, final Profile profile, final int from, final int to, final boolean zeros)
    {
        check(name, profile).from(from == to ? "" : "case 1, D2")
            .expect("comes back as it went",
                (to - from + 1) + "x\\(VOID@1 same\\) " + SERVES)
            .script((lab, trace) ->
            {
                lab.needSchema(profile);
                final Conversation client = lab.ready(profile, trace);
                final int key = lab.freshKey();
                final Tally tally = new Tally();
                final Random random = new Random(from);
                for (int length = from; length <= to && !client.isOver(); length++)
                {
                    final byte[] blob = new byte[length];
                    if (!zeros)
                    {
                        random.nextBytes(blob);
                    }
                    client.say(client.requests()
                        .query(1, "INSERT INTO " + Lab.KEYSPACE + ".blobs (k, b) VALUES (?, ?)",
                            new Parameters().values(Parameters.intValue(key), Parameters.value(blob))));
                    final String stored = client.heard(1);
                    client.say(client.requests().query(2, "SELECT b FROM " + Lab.KEYSPACE + ".blobs WHERE k = " + key));
                    final Answer answer = client.listen(lab.timeoutMillis());
                    final boolean same = answer != null && answer.rows().size() == 1 &&
                        Arrays.equals(blob, answer.rows().get(0).get(0));
                    tally.add(stored + (same ? " same" : answer == null ? " no-answer" : " other " + answer.name()));
                }
                tally.writeTo(trace);
                client.probe();
            });
    }
}
