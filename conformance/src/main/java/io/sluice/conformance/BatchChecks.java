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
import static io.sluice.conformance.Parameters.textValue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** BATCH: types, kinds, and the parameters at its end. */
final class BatchChecks extends CheckGroup
{
    private static final String INSERT = "INSERT INTO " + QueryChecks.TABLE + " (k, v) VALUES (?, ?)";

    BatchChecks(final Consumer<Check> sink)
    {
        super("batch", sink);
    }

    void add(final Profile profile)
    {
        types(profile);
        statements(profile);
        parameters(profile);
        check("type-3", profile).expectOneError(7)
            .script(say(profile,
                new Requests(profile.version()).batch(7, 3, List.of())));
        check("type-255", profile).expectOneError(7)
            .script(say(profile,
                new Requests(profile.version()).batch(7, 255, List.of())));
        check("kind-2", profile).expectOneError(7)
            .script(say(profile, new Requests(profile.version()).batch(7, 1,
                List.of(new ByteBuilder().int8(2).longString("x").int16(0).toBytes()))));
    }

    private void types(final Profile profile)
    {
        for (final int type : List.of(0, 1))
        {
            check("type-" + type + "-of-text-and-prepared", profile).expect("both are stored",
                "VOID@3 ROWS@2 61 ROWS@2 62").script((lab, trace) ->
                {
                    final Conversation client = lab.ready(profile, trace);
                    lab.needSchema(profile);
                    final int first = lab.freshKey();
                    final int second = lab.freshKey();
                    final Answer prepared = ValueChecks.prepare(lab, client, INSERT);
                    client.say(client.requests()
                        .batch(3, type, List.of(
                            Requests.textInBatch(
                                "INSERT INTO " + QueryChecks.TABLE + " (k, v) VALUES (" + first + ", 'a')"),
                            Requests.preparedInBatch(prepared.preparedId(), intValue(second), textValue("b")))));
                    client.hear();
                    QueryChecks.readBack(client, first);
                    QueryChecks.readBack(client, second);
                });
        }
        counter("type-2-of-counters", profile, 2, "VOID@3 " + SERVES);
        counter("type-0-of-counters", profile, 0, "ERROR-2200@3 " + SERVES);
        check("type-2-of-others", profile).expect("one ERROR 2200", "ERROR-2200@3 " + SERVES).script((lab, trace) ->
        {
            final Conversation client = lab.ready(profile, trace);
            lab.needSchema(profile);
            client
                .say(client.requests().batch(3, 2, List.of(Requests.textInBatch(INSERT, intValue(1), textValue("x")))));
            client.hear().probe();
        });
    }

    private void counter(final String name, final Profile profile, final int type, final String traces)
    {
        check(name, profile).expect(traces, traces).script((lab, trace) ->
        {
            final Conversation client = lab.ready(profile, trace);
            lab.needSchema(profile);
            client.say(client.requests()
                .batch(3, type, List.of(Requests.textInBatch(
                    "UPDATE " + Lab.KEYSPACE + ".counts SET n = n + 1 WHERE k = " + lab.freshKey()))));
            client.hear().probe();
        });
    }

