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

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** A statement at random that writes to a table, with what is expected of it. */
final class RandomWrite
{
    /** What becomes of it. */
    enum Road
    {
        /** There is a plan. */
        PLANNED,
        /** There is none. */
        ORDINARY,
        /** There is none, and what it writes is not the same twice: it reads, or makes ids of the clock. */
        ORDINARY_ANEW
    }

    private final RandomTable table;
    private final Random random;
    private final boolean named;
    private final List<String> types = new ArrayList<>();
    private final List<String> names = new ArrayList<>();
    private Road road = Road.PLANNED;
    private boolean conditional;
    private final String cql;

    RandomWrite(final RandomTable table, final Random random)
    {
        this.table = table;
        this.random = random;
        named = random.nextInt(4) == 0;
        if (table.hasCounters())
        {
            cql = counter();
        }
        else
        {
            cql = switch (random.nextInt(12))
            {
                case 0, 1, 2, 3 -> insert();
                case 4, 5, 6 -> update();
                case 7 -> deleteRow();
                case 8 -> deleteColumns();
                case 9 -> deletePartition();
                default -> special();
            };
        }
        if (types.isEmpty() && road == Road.PLANNED)
        {
            road = Road.ORDINARY;
        }
    }

    String cql()
    {
        return cql;
    }

    /** Of the bound values. */
    List<String> types()
    {
        return types;
    }

    /** Of the bound values, or null if they have none. */
    List<String> names()
    {
        return named ? names : null;
    }

    Road road()
    {
        return road;
    }

    /** True if the answer depends on what was there. */
    boolean isConditional()
    {
        return conditional;
    }

    boolean isCounter()
    {
        return table.hasCounters();
    }

    private String marker(final String type)
    {
        types.add(type);
        names.add("n" + types.size());
        return named ? ":n" + types.size() : "?";
    }

    private String value(final RandomTable.Column column)
    {
        if (!column.isPlain())
        {
            // The elements of a list are kept by ids made of the clock.
            ordinary(column.type().startsWith("list") ? Road.ORDINARY_ANEW : Road.ORDINARY);
            return marker(column.type());
        }
        return random.nextInt(10) == 0 ? RandomCell.literal(column.type()) : marker(column.type());
    }

    private void ordinary(final Road to)
    {
        if (road != Road.ORDINARY_ANEW)
        {
            road = to;
        }
    }

    private String where()
    {
        final List<RandomTable.Column> key = new ArrayList<>(table.partitionKey());
        key.addAll(table.clustering());
        Collections.shuffle(key, random);
        return where(key);
    }

    private String where(final List<RandomTable.Column> columns)
    {
        final List<String> terms = new ArrayList<>();
        columns.forEach(column -> terms.add(column.name() + " = " + value(column)));
        return " WHERE " + String.join(" AND ", terms);
    }

    private String using(final boolean timeToLive)
    {
        final List<String> attributes = new ArrayList<>();
        final boolean timestampFirst = random.nextBoolean();
        if (timestampFirst)
        {
            addTimestamp(attributes);
        }
        if (timeToLive && random.nextInt(4) == 0)
        {
            attributes.add("TTL " + (random.nextInt(3) == 0 ? "3600" : marker("ttl")));
        }
        if (!timestampFirst)
        {
            addTimestamp(attributes);
        }
        return attributes.isEmpty() ? "" : " USING " + String.join(" AND ", attributes);
    }

    private void addTimestamp(final List<String> attributes)
    {
        if (random.nextInt(4) == 0)
        {
            attributes.add("TIMESTAMP " + (random.nextInt(3) == 0 ? "1234567" : marker("micros")));
        }
    }

    private List<RandomTable.Column> someColumns(final int least)
    {
        final List<RandomTable.Column> some = new ArrayList<>(table.columns());
        Collections.shuffle(some, random);
        return some.subList(0, Math.min(some.size(), least + random.nextInt(some.size() + 1)));
    }

    private String insert()
    {
        final List<RandomTable.Column> written = new ArrayList<>(table.partitionKey());
        written.addAll(table.clustering());
        written.addAll(someColumns(0));
        if (!table.statics().isEmpty() && random.nextInt(3) == 0)
        {
            ordinary(Road.ORDINARY);
            written.addAll(table.statics());
        }
        Collections.shuffle(written, random);
        final List<String> values = new ArrayList<>();
        for (final RandomTable.Column column : written)
        {
            final boolean literalNull = table.columns().contains(column) && column.isPlain() && random.nextInt(15) == 0;
            values.add(literalNull ? "null" : value(column));
        }
        return "INSERT INTO " + table.name() + " (" + RandomTable.names(written) + ") VALUES (" + String.join(", ",
            values) + ")" + using(true);
    }

