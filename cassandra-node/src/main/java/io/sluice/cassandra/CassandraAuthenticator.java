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

import io.sluice.transport.Authenticator;
import io.sluice.transport.ClientConnection;
import io.sluice.transport.SaslNegotiation;
import org.apache.cassandra.auth.IAuthenticator;
import org.apache.cassandra.config.DatabaseDescriptor;

/**
 * The authenticator that cassandra.yaml names. Where it asks for no login, Cassandra's ClientState is the anonymous
 * user's from the start. Any thread.
 */
final class CassandraAuthenticator implements Authenticator
{
    @Override
    public String mechanism(final ClientConnection connection)
    {
        final IAuthenticator authenticator = DatabaseDescriptor.getAuthenticator();
        return authenticator.requireAuthentication()
            ? authenticator.getAuthenticateMessage(ClientSession.of(connection).state()).authenticator
            : null;
    }

    @Override
    public SaslNegotiation negotiate(final ClientConnection connection)
    {
        return new CassandraNegotiation(connection, ClientSession.of(connection));
    }
}
