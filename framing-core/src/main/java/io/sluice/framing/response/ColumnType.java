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

import io.sluice.framing.ProtocolVersion;
import java.util.List;
import java.util.Objects;

/**
 * The type of a column, as drivers are told it: the [option] of the native protocol (section 4.2.5.2). A type that a
 * version does not know is sent to it as a custom type with the class name that stands for it. Immutable.
 */
public final class ColumnType
{
    // In front of the constants that are made with them.
    private static final List<String> NO_NAMES = List.of();
    private static final List<ColumnType> NO_TYPES = List.of();

    /** As on the wire. */
    public static final ColumnType ASCII = new ColumnType(0x01);
    /** As on the wire. */
    public static final ColumnType BIGINT = new ColumnType(0x02);
    /** As on the wire. */
    public static final ColumnType BLOB = new ColumnType(0x03);
    /** As on the wire. */
    public static final ColumnType BOOLEAN = new ColumnType(0x04);
    /** As on the wire. */
    public static final ColumnType COUNTER = new ColumnType(0x05);
    /** As on the wire. */
    public static final ColumnType DECIMAL = new ColumnType(0x06);
    /** As on the wire. */
    public static final ColumnType DOUBLE = new ColumnType(0x07);
    /** As on the wire. */
    public static final ColumnType FLOAT = new ColumnType(0x08);
    /** As on the wire. */
    public static final ColumnType INT = new ColumnType(0x09);
    /** As on the wire. */
    public static final ColumnType TIMESTAMP = new ColumnType(0x0B);
    /** As on the wire. */
    public static final ColumnType UUID = new ColumnType(0x0C);
    /** Varchar and text alike: one type with two names. */
    public static final ColumnType TEXT = new ColumnType(0x0D);
    /** As on the wire. */
    public static final ColumnType VARINT = new ColumnType(0x0E);
    /** As on the wire. */
    public static final ColumnType TIMEUUID = new ColumnType(0x0F);
    /** As on the wire. */
    public static final ColumnType INET = new ColumnType(0x10);
    /** From version 4. */
    public static final ColumnType DATE = new ColumnType(0x11, ProtocolVersion.V4, "SimpleDateType");
    /** From version 4. */
    public static final ColumnType TIME = new ColumnType(0x12, ProtocolVersion.V4, "TimeType");
    /** From version 4. */
    public static final ColumnType SMALLINT = new ColumnType(0x13, ProtocolVersion.V4, "ShortType");
    /** From version 4. */
    public static final ColumnType TINYINT = new ColumnType(0x14, ProtocolVersion.V4, "ByteType");
    /** From version 5. */
    public static final ColumnType DURATION = new ColumnType(0x15, ProtocolVersion.V5, "DurationType");

    private static final String CLASS_PREFIX = "org.apache.cassandra.db.marshal.";
    private static final int CUSTOM_ID = 0x00;
    private static final int LIST_ID = 0x20;
    private static final int MAP_ID = 0x21;
    private static final int SET_ID = 0x22;
    private static final int UDT_ID = 0x30;
    private static final int TUPLE_ID = 0x31;

    private final int id;
    private final ProtocolVersion since;
    private final String className;
    private final String keyspace;
    private final String name;
    private final List<String> fieldNames;
    private final List<ColumnType> types;

    private ColumnType(final int id)
    {
        this(id, ProtocolVersion.V3, null, null, null, NO_NAMES, NO_TYPES);
    }

    private ColumnType(final int id, final ProtocolVersion since, final String simpleName)
    {
        this(id, since, CLASS_PREFIX + simpleName, null, null, NO_NAMES, NO_TYPES);
    }

    private ColumnType(final int id,
        final ProtocolVersion since,
        final String className,
        final String keyspace,
        final String name,
        final List<String> fieldNames,
        final List<ColumnType> types)
    {
        this.id = id;
        this.since = since;
        this.className = className;
        this.keyspace = keyspace;
        this.name = name;
        this.fieldNames = fieldNames;
        this.types = types;
    }

    /** A type that has no id of its own, by the name of its class. */
    public static ColumnType custom(final String className)
    {
        Objects.requireNonNull(className, "className");
        return new ColumnType(CUSTOM_ID, ProtocolVersion.V3, className, null, null, NO_NAMES, NO_TYPES);
    }

    /** A list of elements of one type. */
    public static ColumnType list(final ColumnType element)
    {
        return of(LIST_ID, List.of(element));
    }

    /** A set of elements of one type. */
    public static ColumnType set(final ColumnType element)
    {
        return of(SET_ID, List.of(element));
    }

    /** A map. */
    public static ColumnType map(final ColumnType key, final ColumnType value)
    {
        return of(MAP_ID, List.of(key, value));
    }

    /** A tuple; the order of the types counts. */
    public static ColumnType tuple(final List<ColumnType> types)
    {
        return of(TUPLE_ID, checked(List.copyOf(types)));
    }

    private static ColumnType of(final int id, final List<ColumnType> types)
    {
        return new ColumnType(id, ProtocolVersion.V3, null, null, null, NO_NAMES, types);
    }

    /** A user-defined type; each field has a name and a type, in order. */
    public static ColumnType udt(final String keyspace,
        final String name,
        final List<String> fieldNames,
        final List<ColumnType> fieldTypes)
    {
        Objects.requireNonNull(keyspace, "keyspace");
        Objects.requireNonNull(name, "name");
        if (fieldNames.size() != fieldTypes.size())
        {
            throw new IllegalArgumentException(
                "fieldTypes: " + fieldTypes.size() + " (expected: " + fieldNames.size() + ")");
        }
        return new ColumnType(UDT_ID, ProtocolVersion.V3, null, keyspace, name, List.copyOf(fieldNames),
            checked(List.copyOf(fieldTypes)));
    }

    private static List<ColumnType> checked(final List<ColumnType> types)
    {
        if (types.size() > 0xFFFF)
        {
            throw new IllegalArgumentException("types: " + types.size() + " (expected: 0..65535)");
        }
        return types;
    }

    void encode(final BodyWriter out, final ProtocolVersion version)
    {
        final int sentId = version.isAtLeast(since) ? id : CUSTOM_ID;
        out.putShort(sentId);
        switch (sentId)
        {
            case CUSTOM_ID -> out.putString(className);
            case UDT_ID -> encodeFields(out, version);
            case TUPLE_ID ->
            {
                out.putShort(types.size());
                encodeTypes(out, version);
            }
            default -> encodeTypes(out, version);
        }
    }

    private void encodeFields(final BodyWriter out, final ProtocolVersion version)
    {
        out.putString(keyspace);
        out.putString(name);
        out.putShort(types.size());
        for (int i = 0; i < types.size(); i++)
        {
            out.putString(fieldNames.get(i));
            types.get(i).encode(out, version);
        }
    }

    private void encodeTypes(final BodyWriter out, final ProtocolVersion version)
    {
        for (int i = 0; i < types.size(); i++)
        {
            types.get(i).encode(out, version);
        }
    }
}
