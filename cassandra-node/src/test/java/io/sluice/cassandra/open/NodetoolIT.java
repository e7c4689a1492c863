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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import io.sluice.cassandra.BusyRequestPool;
import io.sluice.cassandra.NodeExtension;
import io.sluice.cassandra.Nodetool;
import io.sluice.cassandra.TestNode;
import io.sluice.cassandra.Wire;
import io.sluice.framing.Opcode;
import io.sluice.transport.testkit.Await;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.WireClient;
import java.io.IOException;
import java.net.Socket;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The commands that operators know, and the tables that show the same. */
@ExtendWith(NodeExtension.class)
final class NodetoolIT
{
    private static final String LOCAL = "SELECT key FROM system.local";
    private static final Pattern REQUESTS = Pattern.compile("Native-Transport-Requests\\s+(\\d+)\\s+(\\d+)\\s+(\\d+)");

    private final TestNode node;

    NodetoolIT(final TestNode node)
    {
        this.node = node;
    }

    @AfterEach
    void asBefore()
    {
        Nodetool.run(node, "enablebinary");
        enableOldVersions();
    }

    /** The setting is taken over within a second. */
    private void enableOldVersions()
    {
        Nodetool.run(node, "enableoldprotocolversions");
        Await.until("version 4 is served", () ->
        {
            try (WireClient client = WireClient.connect(node.address()))
            {
                client.send(Requests.startup(4, 1, (String)null));
                return client.readBare().type() == Opcode.READY;
            }
            catch (final IOException e)
            {
                return false;
            }
        });
    }

    private boolean isListening()
    {
        try (Socket socket = new Socket(node.address().getAddress(), node.address().getPort()))
        {
            return socket.isConnected();
        }
        catch (final IOException e)
        {
            return false;
        }
    }

    private long completed()
    {
        final Matcher row = REQUESTS.matcher(Nodetool.run(node, "tpstats"));
        assertTrue(row.find(), "no row of the request pool");
        return Long.parseLong(row.group(3));
    }

    @Test
    void tpstatsAndItsTableCountRequests()
    {
        try (CqlSession session = node.connect(Wire.V5_PLAIN))
        {
            final long before = completed();
            for (int i = 0; i < 10; i++)
            {
                session.execute(LOCAL);
            }
            Await.until("counted", () -> completed() >= before + 10);
            final Row row = session.execute("SELECT completed_tasks FROM system_views.thread_pools " +
                "WHERE name = 'Native-Transport-Requests'").one();
            assertTrue(row.getLong(0) >= before + 10);
            assertNotNull(session.execute("SELECT name FROM system_views.thread_pools " +
                "WHERE name = 'Native-Transport-Auth-Requests'").one());
        }
    }

    @Test
    void clientstatsShowsVersionsOptionsAndForgetsThem() throws IOException
    {
        try (WireClient client = WireClient.ready(node.address(), 3, null);
            CqlSession session = node.connect(Wire.V5_LZ4))
        {
            assertEquals(Opcode.RESULT, client.ask(Requests.query(3, 1, LOCAL)).type());
            session.execute(LOCAL);
            final String byProtocol = Nodetool.run(node, "clientstats", "--by-protocol");
            assertTrue(byProtocol.contains("v3"), byProtocol);
            final String options = Nodetool.run(node, "clientstats", "--client-options");
            assertTrue(options.contains("DRIVER_NAME") && options.contains("lz4"), options);
        }
        Nodetool.run(node, "clientstats", "--clear-history");
        final String cleared = Nodetool.run(node, "clientstats", "--by-protocol");
        assertFalse(cleared.contains("v3"), cleared);
    }

    @Test
    void disableoldprotocolversionsKeepsNewClientsOfVersionFiveOnly()
    {
        Nodetool.run(node, "disableoldprotocolversions");
        assertThrows(AllNodesFailedException.class, () -> node.connect(Wire.V4_PLAIN).close());
        assertThrows(AllNodesFailedException.class, () -> node.connect(Wire.V3_LZ4).close());
        try (CqlSession five = node.connect(Wire.V5_LZ4))
        {
            five.execute(LOCAL);
        }
        enableOldVersions();
        try (CqlSession four = node.connect(Wire.V4_PLAIN))
        {
            four.execute(LOCAL);
        }
    }

    @Test
    void disablebinaryAnswersWhatIsInWorkAndForceDoesNot() throws Exception
    {
        try (BusyRequestPool busy = new BusyRequestPool();
            WireClient client = WireClient.ready(node.address(), 5, null))
        {
            client.request(Requests.query(5, 7, LOCAL));
            Await.until("in work", () -> busy.waiting() == 1);
            final Thread operator = new Thread(() -> Nodetool.run(node, "disablebinary"), "operator");
            operator.start();
            Await.until("not listening", () -> !isListening());
            busy.release();
            assertEquals(7, client.readEnvelope().streamId());
            client.expectEnd();
            client.leave();
            operator.join();
        }
        assertEquals("not running", Nodetool.run(node, "statusbinary"));
        Nodetool.run(node, "enablebinary");
        assertEquals("running", Nodetool.run(node, "statusbinary"));
        try (BusyRequestPool busy = new BusyRequestPool();
            WireClient client = WireClient.ready(node.address(), 5, null))
        {
            client.request(Requests.query(5, 7, LOCAL));
            Await.until("in work", () -> busy.waiting() == 1);
            Nodetool.run(node, "disablebinary", "-f");
            assertEquals(0, client.readToEnd().length, "cut off, its answer is lost");
        }
        assertEquals("not running", Nodetool.run(node, "statusbinary"));
    }

    @Test
    void queriesTableShowsWhatIsRunning()
    {
        final String query = "SELECT thread_id, queued_micros, running_micros, task FROM system_views.queries";
        try (CqlSession session = node.connect(Wire.V5_PLAIN))
        {
            // It is running itself while it looks.
            final Row row = session.execute(query)
                .all()
                .stream()
                .filter(candidate -> candidate.getString("task").contains("system_views.queries"))
                .findFirst()
                .orElseThrow();
            assertTrue(row.getString("thread_id").contains("Native-Transport-Requests"), row::getFormattedContents);
            assertTrue(row.getLong("queued_micros") >= 0 && row.getLong("running_micros") >= 0);
        }
    }
}
