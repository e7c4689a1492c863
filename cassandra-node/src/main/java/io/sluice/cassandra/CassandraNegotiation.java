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

import io.sluice.transport.AuthenticationFailedException;
import io.sluice.transport.ClientConnection;
import io.sluice.transport.SaslNegotiation;
import java.security.cert.Certificate;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.apache.cassandra.auth.AuthEvents;
import org.apache.cassandra.auth.IAuthenticator;
import org.apache.cassandra.auth.MutualTlsAuthenticator;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.exceptions.AuthenticationException;
import org.apache.cassandra.metrics.ClientMetrics;
import org.apache.cassandra.service.QueryState;

/**
 * One SASL exchange with Cassandra's authenticator, up to the login of the client's state; Cassandra's meters and
 * listeners hear of it. Called by one thread at a time, on the login pool.
 */
final class CassandraNegotiation implements SaslNegotiation
{
    /** What authenticators get from a client that sent null: they promise to take an empty token, not a null one. */
    private static final byte[] EMPTY = new byte[0];

    private final ClientSession session;
    private final IAuthenticator.SaslNegotiator negotiator;
    /** Cassandra's own would fail with a NullPointerException. */
    private final boolean lacksCertificate;

    CassandraNegotiation(final ClientConnection connection, final ClientSession session)
    {
        final IAuthenticator authenticator = DatabaseDescriptor.getAuthenticator();
        final Certificate[] certificates = certificates(connection.tlsSession());
        this.session = session;
        this.negotiator = authenticator.newSaslNegotiator(connection.remoteAddress().getAddress(), certificates);
        this.lacksCertificate = certificates == null && authenticator instanceof MutualTlsAuthenticator;
    }

    /** The client's, or null if it showed none. */
    private static Certificate[] certificates(final SSLSession tls)
    {
        if (tls == null)
        {
            return null;
        }
        try
        {
            return tls.getPeerCertificates();
        }
        catch (final SSLPeerUnverifiedException e)
        {
            return null;
        }
    }

    @Override
    public Step evaluate(final byte[] token) throws AuthenticationFailedException
    {
        final QueryState state = new QueryState(session.state());
        try
        {
            if (lacksCertificate)
            {
                throw new AuthenticationException("A client certificate is needed to log in");
            }
            final byte[] answer = negotiator.evaluateResponse(token == null ? EMPTY : token);
            if (!negotiator.isComplete())
            {
                return Step.challenge(answer);
            }
            session.state().login(negotiator.getAuthenticatedUser());
            ClientMetrics.instance.markAuthSuccess();
            AuthEvents.instance.notifyAuthSuccess(state);
            return Step.success(answer);
        }
        catch (final AuthenticationException e)
        {
            ClientMetrics.instance.markAuthFailure();
            AuthEvents.instance.notifyAuthFailure(state, e);
            throw new AuthenticationFailedException(e.getMessage());
        }
    }
}
