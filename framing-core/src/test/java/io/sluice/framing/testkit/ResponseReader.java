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
package io.sluice.framing.testkit;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Reads answers as a client would, sharing no code with what writes them: header and prefixes at once, then the body by
 * its parts. Whatever does not fit throws. Not thread safe.
 */
public final class ResponseReader
{
    private final byte[] bytes;
    private final int version;
    private final int flags;
    private final int streamId;
    private final int opcode;
    private final UUID tracingId;
    private final List<String> warnings;
    private final Map<String, byte[]> customPayload;
    private int position;

    /** A column of rows or a bound variable; the type in words, such as {@code map<13,9>}. */
    public record Column(String keyspace, String table, String name, String type)
    {
    }

    /** A Rows result. */
    public record Rows(
        int flags,
        int columnCount,
        byte[] pagingState,
        byte[] newMetadataId,
        List<Column> columns,
        List<List<byte[]>> cells)
    {
    }

    /** A Prepared result. */
    public record Prepared(
        byte[] id,
        byte[] resultMetadataId,
        int flags,
        List<Integer> partitionKeyIndexes,
        List<Column> variables,
        Rows resultMetadata)
    {
    }

    /** An error; the tail by the names of the protocol text. */
    public record Failure(int code, String message, Map<String, Object> tail)
    {
    }

    /** Reads one whole envelope. */
    public ResponseReader(final byte[] envelope)
    {
        bytes = envelope.clone();
        final int versionByte = int1();
        if ((versionByte & 0x80) == 0)
        {
            throw new IllegalArgumentException("direction: request (expected: response)");
        }
        version = versionByte & 0x7F;
        flags = int1();
        streamId = (short)int2();
        opcode = int1();
        final int bodyLength = int4();
        if (bodyLength != envelope.length - 9)
        {
            throw new IllegalArgumentException("body: " + bodyLength + " (expected: " + (envelope.length - 9) + ")");
        }
        tracingId = (flags & 0x02) != 0 ? new UUID(int8(), int8()) : null;
        warnings = (flags & 0x08) != 0 ? stringList() : null;
        customPayload = (flags & 0x04) != 0 ? bytesMap() : null;
    }

    /** Low seven bits. */
    public int version()
    {
        return version;
    }

    /** All bits. */
    public int flags()
    {
        return flags;
    }

    /** Signed. */
    public int streamId()
    {
        return streamId;
    }

    /** As on the wire. */
    public int opcode()
    {
        return opcode;
    }

    /** Or null. */
    public UUID tracingId()
    {
        return tracingId;
    }

    /** Or null. */
    public List<String> warnings()
    {
        return warnings;
    }

    /** Or null. */
    public Map<String, byte[]> customPayload()
    {
        return customPayload;
    }

    /** Bytes not read yet. */
    public int remaining()
    {
        return bytes.length - position;
    }

    /** Throws if anything is left. */
    public void end()
    {
        if (remaining() != 0)
        {
            throw new IllegalStateException("stray bytes: " + remaining() + " (expected: 0)");
        }
    }

    /** [byte]. */
    public int int1()
    {
        return bytes[position++] & 0xFF;
    }

    /** [short]. */
    public int int2()
    {
        return int1() << 8 | int1();
    }

    /** [int]. */
    public int int4()
    {
        return int2() << 16 | int2();
    }

    /** [long]. */
    public long int8()
    {
        return (long)int4() << 32 | int4() & 0xFFFFFFFFL;
    }

    /** [string]. */
    public String string()
    {
        return new String(raw(int2()), StandardCharsets.UTF_8);
    }

    /** [string list]. */
    public List<String> stringList()
    {
        final List<String> strings = new ArrayList<>();
        for (int left = int2(); left > 0; left--)
        {
            strings.add(string());
        }
        return strings;
    }

    /** [string multimap]. */
    public Map<String, List<String>> stringMultimap()
    {
        final Map<String, List<String>> map = new LinkedHashMap<>();
        for (int left = int2(); left > 0; left--)
        {
            map.put(string(), stringList());
        }
        return map;
    }

    /** [bytes map]. */
    public Map<String, byte[]> bytesMap()
    {
        final Map<String, byte[]> map = new LinkedHashMap<>();
        for (int left = int2(); left > 0; left--)
        {
            map.put(string(), bytes());
        }
        return map;
    }

    /** [bytes]. */
    public byte[] bytes()
    {
        final int length = int4();
        return length < 0 ? null : raw(length);
    }

    /** [short bytes]. */
    public byte[] shortBytes()
    {
        return raw(int2());
    }

    /** [inetaddr]. */
    public InetAddress address()
    {
        try
        {
            return InetAddress.getByAddress(raw(int1()));
        }
        catch (final UnknownHostException e)
        {
            throw new IllegalArgumentException(e);
        }
    }

    /** So many bytes. */
    public byte[] raw(final int length)
    {
        if (length > remaining())
        {
            throw new IllegalStateException("length: " + length + " (expected: 0.." + remaining() + ")");
        }
        position += length;
        return Arrays.copyOfRange(bytes, position - length, position);
    }