    private String update()
    {
        if (table.columns().isEmpty())
        {
            return insert();
        }
        final StringBuilder text = new StringBuilder("UPDATE ").append(table.name())
            .append(using(true))
            .append(" SET ");
        final List<String> sets = new ArrayList<>();
        someColumns(1).forEach(column -> sets.add(column.name() + " = " + value(column)));
        return text.append(String.join(", ", sets)).append(where()).toString();
    }

    private String deleteRow()
    {
        return "DELETE FROM " + table.name() + using(false) + where();
    }

    private String deletePartition()
    {
        return "DELETE FROM " + table.name() + using(false) + where(table.partitionKey());
    }

    private String deleteColumns()
    {
        final List<RandomTable.Column> some = someColumns(1);
        if (some.isEmpty())
        {
            return deleteRow();
        }
        if (some.stream().anyMatch(RandomTable.Column::isMultiCell))
        {
            ordinary(Road.ORDINARY);
        }
        return "DELETE " + RandomTable.names(some) + " FROM " + table.name() + using(false) + where();
    }

    private String counter()
    {
        ordinary(Road.ORDINARY);
        final RandomTable.Column column = table.columns().get(random.nextInt(table.columns().size()));
        return "UPDATE " + table.name() + " SET " + column.name() + " = " + column.name() + " + " + marker("counter") +
            where();
    }

    private String special()
    {
        ordinary(Road.ORDINARY);
        return switch (random.nextInt(7))
        {
            case 0 -> condition(insert().replaceAll(" USING .*", "") + " IF NOT EXISTS");
            case 1 -> condition("DELETE FROM " + table.name() + where() + " IF EXISTS");
            case 2 -> manyPartitions();
            case 3 -> range();
            case 4 -> computed();
            case 5 -> "INSERT INTO " + table.name() + " JSON " + marker("json");
            default -> collection();
        };
    }

    private String condition(final String text)
    {
        conditional = true;
        // What stood behind USING is gone.
        while (!types.isEmpty() && (types.get(types.size() - 1).equals("ttl") || types.get(types.size() - 1)
            .equals(
                "micros")))
        {
            types.remove(types.size() - 1);
            names.remove(names.size() - 1);
        }
        return text;
    }

    private String manyPartitions()
    {
        final List<RandomTable.Column> others = new ArrayList<>(table.partitionKey());
        final RandomTable.Column last = others.remove(others.size() - 1);
        final String in = last.name() + " IN (" + marker(last.type()) + ", " + marker(last.type()) + ")";
        final StringBuilder text = new StringBuilder("DELETE FROM ").append(table.name()).append(" WHERE ").append(in);
        others.forEach(column -> text.append(" AND ").append(column.name()).append(" = ").append(value(column)));
        return text.toString();
    }

    private String range()
    {
        if (table.clustering().isEmpty())
        {
            return manyPartitions();
        }
        final RandomTable.Column first = table.clustering().get(0);
        return "DELETE FROM " + table.name() + where(table.partitionKey()) + " AND " + first.name() + " > " + marker(
            first.type());
    }

    private String computed()
    {
        for (final RandomTable.Column column : table.columns())
        {
            if ("timeuuid".equals(column.type()))
            {
                road = Road.ORDINARY_ANEW;
                return "UPDATE " + table.name() + " SET " + column.name() + " = now()" + where();
            }
        }
        return manyPartitions();
    }

    private String collection()
    {
        for (final RandomTable.Column column : table.columns())
        {
            if (column.isMultiCell())
            {
                road = Road.ORDINARY_ANEW;
                return "UPDATE " + table.name() + " SET " + column.name() + " = " + column.name() + " + " + marker(
                    column.type()) + where();
            }
        }
        return range();
    }

    /** A value for each marker; all right, or some of them anything. */
    byte[][] values(final boolean right)
    {
        final byte[][] values = new byte[types.size()][];
        for (int i = 0; i < values.length; i++)
        {
            final String type = types.get(i);
            values[i] = switch (type)
            {
                case "ttl" -> timeToLive(right);
                case "micros" -> right ? RandomCell.right("bigint", random) : RandomCell.any("bigint", random);
                case "json" -> "{}".getBytes(java.nio.charset.StandardCharsets.UTF_8);
                default -> right || random.nextInt(4) > 0 ? nonEmpty(type) : RandomCell.any(type, random);
            };
        }
        return values;
    }

    private byte[] timeToLive(final boolean right)
    {
        if (!right && random.nextBoolean())
        {
            return RandomCell.any("int", random);
        }
        return java.nio.ByteBuffer.allocate(4).putInt(1 + random.nextInt(100_000)).array();
    }

    /** Right for a key as well. */
    private byte[] nonEmpty(final String type)
    {
        byte[] value = RandomCell.right(type, random);
        while (value.length == 0)
        {
            value = RandomCell.right(type, random);
        }
        return value;
    }
}
