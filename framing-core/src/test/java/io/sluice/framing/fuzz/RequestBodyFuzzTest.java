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
package io.sluice.framing.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.sluice.framing.EnvelopeFlags;
import io.sluice.framing.Opcode;
import io.sluice.framing.ProtocolException;
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.envelope.EnvelopeHeader;
import io.sluice.framing.request.AuthResponseRequest;
import io.sluice.framing.request.BodyReader;
import io.sluice.framing.request.Cells;
import io.sluice.framing.request.ExecuteRequest;
import io.sluice.framing.request.ExecuteView;
import io.sluice.framing.request.QueryParameters;
import io.sluice.framing.request.RegisterRequest;
import io.sluice.framing.request.Request;
import io.sluice.framing.request.RequestDecoder;
import io.sluice.framing.request.StartupRequest;
import io.sluice.framing.request.StatementIdTable;
import io.sluice.framing.testkit.Hex;
import io.sluice.framing.testkit.Wire;
import io.sluice.memory.DirectMemory;
import java.util.function.Supplier;
import org.agrona.concurrent.UnsafeBuffer;

/** Bodies of requests: a byte says which version and flags the envelope has, all others are the body. */
class RequestBodyFuzzTest
{
    private static final int CUSTOM_PAYLOAD = 0x04;
    private static final int STREAM_ID = -7;
    /** Around a body, where nothing may be read. */
    private static final int MARGIN = 16;
    private static final byte OUTSIDE = (byte)0xDB;
    private static final int HEAP_AT_LEAST = 4096;
    /** A string of one character, the worst case, is three bytes on the wire and fifty on the heap. */
    private static final int HEAP_PER_BYTE = 32;

    private static final RequestDecoder DECODER = new RequestDecoder(new StatementIdTable());
    private static final BodyReader READER = new BodyReader();
    private static final ExecuteView VIEW = new ExecuteView();
    private static DirectMemory memory = DirectMemory.allocate(8192);

    @FuzzTest(maxDuration = "")
    void query(final byte[] input)
    {
        checkRequest(Opcode.QUERY, new FuzzInput(input));
    }

    @FuzzTest(maxDuration = "")
    void prepare(final byte[] input)
    {
        checkRequest(Opcode.PREPARE, new FuzzInput(input));
    }

    @FuzzTest(maxDuration = "")
    void execute(final byte[] input)
    {
        checkRequest(Opcode.EXECUTE, new FuzzInput(input));
    }

    @FuzzTest(maxDuration = "")
    void batch(final byte[] input)
    {
        checkRequest(Opcode.BATCH, new FuzzInput(input));
    }

    @FuzzTest(maxDuration = "")
    void startup(final byte[] bytes)
    {
        final FuzzInput input = new FuzzInput(bytes);
        final ProtocolVersion version = version(input.next());
        final byte[] body = input.rest();
        final Object message = decode(body, () -> StartupRequest.decode(READER, version));
        if (message != null)
        {
            new BodyOracle(body, version).check((StartupRequest)message);
        }
    }

    @FuzzTest(maxDuration = "")
    void register(final byte[] bytes)
    {
        final FuzzInput input = new FuzzInput(bytes);
        final ProtocolVersion version = version(input.next());
        final byte[] body = input.rest();
        final Object message = decode(body, () -> RegisterRequest.decode(READER, version));
        if (message != null)
        {
            new BodyOracle(body, version).check((RegisterRequest)message);
        }
    }

    @FuzzTest(maxDuration = "")
    void authResponse(final byte[] bytes)
    {
        final FuzzInput input = new FuzzInput(bytes);
        final ProtocolVersion version = version(input.next());
        final byte[] body = input.rest();
        final Object message = decode(body, () -> AuthResponseRequest.decode(READER, version));
        if (message != null)
        {
            new BodyOracle(body, version).check((AuthResponseRequest)message);
        }
    }

    private static ProtocolVersion version(final int control)
    {
        return ProtocolVersion.values()[control & 0x03];
    }

    /** Lays the body out between bytes that are none of its own. */
    private static UnsafeBuffer place(final byte[] body)
    {
        final int needed = body.length + 2 * MARGIN;
        if (memory.capacity() < needed)
        {
            memory = DirectMemory.allocate(2 * needed);
        }
        final UnsafeBuffer buffer = memory.buffer();
        buffer.setMemory(0, MARGIN, OUTSIDE);
        buffer.putBytes(MARGIN, body);
        buffer.setMemory(MARGIN + body.length, MARGIN, OUTSIDE);
        return buffer;
    }

