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

/** Where a connection stands; it only ever goes forward, but for a refused STARTUP. Immutable. */
enum ConnectionState
{
    /** Accepted: STARTUP and OPTIONS. */
    ESTABLISHED,
    /** The SASL exchange: AUTH_RESPONSE. */
    AUTHENTICATING,
    /** Requests are served. */
    READY,
    /** Nothing new is served; answers in work go out, then the output is shut. */
    CLOSING,
    /** The output is shut; what still comes in is thrown away until the client closes. */
    LINGERING,
    /** The end. */
    CLOSED
}
