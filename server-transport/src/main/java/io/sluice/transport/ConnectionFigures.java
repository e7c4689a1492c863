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

import java.util.Map;

/**
 * What one connection has done so far, and where it stands. Immutable.
 *
 * @param requests envelopes that were read whole and accepted
 * @param requestBytes headers and bodies of these, plain
 * @param answers envelopes written that answer something
 * @param events envelopes written that answer nothing
 * @param answerBytes of both, before segments
 * @param bytesRead from the socket, after TLS
 * @param bytesWritten to the socket, before TLS
 * @param flushes how often it was written to
 * @param errors answers that were ERROR
 * @param requestsInService at this moment
 * @param inFlightBytes request bytes charged at this moment
 * @param unreadBytes answers that the socket has not taken yet
 * @param pausedBy why it is not read from at this moment, or null
 * @param pausedNanos how long it was not read from, by cause; causes that never held it back are not there
 */
public record ConnectionFigures(
    long requests,
    long requestBytes,
    long answers,
    long events,
    long answerBytes,
    long bytesRead,
    long bytesWritten,
    long flushes,
    long errors,
    int requestsInService,
    long inFlightBytes,
    long unreadBytes,
    PauseCause pausedBy,
    Map<PauseCause, Long> pausedNanos)
{
}
