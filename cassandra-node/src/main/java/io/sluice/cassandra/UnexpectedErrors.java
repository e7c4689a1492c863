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
package io.sluice.cassandra;

import com.google.common.base.Predicate;
import io.sluice.transport.ClientConnection;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.utils.NoSpamLogger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs what was not meant to go wrong while a request was served or a plan was made, at debug for clients whose errors
 * the configuration excludes from reporting. Any thread.
 */
final class UnexpectedErrors
{
    private static final Logger LOG = LoggerFactory.getLogger(UnexpectedErrors.class);

    /** True if the configuration says not to report this client's errors. */
    static boolean isExcluded(final InetSocketAddress client)
    {
        return DatabaseDescriptor.getClientErrorReportingExclusions().contains(client);
    }

    /** Of a write plan: its statement takes Cassandra's own road, which nobody notices but who reads this. */
    static void logPlan(final Throwable error)
    {
        final String text = "A plan failed, its write takes the ordinary road (again in a minute at the earliest)";
        if (!NoSpamLogger.log(LOG, NoSpamLogger.Level.WARN, "plan " + origin(error), 1, TimeUnit.MINUTES, text, error))
        {
            LOG.debug("A plan failed, its write takes the ordinary road", error);
        }
    }

    /** What a client can cause, it can cause without end: from each place one a minute, debug shows all. */
    private static void log(final ClientConnection connection, final Throwable error)
    {
        final String text = "Unexpected exception during request; client {} (again in a minute at the earliest)";
        if (!NoSpamLogger.log(LOG, NoSpamLogger.Level.ERROR, origin(error), 1, TimeUnit.MINUTES, text, connection,
            error))
        {
            LOG.debug("Unexpected exception during request; client {}", connection, error);
        }
    }

    /** The exception's class and where it was thrown; where a stack overflows is chance. */
    private static String origin(final Throwable error)
    {
        final StackTraceElement[] stack = error instanceof StackOverflowError
            ? new StackTraceElement[0]
            : error.getStackTrace();
        return error.getClass().getName() + (stack.length == 0 ? "" : " " + stack[0]);
    }

    /** For {@link org.apache.cassandra.transport.messages.ErrorMessage#fromException}: logs, and says so. */
    Predicate<Throwable> handler(final ClientConnection connection)
    {
        return error ->
        {
            if (isExcluded(connection.remoteAddress()))
            {
                LOG.debug("Unexpected exception during request; client {}, which is excluded from error reporting",
                    connection.remoteAddress(), error);
            }
            else
            {
                log(connection, error);
            }
            return true;
        };
    }
}
