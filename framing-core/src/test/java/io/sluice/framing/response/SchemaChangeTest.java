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
package io.sluice.framing.response;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.response.SchemaChange.Change;
import io.sluice.framing.response.SchemaChange.Target;
import io.sluice.framing.testkit.WireBytes;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SchemaChangeTest
{
    private final Encoding encoding = new Encoding();

    @AfterEach
    void returnsAllMemory()
    {
        encoding.close();
    }

    /** As a result and as an event the same bytes follow. */
    private void check(final SchemaChange change, final ProtocolVersion version, final WireBytes expected)
    {
        final String digits = WireBytes.toHex(expected.toArray());
        assertEquals("00000005" + digits, encoding.body(version, new SchemaChangeResult(change)));
        assertEquals(WireBytes.toHex(new WireBytes().string("SCHEMA_CHANGE").toArray()) + digits,
            encoding.body(version, new SchemaChangeEvent(change)));
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void writesEveryTarget(final ProtocolVersion version)
    {
        for (final Change change : Change.values())
        {
            check(SchemaChange.ofKeyspace(change, "ks"), version,
                new WireBytes().string(change.name()).string("KEYSPACE").string("ks"));
            check(SchemaChange.ofTable(change, "ks", "t"), version,
                new WireBytes().string(change.name()).string("TABLE").string("ks").string("t"));
            check(SchemaChange.ofType(change, "ks", "u"), version,
                new WireBytes().string(change.name()).string("TYPE").string("ks").string("u"));
        }
    }

    /** Version 3 hears that the keyspace is different, and no more: no stray bytes. */
    @ParameterizedTest
    @EnumSource(value = Target.class, names = {"FUNCTION", "AGGREGATE"})
    void mapsFunctionsForVersion3(final Target target)
    {
        for (final Change change : Change.values())
        {
            final SchemaChange made = new SchemaChange(change, target, "ks", "fn", List.of("int", "text"));
            final WireBytes whole = new WireBytes().string(change.name())
                .string(target.name())
                .string("ks")
                .string("fn")
                .int2(2)
                .string("int")
                .string("text");
            check(made, ProtocolVersion.V3, new WireBytes().string("UPDATED").string("KEYSPACE").string("ks"));
            check(made, ProtocolVersion.V4, whole);
            check(made, ProtocolVersion.V5, whole);
        }
    }

    @Test
    void checksItsParts()
    {
        assertThrows(NullPointerException.class, () -> SchemaChange.ofTable(Change.CREATED, "ks", null));
        assertThrows(NullPointerException.class,
            () -> new SchemaChange(Change.CREATED, Target.FUNCTION, "ks", "fn", null));
        assertThrows(NullPointerException.class, () -> SchemaChange.ofKeyspace(Change.CREATED, null));
        assertThrows(NullPointerException.class, () -> new SchemaChangeEvent(null));
    }

    @Test
    void writesNodeEvents() throws UnknownHostException
    {
        final InetAddress v4 = InetAddress.getByAddress(new byte[]{127, 0, 0, 1});
        final InetAddress v6 = InetAddress.getByAddress(WireBytes.hex("20010db8000000000000000000000001"));
        assertEquals(WireBytes.toHex(WireBytes.hex("8400ffff0c 00000024 000f\"TOPOLOGY_CHANGE\" 0008\"NEW_NODE\" " +
            "04 7f000001 00002352")), encoding.hex(ProtocolVersion.V4, -1,
                new TopologyChangeEvent(TopologyChangeEvent.Change.NEW_NODE, v4, 9042)));
        assertEquals(WireBytes.toHex(WireBytes.hex("8500ffff0c 0000002a 000d\"STATUS_CHANGE\" 0004\"DOWN\" " +
            "10 20010db8000000000000000000000001 00000001")), encoding.hex(ProtocolVersion.V5, -1,
                new StatusChangeEvent(StatusChangeEvent.Change.DOWN, v6, 1)));
        for (final TopologyChangeEvent.Change change : TopologyChangeEvent.Change.values())
        {
            assertEquals(WireBytes.toHex(new WireBytes().string("TOPOLOGY_CHANGE")
                .string(change.name())
                .raw("04 7f000001 00002352")
                .toArray()),
                encoding.body(ProtocolVersion.V3, new TopologyChangeEvent(change, v4, 9042)));
        }
    }

    @Test
    void writesTheOtherSmallBodies()
    {
        assertEquals("00000003" + "0002" + "6b73", encoding.body(ProtocolVersion.V4, new SetKeyspaceResult("ks")));
        assertEquals("00000002" + "0102", encoding.body(ProtocolVersion.V4, new AuthChallenge(new byte[]{1, 2})));
        assertEquals("ffffffff", encoding.body(ProtocolVersion.V4, new AuthChallenge(null)));
        assertEquals("00000000", encoding.body(ProtocolVersion.V4, new AuthSuccess(new byte[0])));
        assertEquals(0x0E, encoding.read(ProtocolVersion.V4, new AuthChallenge(null)).opcode());
        assertEquals(0x03, encoding.read(ProtocolVersion.V4, new Authenticate("a")).opcode());
    }
}
