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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.framing.ErrorCode;
import io.sluice.framing.Opcode;
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.response.EnvelopeEncoder;
import io.sluice.memory.BufferLease;
import io.sluice.memory.BufferPool;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.apache.cassandra.cql3.functions.FunctionName;
import org.apache.cassandra.exceptions.AlreadyExistsException;
import org.apache.cassandra.exceptions.FunctionExecutionException;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.exceptions.SyntaxException;
import org.apache.cassandra.transport.messages.ErrorMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LongErrorTextTest
{
    private static final int HEADER = 9;
    private static final int LONGEST = 0xFFFF;

    private final BufferPool pool = new BufferPool(System::nanoTime, 1L << 24, true);

    @AfterEach
    void nothingIsOut()
    {
        assertEquals(0, pool.outstandingLeases());
        pool.close();
    }

    private ByteBuffer encode(final Exception error, final ProtocolVersion version)
    {
        final CassandraResponse response = new CassandraResponse(ErrorMessage.fromException(error));
        try (BufferLease lease = new EnvelopeEncoder(pool).encode(version, 7, response, null, null, null, 1 << 24))
        {
            final byte[] envelope = new byte[lease.length()];
            lease.buffer().getBytes(0, envelope);
            final ByteBuffer body = ByteBuffer.wrap(envelope);
            assertEquals(envelope.length - HEADER, body.getInt(5), "body length");
            body.position(HEADER);
            return body;
        }
    }

    private static byte[] text(final ByteBuffer body)
    {
        final byte[] text = new byte[Short.toUnsignedInt(body.getShort())];
        body.get(text);
        return text;
    }

    @Test
    void leavesWhatFits()
    {
        final String text = "x".repeat(LONGEST);
        final ByteBuffer body = encode(new SyntaxException(text), ProtocolVersion.V5);
        assertEquals(ErrorCode.SYNTAX_ERROR.code(), body.getInt());
        assertArrayEquals(text.getBytes(StandardCharsets.US_ASCII), text(body));
        assertEquals(0, body.remaining());
    }

    @Test
    void cutsWhatDoesNotFit()
    {
        final String text = "abc".repeat(50_000);
        final ByteBuffer body = encode(new InvalidRequestException(text), ProtocolVersion.V4);
        assertEquals(ErrorCode.INVALID.code(), body.getInt());
        assertArrayEquals(Arrays.copyOf(text.getBytes(StandardCharsets.US_ASCII), LONGEST), text(body));
        assertEquals(0, body.remaining());
    }

    @Test
    void cutsBetweenCharacters()
    {
        // Three bytes each, behind one of one byte: 65,535 falls inside a character.
        final String text = "a" + "\u20ac".repeat(30_000);
        final ByteBuffer body = encode(new SyntaxException(text), ProtocolVersion.V5);
        body.getInt();
        final String cut = new String(text(body), StandardCharsets.UTF_8);
        assertTrue(text.startsWith(cut), "no broken character");
        assertEquals(1 + (LONGEST - 1) / 3, cut.length());
        assertEquals(0, body.remaining());
    }

    @Test
    void keepsTheTail()
    {
        final String keyspace = "k".repeat(40_000);
        final String table = "t".repeat(40_000);
        final ByteBuffer body = encode(new AlreadyExistsException(keyspace, table), ProtocolVersion.V5);
        assertEquals(ErrorCode.ALREADY_EXISTS.code(), body.getInt());
        assertEquals(LONGEST, text(body).length);
        assertEquals(keyspace, new String(text(body), StandardCharsets.US_ASCII));
        assertEquals(table, new String(text(body), StandardCharsets.US_ASCII));
        assertEquals(0, body.remaining());
    }

    @Test
    void cutsTextThatOlderClientsGetInstead()
    {
        final FunctionExecutionException error = FunctionExecutionException.create(new FunctionName("ks", "f"),
            List.of("int"), "d".repeat(100_000));
        final ByteBuffer body = encode(error, ProtocolVersion.V3);
        assertEquals(ErrorCode.INVALID.code(), body.getInt());
        assertEquals(LONGEST, text(body).length);
        assertEquals(0, body.remaining());
    }

    @Test
    void saysWhichError()
    {
        final CassandraResponse response = new CassandraResponse(ErrorMessage.fromException(new SyntaxException("no")));
        assertEquals(ErrorCode.SYNTAX_ERROR, response.errorCode());
        assertEquals(Opcode.ERROR, response.opcode());
    }
}
