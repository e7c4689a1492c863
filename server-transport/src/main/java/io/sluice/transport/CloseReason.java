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

/** Why a connection ended. Immutable. */
public enum CloseReason
{
    /** The client closed, in order or by reset. */
    CLIENT,
    /** The client broke the protocol beyond repair. */
    PROTOCOL_ERROR,
    /** Its client was not let in: {@link RefusalReason} says why. */
    REFUSED,
    /** Not ready within the handshake deadline. */
    HANDSHAKE_TIMEOUT,
    /** Nothing read, written or in work for too long. */
    IDLE_TIMEOUT,
    /** The client does not read its answers, or stopped in the middle of a request. */
    STALLED,
    /** An answer was finished over the hard limit. */
    ANSWER_LIMIT,
    /** Too many failed logins. */
    LOGIN_ATTEMPTS,
    /** TLS could not be agreed on. */
    TLS_FAILURE,
    /** No memory was left for it. */
    OUT_OF_MEMORY,
    /** An operator or the node asked for it. */
    FORCED,
    /** The transport stops; the client had all its answers. */
    SHUTDOWN,
    /** The transport stops and does not wait any longer: answers are lost. */
    SHUTDOWN_FORCED,
    /** Something unforeseen in the server. */
    SERVER_ERROR
}