    private void statements(final Profile profile)
    {
        check("of-nothing", profile).expect("done at once", "VOID@3 " + SERVES)
            .script(say(profile, new Requests(profile.version()).batch(3, 1, List.of())));
        check("of-500-statements", profile).expect("stored", "VOID@3 ROWS@2 f4").script((lab, trace) ->
        {
            final Conversation client = lab.ready(profile, trace);
            lab.needSchema(profile);
            final int key = lab.freshKey();
            final List<byte[]> statements = new ArrayList<>();
            for (int row = 0; row < 500; row++)
            {
                statements
                    .add(Requests.textInBatch("INSERT INTO " + Lab.KEYSPACE + ".wide (k, c, v) VALUES (?, ?, 'v')",
                        intValue(key), intValue(row)));
            }
            client.say(client.requests().batch(3, 1, statements));
            client.hear();
            client.say(client.requests().query(2, "SELECT c FROM " + Lab.KEYSPACE + ".wide WHERE k = " + key));
            client.hear();
            trace.add(Integer.toHexString(client.last().rows().size() - 256));
        });
        check("of-a-select", profile).expect("one ERROR 2200 or 000a", "ERROR-(2200|000a)@3 " + SERVES)
            .script(say(profile, new Requests(profile.version()).batch(3, 1,
                List.of(Requests.textInBatch(Requests.CHEAP_QUERY)))));
        check("of-an-unknown-id", profile).from("case 62")
            .expect("one ERROR 2500", "ERROR-2500@3 " + SERVES)
            .script(say(profile, new Requests(profile.version()).batch(3, 1,
                List.of(Requests.preparedInBatch(new byte[16])))));
        check("of-nonsense", profile).expect("one ERROR 2000", "ERROR-2000@3 " + SERVES)
            .script(say(profile,
                new Requests(profile.version()).batch(3, 1, List.of(Requests.textInBatch("INSERT NOTHING")))));
        check("trailing-bytes", profile).expect("ignored", "VOID@3 " + SERVES)
            .script(say(profile,
                new Requests(profile.version()).envelope(3, Opcode.BATCH, ByteBuilder.join(
                    new Requests(profile.version()).batchBody(1, List.of(), new Parameters()), new byte[9]))));
    }

    private void parameters(final Profile profile)
    {
        check("timestamp", profile).expect("the write has it", "VOID@3 ROWS@2 0000000000003039").script((lab, trace) ->
        {
            final Conversation client = lab.ready(profile, trace);
            lab.needSchema(profile);
            final int key = lab.freshKey();
            client.say(client.requests()
                .envelope(3, Opcode.BATCH, client.requests()
                    .batchBody(1,
                        List.of(Requests.textInBatch(INSERT, intValue(key), textValue("x"))),
                        new Parameters().timestamp(12345))));
            client.hear();
            client
                .say(client.requests().query(2, "SELECT writetime(v) FROM " + QueryChecks.TABLE + " WHERE k = " + key));
            client.hear();
            QueryChecks.cell(client);
        });
        check("conditional", profile).expect("applied", "ROWS@3 01").script((lab, trace) ->
        {
            final Conversation client = lab.ready(profile, trace);
            lab.needSchema(profile);
            client.say(client.requests()
                .envelope(3, Opcode.BATCH, client.requests()
                    .batchBody(1,
                        List.of(
                            Requests.textInBatch(INSERT + " IF NOT EXISTS", intValue(lab.freshKey()), textValue("x"))),
                        new Parameters().serialConsistency(Parameters.SERIAL))));
            client.hear();
            QueryChecks.cell(client);
        });
        check("unknown-consistency", profile).expectOneError(7)
            .script(say(profile, new Requests(profile.version())
                .envelope(7, Opcode.BATCH, new Requests(profile.version()).batchBody(1, List.of(),
                    new Parameters().consistency(0x63)))));
        check("names-flag", profile).expect("it has no meaning in a batch: done, or refused once",
            "(VOID|ERROR-000a)@3 " + SERVES_OR_CLOSES)
            .script(say(profile, new Requests(profile.version()).envelope(3,
                Opcode.BATCH, new Requests(profile.version()).batchBody(1, List.of(),
                    new Parameters().flag(Parameters.NAMES)))));
        if (profile.version() >= 5)
        {
            check("keyspace", profile).expect("the table is found in it", "VOID@3 ROWS@2 78").script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                lab.needSchema(profile);
                final int key = lab.freshKey();
                client.say(client.requests()
                    .envelope(3, Opcode.BATCH, client.requests()
                        .batchBody(1,
                            List.of(Requests.textInBatch("INSERT INTO t (k, v) VALUES (?, 'x')", intValue(key))),
                            new Parameters().keyspace(Lab.KEYSPACE).nowInSeconds(1_000_000))));
                client.hear();
                QueryChecks.readBack(client, key);
            });
        }
    }
}
