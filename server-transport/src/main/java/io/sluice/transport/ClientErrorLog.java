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

import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.NanoClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What clients cause is logged at debug, with one line a minute at info so that it is seen; never with cell
 * contents. What the server causes is logged at once. Any thread.
 */
final class ClientErrorLog
{
    private static final Logger LOG = LoggerFactory.getLogger(ClientErrorLog.class);
    private static final long INTERVAL_NANOS = 60_000_000_000L;

    private final NanoClock clock;
    private final AtomicLong nextNanos;
    private final AtomicLong suppressed = new AtomicLong();

    ClientErrorLog(final NanoClock clock)
    {
        this.clock = clock;
        this.nextNanos = new AtomicLong(clock.nanoTime());
    }

    /** A client broke the protocol, or was closed for cause. */
    void clientError(final Connection connection, final String reason)
    {
        LOG.debug("{}: {}", connection, reason);
        final long next = nextNanos.get();
        if (clock.nanoTime() - next >= 0 && nextNanos.compareAndSet(next, clock.nanoTime() + INTERVAL_NANOS))
        {
            LOG.info("client error on {}: {} ({} more since the last such line; debug shows all)", connection, reason,
                suppressed.getAndSet(0));
        }
        else
        {
            suppressed.incrementAndGet();
        }
    }

    /** The server is at fault. */
    void unexpected(final String what, final Throwable error)
    {
        LOG.warn(what, error);
    }

    /** Of interest to nobody but developers. */
    void debug(final String what)
    {
        LOG.debug(what);
    }
}
