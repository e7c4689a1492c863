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
package io.sluice.framing.request;

import io.sluice.framing.ProtocolVersion;

/**
 * A client's part of a SASL exchange.
 *
 * @param token owned by the request; null if the client sent none
 */
public record AuthResponseRequest(byte[] token)
{
    /**
     * The message in an AUTH_RESPONSE body.
     *
     * @param body borrowed until return, at its start
     * @throws io.sluice.framing.ProtocolException if the body is not what it should be
     */
    @SuppressWarnings("unused")
    public static AuthResponseRequest decode(final BodyReader body, final ProtocolVersion version)
    {
        return new AuthResponseRequest(body.readBytes());
    }
}
