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
import io.sluice.conformance.RawRequests;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;

/** The keyspace of the soak, and its statements. Stateless. */
final class SoakSchema
{
    static final String KEYSPACE = "sluice_soak";
    static final String INSERT = "INSERT INTO " + KEYSPACE + ".cells (k, v) VALUES (?, ?)";
    static final String SELECT = "SELECT k, v FROM " + KEYSPACE + ".cells WHERE k = ?";
    static final String INSERT_WIDE = "INSERT INTO " + KEYSPACE + ".wide (k, c, v) VALUES (?, ?, ?)";
    static final String SELECT_WIDE = "SELECT k, c, v FROM " + KEYSPACE + ".wide WHERE k = ?";
    /** A row of {@link #BIG_BYTES} that many read and nobody changes. */
    static final int BIG_KEY = -1;
    static final int BIG_BYTES = 1 << 20;

    private SoakSchema()
    {
    }

    /** Drops what an earlier run left and makes all anew; writes the big row. */
    static void create(final SoakTarget target, final Content content) throws IOException
    {
        try (RawClient client = target.ready(target.of(4, new SplittableRandom(0), 0)))
        {
            for (final String cql : List.of("DROP KEYSPACE IF EXISTS " + KEYSPACE,
                "CREATE KEYSPACE " + KEYSPACE +
                    " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}" +
                    " AND durable_writes = false",
                "CREATE TABLE " + KEYSPACE + ".cells (k int PRIMARY KEY, v blob)",
                "CREATE TABLE " + KEYSPACE + ".wide (k int, c int, v blob, PRIMARY KEY (k, c))",
                "CREATE TABLE " + KEYSPACE + ".changing (k int PRIMARY KEY)"))
            {
                run(client, client.requests().query(1, cql));
            }
            run(client, client.requests()
                .query(1, INSERT, RawRequests.int32(BIG_KEY), content.noise(BIG_KEY, BIG_BYTES)));
        }
    }

    private static void run(final RawClient client, final byte[] request) throws IOException
    {
        client.send(client.wrap(request));
        final RawAnswer answer = client.receive(SoakTarget.PATIENCE_MILLIS);
        if (answer == null || answer.errorCode() >= 0)
        {
            throw new IOException("schema: " + (answer == null ? client.end() : answer.describe()));
        }
    }
}
