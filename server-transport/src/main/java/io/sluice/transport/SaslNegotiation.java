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

/**
 * One SASL exchange, step by step. Called on the authentication executor, one step at a time: may block.
 */
public interface SaslNegotiation
{
    /**
     * Takes the client's token.
     *
     * @param token owned; null if the client sent none
     * @return the next step
     * @throws AuthenticationFailedException if the credentials are wrong: answered as BAD_CREDENTIALS
     */
    Step evaluate(byte[] token) throws AuthenticationFailedException;

    /**
     * What to answer.
     *
     * @param complete true: AUTH_SUCCESS, the client is logged in; false: AUTH_CHALLENGE
     * @param token for the client, or null
     */
    record Step(boolean complete, byte[] token)
    {
        /** AUTH_CHALLENGE with a token. */
        public static Step challenge(final byte[] token)
        {
            return new Step(false, token);
        }

        /** AUTH_SUCCESS with a token or null. */
        public static Step success(final byte[] token)
        {
            return new Step(true, token);
        }
    }
}
