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

/** Segments as stock Cassandra makes them, byte by byte: nothing here goes through our own builder. */
final class GoldenSegments
{
    /** OPTIONS on stream 1. */
    static final byte[] G1 = hex("090002a4c8c1 050000010500000000 b5557486");
    /** Two QUERYs, streams 1 and 2. */
    static final byte[] G2 = hex("5e0002edf2d6" +
        "0500000107000000260000001c53454c454354206b65792046524f4d2073797374656d2e6c6f63616c000100000000" +
        "0500000207000000260000001c53454c454354206b65792046524f4d2073797374656d2e6c6f63616c000100000000 311ecfe0");
    /** A piece of nothing that means anything: 00 01 .. 0f. */
    static final byte[] G3 = hex("100000dbdaa6000102030405060708090a0b0c0d0e0f8b531b6a");
    /** Empty. */
    static final byte[] G4 = hex("0000026a36c4d37e7744");
    /** LZ4: a text that is no envelope. */
    static final byte[] G6 = hex("1100520004b40bea7f736c756963652007000a506c75696365be441b2d");
    /** LZ4, stored: 00 01 .. 0f. */
    static final byte[] G7 = hex("1000000004b37a6a000102030405060708090a0b0c0d0e0f8b531b6a");
    /** LZ4: two QUERYs, streams 1 and 2. */
    static final byte[] G9 = hex(
        "3e00bc0004fa1018ff240500000107000000260000001c53454c454354206b65792046524f4d2073797374656d2e" +
            "6c6f63616c000100000000050000022f00135001000000003af45b1d");
    /** LZ4, stored: OPTIONS on stream 1. */
    static final byte[] G10 = hex("0900000004c2b895050000010500000000b5557486");
    /** LZ4: empty. */
    static final byte[] G11 = hex("00000000043b414ed37e7744");
    /** G1 with six padding bits set and the CRC24 that belongs to them. */
    static final byte[] G1_PADDED = hex("0900fe7e0efc050000010500000000b5557486");
    /** G1 with bit 0 of the header flipped. */
    static final byte[] G1_HEADER_BIT = hex("080002a4c8c1050000010500000000b5557486");
    /** G1 with a bit of the payload flipped. */
    static final byte[] G1_PAYLOAD_BIT = hex("090002a4c8c1050001010500000000b5557486");

    /** W1 is G1. OPTIONS on streams 1 and 2. */
    static final byte[] W2 = hex("120002f6cbcf05000001050000000005000002050000000017044de6");
    /** OPTIONS and three stray bytes. */
    static final byte[] W3 = hex("0c0002d7679f050000010500000000050000b03bbbaa");
    /** Opcode 0x7f on stream 7, then OPTIONS on stream 8. */
    static final byte[] W6 = hex("120002f6cbcf050000077f000000000500000805000000005d9a745d");
    /** G1, CRC24 off by one bit. */
    static final byte[] W7 = hex("090002a5c8c1050000010500000000b5557486");
    /** G1, CRC32 off by one bit. */
    static final byte[] W8 = hex("090002a4c8c1050000010500000000b4557486");
    /** LZ4: OPTIONS on stream 1 as a block of literals, longer than its content. */
    static final byte[] W11 = hex("0a0012000412265390050000010500000000eb1c9cf1");
    /** LZ4: the block of W11, said to hold 5 bytes. */
    static final byte[] W13 = hex("0a000a00046885e590050000010500000000eb1c9cf1");

    private GoldenSegments()
    {
    }

    /** The largest payload, not self-contained; SHA-256 of the segment is known. */
    static byte[] g5()
    {
        final byte[] payload = new byte[Segments.MAX_PAYLOAD];
        for (int i = 0; i < payload.length; i++)
        {
            payload[i] = (byte)(i * 31 + (i >>> 8));
        }
        return new ByteBuilder().hex("ffff013891fe").raw(payload).hex("e0dfba3a").toBytes();
    }

    /** LZ4: the largest payload, all zero, not self-contained. */
    static byte[] g8()
    {
        return hex("0c02feff034bec491f000100" + "ff".repeat(513) + "e7500000000000be426d4e");
    }

    private static byte[] hex(final String hex)
    {
        return ByteBuilder.fromHex(hex);
    }
}
