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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.sluice.transport.OverloadAction;
import io.sluice.transport.TransportLimits;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CassandraLimitsTest
{
    private static final TransportLimits BEFORE = TransportLimits.defaults();
    private static final long MIB = 1 << 20;

    @Test
    void aChangeOfOneSettingLeavesWhatWasSetOverJmx()
    {
        final TransportLimits inForce = BEFORE.with()
            .answerBytes(5 * MIB)
            .requestsPerConnection(7)
            .inFlightBytes(900 * MIB)
            .overloadAction(OverloadAction.SHED)
            .build();
        final TransportLimits changed = BEFORE.with().closeTimeout(Duration.ofSeconds(77)).maxConnections(9).build();
        assertEquals(inForce.with().closeTimeout(Duration.ofSeconds(77)).maxConnections(9).build(),
            CassandraLimits.onto(inForce, BEFORE, changed));
    }

    @Test
    void theLaterChangeOfTheSameSettingCounts()
    {
        final TransportLimits inForce = BEFORE.with().inFlightBytes(900 * MIB).build();
        final TransportLimits changed = BEFORE.with()
            .inFlightBytes(800 * MIB)
            .inFlightBytesPerAddress(700 * MIB)
            .inFlightBytesPerConnection(600 * MIB)
            .maxConnectionsPerAddress(5)
            .overloadAction(OverloadAction.SHED)
            .consecutiveErrors(3)
            .idleTimeout(Duration.ofSeconds(9))
            .maxFrameBytes(1 << 21)
            .maxMessageBytes(1 << 22)
            .build();
        assertEquals(changed, CassandraLimits.onto(inForce, BEFORE, changed));
    }

    @Test
    void limitsThatDoNotGoTogetherAreThoseOfCassandra()
    {
        final TransportLimits inForce = BEFORE.with()
            .maxFrameBytes(1 << 20)
            .maxMessageBytes(1 << 20)
            .inFlightBytes(
                MIB)
            .build();
        final TransportLimits changed = BEFORE.with().maxFrameBytes(8 << 20).build();
        assertSame(changed, CassandraLimits.onto(inForce, BEFORE, changed));
    }
}
