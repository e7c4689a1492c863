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

/** Why a request has to wait or is shed. Immutable. */
public enum PauseCause
{
    /** Bytes in flight of this connection. */
    CONNECTION_BYTES,
    /** Bytes in flight of this client address. */
    ADDRESS_BYTES,
    /** Bytes in flight of the whole transport. */
    GLOBAL_BYTES,
    /** Requests in service on this connection. */
    REQUESTS_IN_SERVICE,
    /** Answers that this client has not read. */
    UNREAD_ANSWERS,
    /** Requests per second. */
    REQUEST_RATE,
    /** Age of the executor's queue. */
    QUEUE_AGE
}
