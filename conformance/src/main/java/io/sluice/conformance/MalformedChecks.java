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

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Right envelopes around bodies that end too early, or claim what is not there. */
final class MalformedChecks extends CheckGroup
{
    private static final int HUGE = Integer.MAX_VALUE;
    private static final String ONE_ERROR = "ERROR-000a@7 " + SERVES_OR_CLOSES;
    /** Known of stock: SERVER_ERROR, or the text of a Java exception. */
    private static final String STOCK = "ERROR-(0000|000a)@[07](!java)? (" + SERVES + "|silent.*)|silent.*";

    MalformedChecks(final Consumer<Check> sink)
    {
        super("malformed", sink);
    }

    void add(final Profile profile)
    {
        final Requests requests = new Requests(profile.version());
        query(profile, requests);
        prepareAndExecute(profile, requests);
        batch(profile, requests);
        others(profile);
        truncated("query", profile, Opcode.QUERY, requests.queryBody(Requests.CHEAP_QUERY, everything(profile)));
        truncated("prepare", profile, Opcode.PREPARE, requests.prepareBody(Requests.CHEAP_QUERY));
        truncated("execute", profile, Opcode.EXECUTE,
            requests.executeBody(new byte[16], new byte[16], everything(profile)));
        truncated("batch", profile, Opcode.BATCH, requests.batchBody(1, List.of(
            Requests.textInBatch("UPDATE x SET y = ?", Parameters.intValue(1)),
            Requests.preparedInBatch(new byte[16], Parameters.textValue("value"))),
            new Parameters().serialConsistency(Parameters.SERIAL).timestamp(1)));
        truncated("register", profile, Opcode.REGISTER,
            new ByteBuilder().stringList(List.of("SCHEMA_CHANGE", "STATUS_CHANGE")).toBytes());
    }

    private static Parameters everything(final Profile profile)
    {
        final Parameters parameters = new Parameters().values(Parameters.intValue(1), Parameters.textValue("two"))
            .pageSize(10)
            .pagingState(Parameters.textValue("state"))
            .serialConsistency(Parameters.SERIAL)
            .timestamp(1);
        return profile.version() < 5 ? parameters : parameters.keyspace("system").nowInSeconds(1);
    }

    private void query(final Profile profile, final Requests requests)
    {
        final Map<String, byte[]> bodies = new LinkedHashMap<>();
        final byte[] tail = new Parameters().toBytes(profile.version());
        bodies.put("text-claims-2-GiB", new ByteBuilder().int32(HUGE).raw(tail).toBytes());
        bodies.put("text-of-minus-1", new ByteBuilder().int32(-1).raw(tail).toBytes());
        bodies.put("text-of-min-int", new ByteBuilder().int32(Integer.MIN_VALUE).raw(tail).toBytes());
        bodies.put("text-one-too-long", new ByteBuilder().int32(5).hex("78787878").toBytes());
        bodies.put("value-claims-2-GiB", requests.queryBody("x", new Parameters().values(Parameters.bareLength(HUGE))));
        bodies.put("value-one-too-long", requests.queryBody("x",
            new Parameters().values(new ByteBuilder().int32(5).int32(0).toBytes())));
        bodies.put("65535-values-and-none-there", requests.queryBody("x", new Parameters().claimValues(65535)));
        bodies.put("name-one-too-long", requests.queryBody("x", new Parameters().flag(Parameters.NAMES)
            .values(new ByteBuilder().int16(5).hex("78787878").toBytes())));
        bodies.put("paging-state-claims-2-GiB", requests.queryBody("x",
            new Parameters().pagingState(Parameters.bareLength(HUGE))));
        bodies.put("page-size-missing", requests.queryBody("x", new Parameters().flag(Parameters.PAGE_SIZE)));
        bodies.put("timestamp-missing", requests.queryBody("x", new Parameters().flag(Parameters.TIMESTAMP)));
        if (profile.version() >= 5)
        {
            bodies.put("keyspace-missing", requests.queryBody("x", new Parameters().flag(Parameters.KEYSPACE)));
            bodies.put("now-in-seconds-missing",
                requests.queryBody("x", new Parameters().flag(Parameters.NOW_IN_SECONDS)));
        }
        bodies.forEach((name, body) -> malformed("query-" + name, profile, requests.envelope(7, Opcode.QUERY, body)));
    }

