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
import static io.sluice.conformance.Parameters.intValue;
import static io.sluice.conformance.Parameters.named;
import static io.sluice.conformance.Parameters.textValue;

import java.util.Arrays;
import java.util.function.Consumer;

/** PREPARE and EXECUTE: shapes, unknown ids, and what result metadata ids do. */
final class PreparedChecks extends CheckGroup
{
    private static final String SELECT = "SELECT k, v FROM " + QueryChecks.TABLE + " WHERE k = ?";
    private static final String INSERT = "INSERT INTO " + QueryChecks.TABLE + " (k, v) VALUES (?, ?)";
    private static final String CONDITIONAL = INSERT + " IF NOT EXISTS";

    PreparedChecks(final Consumer<Check> sink)
    {
        super("prepared", sink);
    }

    void add(final Profile profile)
    {
        prepare(profile);
        execute(profile);
        metadata(profile);
        if (profile.version() >= 5)
        {
            metadataIds(profile);
            alteredTable(profile);
        }
    }

    private void prepare(final Profile profile)
    {
        final boolean keys = profile.version() >= 4;
        check("prepare", profile).expect("an id, the bind markers' names" + (keys ? ", the key's positions" : ""),
            "PREPARED@1 id=16 markers=\\[k, v\\] keys=" + (keys ? "\\[0\\]" : "\\[\\]") +
                (profile.version() >= 5 ? " metadata-id=16" : " metadata-id=0"))
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                lab.needSchema(profile);
                client.say(client.requests().prepare(1, INSERT));
                final Answer answer = client.hear().last();
                trace.add("id=" + answer.preparedId().length);
                trace.add("markers=" + answer.columnNames());
                trace.add("keys=" + answer.partitionKeys());
                trace.add("metadata-id=" + answer.metadataId().length);
            });
        check("prepare-twice", profile).expect("the same id", "PREPARED@1 PREPARED@2 same").script((lab, trace) ->
        {
            final Conversation client = lab.ready(profile, trace);
            lab.needSchema(profile);
            client.say(client.requests().prepare(1, SELECT));
            final byte[] first = client.hear().last().preparedId();
            client.say(client.requests().prepare(2, SELECT));
            trace.add(Arrays.equals(first, client.hear().last().preparedId()) ? "same" : "other");
        });
        check("prepare-nonsense", profile).expect("one ERROR 2000", "ERROR-2000@1 " + SERVES)
            .script(say(profile, new Requests(profile.version()).prepare(1, "SELEKT 1")));
        check("prepare-unknown-table", profile).expect("one ERROR 2200", "ERROR-2200@1 " + SERVES)
            .script(
                say(profile, new Requests(profile.version()).prepare(1, "SELECT * FROM system.nothing_of_the_kind")));
        if (profile.version() >= 5)
        {
            check("prepare-in-keyspace", profile).expect("the table is found in it", "PREPARED@1 " + SERVES)
                .script((lab, trace) ->
                {
                    final Conversation client = lab.ready(profile, trace);
                    lab.needSchema(profile);
                    client.say(client.requests()
                        .envelope(1, Opcode.PREPARE, new ByteBuilder()
                            .longString("SELECT v FROM t WHERE k = ?")
                            .int32(1)
                            .string(Lab.KEYSPACE)
                            .toBytes()));
                    client.hear().probe();
                });
            check("prepare-with-unknown-flags", profile)
                .expect("bits that nobody knows mean nothing", "PREPARED@1 " + SERVES)
                .script(say(profile, new Requests(5).envelope(1, Opcode.PREPARE,
                    new ByteBuilder().longString(Requests.CHEAP_QUERY).int32(0xfffffffe).toBytes())));
        }
    }

    private void execute(final Profile profile)
    {
        unknown("unknown-id", profile, new byte[]{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
        unknown("short-id", profile, new byte[]{1, 2, 3});
        unknown("long-id", profile, new byte[1000]);
        check("execute-empty-id", profile).expect("one ERROR 2500, or 000a", "ERROR-(2500|000a)@7 " + SERVES)
            .script(
                say(profile, new Requests(profile.version()).execute(7, new byte[0], new byte[16], new Parameters())));
        check("execute-named-in-another-order", profile).expect("each goes to its own column", "VOID@3 ROWS@2 76")
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                lab.needSchema(profile);
                final int key = lab.freshKey();
                final Answer prepared = ValueChecks.prepare(lab, client,
                    "INSERT INTO " + QueryChecks.TABLE + " (k, v) VALUES (:a, :b)");
                client.say(client.requests()
                    .execute(3, prepared.preparedId(), prepared.metadataId(),
                        new Parameters().flag(Parameters.NAMES)
                            .values(named("b", textValue("v")), named("a", intValue(key)))));
                client.hear();
                QueryChecks.readBack(client, key);
            });
        check("execute-too-few-values", profile).expect("one ERROR 2200", "ERROR-2200@3 " + SERVES)
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                lab.needSchema(profile);
                final Answer prepared = ValueChecks.prepare(lab, client, INSERT);
                client.say(client.requests()
                    .execute(3, prepared.preparedId(), prepared.metadataId(),
                        new Parameters().values(intValue(1))));
                client.hear().probe();
            });
    }

    private void unknown(final String name, final Profile profile, final byte[] id)
    {
        check("execute-" + name, profile).from("case 62")
            .expect("one ERROR 2500 that names the id",
                "ERROR-2500@7 same-id " + SERVES)
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                client.say(client.requests().execute(7, id, new byte[16], new Parameters()));
                client.hear();
                if (!client.isOver())
                {
                    trace.add(Arrays.equals(id, client.last().unpreparedId()) ? "same-id" : "other-id");
                }
                client.probe();
            });
    }

    private void metadata(final Profile profile)
    {
        select("execute-with-metadata", profile, false, id -> id, "ROWS@3 specs k,v 1-row");
        select("execute-and-skip-metadata", profile, true, id -> id, "ROWS@3 no-specs 1-row");
        conditional("execute-conditional", profile, false);
        conditional("execute-conditional-and-skip-metadata", profile, true);
    }

    private void metadataIds(final Profile profile)
    {
        final String changed = "ROWS@3 changed specs k,v 1-row";
        for (final boolean skip : new boolean[]{false, true})
        {
            final String suffix = skip ? "-and-skip" : "";
            select("metadata-id-of-zeros" + suffix, profile, skip, id -> new byte[16], changed);
            select("metadata-id-empty" + suffix, profile, skip, id -> new byte[0], changed);
            select("metadata-id-of-15-bytes" + suffix, profile, skip, id -> Arrays.copyOf(id, 15), changed);
        }
    }

    /** What the client says of the metadata it has. */
    @FunctionalInterface
    private interface MetadataId
    {
        byte[] of(byte[] right);
    }

    private void select(final String name,
        final Profile profile,
        final boolean skip,
        final MetadataId metadataId,
        final String traces)
    {
        check(name, profile).from("case 62").expect(traces, traces).script((lab, trace) ->
        {
            final Conversation client = lab.ready(profile, trace);
            lab.needSchema(profile);
            final int key = lab.freshKey();
            client.say(
                client.requests().query(1, "INSERT INTO " + QueryChecks.TABLE + " (k, v) VALUES (" + key + ", 'v')"));
            client.heard(1);
            final Answer prepared = ValueChecks.prepare(lab, client, SELECT);
            final Parameters parameters = new Parameters().values(intValue(key));
            client.say(client.requests()
                .execute(3, prepared.preparedId(), metadataId.of(prepared.metadataId()),
                    skip ? parameters.flag(Parameters.SKIP_METADATA) : parameters));
            client.hear();
            metadata(client, prepared.metadataId());
        });
    }

    /** Writes what the rows heard last say of their metadata. */
    private static void metadata(final Conversation client, final byte[] known)
    {
        if (client.isOver())
        {
            return;
        }
        final Answer answer = client.last();
        if ((answer.rowsFlags() & Answer.ROWS_METADATA_CHANGED) != 0)
        {
            client.trace().add(Arrays.equals(known, answer.metadataId()) ? "changed" : "changed-to-another-id");
        }
        client.trace().add(answer.hasSpecs() ? "specs " + String.join(",", answer.columnNames()) : "no-specs");
        client.trace().add(answer.rows().size() + "-row");
    }

    /** The answer's columns depend on whether the condition held: metadata must always come with it. */
    private void conditional(final String name, final Profile profile, final boolean skip)
    {
        final boolean always = profile.version() >= 5 || !skip;
        check(name, profile).from("case 62")
            .expect("full metadata, never said to have changed" + (always ? "" : ", or skipped"),
                always ? "ROWS@3 specs \\[applied\\] 1-row" : "ROWS@3 (specs \\[applied\\]|no-specs) 1-row")
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                lab.needSchema(profile);
                final Answer prepared = ValueChecks.prepare(lab, client, CONDITIONAL);
                final Parameters parameters = new Parameters().values(intValue(lab.freshKey()), textValue("v"));
                client.say(client.requests()
                    .execute(3, prepared.preparedId(), prepared.metadataId(),
                        skip ? parameters.flag(Parameters.SKIP_METADATA) : parameters));
                client.hear();
                metadata(client, prepared.metadataId());
            });
    }

    private void alteredTable(final Profile profile)
    {
        check("execute-after-alter", profile).from("case 62")
            .expect(
                "the old metadata id is stale: new id and full metadata, SKIP_METADATA or not; the new id then fits." +
                    " Before that the statement may have to be prepared again",
                "(ERROR-2500@2 PREPARED@9 )?ROWS@3 changed-to-another-id specs k,v,w 1-row ROWS@4 no-specs 1-row")
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                lab.needSchema(profile);
                final String table = Lab.KEYSPACE + ".altered" + lab.freshKey();
                run(lab, client, "CREATE TABLE " + table + " (k int PRIMARY KEY, v text)");
                run(lab, client, "INSERT INTO " + table + " (k, v) VALUES (1, 'v')");
                final Answer prepared = ValueChecks.prepare(lab, client, "SELECT * FROM " + table + " WHERE k = ?");
                run(lab, client, "ALTER TABLE " + table + " ADD w text");
                client
                    .say(client.requests().execute(2, prepared.preparedId(), prepared.metadataId(), new Parameters()));
                final Answer first = client.listen(lab.timeoutMillis());
                if (first != null && first.errorCode() == 0x2500)
                {
                    trace.add("ERROR-2500@2");
                    client.say(client.requests().prepare(9, "SELECT * FROM " + table + " WHERE k = ?"));
                    client.hear();
                }
                client.say(client.requests()
                    .execute(3, prepared.preparedId(), prepared.metadataId(),
                        new Parameters().values(intValue(1)).flag(Parameters.SKIP_METADATA)));
                client.hear();
                metadata(client, prepared.metadataId());
                final byte[] fresh = client.last().metadataId();
                client.say(client.requests()
                    .execute(4, prepared.preparedId(), fresh,
                        new Parameters().values(intValue(1)).flag(Parameters.SKIP_METADATA)));
                client.hear();
                metadata(client, fresh);
            });
    }

    /** Schema changes may take their time. */
    static void run(final Lab lab, final Conversation client, final String cql)
    {
        client.say(client.requests().query(1, cql));
        if (client.listen(Math.max(lab.timeoutMillis(), 15_000)) == null)
        {
            throw new GarbledBytes("no answer to " + cql);
        }
    }
}
