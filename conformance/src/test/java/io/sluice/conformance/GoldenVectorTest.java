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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Our own builder and parser against segments made by stock Cassandra. */
final class GoldenVectorTest
{
    @Test
    void builderMakesTheGoldenPlainSegments() throws Exception
    {
        for (final Map<String, String> vector : vectors("segments.json").values())
        {
            if ("false".equals(vector.get("compressed")) && vector.containsKey("payloadHex"))
            {
                final byte[] payload = ByteBuilder.fromHex(vector.get("payloadHex"));
                final byte[] segment = Segments.plain(payload, "true".equals(vector.get("selfContained")));
                assertEquals(vector.get("segmentHex"), Segments.hex(segment), vector.get("title"));
                assertEquals(vector.get("segmentSha256"), sha256(segment), vector.get("title"));
            }
        }
    }

    @Test
    void builderMakesTheGoldenStoredSegments() throws Exception
    {
        final Map<String, Map<String, String>> vectors = vectors("segments.json");
        for (final String name : new String[]{"lz4-raw", "lz4-raw-options", "lz4-empty"})
        {
            final byte[] payload = ByteBuilder.fromHex(vectors.get(name).get("payloadHex"));
            assertEquals(vectors.get(name).get("segmentHex"), Segments.hex(Segments.lz4(payload, true)), name);
        }
    }

    @Test
    void constantsAreTheVectors() throws Exception
    {
        final Map<String, Map<String, String>> vectors = vectors("segments.json");
        final Map<String, byte[]> constants = Map.of("crc-options", GoldenSegments.G1, "crc-two-queries",
            GoldenSegments.G2,
            "crc-part", GoldenSegments.G3, "crc-empty", GoldenSegments.G4, "crc-max", GoldenSegments.g5(), "lz4-text",
            GoldenSegments.G6, "lz4-raw", GoldenSegments.G7, "lz4-max-zeros", GoldenSegments.g8(), "lz4-two-queries",
            GoldenSegments.G9, "lz4-raw-options", GoldenSegments.G10);
        for (final Map.Entry<String, byte[]> constant : constants.entrySet())
        {
            assertEquals(vectors.get(constant.getKey()).get("segmentSha256"), sha256(constant.getValue()),
                constant.getKey());
        }
        assertEquals(vectors.get("lz4-empty").get("segmentSha256"), sha256(GoldenSegments.G11));
        final Map<String, Map<String, String>> damaged = vectors("damaged.json");
        assertEquals(damaged.get("crc-header-bit").get("hex"), Segments.hex(GoldenSegments.G1_HEADER_BIT));
        assertEquals(damaged.get("crc-payload-bit").get("hex"), Segments.hex(GoldenSegments.G1_PAYLOAD_BIT));
        assertEquals(damaged.get("crc-padding-set").get("hex"), Segments.hex(GoldenSegments.G1_PADDED));
        assertArrayEquals(GoldenSegments.G1_PADDED,
            Segments.plain(ByteBuilder.fromHex("050000010500000000"), true, 0x3f));
        assertArrayEquals(GoldenSegments.W11,
            Segments.block(Segments.literals(ByteBuilder.fromHex("050000010500000000")), 9, true, 0));
    }

    @Test
    void largestSegmentIsMadeByteByByte() throws Exception
    {
        final byte[] payload = new byte[Segments.MAX_PAYLOAD];
        for (int i = 0; i < payload.length; i++)
        {
            payload[i] = (byte)(i * 31 + (i >>> 8));
        }
        assertEquals(vectors("segments.json").get("crc-max").get("segmentSha256"),
            sha256(Segments.plain(payload, false)));
    }

    @Test
    void checksumsAreTheKnownOnes()
    {
        assertEquals(0x00e78d, SegmentChecksums.crc24(0x00, 1));
        assertEquals(0x97a886, SegmentChecksums.crc24(0x01, 1));
        assertEquals(0x7a86ff, SegmentChecksums.crc24(0xffffff, 3));
        assertEquals(0x319669, SegmentChecksums.crc24(0x0504030201L, 5));
        assertEquals(0x44777ed3, SegmentChecksums.crc32(new byte[0], 0, 0));
        assertEquals(0xe2a261a7, SegmentChecksums.crc32("123456789".getBytes(StandardCharsets.US_ASCII), 0, 9));
    }