    /** Decodes several times, if the heap it takes asks for that; returns null if the body is refused. */
    private static Object decode(final byte[] body, final Supplier<Object> decoder)
    {
        final UnsafeBuffer buffer = place(body);
        final Object[] outcome = new Object[1];
        HeapUse.check(() ->
        {
            READER.wrap(buffer, MARGIN, MARGIN + body.length);
            try
            {
                outcome[0] = decoder.get();
            }
            catch (final ProtocolException e)
            {
                outcome[0] = e;
            }
        }, HEAP_AT_LEAST + (long)HEAP_PER_BYTE * body.length);
        if (outcome[0] instanceof ProtocolException error)
        {
            assertFalse(error.isFatal());
            return null;
        }
        return outcome[0];
    }

    private static void checkRequest(final Opcode opcode, final FuzzInput input)
    {
        final int control = input.next();
        final ProtocolVersion version = version(control);
        final byte[] body = input.rest();
        final int flags = (control & CUSTOM_PAYLOAD) != 0 ? EnvelopeFlags.CUSTOM_PAYLOAD : 0;
        final EnvelopeHeader header = header(version, flags, opcode, body.length);
        final UnsafeBuffer buffer = place(body);
        final Object[] outcome = new Object[1];
        HeapUse.check(() -> outcome[0] = outcome(header, version, buffer, body.length),
            HEAP_AT_LEAST + (long)HEAP_PER_BYTE * body.length);
        if (outcome[0] instanceof ProtocolException error)
        {
            assertFalse(error.isFatal());
            assertEquals(STREAM_ID, error.streamId());
            assertFalse(error.getMessage().contains("java.") || error.getMessage().contains("Exception"),
                error.getMessage());
        }
        else
        {
            new BodyOracle(body, version).check((Request)outcome[0]);
        }
        if (opcode == Opcode.EXECUTE)
        {
            checkView(header, version, buffer, body.length, outcome[0]);
        }
    }

    private static Object outcome(final EnvelopeHeader header,
        final ProtocolVersion version,
        final UnsafeBuffer buffer,
        final int length)
    {
        try
        {
            return DECODER.decode(header, version, buffer, MARGIN, length);
        }
        catch (final ProtocolException e)
        {
            return e;
        }
    }

    private static EnvelopeHeader header(final ProtocolVersion version,
        final int flags,
        final Opcode opcode,
        final int bodyLength)
    {
        final EnvelopeHeader header = new EnvelopeHeader();
        header.wrap(new UnsafeBuffer(Wire.header(version.number(), flags, STREAM_ID, opcode.code(), bodyLength)), 0);
        return header;
    }

    /** The view sees what the decoder sees, and refuses what it refuses in the same words. */
    private static void checkView(final EnvelopeHeader header,
        final ProtocolVersion version,
        final UnsafeBuffer buffer,
        final int length,
        final Object outcome)
    {
        boolean shown = false;
        try
        {
            shown = VIEW.wrap(header, version, buffer, MARGIN, length);
        }
        catch (final ProtocolException e)
        {
            assertEquals(outcome instanceof ProtocolException refusal ? refusal.getMessage() : "good", e.getMessage());
        }
        if (shown)
        {
            checkSame((ExecuteRequest)outcome, MARGIN + length);
            VIEW.expire();
        }
    }

    private static void checkSame(final ExecuteRequest request, final int limit)
    {
        final QueryParameters parameters = request.parameters();
        checkRange(request.statementId().bytes(), VIEW.idOffset(), VIEW.idLength(), limit);
        checkRange(request.resultMetadataId(), VIEW.resultMetadataIdOffset(), VIEW.resultMetadataIdLength(), limit);
        checkRange(parameters.pagingState(), VIEW.pagingStateOffset(), VIEW.pagingStateLength(), limit);
        assertEquals(parameters.values().length, VIEW.valueCount());
        for (int i = 0; i < parameters.values().length; i++)
        {
            final boolean unset = VIEW.valueLength(i) == ExecuteView.UNSET;
            assertEquals(unset, Cells.isUnset(parameters.values()[i]));
            checkRange(unset ? null : parameters.values()[i], VIEW.valueOffset(i),
                unset ? ExecuteView.NULL : VIEW.valueLength(i), limit);
        }
        assertEquals(parameters.consistency(), VIEW.consistency());
        assertEquals(parameters.flags(), VIEW.flags());
        assertEquals(parameters.pageSize(), VIEW.pageSize());
        assertEquals(parameters.serialConsistency(), VIEW.serialConsistency());
        assertEquals(parameters.timestamp(), VIEW.timestamp());
        assertEquals(parameters.nowInSeconds(), VIEW.nowInSeconds());
    }

    private static void checkRange(final byte[] expected, final int offset, final int length, final int limit)
    {
        assertEquals(expected == null ? ExecuteView.NULL : expected.length, length);
        if (expected != null)
        {
            assertTrue(offset >= MARGIN && offset <= limit - length, "offset: " + offset);
            assertEquals(Hex.text(expected), Hex.text(memory, offset, length));
        }
    }
}
