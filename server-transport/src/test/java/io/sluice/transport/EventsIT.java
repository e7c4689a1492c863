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
package io.sluice.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.framing.EventType;
import io.sluice.framing.Opcode;
import io.sluice.framing.response.ResponseBody;
import io.sluice.framing.response.SchemaChange;
import io.sluice.framing.response.SchemaChangeEvent;
import io.sluice.transport.testkit.Await;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.WireBytes;
import io.sluice.transport.testkit.WireClient;
import io.sluice.transport.testkit.WireEnvelope;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** REGISTER and what comes of it, over sockets. */
final class EventsIT extends SocketTest
{
    private static final ResponseBody EVENT = new SchemaChangeEvent(SchemaChange.ofKeyspace(
        SchemaChange.Change.CREATED, "h6"));
    private static final byte[] EVENT_BODY = new WireBytes().string("SCHEMA_CHANGE")
        .string("CREATED")
        .string("KEYSPACE")
        .string("h6")
        .toArray();

    private static void expectEvent(final WireClient client) throws IOException
    {
        final WireEnvelope event = client.readEnvelope();
        assertEquals(-1, event.streamId());
        assertEquals(Opcode.EVENT, event.type());
        assertArrayEquals(EVENT_BODY, event.body());
    }

    @Test
    void eventReachesEveryConnectionThatRegisteredAndNoOther() throws IOException
    {
        start();
        final List<WireClient> registered = new ArrayList<>();
        final List<WireClient> others = new ArrayList<>();
        final List<WireClient> unready = new ArrayList<>();
        try
        {
            for (int i = 0; i < 30; i++)
            {
                final int version = 3 + i % 3;
                final WireClient client = server.ready(version, i % 2 == 0 ? "lz4" : null);
                assertEquals(Opcode.READY, client.ask(Requests.register(version, 1, "SCHEMA_CHANGE", "STATUS_CHANGE"))
                    .type());
                registered.add(client);
                final WireClient other = server.ready(version);
                assertEquals(Opcode.READY, other.ask(Requests.register(version, 1, "TOPOLOGY_CHANGE")).type());
                others.add(other);
                others.add(server.ready(version));
                unready.add(server.connect());
            }
            assertEquals(30, server.transport().publish(EventType.SCHEMA_CHANGE, EVENT));
            for (final WireClient client : registered)
            {
                expectEvent(client);
                expectServes(client);
            }
            // An event would come before the answer.
            for (final WireClient client : others)
            {
                expectServes(client);
            }
            for (final WireClient client : unready)
            {
                client.startUp(4, null);
            }
        }
        finally
        {
            for (final List<WireClient> clients : List.of(registered, others, unready))
            {
                for (final WireClient client : clients)
                {
                    client.close();
                }
            }
        }
    }

    @Test
    void eventsAndAnswersOfOneConnectionDoNotMix() throws IOException
    {
        start();
        try (WireClient client = server.ready(5))
        {
            client.ask(Requests.register(5, 1, "SCHEMA_CHANGE"));
            for (int i = 0; i < 100; i++)
            {
                client.request(Requests.query(5, i, "void"));
                server.transport().publish(EventType.SCHEMA_CHANGE, EVENT);
            }
            int events = 0;
            int answers = 0;
            for (final WireEnvelope envelope : client.readEnvelopes(200))
            {
                events += envelope.type() == Opcode.EVENT ? 1 : 0;
                answers += envelope.type() == Opcode.RESULT ? 1 : 0;
            }
            assertEquals(100, events);
            assertEquals(100, answers);
        }
    }

    @Test
    void eventsForAClientThatDoesNotReadAreDroppedAtItsAnswerBudget() throws IOException
    {
        startWithLimits(limits -> limits.answerBytesPerConnection(256 * 1024));
        try (WireClient client = WireClient.connectNarrow(server.address(), 4096))
        {
            client.startUp(5, null);
            client.ask(Requests.register(5, 1, "SCHEMA_CHANGE"));
            final ResponseBody large = new SchemaChangeEvent(SchemaChange.ofKeyspace(SchemaChange.Change.CREATED, "k"
                .repeat(30_000)));
            final long[] sent = {0};
            Await.until("events dropped", () ->
            {
                final int reached = server.transport().publish(EventType.SCHEMA_CHANGE, large);
                sent[0] += reached;
                return reached == 0;
            });
            assertTrue(server.transport().buffers().outstandingBytes() < 4 * 256 * 1024);
            for (long i = 0; i < sent[0]; i++)
            {
                assertEquals(Opcode.EVENT, client.readEnvelope().type());
            }
            expectServes(client);
            assertEquals(1, server.transport().publish(EventType.SCHEMA_CHANGE, EVENT));
            expectEvent(client);
        }
    }

    @Test
    void eventsBehindTheEndAreNotSent() throws IOException
    {
        start();
        try (WireClient client = server.ready(5))
        {
            client.ask(Requests.register(5, 1, "SCHEMA_CHANGE"));
        }
        server.awaitQuiet();
        assertEquals(0, server.transport().publish(EventType.SCHEMA_CHANGE, EVENT));
    }
}
