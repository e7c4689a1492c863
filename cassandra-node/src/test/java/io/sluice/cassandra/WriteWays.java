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
package io.sluice.cassandra;

import static io.sluice.cassandra.TwoRoads.number;
import static io.sluice.cassandra.TwoRoads.text;

import io.sluice.transport.testkit.WireBytes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Prepared writes in all the ways in which they come: alone and in batches, of one and of several partitions and
 * tables, with plans and without. Confined to the test's thread.
 */
public final class WriteWays
{
    private static final int LOGGED = 0;
    private static final int UNLOGGED = 1;

    /**
     * One request.
     *
     * @param planned how many of its statements have plans
     * @param statements how many it has
     * @param logged true if the batch log has it first
     */
    public record Way(String name, int planned, int statements, boolean logged, byte[] request)
    {
    }

    private final TwoRoads client;
    private final String keyspace;
    private final byte[] insert;
    private final byte[] update;
    private final byte[] deleteCell;
    private final byte[] deleteRow;
    private final byte[] deletePartition;
    private final byte[] list;

    private WriteWays(final TwoRoads client, final String keyspace) throws IOException
    {
        this.client = client;
        this.keyspace = keyspace;
        insert = client.prepare("INSERT INTO " + keyspace + ".t (k, c, v) VALUES (?, ?, ?)");
        update = client.prepare("UPDATE " + keyspace + ".u SET v = ? WHERE k = ?");
        deleteCell = client.prepare("DELETE v FROM " + keyspace + ".t WHERE k = ? AND c = ?");
        deleteRow = client.prepare("DELETE FROM " + keyspace + ".t WHERE k = ? AND c = ?");
        deletePartition = client.prepare("DELETE FROM " + keyspace + ".t WHERE k = ?");
        list = client.prepare("UPDATE " + keyspace + ".t SET w = ? WHERE k = ? AND c = ?");
    }

    /**
     * In a new keyspace.
     *
     * @param options of its tables, WITH included
     */
    public static WriteWays define(final TwoRoads client,
        final String keyspace,
        final int replicas,
        final String options) throws IOException
    {
        client.define("CREATE KEYSPACE " + keyspace +
            " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': " + replicas + "}",
            "CREATE TABLE " + keyspace + ".t (k int, c text, v text, w frozen<list<int>>, PRIMARY KEY (k, c)) " +
                options,
            "CREATE TABLE " + keyspace + ".u (k int PRIMARY KEY, v text) " + options);
        return new WriteWays(client, keyspace);
    }

    /** INSERT INTO t (k, c, v). */
    public byte[] insert()
    {
        return insert;
    }

    /** UPDATE t SET w WHERE k AND c: has no plan. */
    public byte[] list()
    {
        return list;
    }

    /** A list of one number. */
    public static byte[] listOf(final int value)
    {
        return new WireBytes().i32(1).value(number(value)).toArray();
    }

    /** INSERT into partition 1. */
    public Way single(final int consistency)
    {
        return new Way("INSERT", 1, 1, false, client.execute(consistency, insert, number(1), text("c"), text("v")));
    }

    /** All of them, those that delete last. */
    public List<Way> at(final int consistency)
    {
        final List<Way> ways = new ArrayList<>(batches(consistency));
        ways.add(0, single(consistency));
        ways.add(1, new Way("UPDATE", 1, 1, false, client.execute(consistency, update, text("v"), number(1))));
        ways.add(2,
            new Way("no plan", 0, 1, false, client.execute(consistency, list, listOf(7), number(1), text("c"))));
        ways.add(
            new Way("DELETE of a cell", 1, 1, false, client.execute(consistency, deleteCell, number(1), text("c"))));
        ways.add(new Way("DELETE of a row", 1, 1, false, client.execute(consistency, deleteRow, number(1), text("c"))));
        ways.add(
            new Way("DELETE of a partition", 1, 1, false, client.execute(consistency, deletePartition, number(1))));
        ways.add(new Way("DELETEs", 3, 3, true, client.batch(LOGGED)
            .add(deleteCell, number(1), text("c"))
            .add(deleteRow, number(2), text("c"))
            .add(deletePartition, number(3))
            .at(consistency)));
        return ways;
    }

    private List<Way> batches(final int consistency)
    {
        return List.of(
            new Way("one partition", 2, 2, false, client.batch(UNLOGGED)
                .add(insert, number(1), text("c"), text("v"))
                .add(insert, number(1), text("d"), text("v"))
                .at(consistency)),
            new Way("two partitions", 2, 2, false, client.batch(UNLOGGED)
                .add(insert, number(1), text("c"), text("v"))
                .add(insert, number(2), text("c"), text("v"))
                .at(consistency)),
            new Way("a logged batch", 2, 2, true, client.batch(LOGGED)
                .add(insert, number(1), text("c"), text("v"))
                .add(insert, number(2), text("c"), text("v"))
                .at(consistency)),
            new Way("two tables", 2, 2, false, client.batch(UNLOGGED)
                .add(insert, number(1), text("c"), text("v"))
                .add(update, text("v"), number(1))
                .at(consistency)),
            new Way("with and without plans", 1, 2, false, client.batch(UNLOGGED)
                .add(insert, number(1), text("c"), text("v"))
                .add(list, listOf(7), number(1), text("c"))
                .at(consistency)),
            new Way("with text", 1, 3, true, client.batch(LOGGED)
                .add(insert, number(1), text("c"), text("v"))
                .add(list, listOf(7), number(1), text("c"))
                .add("UPDATE " + keyspace + ".u SET v = ? WHERE k = ?", text("v"), number(4))
                .at(consistency)));
    }
}
