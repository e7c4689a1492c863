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

import static io.sluice.conformance.CheckBuilder.SERVES_OR_CLOSES;
import static io.sluice.conformance.Parameters.bareLength;
import static io.sluice.conformance.Parameters.intValue;
import static io.sluice.conformance.Parameters.named;

import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** Null, unset, empty and impossible values, wherever values go. */
final class ValueChecks extends CheckGroup
{
    private static final String TWO_MARKERS = "INSERT INTO " + QueryChecks.TABLE + " (k, v) VALUES (?, ?)";
    private static final String TWO_NAMES = "INSERT INTO " + QueryChecks.TABLE + " (k, v) VALUES (:a, :b)";

    ValueChecks(final Consumer<Check> sink)
    {
        super("values", sink);
    }

    /** Where the value stands in a request. */
    private enum Place
    {
        POSITIONAL,
        NAMED,
        EXECUTED,
        BATCHED
    }

    void add(final Profile profile)
    {
        for (final Place place : Place.values())
        {
            final String where = place.name().toLowerCase(Locale.ROOT);
            final boolean hasUnset = profile.version() >= 4;
            stored(where + "-null", place, profile, -1, "null");
            stored(where + "-empty", place, profile, 0, "empty");
            stored(where + "-minus-2", place, profile, -2, hasUnset ? "6f6c64" : "null");
            for (final int length : List.of(-3, Integer.MIN_VALUE))
            {
                final String name = where + (length == -3 ? "-minus-3" : "-min-int");
                if (hasUnset)
                {
                    refused(name, place, profile, length);
                }
                else
                {
                    stored(name, place, profile, length, "null");
                }
            }
        }
    }

    private void stored(final String name,
        final Place place,
        final Profile profile,
        final int length,
        final String cell)
    {
        check(name, profile).from("case 29")
            .expect("read back as " + (cell.startsWith("6f") ? "the value before" : cell),
                "VOID@3 ROWS@2 " + cell)
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                lab.needSchema(profile);
                final int key = lab.freshKey();
                client.say(client.requests()
                    .query(1,
                        "INSERT INTO " + QueryChecks.TABLE + " (k, v) VALUES (" + key + ", 'old')"));
                client.heard(1);
                client.say(request(lab, client, place, key, length));
                client.hear();
                QueryChecks.readBack(client, key);
            });
    }

    private void refused(final String name, final Place place, final Profile profile, final int length)
    {
        check(name, profile).from("case 29")
            .expect("one ERROR 000a on stream 3", "ERROR-000a@3 " + SERVES_OR_CLOSES)
            .script((lab, trace) ->
            {
                final Conversation client = lab.ready(profile, trace);
                lab.needSchema(profile);
                client.say(request(lab, client, place, lab.freshKey(), length));
                client.hear().probe();
            });
    }

    /** On stream 3. */
    private static byte[] request(final Lab lab,
        final Conversation client,
        final Place place,
        final int key,
        final int length)
    {
        final Requests requests = client.requests();
        final byte[] value = bareLength(length);
        return switch (place)
        {
            case POSITIONAL -> requests.query(3, TWO_MARKERS, new Parameters().values(intValue(key), value));
            case NAMED -> requests.query(3, TWO_NAMES, new Parameters().flag(Parameters.NAMES)
                .values(named("b", value), named("a", intValue(key))));
            case EXECUTED ->
            {
                final Answer prepared = prepare(lab, client, TWO_MARKERS);
                yield requests.execute(3, prepared.preparedId(), prepared.metadataId(),
                    new Parameters().values(intValue(key), value));
            }
            case BATCHED -> requests.batch(3, 1, List.of(Requests.textInBatch(TWO_MARKERS, intValue(key), value)));
        };
    }

    /** Prepares without a word in the trace. */
    static Answer prepare(final Lab lab, final Conversation client, final String cql)
    {
        client.say(client.requests().prepare(9, cql));
        final Answer answer = client.listen(lab.timeoutMillis());
        if (answer == null || !"PREPARED".equals(answer.name()))
        {
            throw new GarbledBytes("PREPARE: " + (answer == null ? "no answer" : answer.name() + " " + answer.text()));
        }
        return answer;
    }
}
