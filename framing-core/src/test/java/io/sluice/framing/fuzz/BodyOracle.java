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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.framing.EventType;
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.request.AuthResponseRequest;
import io.sluice.framing.request.BatchRequest;
import io.sluice.framing.request.Cells;
import io.sluice.framing.request.ExecuteRequest;
import io.sluice.framing.request.PrepareRequest;
import io.sluice.framing.request.QueryParameters;
import io.sluice.framing.request.QueryRequest;
import io.sluice.framing.request.RegisterRequest;
import io.sluice.framing.request.Request;
import io.sluice.framing.request.StartupRequest;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Reads a body that the decoder took, by another way, and holds each decoded field against the bytes it should be made
 * of. So nothing decoded can come from anywhere but the body: reading beyond it throws here.
 */
final class BodyOracle
{
    private final ByteBuffer body;
    private final ProtocolVersion version;

    BodyOracle(final byte[] body, final ProtocolVersion version)
    {
        this.body = ByteBuffer.wrap(body);
        this.version = version;
    }

    void check(final Request request)
    {
        try
        {
            checkPayload(request.customPayload());
            switch (request.opcode())
            {
                case QUERY -> checkQuery((QueryRequest)request);
                case PREPARE -> checkPrepare((PrepareRequest)request);
                case EXECUTE -> checkExecute((ExecuteRequest)request);
                case BATCH -> checkBatch((BatchRequest)request);
                default -> throw new AssertionError(request.opcode());
            }
        }
        catch (final BufferUnderflowException e)
        {
            throw new AssertionError("decoded more than there is: " + request, e);
        }
    }

    private void checkPayload(final Map<String, byte[]> payload)
    {
        if (payload != null)
        {
            final Map<String, byte[]> last = new HashMap<>();
            for (int left = unsignedShort(); left > 0; left--)
            {
                last.put(string(unsignedShort()), bytesOrNull());
            }
            assertEquals(last.keySet(), payload.keySet());
            last.forEach((key, value) -> assertArrayEquals(value, payload.get(key)));
        }
    }

    private void checkQuery(final QueryRequest query)
    {
        assertEquals(string(body.getInt()), query.query());
        checkParameters(query.parameters());
    }

    private void checkPrepare(final PrepareRequest prepare)
    {
        assertEquals(string(body.getInt()), prepare.query());
        final boolean inKeyspace = hasWideFlags() && (body.getInt() & 1) != 0;
        assertEquals(inKeyspace ? string(unsignedShort()) : null, prepare.keyspace());
    }

    private void checkExecute(final ExecuteRequest execute)
    {
        assertArrayEquals(bytes(unsignedShort()), execute.statementId().bytes());
        assertArrayEquals(hasWideFlags() ? bytes(unsignedShort()) : null, execute.resultMetadataId());
        checkParameters(execute.parameters());
    }

    private void checkBatch(final BatchRequest batch)
    {
        assertEquals(body.get(), batch.type().ordinal());
        assertEquals(unsignedShort(), batch.size());
        for (int i = 0; i < batch.size(); i++)
        {
            if (body.get() == 0)
            {
                assertEquals(string(body.getInt()), batch.query(i));
                assertNull(batch.statementId(i));
            }
            else
            {
                assertArrayEquals(bytes(unsignedShort()), batch.statementId(i).bytes());
                assertNull(batch.query(i));
            }
            assertEquals(unsignedShort(), batch.values()[i].length);
            for (final byte[] value : batch.values()[i])
            {
                checkValue(value);
            }
        }
        checkParameters(batch.parameters());
    }

    private void checkParameters(final QueryParameters parameters)
    {
        assertEquals(unsignedShort(), parameters.consistency().code());
        final int flags = hasWideFlags() ? body.getInt() : body.get() & 0xFF;
        assertEquals(flags, parameters.flags());
        checkValues(parameters, (flags & 0x01) != 0, (flags & 0x40) != 0);
        final int pageSize = (flags & 0x04) != 0 ? body.getInt() : -1;
        assertEquals(pageSize > 0 ? pageSize : -1, parameters.pageSize());
        assertArrayEquals((flags & 0x08) != 0 ? bytesOrNull() : null, parameters.pagingState());
        assertEquals((flags & 0x10) != 0 ? unsignedShort() : 8, parameters.serialConsistency().code());
        assertEquals((flags & 0x20) != 0 ? body.getLong() : Long.MIN_VALUE, parameters.timestamp());
        assertEquals((flags & 0x80) != 0 ? string(unsignedShort()) : null, parameters.keyspace());
        assertEquals((flags & 0x100) != 0 ? body.getInt() & 0xFFFFFFFFL : Long.MIN_VALUE, parameters.nowInSeconds());
    }

    private void checkValues(final QueryParameters parameters, final boolean present, final boolean named)
    {
        final byte[][] values = parameters.values();
        assertEquals(present ? unsignedShort() : 0, values.length);
        assertEquals(present && named, parameters.names() != null);
        for (int i = 0; i < values.length; i++)
        {
            if (named)
            {
                assertEquals(string(unsignedShort()), parameters.names()[i]);
            }
            checkValue(values[i]);
        }
    }

    private void checkValue(final byte[] value)
    {
        final int length = body.getInt();
        if (length >= 0)
        {
            assertArrayEquals(bytes(length), value);
            assertTrue(length > 0 || !Cells.isUnset(value), "an empty value is not an unset one");
        }
        else if (length == -2 && version != ProtocolVersion.V3)
        {
            assertSame(Cells.UNSET, value);
        }
        else
        {
            assertNull(value);
            assertTrue(length == -1 || version == ProtocolVersion.V3, "value length: " + length);
        }
    }

    void check(final StartupRequest startup)
    {
        final Map<String, String> options = new HashMap<>();
        final Map<String, String> last = new LinkedHashMap<>();
        for (int left = unsignedShort(); left > 0; left--)
        {
            last.put(string(unsignedShort()), string(unsignedShort()));
        }
        last.forEach((key, value) -> options.put(key.toUpperCase(Locale.ROOT), value));
        assertEquals(options, startup.options());
        assertEquals(options.get("CQL_VERSION"), startup.cqlVersion());
        assertEquals(options.get("COMPRESSION"), startup.compression());
        assertEquals("1".equals(options.get("THROW_ON_OVERLOAD")), startup.throwOnOverload());
    }

    void check(final RegisterRequest register)
    {
        final Set<EventType> types = EnumSet.noneOf(EventType.class);
        for (int left = unsignedShort(); left > 0; left--)
        {
            types.add(EventType.valueOf(string(unsignedShort()).toUpperCase(Locale.ROOT)));
        }
        assertEquals(types, register.eventTypes());
    }

    void check(final AuthResponseRequest response)
    {
        assertArrayEquals(bytesOrNull(), response.token());
    }

    private boolean hasWideFlags()
    {
        return version.isAtLeast(ProtocolVersion.V5);
    }

    private int unsignedShort()
    {
        return body.getShort() & 0xFFFF;
    }

    private byte[] bytesOrNull()
    {
        final int length = body.getInt();
        return length < 0 ? null : bytes(length);
    }

    private byte[] bytes(final int length)
    {
        if (length > body.remaining())
        {
            throw new BufferUnderflowException();
        }
        final byte[] bytes = new byte[length];
        body.get(bytes);
        return bytes;
    }

    private String string(final int length)
    {
        try
        {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes(length))).toString();
        }
        catch (final CharacterCodingException e)
        {
            throw new AssertionError("took a string that is not UTF-8", e);
        }
    }
}
