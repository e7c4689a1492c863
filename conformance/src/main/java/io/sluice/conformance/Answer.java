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
package io.sluice.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A response taken apart to its last byte. Whatever does not fit its protocol version is a {@link GarbledBytes}.

 */
final class Answer
{
    static final int ROWS_GLOBAL_TABLE = 1;
    static final int ROWS_MORE_PAGES = 2;
    static final int ROWS_NO_METADATA = 4;
    static final int ROWS_METADATA_CHANGED = 8;

    /** Class names, exception names and buffer dumps have no business in an answer. */
    private static final Pattern JAVA_TEXT = Pattern.compile(
        "\\b(java|javax|io\\.netty|net\\.jpountz|org\\.apache|io\\.sluice)\\.[a-z]|(Exception|Error)\\b(?! code)" +
            "|readerIndex|writerIndex|Java heap space|array size");

    private final Envelope envelope;
    private final String name;
    private List<String> warnings = List.of();
    private byte[] tracingId = new byte[0];
    private Map<String, byte[]> payload = Map.of();
    private Map<String, List<String>> supported = Map.of();
    private int errorCode = -1;
    private String text = "";
    private byte[] unpreparedId = new byte[0];
    private byte[] preparedId = new byte[0];
    private byte[] metadataId = new byte[0];
    private byte[] pagingState;
    private int rowsFlags;
    private int columns;
    private boolean hasSpecs;
    private boolean compressed;
    private List<Integer> partitionKeys = List.of();
    private final List<String> columnNames = new ArrayList<>();
    private final List<String> words = new ArrayList<>();
    private final List<List<byte[]>> rows = new ArrayList<>();

    private Answer(final Envelope envelope)
    {
        this.envelope = envelope;
        final ByteParser body = new ByteParser(envelope.body());
        if (envelope.has(Envelope.TRACING))
        {
            tracingId = body.raw(16, "tracing id");
        }
        if (envelope.has(Envelope.WARNING))
        {
            warnings = body.stringList();
        }
        if (envelope.has(Envelope.CUSTOM_PAYLOAD))
        {
            payload = body.bytesMap();
        }
        name = switch (envelope.opcode())
        {
            case Opcode.ERROR -> error(body);
            case Opcode.READY -> "READY";
            case Opcode.AUTHENTICATE -> word("AUTHENTICATE", body.string());
            case Opcode.SUPPORTED -> supported(body);
            case Opcode.RESULT -> result(body);
            case Opcode.EVENT -> event(body);
            case Opcode.AUTH_CHALLENGE -> token("AUTH_CHALLENGE", body);
            case Opcode.AUTH_SUCCESS -> token("AUTH_SUCCESS", body);
            default -> throw new GarbledBytes("opcode " + Integer.toHexString(envelope.opcode()) + " from a server");
        };
        body.end();
    }

    /** @param agreed what v3 and v4 bodies with the compressed flag are decompressed with */
    static Answer of(final Envelope envelope, final Compression agreed)
    {
        if (!envelope.isResponse())
        {
            throw new GarbledBytes("envelope without the response bit");
        }
        if (envelope.has(Envelope.COMPRESSED))
        {
            if (envelope.version() >= 5)
            {
                throw new GarbledBytes("compressed flag in a v5 answer");
            }
            final Answer answer = new Answer(envelope.withBody(agreed.decompress(envelope.body())));
            answer.compressed = true;
            return answer;
        }
        return new Answer(envelope);
    }

    /** One word for tables and patterns, for example {@code ROWS@3}, or {@code ERROR-000a:v2@0!java}. */
    String token(final int expectedVersion)
    {
        final String version = envelope.version() == expectedVersion ? "" : ":v" + envelope.version();
        return name + version + "@" + envelope.stream() + (leaksJava() ? "!java" : "");
    }

    boolean leaksJava()
    {
        return errorCode >= 0 && JAVA_TEXT.matcher(text).find();
    }

    private String error(final ByteParser body)
    {
        errorCode = body.int32();
        text = body.string();
        ErrorTail.parse(errorCode, envelope.version(), body, words);
        if (errorCode == 0x2500)
        {
            unpreparedId = ByteBuilder.fromHex(words.get(0));
        }
        return String.format(Locale.ROOT, "ERROR-%04x", errorCode);
    }

    private String supported(final ByteParser body)
    {
        supported = body.stringMultimap();
        return "SUPPORTED";
    }

    private String event(final ByteParser body)
    {
        words.add(body.string());
        switch (words.get(0))
        {
            case "SCHEMA_CHANGE" -> schemaChange(body);
            case "TOPOLOGY_CHANGE", "STATUS_CHANGE" ->
            {
                words.add(body.string());
                body.raw(body.uint8(), "address");
                body.int32();
            }
            default -> throw new GarbledBytes("event " + words.get(0));
        }
        return "EVENT";
    }

