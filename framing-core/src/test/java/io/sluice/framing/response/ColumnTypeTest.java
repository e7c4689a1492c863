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
package io.sluice.framing.response;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sluice.framing.ProtocolVersion;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ColumnTypeTest
{
    private static final String MARSHAL = "org.apache.cassandra.db.marshal.";

    private final Encoding encoding = new Encoding();

    @AfterEach
    void returnsAllMemory()
    {
        encoding.close();
    }

    private String type(final ProtocolVersion version, final ColumnType type)
    {
        final RowsMetadata metadata = RowsMetadata.of(List.of(new ColumnSpec("ks", "t", "c", type)));
        return encoding.read(version, new RowsResult(metadata, List.of())).rows().columns().get(0).type();
    }

    private void check(final ColumnType type, final String v3, final String v4, final String v5)
    {
        assertEquals(v3, type(ProtocolVersion.V3, type));
        assertEquals(v4, type(ProtocolVersion.V4, type));
        assertEquals(v5, type(ProtocolVersion.V5, type));
        assertEquals(v5, type(ProtocolVersion.V6, type));
    }

    private void check(final ColumnType type, final String inAll)
    {
        check(type, inAll, inAll, inAll);
    }

    @Test
    void hasTheIdsOfTheProtocol()
    {
        final Map<ColumnType, Integer> ids = new LinkedHashMap<>();
        ids.put(ColumnType.ASCII, 1);
        ids.put(ColumnType.BIGINT, 2);
        ids.put(ColumnType.BLOB, 3);
        ids.put(ColumnType.BOOLEAN, 4);
        ids.put(ColumnType.COUNTER, 5);
        ids.put(ColumnType.DECIMAL, 6);
        ids.put(ColumnType.DOUBLE, 7);
        ids.put(ColumnType.FLOAT, 8);
        ids.put(ColumnType.INT, 9);
        ids.put(ColumnType.TIMESTAMP, 11);
        ids.put(ColumnType.UUID, 12);
        ids.put(ColumnType.TEXT, 13);
        ids.put(ColumnType.VARINT, 14);
        ids.put(ColumnType.TIMEUUID, 15);
        ids.put(ColumnType.INET, 16);
        for (final Map.Entry<ColumnType, Integer> entry : ids.entrySet())
        {
            check(entry.getKey(), entry.getValue().toString());
        }
    }

    @Test
    void sendsNewTypesToOldVersionsByClassName()
    {
        check(ColumnType.DATE, "custom<" + MARSHAL + "SimpleDateType>", "17", "17");
        check(ColumnType.TIME, "custom<" + MARSHAL + "TimeType>", "18", "18");
        check(ColumnType.SMALLINT, "custom<" + MARSHAL + "ShortType>", "19", "19");
        check(ColumnType.TINYINT, "custom<" + MARSHAL + "ByteType>", "20", "20");
        final String duration = "custom<" + MARSHAL + "DurationType>";
        check(ColumnType.DURATION, duration, duration, "21");
        check(ColumnType.list(ColumnType.DURATION), "list<" + duration + ">", "list<" + duration + ">", "list<21>");
    }

    @Test
    void nests()
    {
        check(ColumnType.list(ColumnType.INT), "list<9>");
        check(ColumnType.set(ColumnType.TEXT), "set<13>");
        check(ColumnType.map(ColumnType.TEXT, ColumnType.set(ColumnType.UUID)), "map<13,set<12>>");
        check(ColumnType.tuple(List.of(ColumnType.INT, ColumnType.list(ColumnType.BLOB))), "tuple< 9 list<3>>");
        check(ColumnType.tuple(List.of()), "tuple<>");
        check(ColumnType.udt("ks", "u", List.of("a", "b"), List.of(ColumnType.INT, ColumnType.map(ColumnType.INT,
            ColumnType.tuple(List.of(ColumnType.TEXT))))), "udt<ks.u a:9 b:map<9,tuple< 13>>>");
        check(ColumnType.custom("org.example.Type"), "custom<org.example.Type>");
    }

    @Test
    void checksItsParts()
    {
        assertThrows(IllegalArgumentException.class,
            () -> ColumnType.udt("ks", "u", List.of("a"), List.of(ColumnType.INT, ColumnType.INT)));
        assertThrows(NullPointerException.class, () -> ColumnType.list(null));
        assertThrows(NullPointerException.class, () -> ColumnType.custom(null));
        assertThrows(IllegalArgumentException.class,
            () -> ColumnType.tuple(java.util.Collections.nCopies(65_536, ColumnType.INT)));
    }
}
