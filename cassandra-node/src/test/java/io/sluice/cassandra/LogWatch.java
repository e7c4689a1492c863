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

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.LoggerFactory;

/** Keeps what Sluice and Netty log at WARN or above: in an orderly run nothing. */
final class LogWatch extends AppenderBase<ILoggingEvent>
{
    private static final List<String> WATCHED = List.of("io.sluice", "io.netty");

    private final Queue<String> seen = new ConcurrentLinkedQueue<>();

    static LogWatch begin()
    {
        final LoggerContext context = (LoggerContext)LoggerFactory.getILoggerFactory();
        final LogWatch watch = new LogWatch();
        watch.setContext(context);
        watch.start();
        context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).addAppender(watch);
        return watch;
    }

    @Override
    protected void append(final ILoggingEvent event)
    {
        if (event.getLevel().isGreaterOrEqual(Level.WARN) && WATCHED.stream()
            .anyMatch(event
                .getLoggerName()::startsWith))
        {
            seen.add(event.getLevel() + " " + event.getLoggerName() + ": " + event.getFormattedMessage());
        }
    }

    /** What was logged since the last call. */
    List<String> take()
    {
        final List<String> taken = new ArrayList<>();
        for (String line = seen.poll(); line != null; line = seen.poll())
        {
            taken.add(line);
        }
        return taken;
    }
}
