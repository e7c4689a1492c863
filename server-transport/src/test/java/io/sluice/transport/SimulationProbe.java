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

import io.netty.channel.ChannelFactory;
import io.netty.channel.ServerChannel;
import io.sluice.memory.BufferPool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a simulation must reach inside the package: building on fakes, and looking whether everything is at rest. */
public final class SimulationProbe
{
    private SimulationProbe()
    {
    }

    /** A transport that listens with these channels and lives on this memory. */
    public static NativeTransport build(final NativeTransportBuilder builder,
        final ChannelFactory<? extends ServerChannel> listeningChannels,
        final BufferPool pool)
    {
        return builder.listeningChannels(listeningChannels).bufferPool(pool).build();
    }

    /** Everything that is charged, queued or in service although nobody is at work; empty if all is well. */
    public static List<String> restlessness(final NativeTransport transport)
    {
        final List<String> found = new ArrayList<>();
        final TransportContext context = transport.context;
        long charged = 0;
        int admitted = 0;
        final Map<AddressTable.Entry, Integer> addresses = new HashMap<>();
        for (final Connection connection : context.connections.all())
        {
            inspect(connection, found);
            charged += connection.inFlight.usedBytes();
            addresses.merge(connection.address, 1, Integer::sum);
        }
        expect(found, "in flight of all connections", charged, context.inFlight.usedBytes());
        expect(found, "addresses", addresses.size(), context.addresses.size());
        for (final Map.Entry<AddressTable.Entry, Integer> address : addresses.entrySet())
        {
            expect(found, "connections of an address", address.getValue(), address.getKey().connections());
            expect(found, "in flight of an address", 0, address.getKey().inFlight().usedBytes());
            expect(found, "unread answers of an address", 0, address.getKey().answerBytes().get());
            admitted += address.getKey().admitted().get();
        }
        expect(found, "connections under the cap", admitted, context.connections.admitted());
        expect(found, "unread answers", 0, context.answerBytes.get());
        expect(found, "memory before login", 0, context.preLogin.usedBytes());
        expect(found, "tokens", 0, context.logins.usedBytes());
        expect(found, "held bytes", 0, context.heldBytes.get());
        expect(found, "waiting for admission", 0, context.waiting.size());
        expect(found, "leases", 0, context.pool.outstandingLeases());
        expect(found, "lent bytes", 0, context.pool.outstandingBytes());
        expect(found, "registry", context.connections.all().size(), context.connections.count());
        int listed = 0;
        for (final LoopContext loop : transport.loopContexts.values())
        {
            if (!loop.outbound.isEmpty())
            {
                found.add("outbound queue: not empty");
            }
            listed += loop.connectionCount();
        }
        expect(found, "connections listed by loops", context.connections.count(), listed);
        return found;
    }

    private static void inspect(final Connection connection, final List<String> found)
    {
        final String name = connection.toString();
        expect(found, name + " in service", 0, connection.requestsInService());
        expect(found, name + " answer bytes", 0, connection.answers.unreadBytes());
        expect(found, name + " in flight", 0, connection.inFlight.usedBytes());
        if (!connection.isAtRest())
        {
            found.add(name + ": outbox or deferred requests not empty");
        }
    }

    private static void expect(final List<String> found, final String what, final long expected, final long actual)
    {
        if (expected != actual)
        {
            found.add(what + ": " + actual + " (expected: " + expected + ")");
        }
    }
}
