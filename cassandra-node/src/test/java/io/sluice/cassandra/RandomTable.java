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

/** A table at random: keys of one or more columns, both orders, columns of all types, and some rare features. */
final class RandomTable
{
    /** A column. */
    record Column(String name, String type)
    {
        boolean isPlain()
        {
            return RandomCell.PLAIN.contains(type);
        }

        boolean isMultiCell()
        {
            return type.startsWith("list") || type.startsWith("set") || type.startsWith("map");
        }
    }

    private final String name;
    private final List<Column> partitionKey = new ArrayList<>();
    private final List<Column> clustering = new ArrayList<>();
    private final List<Column> columns = new ArrayList<>();
    private final List<Column> statics = new ArrayList<>();
    private final boolean counters;
    private final String definition;
    private final List<String> indexes = new ArrayList<>();

    RandomTable(final String name, final Random random)
    {
        this.name = name;
        counters = random.nextInt(12) == 0;
        final int parts = random.nextInt(3) == 0 ? 2 + random.nextInt(2) : 1;
        for (int i = 0; i < parts; i++)
        {
            partitionKey.add(new Column("p" + i, keyType(random)));
        }
        final int clusterings = random.nextInt(4);
        for (int i = 0; i < clusterings; i++)
        {
            clustering.add(new Column("c" + i, keyType(random)));
        }
        final int others = random.nextInt(4) == 0 && !counters ? 0 : 1 + random.nextInt(40 / (1 + random.nextInt(8)));
        for (int i = 0; i < others; i++)
        {
            // Names that do not sort as they are declared.
            columns.add(new Column("v" + (i * 7919 % 1000) + "_" + i, counters ? "counter" : type(random)));
        }
        if (clusterings > 0 && !counters && random.nextInt(4) == 0)
        {
            statics.add(new Column("s", "text"));
        }
        definition = definition(random);
        addIndexes(random);
    }

    private static String keyType(final Random random)
    {
        final String type = RandomCell.PLAIN.get(random.nextInt(RandomCell.PLAIN.size()));
        return "duration".equals(type) ? "text" : type;
    }

    private static String type(final Random random)
    {
        return random.nextInt(8) == 0
            ? RandomCell.COMPOUND.get(random.nextInt(RandomCell.COMPOUND.size()))
            : RandomCell.PLAIN.get(random.nextInt(RandomCell.PLAIN.size()));
    }

    private String definition(final Random random)
    {
        final StringBuilder cql = new StringBuilder("CREATE TABLE ").append(name).append(" (");
        final List<Column> all = new ArrayList<>(partitionKey);
        all.addAll(clustering);
        all.addAll(columns);
        Collections.shuffle(all, random);
        all.forEach(column -> cql.append(column.name()).append(' ').append(column.type()).append(", "));
        statics.forEach(column -> cql.append(column.name()).append(' ').append(column.type()).append(" STATIC, "));
        cql.append("PRIMARY KEY ((").append(names(partitionKey)).append(')');
        clustering.forEach(column -> cql.append(", ").append(column.name()));
        cql.append(")) WITH comment = ''");
        if (!clustering.isEmpty())
        {
            final List<String> orders = new ArrayList<>();
            clustering.forEach(column -> orders.add(column.name() + (random.nextBoolean() ? " DESC" : " ASC")));
            cql.append(" AND CLUSTERING ORDER BY (").append(String.join(", ", orders)).append(')');
        }
        if (!counters && random.nextInt(4) == 0)
        {
            cql.append(" AND default_time_to_live = ").append(random.nextInt(3) == 0 ? 630_000_000 : 86_400);
        }
        if (!counters && random.nextInt(8) == 0)
        {
            cql.append(" AND cdc = true");
        }
        if (random.nextInt(8) == 0)
        {
            cql.append(" AND gc_grace_seconds = 0");
        }
        return cql.toString();
    }

    private void addIndexes(final Random random)
    {
        final List<Column> indexed = columns.stream()
            .filter(column -> column.isPlain() && !"duration".equals(column.type()) && !"blob".equals(column.type()))
            .toList();
        if (indexed.isEmpty() || random.nextInt(3) > 0)
        {
            return;
        }
        final boolean attached = random.nextBoolean();
        indexes.add("CREATE INDEX ON " + name + " (" + indexed.get(0).name() + ") USING '" + (attached
            ? "sai"
            : "legacy_local_table") + "'");
    }

    static String names(final List<Column> columns)
    {
        return String.join(", ", columns.stream().map(Column::name).toList());
    }

    String name()
    {
        return name;
    }

    /** What to execute, in order. */
    List<String> definitions()
    {
        final List<String> all = new ArrayList<>();
        all.add(definition);
        all.addAll(indexes);
        return all;
    }

    List<Column> partitionKey()
    {
        return partitionKey;
    }

    List<Column> clustering()
    {
        return clustering;
    }

    /** Neither of the key nor static. */
    List<Column> columns()
    {
        return columns;
    }

    List<Column> statics()
    {
        return statics;
    }

    boolean hasCounters()
    {
        return counters;
    }
}