    /** The body of a Rows result, kind included, to its end. */
    public Rows rows()
    {
        kind(2);
        final Rows metadata = rowsMetadata();
        final List<List<byte[]>> cells = new ArrayList<>();
        for (int left = int4(); left > 0; left--)
        {
            final List<byte[]> row = new ArrayList<>();
            for (int i = 0; i < metadata.columnCount; i++)
            {
                row.add(bytes());
            }
            cells.add(row);
        }
        end();
        return new Rows(metadata.flags, metadata.columnCount, metadata.pagingState, metadata.newMetadataId,
            metadata.columns, cells);
    }

    private Rows rowsMetadata()
    {
        final int metadataFlags = int4();
        final int columnCount = int4();
        final byte[] pagingState = (metadataFlags & 2) != 0 ? bytes() : null;
        final byte[] newMetadataId = (metadataFlags & 8) != 0 ? shortBytes() : null;
        final List<Column> columns = (metadataFlags & 4) != 0 ? null : columns(columnCount, (metadataFlags & 1) != 0);
        return new Rows(metadataFlags, columnCount, pagingState, newMetadataId, columns, null);
    }

    private List<Column> columns(final int count, final boolean oneTable)
    {
        String keyspace = oneTable ? string() : null;
        String table = oneTable ? string() : null;
        final List<Column> columns = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            if (!oneTable)
            {
                keyspace = string();
                table = string();
            }
            columns.add(new Column(keyspace, table, string(), type()));
        }
        return columns;
    }

    private String type()
    {
        final int id = int2();
        return switch (id)
        {
            case 0x00 -> "custom<" + string() + ">";
            case 0x20 -> "list<" + type() + ">";
            case 0x21 -> "map<" + type() + "," + type() + ">";
            case 0x22 -> "set<" + type() + ">";
            case 0x30 -> "udt<" + string() + "." + string() + elements(true) + ">";
            case 0x31 -> "tuple<" + elements(false) + ">";
            default -> Integer.toString(id);
        };
    }

    private String elements(final boolean named)
    {
        final StringBuilder text = new StringBuilder();
        for (int left = int2(); left > 0; left--)
        {
            text.append(' ');
            if (named)
            {
                text.append(string()).append(':');
            }
            text.append(type());
        }
        return text.toString();
    }

    /** The body of a Prepared result, kind included, to its end. */
    public Prepared prepared()
    {
        kind(4);
        final byte[] id = shortBytes();
        final byte[] resultMetadataId = version >= 5 ? shortBytes() : null;
        final int bindFlags = int4();
        final int count = int4();
        final List<Integer> indexes = new ArrayList<>();
        for (int left = version >= 4 ? int4() : 0; left > 0; left--)
        {
            indexes.add(int2());
        }
        final List<Column> variables = columns(count, (bindFlags & 1) != 0);
        final Rows result = rowsMetadata();
        end();
        return new Prepared(id, resultMetadataId, bindFlags, indexes, variables, result);
    }

    private void kind(final int expected)
    {
        final int kind = int4();
        if (kind != expected)
        {
            throw new IllegalStateException("kind: " + kind + " (expected: " + expected + ")");
        }
    }

    /** The body of an ERROR, to its end. */
    public Failure failure()
    {
        final int code = int4();
        final String message = string();
        final Map<String, Object> tail = new LinkedHashMap<>();
        switch (code)
        {
            case 0x1000 ->
            {
                tail.put("cl", int2());
                tail.put("required", int4());
                tail.put("alive", int4());
            }
            case 0x1100, 0x1200, 0x1300, 0x1500, 0x1700 -> replicas(code, tail);
            case 0x1400 ->
            {
                tail.put("keyspace", string());
                tail.put("function", string());
                tail.put("arg_types", stringList());
            }
            case 0x2400 ->
            {
                tail.put("ks", string());
                tail.put("table", string());
            }
            case 0x2500 -> tail.put("id", WireBytes.toHex(shortBytes()));
            default ->
            {
                // The other codes have no tail.
            }
        }
        end();
        return new Failure(code, message, tail);
    }

    private void replicas(final int code, final Map<String, Object> tail)
    {
        tail.put("cl", int2());
        tail.put("received", int4());
        tail.put("blockfor", int4());
        if (code == 0x1300 || code == 0x1500)
        {
            reasons(tail);
        }
        if (code == 0x1200 || code == 0x1300)
        {
            tail.put("data_present", int1());
        }
        if (code == 0x1100 || code == 0x1500)
        {
            tail.put("writeType", string());
        }
        if (code == 0x1100 && version >= 5 && "CAS".equals(tail.get("writeType")))
        {
            tail.put("contentions", int2());
        }
    }

    private void reasons(final Map<String, Object> tail)
    {
        final int count = int4();
        tail.put("numfailures", count);
        if (version >= 5)
        {
            final Map<String, Integer> reasons = new LinkedHashMap<>();
            for (int i = 0; i < count; i++)
            {
                reasons.put(address().getHostAddress(), int2());
            }
            tail.put("reasonmap", reasons);
        }
    }
}
