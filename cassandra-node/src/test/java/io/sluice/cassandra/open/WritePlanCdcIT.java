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
package io.sluice.cassandra.open;

import static io.sluice.cassandra.TwoRoads.ONE;
import static io.sluice.cassandra.TwoRoads.error;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.cassandra.ChangedData;
import io.sluice.cassandra.EventCollector;
import io.sluice.cassandra.NodeExtension;
import io.sluice.cassandra.TestNode;
import io.sluice.cassandra.TwoRoads;
import io.sluice.cassandra.WriteWays;
import io.sluice.framing.Opcode;
import java.io.IOException;
import java.util.List;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.commitlog.CommitLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;

/** Change data capture: what its consumers get, and what happens if they do not come for it. */
@ExtendWith(NodeExtension.class)
@DisabledIfSystemProperty(named = "sluice.it.transport", matches = "stock", disabledReason = "stock has no plans")
final class WritePlanCdcIT
{
    private static final int WRITE_FAILURE = 0x1500;
    private static final int MOST_SEGMENTS = 5;

    private final TestNode node;
    private TwoRoads client;
    private WriteWays ways;

    WritePlanCdcIT(final TestNode node)
    {
        this.node = node;
    }

    @BeforeEach
    void begin() throws IOException
    {
        client = new TwoRoads(node);
        client.sayNow();
        ways = WriteWays.define(client, "captured", 1, "WITH cdc = true");
    }

    @AfterEach
    void end() throws IOException
    {
        client.define("DROP KEYSPACE captured");
        client.close();
    }

    @Test
    void handsOnWhatWasWritten() throws IOException
    {
        final ChangedData changes = new ChangedData("captured");
        for (final WriteWays.Way way : ways.at(ONE))
        {
            assertEquals(Opcode.RESULT, client.once(way.planned(), way.request()).type(), way.name());
            final List<String> byPlan = changes.next();
            client.plans().setEnabled(false);
            try
            {
                assertEquals(Opcode.RESULT, client.once(0, way.request()).type(), way.name());
            }
            finally
            {
                client.plans().setEnabled(true);
            }
            assertEquals(changes.next(), byPlan, way.name());
            assertFalse(byPlan.isEmpty(), way.name());
        }
        assertTrue(ChangedData.offered() > 0);
    }

    @Test
    void isRefusedWhenConsumersDoNotCome() throws Exception
    {
        final int spaceMebibytes = (int)(DatabaseDescriptor.getCDCTotalSpace() >> 20);
        DatabaseDescriptor.setCDCTotalSpaceInMiB(0);
        try
        {
            advance();
            for (final WriteWays.Way way : ways.at(ONE))
            {
                assertEquals(WRITE_FAILURE, error(client.both(way.planned(), way.request())), way.name());
                tellsListeners(way);
            }
        }
        finally
        {
            DatabaseDescriptor.setCDCTotalSpaceInMiB(spaceMebibytes);
        }
        final WriteWays.Way single = ways.single(ONE);
        assertEquals(Opcode.RESULT, client.both(single.planned(), single.request()).type());
    }

    /** Goes on to a segment of the commit log that was begun when there was no space. */
    private void advance() throws IOException
    {
        final WriteWays.Way single = ways.single(ONE);
        int segments = 0;
        while (client.once(single.planned(), single.request()).type() == Opcode.RESULT)
        {
            segments++;
            assertTrue(segments < MOST_SEGMENTS);
            CommitLog.instance.forceRecycleAllSegments();
        }
    }

    /** Whoever comes to listen while the write is in work hears how it ends. */
    private void tellsListeners(final WriteWays.Way way) throws IOException, InterruptedException
    {
        final List<String> byPlan = EventCollector.meanwhile(client, way.planned(), way.request(), WRITE_FAILURE);
        client.plans().setEnabled(false);
        try
        {
            assertEquals(EventCollector.meanwhile(client, 0, way.request(), WRITE_FAILURE), byPlan, way.name());
        }
        finally
        {
            client.plans().setEnabled(true);
        }
        assertEquals(1, byPlan.size(), way.name());
    }
}
