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

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Counts for one connection. Added to by its event loop, errors by any thread; read by any thread. */
final class ConnectionLedger
{
    final LoopCount requests = new LoopCount();
    final LoopCount requestBytes = new LoopCount();
    final LoopCount answers = new LoopCount();
    final LoopCount events = new LoopCount();
    final LoopCount answerBytes = new LoopCount();
    final LoopCount bytesRead = new LoopCount();
    final LoopCount bytesWritten = new LoopCount();
    final LoopCount flushes = new LoopCount();
    final AtomicLong errors = new AtomicLong();
    /** Made when it is first paused: most never are. Written by the loop. */
    private volatile LoopCount[] paused;
    /** Written by the loop. */
    private volatile PauseCause pausedBy;

    /** On the loop: reading has stopped. */
    void pause(final PauseCause cause)
    {
        pausedBy = cause;
    }

    /** On the loop: reading goes on. */
    void resume(final PauseCause cause, final long pausedNanos)
    {
        pausedBy = null;
        LoopCount[] counts = paused;
        if (counts == null)
        {
            counts = new LoopCount[PauseCause.values().length];
            for (int i = 0; i < counts.length; i++)
            {
                counts[i] = new LoopCount();
            }
            paused = counts;
        }
        counts[cause.ordinal()].add(pausedNanos);
    }

    ConnectionFigures figures(final Connection connection)
    {
        final Map<PauseCause, Long> pausedNanos = new EnumMap<>(PauseCause.class);
        final LoopCount[] counts = paused;
        for (int i = 0; counts != null && i < counts.length; i++)
        {
            if (counts[i].get() > 0)
            {
                pausedNanos.put(PauseCause.values()[i], counts[i].get());
            }
        }
        return new ConnectionFigures(requests.get(), requestBytes.get(), answers.get(), events.get(),
            answerBytes.get(), bytesRead.get(), bytesWritten.get(), flushes.get(), errors.get(),
            connection.requestsInService(), connection.inFlight.usedBytes(), connection.answers.unreadBytes(),
            pausedBy, pausedNanos);
    }
}
