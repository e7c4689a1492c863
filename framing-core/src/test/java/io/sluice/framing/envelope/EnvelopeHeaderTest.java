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
package io.sluice.framing.envelope;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.framing.EnvelopeFlags;
import io.sluice.framing.testkit.Hex;
import io.sluice.framing.testkit.Wire;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class EnvelopeHeaderTest
{
    private final EnvelopeHeader header = new EnvelopeHeader();

    @Test
    void readsAllFields()
    {
        header.wrap(new UnsafeBuffer(Hex.bytes("ee 05 12 8001 07 00000026")), 1);
        assertEquals(5, header.version());
        assertFalse(header.isResponse());
        assertEquals(0x12, header.flags());
        assertTrue(header.hasFlag(EnvelopeFlags.USE_BETA));
        assertFalse(header.hasFlag(EnvelopeFlags.COMPRESSED));
        assertEquals(-32767, header.streamId());
        assertEquals(7, header.opcode());
        assertEquals(0x26, header.bodyLength());
        assertEquals(0x2F, header.envelopeLength());
    }

    @Test
    void readsExtremes()
    {
        header.wrap(new UnsafeBuffer(Hex.bytes("ff ff ffff ff 7fffffff")), 0);
        assertEquals(127, header.version());
        assertTrue(header.isResponse());
        assertEquals(-1, header.streamId());
        assertEquals(255, header.opcode());
        assertEquals(Integer.MAX_VALUE + 9L, header.envelopeLength());
        final UnsafeBuffer negative = new UnsafeBuffer(Wire.header(4, 0, 0, 5, -2));
        assertEquals(-2, EnvelopeHeader.bodyLength(negative, 0));
    }

    @Test
    void readsEightBytesOfOldVersions()
    {
        header.wrapLegacy(new UnsafeBuffer(Wire.legacyHeader(2, -3, 5, 0x01020304)), 0);
        assertEquals(2, header.version());
        assertEquals(-3, header.streamId());
        assertEquals(5, header.opcode());
        assertEquals(0x01020304, header.bodyLength());
    }

    @Test
    void writesResponses()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[9]);
        EnvelopeHeader.encodeResponse(buffer, 0, 5, 0x08, -1, 0x0C, 258);
        assertEquals("8508ffff0c00000102", Hex.text(buffer.byteArray()));
    }

    @Test
    void writesResponsesOfOldVersions()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[8]);
        EnvelopeHeader.encodeLegacyResponse(buffer, 0, 2, -1, 0, 258);
        assertEquals("8200ff0000000102", Hex.text(buffer.byteArray()));
    }

    @Test
    void copiesAllFields()
    {
        final EnvelopeHeader other = new EnvelopeHeader();
        other.wrap(new UnsafeBuffer(Hex.bytes("85 12 8001 07 00000026")), 0);
        header.set(other);
        assertEquals(5, header.version());
        assertTrue(header.isResponse());
        assertEquals(0x12, header.flags());
        assertEquals(-32767, header.streamId());
        assertEquals(7, header.opcode());
        assertEquals(0x26, header.bodyLength());
    }
}
