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

/** What a request goes through between its last byte and the last byte of its answer, in this order. Immutable. */
public enum LatencyStage
{
    /** From the read of its last byte until it is an object with its cells. */
    DECODE,
    /** Until its handler gets it. */
    QUEUE,
    /** Until the handler answers. */
    SERVE,
    /** Until the answer is encoded. */
    ENCODE,
    /** Until the event loop writes it. */
    FLUSH,
    /** Until the socket has taken it. */
    WRITE
}
