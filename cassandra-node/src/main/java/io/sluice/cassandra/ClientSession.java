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

import io.sluice.transport.ClientConnection;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.transport.Message;
import org.apache.cassandra.transport.ServerConnection;

/**
 * What Cassandra knows of a connection, from STARTUP on: kept as the connection's attachment. The stage is changed by
 * the connection's event loop alone; everything else, any thread.
 */
final class ClientSession
{
    private final ServerConnection connection;
    private boolean authenticating;

    ClientSession(final ServerConnection connection)
    {
        this.connection = connection;
    }

    /** The session of a connection, or null before its STARTUP. */
    static ClientSession of(final ClientConnection client)
    {
        return (ClientSession)client.attachment();
    }

    /** Cassandra's own object for this client. */
    ServerConnection connection()
    {
        return connection;
    }

    /** User, keyspace and options. */
    ClientState state()
    {
        return connection.getClientState();
    }

    /** One more request of this client, as system_views.clients counts them. */
    void countRequest()
    {
        connection.requests.inc();
    }

    /** AUTHENTICATE was answered. */
    void awaitLogin()
    {
        authenticating = true;
        CassandraInternals.transition(connection, Message.Type.STARTUP, Message.Type.AUTHENTICATE);
    }

    /** READY or AUTH_SUCCESS was answered. */
    void ready()
    {
        if (authenticating)
        {
            CassandraInternals.transition(connection, Message.Type.AUTH_RESPONSE, Message.Type.AUTH_SUCCESS);
        }
        else
        {
            CassandraInternals.transition(connection, Message.Type.STARTUP, Message.Type.READY);
        }
    }
}
