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

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.NanoClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What clients cause is logged at debug, with one line a minute at info so that it is seen; never with cell
 * contents. What the server causes is logged at once, and the same again once a minute at most, since whoever has
 * found out how to cause it can do so without end; debug shows all. Any thread.
 */
final class ClientErrorLog
{
    private static final Logger LOG = LoggerFactory.getLogger(ClientErrorLog.class);
    private static final long INTERVAL_NANOS = 60_000_000_000L;
    /** There are fewer places in the code that fail than that; should there be more, the rest counts as one. */
    private static final int MOST_PLACES = 256;
    private static final String OTHER_PLACES = "";

    private final NanoClock clock;
    private final AtomicLong nextNanos;
    private final AtomicLong suppressed = new AtomicLong();
    /** Failures that are the same: by their kind and the place where they come from. */
    private final ConcurrentHashMap<String, Place> places = new ConcurrentHashMap<>();

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

    /**
     * Requests have to wait: one line a minute for each cause.
     *
     * @param warning what the client is told
     */
    void waiting(final Connection connection, final PauseCause cause, final String warning)
    {
        final long now = clock.nanoTime();
        final Place place = place("waits: " + cause, null, now);
        final long next = place.nextNanos.get();
        if (now - next < 0 || !place.nextNanos.compareAndSet(next, now + INTERVAL_NANOS))
        {
            place.repeated.incrementAndGet();
            return;
        }
        LOG.info("{}: {} ({} more have waited since the last such line)", connection, warning, place.repeated.getAndSet(
            0));
    }

    /**
     * The server is at fault.
     *
     * @param what   the kind of failure, always in the same words
     * @param whose  the connection it is about, or null
     * @param error  or null
     */
    void unexpected(final String what, final Connection whose, final Throwable error)
    {
        final String line = whose == null ? what : what + ": " + whose;
        final long now = clock.nanoTime();
        final Place place = place(what, error, now);
        final long next = place.nextNanos.get();
        if (now - next < 0 || !place.nextNanos.compareAndSet(next, now + INTERVAL_NANOS))
        {
            place.repeated.incrementAndGet();
            LOG.debug(line, error);
            return;
        }
        final long before = place.repeated.getAndSet(0);
        LOG.warn(before == 0 ? line : line + " (" + before + " more since the last such line; debug shows all)", error);
    }

    private Place place(final String what, final Throwable error, final long now)
    {
        final String key = what + origin(error);
        final Place known = places.get(key);
        return known != null
            ? known
            : places.computeIfAbsent(places.size() < MOST_PLACES ? key : OTHER_PLACES, absent -> new Place(now));
    }

    /** The exception's class and where it was thrown; where a stack overflows is chance. */
    private static String origin(final Throwable error)
    {
        if (error == null)
        {
            return "";
        }
        final StackTraceElement[] stack = error instanceof StackOverflowError
            ? new StackTraceElement[0]
            : error
                .getStackTrace();
        return ' ' + error.getClass().getName() + (stack.length == 0 ? "" : " " + stack[0]);
    }

    /** Of interest to nobody but developers. */
    void debug(final String what)
    {
        LOG.debug(what);
    }

    /** When the next line may be logged, and what was not since the last one. */
    private static final class Place
    {
        final AtomicLong nextNanos;
        final AtomicLong repeated = new AtomicLong();

        Place(final long nowNanos)
        {
            nextNanos = new AtomicLong(nowNanos);
        }
    }
}