    @Test
    void parserReadsGoldenSegmentsHoweverTheyAreCut()
    {
        final byte[] response = new ByteBuilder().hex("850000070200000000").hex("850000080200000000").toBytes();
        for (final boolean lz4 : new boolean[]{false, true})
        {
            final byte[] segment = lz4 ? Segments.lz4(response, true) : Segments.plain(response, true);
            for (int cut = 0; cut <= segment.length; cut++)
            {
                final SegmentParser parser = new SegmentParser(lz4);
                parser.feed(segment, cut);
                if (cut < segment.length)
                {
                    assertNull(parser.next(), "cut at " + cut);
                    parser.feed(Arrays.copyOfRange(segment, cut, segment.length), segment.length - cut);
                }
                assertEquals(7, parser.next().stream());
                assertEquals(8, parser.next().stream());
                assertNull(parser.next());
                assertEquals(0, parser.unread());
            }
        }
    }

    @Test
    void parserJoinsPieces()
    {
        final byte[] envelope = Envelope.of(0x85, 0, 3, Opcode.RESULT, new byte[300_000]);
        for (final boolean lz4 : new boolean[]{false, true})
        {
            final SegmentParser parser = new SegmentParser(lz4);
            final byte[] run = Segments.pieces(envelope, 9, 131054, lz4);
            parser.feed(run, run.length);
            assertEquals(300_000, parser.next().body().length);
            assertEquals(0, parser.unread());
        }
    }

    @Test
    void parserRefusesEverySingleFlippedBit()
    {
        final byte[] good = Segments.plain(ByteBuilder.fromHex("850000070200000000"), true);
        for (int bit = 0; bit < good.length * 8; bit++)
        {
            final byte[] bad = good.clone();
            bad[bit / 8] ^= (byte)(1 << bit % 8);
            final SegmentParser parser = new SegmentParser(false);
            parser.feed(bad, bad.length);
            assertThrows(GarbledBytes.class, parser::next, "bit " + bit);
        }
    }

    @Test
    void parserHoldsAServerToTheRules()
    {
        final byte[] ready = ByteBuilder.fromHex("850000070200000000");
        refused(false, Segments.plain(ready, true, 1), "padding");
        refused(false, Segments.plain(Arrays.copyOf(ready, 12), true), "trailing bytes");
        refused(false, Segments.plain(Arrays.copyOf(ready, 8), false), "first piece below 9 bytes");
        refused(false, Segments.plain(Arrays.copyOf(ready, 12), false), "piece longer than its envelope");
        refused(true, Segments.block(Segments.literals(ready), 9, true, 0), "grown by compression");
        refused(true, Segments.block(Segments.literals(new byte[9]), 12, true, 0), "block shorter than declared");
    }

    private static void refused(final boolean lz4, final byte[] segment, final String why)
    {
        final SegmentParser parser = new SegmentParser(lz4);
        parser.feed(segment, segment.length);
        assertThrows(GarbledBytes.class, parser::next, why);
    }

    /** Flat objects only, which is all there is in these files: name to fields. */
    private static Map<String, Map<String, String>> vectors(final String file) throws IOException
    {
        final String json;
        try (var in = GoldenVectorTest.class.getResourceAsStream("/vectors/" + file))
        {
            json = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        final Map<String, Map<String, String>> byName = new HashMap<>();
        final Matcher objects = Pattern.compile("\\{[^}]*\\}").matcher(json);
        while (objects.find())
        {
            final Map<String, String> fields = new HashMap<>();
            final Matcher field = Pattern.compile("\"(\\w+)\": (?:\"([^\"]*)\"|(\\w+))").matcher(objects.group());
            while (field.find())
            {
                fields.put(field.group(1), field.group(2) == null ? field.group(3) : field.group(2));
            }
            byName.put(fields.get("name"), fields);
        }
        return byName;
    }

    private static String sha256(final byte[] bytes) throws NoSuchAlgorithmException
    {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }
}
