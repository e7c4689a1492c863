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
package io.sluice.bench.soak;

import io.sluice.conformance.RawAnswer;
import io.sluice.conformance.RawClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Changes the schema every few seconds, and remembers what events that must have made. Confined to its thread. */
final class SchemaChanger implements Runnable
{
    private static final String KIND = "schema.change";
    private static final int PAUSE_MILLIS = 3_000;
    private static final int TABLE_EVERY = 8;

    private final Soak soak;
    private final List<String> events = new ArrayList<>();

    SchemaChanger(final Soak soak)
    {
        this.soak = soak;
    }

    /** To be asked for when the thread has ended. */
    List<String> events()
    {
        return events;
    }

    @Override
    public void run()
    {
        final SplittableRandom random = soak.random(KIND);
        try (RawClient client = soak.target().ready(soak.target().of(5, random, 0)))
        {
            for (int i = 1; !soak.stop().await(PAUSE_MILLIS); i++)
            {
                if (i % TABLE_EVERY == 0)
                {
                    final String table = SoakSchema.KEYSPACE + ".passing" + i;
                    change(client, "CREATE TABLE " + table + " (k int PRIMARY KEY, v text)");
                    change(client, "DROP TABLE " + table);
                }
                else
                {
                    change(client,
                        "ALTER TABLE " + SoakSchema.KEYSPACE + ".changing WITH comment = 'change " + i + "'");
                }
            }
        }
        catch (final IOException | IllegalStateException e)
        {
            soak.ledger().fault(KIND, String.valueOf(e.getMessage()));
        }
    }

    private void change(final RawClient client, final String cql) throws IOException
    {
        soak.ledger().acted(KIND);
        client.send(client.wrap(client.requests().query(events.size(), cql)));
        final RawAnswer answer = client.receive(SoakTarget.PATIENCE_MILLIS);
        if (answer == null || !answer.is("SCHEMA_CHANGE") || answer.stream() != events.size())
        {
            throw new IOException(cql + ": " + (answer == null ? client.end() : answer.describe()));
        }
        events.add(String.join(" ", answer.words()));
    }
}
