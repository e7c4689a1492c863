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

import io.sluice.framing.request.Cells;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

/** Bound values at random: right ones of a CQL type, and all that a client might send instead. */
final class RandomCell
{
    /** Types that a plan may be made of. */
    static final List<String> PLAIN = List.of("ascii", "bigint", "blob", "boolean", "date", "decimal", "double",
        "duration", "float", "inet", "int", "smallint", "text", "time", "timestamp", "timeuuid", "tinyint", "uuid",
        "varint", "varchar");
    /** Types that none is made of. */
    static final List<String> COMPOUND = List.of("list<int>", "set<text>", "map<text, int>", "frozen<list<int>>",
        "tuple<int, text>", "vector<float, 2>");

    private static final Map<String, String> LITERALS = Map.ofEntries(Map.entry("ascii", "'a'"), Map.entry("bigint",
        "-9"), Map.entry("blob", "0xCAFE"), Map.entry("boolean", "true"), Map.entry("date", "'2026-11-30'"),
        Map
            .entry("decimal", "1.5"),
        Map.entry("double", "2.5"), Map.entry("duration", "1h30m"), Map.entry("float",
            "3.5"),
        Map.entry("inet", "'127.0.0.1'"), Map.entry("int", "7"), Map.entry("smallint", "3"), Map
            .entry("text", "'x y'"),
        Map.entry("time", "'08:12:54'"), Map.entry("timestamp",
            "'2026-11-30T01:02:03Z'"),
        Map.entry("timeuuid", "50554d6e-29bb-11e5-b345-feff819cdc9f"), Map
            .entry("tinyint", "1"),
        Map.entry("uuid", "123e4567-e89b-42d3-a456-426614174000"), Map
            .entry("varint", "123456789012345678901"),
        Map.entry("varchar", "'v'"));
    private static final long NANOS_PER_DAY = 86_400_000_000_000L;
    private static final int TOO_LONG = 70_000;
    private static final int LONG_TEXT = 300;

    private RandomCell()
    {
    }

    /** As it is written in CQL. */
    static String literal(final String type)
    {
        return LITERALS.get(type);
    }

    /** Anything: wrong, null, unset, empty, too long, of the wrong length, or right after all. */
    static byte[] any(final String type, final Random random)
    {
        return switch (random.nextInt(8))
        {
            case 0 -> null;
            case 1 -> Cells.UNSET;
            case 2 -> new byte[0];
            case 3 -> random.nextInt(10) == 0 ? new byte[TOO_LONG] : bytes(random, 5 + random.nextInt(20));
            // Four bytes for a decimal pass Cassandra's check and then fail its comparator, in the whole partition.
            case 4 -> bytes(random, random.nextInt("decimal".equals(type) ? 4 : 17));
            case 5 -> new byte[]{'a', (byte)0xC0, (byte)0x80};
            case 6 -> new byte[]{(byte)0xFF};
            default -> right(type, random);
        };
    }

    /** A value of the type. */
    static byte[] right(final String type, final Random random)
    {
        return switch (type)
        {
            case "ascii" -> bytes7(random, random.nextInt(20));
            case "text", "varchar" -> text(random);
            case "blob" -> bytes(random, random.nextInt(30));
            case "boolean", "tinyint" -> bytes(random, 1);
            case "smallint" -> bytes(random, 2);
            case "int", "float", "date" -> bytes(random, 4);
            case "bigint", "double", "timestamp" -> bytes(random, 8);
            case "time" -> ByteBuffer.allocate(8).putLong(random.nextLong(NANOS_PER_DAY)).array();
            case "decimal" -> ByteBuffer.allocate(7).putInt(random.nextInt(9)).put(bytes(random, 3)).array();
            case "varint" -> bytes(random, 1 + random.nextInt(12));
            case "inet" -> bytes(random, random.nextBoolean() ? 4 : 16);
            case "uuid" -> uuid(new UUID(random.nextLong() & ~0xF000L | 0x4000L, random.nextLong() >>> 2 | 1L << 63));
            case "timeuuid" -> uuid(new UUID(random.nextLong() & ~0xF000L | 0x1000L, random.nextLong() >>> 2 |
                1L << 63));
            case "duration" -> new byte[]{(byte)(2 * random.nextInt(60)), (byte)(2 * random.nextInt(60)), (byte)(2 *
                random.nextInt(60))};
            default -> compound(type, random);
        };
    }

    private static byte[] compound(final String type, final Random random)
    {
        return switch (type)
        {
            case "list<int>", "frozen<list<int>>" -> ByteBuffer.allocate(12)
                .putInt(1)
                .putInt(4)
                .putInt(random
                    .nextInt())
                .array();
            case "set<text>" ->
                ByteBuffer.allocate(9).putInt(1).putInt(1).put((byte)('a' + random.nextInt(20))).array();
            case "map<text, int>" -> ByteBuffer.allocate(17)
                .putInt(1)
                .putInt(1)
                .put((byte)'k')
                .putInt(4)
                .putInt(random
                    .nextInt())
                .array();
            case "tuple<int, text>" -> ByteBuffer.allocate(13)
                .putInt(4)
                .putInt(random.nextInt())
                .putInt(1)
                .put(
                    (byte)'t')
                .array();
            case "vector<float, 2>" -> bytes(random, 8);
            case "counter" -> bytes(random, 8);
            default -> throw new IllegalArgumentException(type);
        };
    }

    private static byte[] text(final Random random)
    {
        return switch (random.nextInt(4))
        {
            case 0 -> "\u00fc\u20ac\uD83D\uDE00".getBytes(StandardCharsets.UTF_8);
            case 1 -> bytes7(random, LONG_TEXT);
            default -> bytes7(random, random.nextInt(20));
        };
    }

    private static byte[] bytes7(final Random random, final int length)
    {
        final byte[] bytes = bytes(random, length);
        for (int i = 0; i < length; i++)
        {
            bytes[i] &= 0x7F;
        }
        return bytes;
    }

    private static byte[] uuid(final UUID uuid)
    {
        return ByteBuffer.allocate(16)
            .putLong(uuid.getMostSignificantBits())
            .putLong(uuid.getLeastSignificantBits())
            .array();
    }

    private static byte[] bytes(final Random random, final int length)
    {
        final byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
