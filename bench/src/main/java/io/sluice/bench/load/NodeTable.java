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
package io.sluice.bench.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The table of CASSANDRA-20166 on a real node: 1 partition text, 1 clustering text, 5 text values. Immutable.
 *
 * @param insert writes a row
 * @param select reads one by its whole key
 */
public record NodeTable(SetupConnection.Prepared insert, SetupConnection.Prepared select)
{
    private static final int CREATED_VALUES = 5;

    /** Makes keyspace and table and prepares the statements; rows there may be already. */
    public static NodeTable create(final String host, final int port) throws IOException
    {
        final List<String> columns = new ArrayList<>();
        for (int i = 1; i <= CREATED_VALUES; i++)
        {
            columns.add("v" + i);
        }
        try (SetupConnection connection = new SetupConnection(host, port))
        {
            connection.query("CREATE KEYSPACE IF NOT EXISTS bench WITH replication = " +
                "{'class': 'SimpleStrategy', 'replication_factor': 1}");
            connection.query("CREATE TABLE IF NOT EXISTS bench.rows (pk text, ck text, " +
                String.join(" text, ", columns) + " text, PRIMARY KEY (pk, ck))");
            return new NodeTable(
                connection.prepare("INSERT INTO bench.rows (pk, ck, " + String.join(", ", columns) +
                    ") VALUES (?, ?, ?, ?, ?, ?, ?)"),
                connection.prepare("SELECT " + String.join(", ", columns) +
                    " FROM bench.rows WHERE pk = ? AND ck = ?"));
        }
    }
}