    private String result(final ByteParser body)
    {
        final int kind = body.int32();
        return switch (kind)
        {
            case 1 -> "VOID";
            case 2 -> rows(body);
            case 3 -> word("SET_KEYSPACE", body.string());
            case 4 -> prepared(body);
            case 5 -> schemaChange(body);
            default -> throw new GarbledBytes("result kind " + kind);
        };
    }

    private String schemaChange(final ByteParser body)
    {
        words.add(body.string());
        final String target = body.string();
        words.add(target);
        words.add(body.string());
        if (!"KEYSPACE".equals(target))
        {
            words.add(body.string());
        }
        if ("FUNCTION".equals(target) || "AGGREGATE".equals(target))
        {
            body.stringList();
        }
        return "SCHEMA_CHANGE";
    }

    private String prepared(final ByteParser body)
    {
        preparedId = body.shortBytes();
        if (envelope.version() >= 5)
        {
            metadataId = body.shortBytes();
        }
        final int bindFlags = body.int32();
        final int bindColumns = body.int32();
        if (envelope.version() >= 4)
        {
            final int count = body.int32();
            partitionKeys = new ArrayList<>();
            for (int i = 0; i < count; i++)
            {
                partitionKeys.add(body.uint16());
            }
        }
        columnNames.addAll(ColumnSpecs.parse(body, (bindFlags & ROWS_GLOBAL_TABLE) != 0, bindColumns));
        rowsMetadata(body);
        return "PREPARED";
    }

    private String rows(final ByteParser body)
    {
        columnNames.addAll(rowsMetadata(body));
        final int count = body.int32();
        if (count < 0)
        {
            throw new GarbledBytes("row count " + count);
        }
        for (int row = 0; row < count; row++)
        {
            final List<byte[]> cells = new ArrayList<>();
            for (int column = 0; column < columns; column++)
            {
                cells.add(body.bytes());
            }
            rows.add(cells);
        }
        return "ROWS";
    }

    private List<String> rowsMetadata(final ByteParser body)
    {
        rowsFlags = body.int32();
        columns = body.int32();
        if ((rowsFlags & ROWS_MORE_PAGES) != 0)
        {
            pagingState = body.bytes();
        }
        if ((rowsFlags & ROWS_METADATA_CHANGED) != 0)
        {
            if (envelope.version() < 5)
            {
                throw new GarbledBytes("METADATA_CHANGED in v" + envelope.version());
            }
            metadataId = body.shortBytes();
        }
        hasSpecs = (rowsFlags & ROWS_NO_METADATA) == 0;
        return hasSpecs ? ColumnSpecs.parse(body, (rowsFlags & ROWS_GLOBAL_TABLE) != 0, columns) : List.of();
    }

    private String token(final String kind, final ByteParser body)
    {
        body.bytes();
        return kind;
    }

    private String word(final String kind, final String value)
    {
        words.add(value);
        return kind;
    }

    boolean wasCompressed()
    {
        return compressed;
    }

    Envelope envelope()
    {
        return envelope;
    }

    String name()
    {
        return name;
    }

    int stream()
    {
        return envelope.stream();
    }

    List<String> warnings()
    {
        return warnings;
    }

    byte[] tracingId()
    {
        return tracingId;
    }

    Map<String, byte[]> payload()
    {
        return payload;
    }

    Map<String, List<String>> supported()
    {
        return supported;
    }

    /** -1 if this is no ERROR. */
    int errorCode()
    {
        return errorCode;
    }

    String text()
    {
        return text;
    }

    byte[] unpreparedId()
    {
        return unpreparedId;
    }

    byte[] preparedId()
    {
        return preparedId;
    }

    /** Of PREPARED, or of ROWS whose metadata changed. */
    byte[] metadataId()
    {
        return metadataId;
    }

    /** Null if there are no more pages. */
    byte[] pagingState()
    {
        return pagingState;
    }

    int rowsFlags()
    {
        return rowsFlags;
    }

    boolean hasSpecs()
    {
        return hasSpecs;
    }

    List<Integer> partitionKeys()
    {
        return partitionKeys;
    }

    /** Names of the bind markers of a PREPARED, or of the columns of ROWS. */
    List<String> columnNames()
    {
        return columnNames;
    }

    /** The strings of a SCHEMA_CHANGE, EVENT, SET_KEYSPACE or error tail, in order. */
    List<String> words()
    {
        return words;
    }

    List<List<byte[]>> rows()
    {
        return rows;
    }
}
