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
import static io.sluice.conformance.Parameters.intValue;
import static io.sluice.conformance.Parameters.named;
import static io.sluice.conformance.Parameters.textValue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;

/** Every field of QUERY, and what it does. */
final class QueryChecks extends CheckGroup
{
    static final String TABLE = Lab.KEYSPACE + ".t";

    private static final String ROWS = "ROWS@1 " + SERVES;

    QueryChecks(final Consumer<Check> sink)
    {
        super("query", sink);
    }

    void add(final Profile profile)
    {
        values(profile);
        paging(profile);
        consistency(profile);
        time(profile);
        flags(profile);
        text(profile);
    }

    private void values(final Profile profile)
    {
        check("positional-values", profile).expect("stored and read back", "VOID@1 ROWS@2 76").script((lab, trace) ->
        {
            final Conversation client = lab.ready(profile, trace);
            lab.needSchema(profile);
            final int key = lab.freshKey();
            client.say(client.requests()
                .query(1, "INSERT INTO " + TABLE + " (k, v) VALUES (?, ?)",
                    new Parameters().values(intValue(key), textValue("v"))));
            client.hear();
            readBack(client, key);
        });
        check("named-values-in-another-order", profile).expect("each goes to its own column", "VOID@1 ROWS@2 76")
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                lab.needSchema(profile);
                final int key = lab.freshKey();
                client.say(client.requests()
                    .query(1, "INSERT INTO " + TABLE + " (k, v) VALUES (:a, :b)",
                        new Parameters().flag(Parameters.NAMES)
                            .values(named("b", textValue("v")), named("a", intValue(key)))));
                client.hear();
                readBack(client, key);
            });
        check("too-few-values", profile).expect("one ERROR 2200", "ERROR-(2200|000a)@1 " + SERVES)
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                lab.needSchema(profile);
                client.say(client.requests()
                    .query(1, "INSERT INTO " + TABLE + " (k, v) VALUES (?, ?)",
                        new Parameters().values(intValue(1))));
                client.hear().probe();
            });
        check("value-of-the-wrong-size", profile).expect("one ERROR 2200", "ERROR-2200@1 " + SERVES)
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                lab.needSchema(profile);
                client.say(client.requests()
                    .query(1, "INSERT INTO " + TABLE + " (k, v) VALUES (?, 'v')",
                        new Parameters().values(textValue("seven b"))));
                client.hear().probe();
            });
        check("names-flag-without-values", profile).expect("means nothing alone", ROWS)
            .script((lab, trace) -> query(lab,
                trace, profile, Requests.CHEAP_QUERY, new Parameters().flag(Parameters.NAMES)));
    }

    private void paging(final Profile profile)
    {
        check("pages-of-2", profile).expect("five rows in three pages, each once", "2\\+ 2\\+ 1 rows 0 1 2 3 4")
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                lab.needSchema(profile);
                final int key = lab.freshKey();
                final StringBuilder rows = fillWide(client, key, 5);
                byte[] state = null;
                for (int page = 0; page < 5; page++)
                {
                    final Parameters parameters = new Parameters().pageSize(2);
                    client.say(client.requests()
                        .query(1, "SELECT c FROM " + Lab.KEYSPACE + ".wide WHERE k = " + key,
                            state == null ? parameters : parameters.pagingState(Parameters.value(state))));
                    final Answer answer = client.listen(lab.timeoutMillis());
                    if (answer == null || !"ROWS".equals(answer.name()))
                    {
                        trace.add(answer == null ? "no-answer" : answer.token(profile.version()));
                        return;
                    }
                    state = answer.pagingState();
                    trace.add(answer.rows().size() + (state == null ? "" : "+"));
                    answer.rows().forEach(row -> rows.append(' ').append(row.get(0)[3]));
                    if (state == null)
                    {
                        break;
                    }
                }
                trace.add("rows" + rows);
            });
        check("page-size-0", profile).expect("one ERROR 000a", "ERROR-000a@7 " + SERVES_OR_CLOSES)
            .script(say(profile,
                new Requests(profile.version()).query(7, Requests.CHEAP_QUERY, new Parameters().pageSize(0))));
        check("page-size-negative", profile).expect("all rows, unpaged", ROWS)
            .script((lab, trace) -> query(lab, trace,
                profile, Requests.CHEAP_QUERY, new Parameters().pageSize(-1)));
        check("paging-state-null", profile).expect("the first page", ROWS)
            .script((lab, trace) -> query(lab, trace, profile,
                Requests.CHEAP_QUERY, new Parameters().pageSize(10).pagingState(Parameters.bareLength(-1))));
        check("paging-state-of-junk", profile).expect("one ERROR 000a or 2200", "ERROR-(000a|2200)@1 " + SERVES)
            .script((lab, trace) -> query(lab, trace, profile, Requests.CHEAP_QUERY,
                new Parameters().pageSize(10).pagingState(Parameters.textValue("this is no paging state"))));
    }

    private void consistency(final Profile profile)
    {
        check("every-consistency", profile)
            .expect("codes 0 to 10 are known: rows, or an error about the query",
                "0:(ROWS|ERROR-2200) 1:ROWS( [2-7]:(ROWS|ERROR-1000)){6}( [89]:(ROWS|ERROR-2200)){2} 10:ROWS")
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                lab.needSchema(profile);
                for (int code = 0; code <= 10; code++)
                {
                    client.say(client.requests()
                        .query(1, "SELECT v FROM " + TABLE + " WHERE k = 0",
                            new Parameters().consistency(code)));
                    final Answer answer = client.listen(lab.timeoutMillis());
                    trace.add(code + ":" + (answer == null ? "silent" : answer.name()));
                }
            });
        check("consistency-11", profile).expect("a code of one server alone: refused as unknown, or as not allowed",
            "ERROR-(000a|2200)@7 " + SERVES_OR_CLOSES)
            .script(say(profile,
                new Requests(profile.version()).query(7, Requests.CHEAP_QUERY, new Parameters().consistency(11))));
        for (final int code : List.of(12, 0x7fff, 0xffff))
        {
            check("consistency-" + code, profile).expectOneError(7)
                .script(say(profile,
                    new Requests(profile.version()).query(7, Requests.CHEAP_QUERY,
                        new Parameters().consistency(code))));
        }
        check("serial-consistency", profile).expect("a conditional insert is applied", "ROWS@1 01 ROWS@1 00")
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                lab.needSchema(profile);
                final int key = lab.freshKey();
                for (int i = 0; i < 2; i++)
                {
                    client.say(client.requests()
                        .query(1,
                            "INSERT INTO " + TABLE + " (k, v) VALUES (" + key + ", 'x') IF NOT EXISTS",
                            new Parameters().serialConsistency(i == 0 ? Parameters.SERIAL : 9)));
                    client.hear();
                    cell(client);
                }
            });
        check("serial-consistency-that-is-none", profile).expect("one ERROR", "ERROR-(000a|2200)@1 " + SERVES)
            .script((lab, trace) ->
            {
                lab.needSchema(profile);
                query(lab, trace, profile, "INSERT INTO " + TABLE + " (k, v) VALUES (0, 'x') IF NOT EXISTS",
                    new Parameters().serialConsistency(Parameters.ONE));
            });
    }

    private void time(final Profile profile)
    {
        check("timestamp", profile).expect("the write has it", "VOID@1 ROWS@2 0000000000003039").script((lab, trace) ->
        {
            final Conversation client = lab.ready(profile, trace);
            lab.needSchema(profile);
            final int key = lab.freshKey();
            client.say(client.requests()
                .query(1, "INSERT INTO " + TABLE + " (k, v) VALUES (" + key + ", 'x')",
                    new Parameters().timestamp(12345)));
            client.hear();
            client.say(client.requests().query(2, "SELECT writetime(v) FROM " + TABLE + " WHERE k = " + key));
            client.hear();
            cell(client);
        });
        check("timestamp-of-min-long", profile).expectOneError(7)
            .script(say(profile, new Requests(profile.version())
                .query(7, Requests.CHEAP_QUERY, new Parameters().timestamp(Long.MIN_VALUE))));
        check("timestamp-negative", profile).expect("taken, or refused once", "(ROWS|ERROR-000a)@1 " + SERVES_OR_CLOSES)
            .script((lab, trace) -> query(lab, trace, profile, Requests.CHEAP_QUERY, new Parameters().timestamp(-5)));
        if (profile.version() >= 5)
        {
            check("now-in-seconds", profile).expect("a row past its time is not seen", "VOID@1 ROWS@2 78 ROWS@3 no-row")
                .script((lab, trace) ->
                {
                    final Conversation client = lab.ready(profile, trace);
                    lab.needSchema(profile);
                    final int key = lab.freshKey();
                    final String select = "SELECT v FROM " + TABLE + " WHERE k = " + key;
                    client.say(client.requests()
                        .query(1,
                            "INSERT INTO " + TABLE + " (k, v) VALUES (" + key + ", 'x') USING TTL 10000"));
                    client.hear();
                    client.say(client.requests().query(2, select));
                    client.hear();
                    cell(client);
                    client.say(client.requests()
                        .query(3, select,
                            new Parameters().nowInSeconds((int)(System.currentTimeMillis() / 1000) + 50_000)));
                    client.hear();
                    cell(client);
                });
            check("keyspace", profile).expect("the table is found in it", ROWS).script((lab, trace) ->
            {
                lab.needSchema(profile);
                query(lab, trace, profile, "SELECT v FROM t WHERE k = 0", new Parameters().keyspace(Lab.KEYSPACE));
            });
            check("every-field-at-once", profile).expect("read in their order", "VOID@1 ROWS@2 76")
                .script((lab, trace) ->
                {
                    final Conversation client = lab.ready(profile, trace);
                    lab.needSchema(profile);
                    final int key = lab.freshKey();
                    client.say(client.requests()
                        .query(1, "INSERT INTO t (k, v) VALUES (?, ?)",
                            new Parameters().values(intValue(key), textValue("v"))
                                .flag(Parameters.SKIP_METADATA)
                                .pageSize(100)
                                .pagingState(Parameters.bareLength(-1))
                                .serialConsistency(Parameters.SERIAL)
                                .timestamp(1000)
                                .keyspace(Lab.KEYSPACE)
                                .nowInSeconds(1_000_000)));
                    client.hear();
                    readBack(client, key);
                });
        }
    }

    private void flags(final Profile profile)
    {
        if (profile.version() >= 5)
        {
            check("unknown-query-flags", profile).expect("bits that nobody knows mean nothing", ROWS)
                .script((lab, trace) -> query(lab, trace, profile, Requests.CHEAP_QUERY,
                    new Parameters().flag(0xfffffe00)));
        }
        check("skip-metadata", profile).expect("rows, with or without metadata", ROWS)
            .script((lab, trace) -> query(lab,
                trace, profile, Requests.CHEAP_QUERY, new Parameters().flag(Parameters.SKIP_METADATA)));
        check("trailing-bytes", profile).expect("ignored", ROWS).script((lab, trace) ->
        {
            final Conversation client = lab.ready(profile, trace);
            client.say(client.requests()
                .envelope(1, Opcode.QUERY, ByteBuilder.join(
                    client.requests().queryBody(Requests.CHEAP_QUERY, new Parameters()),
                    ByteBuilder.fromHex("00ff00ff00ff"))));
            client.hear().probe();
        });
    }

    private void text(final Profile profile)
    {
        check("empty-text", profile).expect("one ERROR 2000", "ERROR-(2000|000a|2200)@1 " + SERVES)
            .script((lab, trace) -> query(lab, trace, profile, "", new Parameters()));
        check("text-that-is-no-utf-8", profile).from("D17")
            .expect("one ERROR", "ERROR-(2000|000a)@1 " + SERVES_OR_CLOSES)
            .stock("ERROR-000a@1!java " + SERVES)
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                client.say(client.requests()
                    .envelope(1, Opcode.QUERY, new ByteBuilder().int32(6)
                        .hex("c3282053454c")
                        .raw(new Parameters().toBytes(profile.version()))
                        .toBytes()));
                client.hear().probe();
            });
        check("text-beyond-the-basic-plane", profile)
            .expect("stored and read back",
                "VOID@1 ROWS@2 " + Segments.hex("\u00e4\u4e16\ud83d\ude00".getBytes(StandardCharsets.UTF_8)))
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                lab.needSchema(profile);
                final int key = lab.freshKey();
                client.say(client.requests()
                    .query(1,
                        "INSERT INTO " + TABLE + " (k, v) VALUES (" + key + ", '\u00e4\u4e16\ud83d\ude00')"));
                client.hear();
                readBack(client, key);
            });
    }

    private static StringBuilder fillWide(final Conversation client, final int key, final int rows)
    {
        for (int row = 0; row < rows; row++)
        {
            client.say(client.requests()
                .query(1,
                    "INSERT INTO " + Lab.KEYSPACE + ".wide (k, c, v) VALUES (" + key + ", " + row + ", 'v')"));
            client.heard(1);
        }
        return new StringBuilder();
    }

    private static void query(final Lab lab,
        final Trace trace,
        final Profile profile,
        final String cql,
        final Parameters parameters) throws Exception
    {
        final Conversation client = lab.ready(profile, trace);
        client.say(client.requests().query(1, cql, parameters));
        client.hear().probe();
    }

    /** Reads v of table t on stream 2 and writes its cell into the trace. */
    static void readBack(final Conversation client, final int key)
    {
        client.say(client.requests().query(2, "SELECT v FROM " + TABLE + " WHERE k = " + key));
        client.hear();
        cell(client);
    }

    /** The first cell of the answer heard last: hex digits, {@code null}, {@code empty} or {@code no-row}. */
    static void cell(final Conversation client)
    {
        if (client.isOver())
        {
            return;
        }
        final List<List<byte[]>> rows = client.last().rows();
        if (rows.isEmpty())
        {
            client.trace().add("no-row");
            return;
        }
        final byte[] cell = rows.get(0).get(0);
        client.trace().add(cell == null ? "null" : cell.length == 0 ? "empty" : Segments.hex(cell));
    }
}
