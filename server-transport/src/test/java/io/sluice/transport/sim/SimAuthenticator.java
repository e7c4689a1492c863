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
package io.sluice.transport.sim;

import io.sluice.transport.AuthenticationFailedException;
import io.sluice.transport.Authenticator;
import io.sluice.transport.ClientConnection;
import io.sluice.transport.SaslNegotiation;
import java.nio.charset.StandardCharsets;

/** Logins in two steps, "one" and "two"; everything else is wrong, and "boom" breaks the authenticator. */
final class SimAuthenticator implements Authenticator
{
    private final boolean needed;

    SimAuthenticator(final boolean needed)
    {
        this.needed = needed;
    }

    @Override
    public String mechanism(final ClientConnection connection)
    {
        return needed ? "sim.Authenticator" : null;
    }

    @Override
    public SaslNegotiation negotiate(final ClientConnection connection)
    {
        return new Negotiation();
    }

    private static final class Negotiation implements SaslNegotiation
    {
        private boolean half;

        @Override
        public Step evaluate(final byte[] token) throws AuthenticationFailedException
        {
            final String text = new String(token, StandardCharsets.US_ASCII);
            switch (text)
            {
                case "boom" -> throw new InjectedFailure("the authenticator broke");
                case "one" ->
                {
                    if (!half)
                    {
                        half = true;
                        return Step.challenge(token);
                    }
                }
                case "two" ->
                {
                    if (half)
                    {
                        return Step.success(null);
                    }
                }
                default ->
                {
                    // Wrong.
                }
            }
            throw new AuthenticationFailedException("wrong: " + text);
        }
    }
}
