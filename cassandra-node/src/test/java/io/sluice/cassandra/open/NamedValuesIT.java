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
package io.sluice.cassandra.open;

import static io.sluice.cassandra.TwoRoads.ONE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.cassandra.NodeExtension;
import io.sluice.cassandra.TestNode;
import io.sluice.cassandra.TwoRoads;
import io.sluice.framing.Opcode;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.WireBytes;
import io.sluice.transport.testkit.WireClient;
import io.sluice.transport.testkit.WireEnvelope;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;

/** Values bound by name arrive in their columns, whatever order the client sends them in. */
@ExtendWith(NodeExtension.class)
@DisabledIfSystemProperty(named = "sluice.it.transport", matches = "stock", disabledReason = "stock has no plans")
final class NamedValuesIT
{
    private static final List<String> NAMES = List.of("key", "first", "second", "third");
    private static final int NAMED = 0x41;
    private static final int ORDERS = 24;

    private final TestNode node;
    private TwoRoads client;

    NamedValuesIT(final TestNode node)
    {
        this.node = node;
    }

    @BeforeEach
    void begin() throws IOException
    {
        client = new TwoRoads(node);
        client.define("CREATE KEYSPACE named WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
            "CREATE TABLE named.t (k text PRIMARY KEY, a text, b text, c text, s set<text>)");
    }

    @AfterEach
    void end() throws IOException
    {
        client.define("DROP KEYSPACE named");
        client.close();
    }

    private static List<List<String>> orders(final List<String> names)
    {
        if (names.isEmpty())
        {
            return List.of(List.of());
        }
        final List<List<String>> all = new ArrayList<>();
        for (final String first : names)
        {
            final List<String> others = new ArrayList<>(names);
            others.remove(first);
            for (final List<String> rest : orders(others))
            {
                final List<String> order = new ArrayList<>(List.of(first));
                order.addAll(rest);
                all.add(order);
            }
        }
        assertEquals(names.size() < NAMES.size() || all.size() == ORDERS, true);
        return all;
    }

    /** Each value is its name and the number of the order, but for the key, which is the number alone. */
    private static byte[][] values(final List<String> order, final int number)
    {
        return order.stream()
            .map(name -> ("key".equals(name) ? "" + number : name + number).getBytes(StandardCharsets.UTF_8))
            .toArray(byte[][]::new);
    }

    private void expectStored(final int number) throws IOException
    {
        final WireEnvelope answer = client.ask("SELECT JSON k, a, b, c FROM named.t WHERE k = '" + number + "'");
        final Map<String, String> columns = Map.of("a", "first", "b", "second", "c", "third");
        final String stored = new String(answer.body(), StandardCharsets.UTF_8);
        columns.forEach((column, name) -> assertEquals(true, stored.contains("\"" + column + "\": \"" + name + number +
            "\""), stored));
    }

    @Test
    void byPlans() throws IOException
    {
        final byte[] id = client.prepare("INSERT INTO named.t (b, k, c, a) VALUES (:second, :key, :third, :first)");
        int number = 0;
        for (final List<String> order : orders(NAMES))
        {
            client.both(1, client.execute(0, ONE, id, order, values(order, number)));
            expectStored(number);
            number++;
        }
    }

    @Test
    void onTheOrdinaryRoad() throws IOException
    {
        final byte[] id = client.prepare("UPDATE named.t SET s = s + {'x'}, c = :third, a = :first, b = :second " +
            "WHERE k = :key");
        int number = 0;
        for (final List<String> order : orders(NAMES))
        {
            client.both(0, client.execute(0, ONE, id, order, values(order, number)));
            expectStored(number);
            number++;
        }
    }

    @Test
    void inStatementsThatAreNotPrepared() throws IOException
    {
        int number = 0;
        try (WireClient plain = WireClient.ready(node.address(), 5, null))
        {
            for (final List<String> order : orders(NAMES))
            {
                final WireBytes body = new WireBytes().longString(
                    "INSERT INTO named.t (k, a, b, c) VALUES (:key, :first, :second, :third)");
                body.u16(ONE).i32(NAMED).u16(order.size());
                final byte[][] values = values(order, number);
                for (int i = 0; i < values.length; i++)
                {
                    body.string(order.get(i)).value(values[i]);
                }
                final WireEnvelope answer = plain.ask(Requests.envelope(5, 0, 1, Opcode.QUERY.code(), body.toArray()));
                assertEquals(Opcode.RESULT, answer.type(), answer::toString);
                expectStored(number);
                number++;
            }
        }
    }

    @Test
    void tellsOfOnesThatAreMissing() throws IOException
    {
        final byte[] id = client.prepare("INSERT INTO named.t (k, a) VALUES (:key, :first)");
        final byte[] one = client.execute(0, ONE, id, List.of("key", "other"), values(List.of("key", "other"), 1));
        assertEquals(Opcode.ERROR, client.both(0, one).type());
        // The first of two with the same name counts, and names that nobody asked for do not.
        final List<String> more = List.of("other", "first", "key", "first");
        assertEquals(Opcode.RESULT, client.both(1, client.execute(0, ONE, id, more, values(more, 2))).type());
    }
}
