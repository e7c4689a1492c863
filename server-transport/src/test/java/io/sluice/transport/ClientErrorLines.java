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

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** Lines that the server logs about its clients, at INFO and above, until closed; below, nothing is logged at all. */
final class ClientErrorLines extends AppenderBase<ILoggingEvent> implements AutoCloseable
{
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Level before = logger().getLevel();

    ClientErrorLines()
    {
        setContext(logger().getLoggerContext());
        start();
        logger().addAppender(this);
        logger().setLevel(Level.INFO);
    }

    private static Logger logger()
    {
        return (Logger)LoggerFactory.getLogger("io.sluice.transport");
    }

    @Override
    protected void append(final ILoggingEvent event)
    {
        if (event.getLevel().isGreaterOrEqual(Level.INFO))
        {
            lines.add(event.getFormattedMessage());
        }
    }

    /** In order. */
    List<String> seen()
    {
        return List.copyOf(lines);
    }

    @Override
    public void close()
    {
        logger().setLevel(before);
        logger().detachAppender(this);
        stop();
    }
}