    private void prepareAndExecute(final Profile profile, final Requests requests)
    {
        malformed("prepare-text-claims-2-GiB", profile,
            requests.envelope(7, Opcode.PREPARE, new ByteBuilder().int32(HUGE).int32(0).toBytes()));
        malformed("prepare-text-of-minus-1", profile,
            requests.envelope(7, Opcode.PREPARE, new ByteBuilder().int32(-1).int32(0).toBytes()));
        malformed("execute-id-too-long", profile,
            requests.envelope(7, Opcode.EXECUTE, new ByteBuilder().int16(65535).hex("00112233").toBytes()));
        malformed("execute-value-claims-2-GiB", profile, requests.execute(7, new byte[16], new byte[16],
            new Parameters().values(Parameters.bareLength(HUGE))));
        malformed("execute-65535-values-and-none-there", profile, requests.execute(7, new byte[16], new byte[16],
            new Parameters().claimValues(65535)));
        if (profile.version() >= 5)
        {
            malformed("execute-metadata-id-too-long", profile, requests.envelope(7, Opcode.EXECUTE,
                new ByteBuilder().shortBytes(new byte[16]).int16(65535).hex("00112233").toBytes()));
            malformed("prepare-keyspace-too-long", profile, requests.envelope(7, Opcode.PREPARE,
                new ByteBuilder().longString(Requests.CHEAP_QUERY).int32(1).int16(65535).hex("7878").toBytes()));
        }
    }

    private void batch(final Profile profile, final Requests requests)
    {
        final Map<String, ByteBuilder> bodies = new LinkedHashMap<>();
        bodies.put("65535-statements-and-none-there", new ByteBuilder().int8(1).int16(65535));
        bodies.put("text-claims-2-GiB", new ByteBuilder().int8(1).int16(1).int8(0).int32(HUGE));
        bodies.put("text-of-minus-1", new ByteBuilder().int8(1).int16(1).int8(0).int32(-1).int16(0));
        bodies.put("id-too-long", new ByteBuilder().int8(1).int16(1).int8(1).int16(65535).int32(0));
        bodies.put("value-claims-2-GiB",
            new ByteBuilder().int8(1).int16(1).int8(0).longString("x").int16(1).int32(HUGE));
        bodies.put("65535-values-and-none-there",
            new ByteBuilder().int8(1).int16(1).int8(0).longString("x").int16(65535));
        bodies.put("no-parameters", new ByteBuilder().int8(1).int16(0));
        bodies.forEach((name, body) -> malformed("batch-" + name, profile,
            requests.envelope(7, Opcode.BATCH, body.toBytes())));
    }

    private void others(final Profile profile)
    {
        final Requests requests = new Requests(profile.version());
        malformed("register-65535-types-and-none-there", profile,
            requests.envelope(7, Opcode.REGISTER, ByteBuilder.fromHex("ffff")));
        malformed("register-type-too-long", profile,
            requests.envelope(7, Opcode.REGISTER, ByteBuilder.fromHex("0001ffff5345")));
        if (profile.version() >= 4)
        {
            final byte[] query = requests.queryBody(Requests.CHEAP_QUERY, new Parameters());
            payload("65535-entries-and-none-there", profile, new ByteBuilder().int16(65535).toBytes());
            payload("value-claims-2-GiB", profile,
                new ByteBuilder().int16(1).string("k").int32(HUGE).raw(query).toBytes());
            payload("key-too-long", profile, new ByteBuilder().int16(1).int16(65535).raw(query).toBytes());
            payload("nothing-at-all", profile, new byte[0]);
        }
    }

    private void payload(final String name, final Profile profile, final byte[] body)
    {
        malformed("payload-" + name, profile,
            new Requests(profile.version()).envelope(7, Opcode.QUERY, Envelope.CUSTOM_PAYLOAD, body));
    }

    private void malformed(final String name, final Profile profile, final byte[] envelope)
    {
        check(name, profile).from("case 27, D6, D17").expectOneError(7).stock(STOCK).script(say(profile, envelope));
    }

    /** Every field is there at the end, so that the body is too short wherever it is cut. */
    private void truncated(final String name, final Profile profile, final int opcode, final byte[] body)
    {
        check("every-cut-of-" + name, profile).from("D17")
            .expect("at each of " + body.length + " lengths one ERROR 000a on stream 7", Tally.each(ONE_ERROR))
            .stock("(\\d+x\\(" + ONE_ERROR + "\\) )*1x\\(\\d+ bytes: (" + STOCK +
                "|(ROWS|VOID|PREPARED|ERROR-\\w+)@7 " + SERVES + ")\\)")
            .script((lab, trace) ->
            {
                final Sweep sweep = new Sweep(lab, profile, trace, ONE_ERROR);
                for (int length = 0; length < body.length; length++)
                {
                    final byte[] cut = Arrays.copyOf(body, length);
                    sweep.step(length + " bytes", client ->
                    {
                        client.say(client.requests().envelope(7, opcode, cut));
                        client.hear().probe();
                    });
                }
                sweep.end();
            });
    }
}
