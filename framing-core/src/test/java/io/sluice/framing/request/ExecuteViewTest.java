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
package io.sluice.framing.request;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.framing.Opcode;
import io.sluice.framing.ProtocolException;
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.envelope.EnvelopeHeader;
import io.sluice.framing.testkit.WireBytes;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class ExecuteViewTest
{
    private final ExecuteView view = new ExecuteView();

    private boolean wrap(final ProtocolVersion version, final int flags, final byte[] body)
    {
        return view.wrap(Bodies.header(version, flags, 42, Opcode.EXECUTE.code(), body.length), version,
            Bodies.direct(body), Bodies.offset(), body.length);
    }

    private byte[] bytes(final int offset, final int length)
    {
        if (length < 0)
        {
            return null;
        }
        final byte[] copy = new byte[length];
        view.buffer().getBytes(offset, copy);
        return copy;
    }

    @Test
    void showsWhatTheDecoderReads()
    {
        for (final ProtocolVersion version : ProtocolVersion.values())
        {
            for (int flags = 0; flags <= (version.number() >= 5 ? 0x1FF : 0xFF); flags++)
            {
                final byte[] body = Bodies.execute(version, flags);
                final boolean named = (flags & 0x41) == 0x41;
                assertEquals(!named, wrap(version, 0x02, body));
                if (!named)
                {
                    checkAgainst((ExecuteRequest)Bodies.decode(version, Opcode.EXECUTE, 0x02, body), version);
                }
            }
        }
    }

    private void checkAgainst(final ExecuteRequest request, final ProtocolVersion version)
    {
        final QueryParameters parameters = request.parameters();
        assertSame(version, view.version());
        assertEquals(request.flags(), view.envelopeFlags());
        assertTrue(view.isTraced());
        assertEquals(42, view.streamId());
        assertArrayEquals(request.statementId().bytes(), bytes(view.idOffset(), view.idLength()));
        assertArrayEquals(request.resultMetadataId(),
            bytes(view.resultMetadataIdOffset(), view.resultMetadataIdLength()));
        assertEquals(parameters.consistency(), view.consistency());
        assertEquals(parameters.flags(), view.flags());
        assertEquals(parameters.skipMetadata(), view.skipMetadata());
        assertEquals(parameters.values().length, view.valueCount());
        for (int i = 0; i < view.valueCount(); i++)
        {
            assertArrayEquals(parameters.values()[i], bytes(view.valueOffset(i), view.valueLength(i)));
        }
        assertEquals(parameters.pageSize(), view.pageSize());
        assertArrayEquals(parameters.pagingState(), bytes(view.pagingStateOffset(), view.pagingStateLength()));
        assertEquals(parameters.serialConsistency(), view.serialConsistency());
        assertEquals(parameters.timestamp(), view.timestamp());
        final byte[] keyspace = bytes(view.keyspaceOffset(), view.keyspaceLength());
        assertEquals(parameters.keyspace(), keyspace == null ? null : new String(keyspace, StandardCharsets.UTF_8));
        assertEquals(parameters.nowInSeconds(), view.nowInSeconds());
    }

    @Test
    void tellsNullUnsetAndEmptyApart()
    {
        final byte[] body = new WireBytes().shortBytes(Bodies.ID)
            .int2(1)
            .int1(1)
            .int2(3)
            .int4(-1)
            .int4(-2)
            .int4(0)
            .toArray();
        assertTrue(wrap(ProtocolVersion.V4, 0, body));
        assertEquals(ExecuteView.NULL, view.valueLength(0));
        assertEquals(ExecuteView.UNSET, view.valueLength(1));
        assertEquals(0, view.valueLength(2));
        assertThrows(IndexOutOfBoundsException.class, () -> view.valueLength(3));
        assertThrows(IndexOutOfBoundsException.class, () -> view.valueOffset(-1));
        assertTrue(wrap(ProtocolVersion.V3, 0, body));
        assertEquals(ExecuteView.NULL, view.valueLength(1));
    }

    @Test
    void leavesPayloadsAndManyValuesToTheDecoder()
    {
        assertFalse(wrap(ProtocolVersion.V4, 0x04,
            new WireBytes().raw(Bodies.payload()).raw(Bodies.execute(ProtocolVersion.V4, 0)).toArray()));
        assertTrue(wrap(ProtocolVersion.V4, 0, Bodies.executeOf(ProtocolVersion.V4, ExecuteView.MAX_VALUES, 1)));
        assertFalse(wrap(ProtocolVersion.V4, 0, Bodies.executeOf(ProtocolVersion.V4, ExecuteView.MAX_VALUES + 1, 1)));
        assertThrows(IllegalStateException.class, view::valueCount);
    }

    @Test
    void throwsOnTheStreamOfADamagedRequest()
    {
        final byte[] body = Bodies.executeOf(ProtocolVersion.V5, 7, 10);
        for (int length = 0; length < body.length; length++)
        {
            final byte[] cut = java.util.Arrays.copyOf(body, length);
            final ProtocolException error = assertThrows(ProtocolException.class,
                () -> wrap(ProtocolVersion.V5, 0, cut));
            assertEquals(42, error.streamId());
            assertThrows(IllegalStateException.class, view::buffer);
        }
    }

    @Test
    void throwsAfterExpiry()
    {
        final Executable[] uses = {view::buffer, view::version, view::envelopeFlags, view::isTraced, view::streamId,
            view::idOffset, view::idLength, view::resultMetadataIdOffset, view::resultMetadataIdLength,
            view::valueCount, () -> view.valueOffset(0), () -> view.valueLength(0), view::consistency, view::flags,
            view::skipMetadata, view::pageSize, view::pagingStateOffset, view::pagingStateLength,
            view::serialConsistency, view::timestamp, view::keyspaceOffset, view::keyspaceLength, view::nowInSeconds};
        for (final Executable use : uses)
        {
            assertThrows(IllegalStateException.class, use);
        }
        assertTrue(wrap(ProtocolVersion.V5, 0, Bodies.executeOf(ProtocolVersion.V5, 7, 10)));
        view.expire();
        for (final Executable use : uses)
        {
            assertThrows(IllegalStateException.class, use);
        }
        assertTrue(wrap(ProtocolVersion.V5, 0, Bodies.executeOf(ProtocolVersion.V5, 7, 10)));
        assertEquals(7, view.valueCount());
    }

    @Test
    void allocatesNothing()
    {
        final byte[] body = Bodies.executeOf(ProtocolVersion.V5, 7, 10);
        final EnvelopeHeader header = Bodies.header(ProtocolVersion.V5, 0, 42, Opcode.EXECUTE.code(), body.length);
        final UnsafeBuffer buffer = Bodies.direct(body);
        final long[] sum = new long[1];
        assertEquals(0, Allocation.bytesPerRun(() ->
        {
            view.wrap(header, ProtocolVersion.V5, buffer, Bodies.offset(), body.length);
            for (int i = 0; i < view.valueCount(); i++)
            {
                sum[0] += view.valueOffset(i) + view.valueLength(i);
            }
            view.expire();
        }));
        assertTrue(sum[0] > 0);
        assertNull(bytes(0, ExecuteView.NULL));
    }
}
