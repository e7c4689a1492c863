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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.framing.EventType;
import io.sluice.framing.ProtocolException;
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.testkit.WireBytes;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HandshakeRequestsTest
{
    private static BodyReader over(final byte[] body)
    {
        return new BodyReader().wrap(Bodies.direct(body), Bodies.offset(), Bodies.offset() + body.length);
    }

    /** The bodies of ST5 and ST5L. */
    @Test
    void readsStartup()
    {
        final StartupRequest plain = StartupRequest.decode(
            over(WireBytes.hex("0001000b43514c5f56455253494f4e0005332e302e30")), ProtocolVersion.V5);
        assertEquals("3.0.0", plain.cqlVersion());
        assertNull(plain.compression());
        assertNull(plain.driverName());
        assertFalse(plain.throwOnOverload());
        final StartupRequest lz4 = StartupRequest.decode(over(WireBytes.hex(
            "0002000b43514c5f56455253494f4e0005332e302e30000b434f4d5052455353494f4e00036c7a34")), ProtocolVersion.V5);
        assertEquals("lz4", lz4.compression());
    }

    @Test
    void upperCasesKeysAndKeepsAllOptions()
    {
        final StartupRequest request = StartupRequest.decode(over(new WireBytes().int2(7)
            .string("cql_version")
            .string("3.4.5")
            .string("Compression")
            .string("")
            .string("throw_on_overload")
            .string("1")
            .string("driver_name")
            .string("d")
            .string("DRIVER_VERSION")
            .string("9")
            .string("client_id")
            .string("i")
            .string("APPLICATION_NAME")
            .string("App")
            .toArray()), ProtocolVersion.V4);
        assertEquals("3.4.5", request.cqlVersion());
        assertEquals("", request.compression());
        assertTrue(request.throwOnOverload());
        assertEquals("d", request.driverName());
        assertEquals("9", request.driverVersion());
        assertEquals(7, request.options().size());
        assertEquals("i", request.options().get("CLIENT_ID"));
        assertEquals("App", request.options().get("APPLICATION_NAME"));
    }

    /** In Turkish the capital of i has a dot. */
    @Test
    void upperCasesAlikeEverywhere()
    {
        final Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("tr-TR"));
        try
        {
            assertEquals("x", StartupRequest.decode(over(new WireBytes().int2(1)
                .string("cql_version")
                .string("x")
                .toArray()), ProtocolVersion.V4).cqlVersion());
            assertEquals(Set.of(EventType.TOPOLOGY_CHANGE), RegisterRequest.decode(
                over(new WireBytes().int2(1).string("topology_change").toArray()), ProtocolVersion.V4).eventTypes());
        }
        finally
        {
            Locale.setDefault(before);
        }
    }

    @Test
    void readsRegister()
    {
        final RegisterRequest request = RegisterRequest.decode(over(new WireBytes().int2(4)
            .string("status_change")
            .string("SCHEMA_CHANGE")
            .string("Topology_Change")
            .string("SCHEMA_CHANGE")
            .toArray()), ProtocolVersion.V3);
        assertEquals(Set.of(EventType.STATUS_CHANGE, EventType.SCHEMA_CHANGE, EventType.TOPOLOGY_CHANGE),
            request.eventTypes());
        assertEquals(Set.of(), RegisterRequest.decode(over(new byte[2]), ProtocolVersion.V3).eventTypes());
    }

    @Test
    void acceptsTraceCompleteFromVersion4()
    {
        final byte[] body = new WireBytes().int2(1).string("trace_complete").toArray();
        assertEquals(Set.of(EventType.TRACE_COMPLETE),
            RegisterRequest.decode(over(body), ProtocolVersion.V4).eventTypes());
        assertThrows(ProtocolException.class, () -> RegisterRequest.decode(over(body), ProtocolVersion.V3));
    }

    @Test
    void refusesUnknownEventTypesAndQuotesLittle()
    {
        final byte[] body = new WireBytes().int2(1).string("FULL_MOON").toArray();
        assertEquals("event type: FULL_MOON (expected: TOPOLOGY_CHANGE, STATUS_CHANGE or SCHEMA_CHANGE)",
            assertThrows(ProtocolException.class, () -> RegisterRequest.decode(over(body), ProtocolVersion.V5))
                .getMessage());
        final byte[] longer = new WireBytes().int2(1).string("x".repeat(60_000)).toArray();
        final ProtocolException error = assertThrows(ProtocolException.class,
            () -> RegisterRequest.decode(over(longer), ProtocolVersion.V5));
        assertTrue(error.getMessage().length() < 200);
    }

    @Test
    void readsAuthResponse()
    {
        assertArrayEquals(new byte[]{0, 'u', 0, 'p'}, AuthResponseRequest.decode(
            over(WireBytes.hex("00000004 00\"u\"00\"p\"")), ProtocolVersion.V5).token());
        assertNull(AuthResponseRequest.decode(over(WireBytes.hex("ffffffff")), ProtocolVersion.V5).token());
        assertEquals(0, AuthResponseRequest.decode(over(new byte[4]), ProtocolVersion.V5).token().length);
        assertThrows(ProtocolException.class,
            () -> AuthResponseRequest.decode(over(WireBytes.hex("7fffffff 00")), ProtocolVersion.V5));
    }
}
