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

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import io.sluice.framing.EventType;
import io.sluice.framing.ProtocolException;
import io.sluice.framing.ProtocolVersion;
import io.sluice.framing.request.StartupRequest;
import io.sluice.transport.ClientConnection;
import io.sluice.transport.ConnectionLifecycle;
import java.util.function.Consumer;
import org.apache.cassandra.auth.AuthenticatedUser;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.transport.Connection;
import org.apache.cassandra.transport.Event;
import org.apache.cassandra.transport.Server;
import org.apache.cassandra.transport.ServerConnection;
import org.apache.cassandra.transport.messages.EventMessage;

/**
 * Makes each connection known to Cassandra's connection tracker at its STARTUP, so that nodetool, JMX and
 * system_views show it and events reach it. The tracker forgets it by itself when its channel closes. Confined to the
 * connections' event loops.
 */
final class CassandraLifecycle implements ConnectionLifecycle
{
    /** Where Cassandra looks for a channel's connection. */
    private static final AttributeKey<Connection> CONNECTION = AttributeKey.valueOf("CONN");
    /** Where Cassandra looks for whoever takes events of clients from version 5 on. */
    private static final AttributeKey<Consumer<EventMessage>> EVENT_CONSUMER = AttributeKey.valueOf("EVTDISP");

    private final Connection.Factory factory;

    CassandraLifecycle(final Connection.Factory factory)
    {
        this.factory = factory;
    }

    @Override
    public void onStartup(final ClientConnection connection, final StartupRequest startup)
    {
        final ProtocolVersion version = connection.version();
        if (!version.usesSegments() && !DatabaseDescriptor.getNativeTransportAllowOlderProtocols())
        {
            throw ProtocolException.recoverable(
                "Rejecting Protocol Version " + version.text() + " < " + ProtocolVersion.V5.text() + ".");
        }
        final Channel channel = connection.channel();
        final ServerConnection known = (ServerConnection)factory.newConnection(NodeProxies.seenByNode(connection),
            Translation.version(version));
        channel.attr(CONNECTION).set(known);
        known.setThrowOnOverload(startup.throwOnOverload());
        final ClientState state = known.getClientState();
        state.setClientOptions(startup.options());
        if (startup.driverName() != null)
        {
            state.setDriverName(startup.driverName());
            state.setDriverVersion(startup.driverVersion());
        }
        listenForEvents(connection, channel, version);
        final ClientSession session = new ClientSession(known);
        connection.attachment(session);
        session.countRequest();
    }

    private static void listenForEvents(final ClientConnection connection,
        final Channel channel,
        final ProtocolVersion version)
    {
        if (version.usesSegments())
        {
            channel.attr(EVENT_CONSUMER).set(event -> connection.push(new CassandraResponse(event)));
        }
        else if (channel.pipeline().get(EventInterceptor.class) == null)
        {
            channel.pipeline().addLast(EventInterceptor.NAME, new EventInterceptor(connection));
        }
    }

    @Override
    public void onAuthenticating(final ClientConnection connection)
    {
        ClientSession.of(connection).awaitLogin();
    }

    @Override
    public void onReady(final ClientConnection connection)
    {
        ClientSession.of(connection).ready();
    }

    @Override
    public String user(final ClientConnection connection)
    {
        final ClientSession session = ClientSession.of(connection);
        final AuthenticatedUser user = session == null ? null : session.state().getUser();
        return user == null ? null : user.getName();
    }

    @Override
    public void onRegister(final ClientConnection connection, final EventType type)
    {
        final Connection known = ClientSession.of(connection).connection();
        ((Server.ConnectionTracker)known.getTracker()).register(Event.Type.valueOf(type.name()), connection.channel());
    }
}
