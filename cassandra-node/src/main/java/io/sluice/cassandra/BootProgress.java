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

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;

/**
 * The progress line: on a terminal one line rewritten as Cassandra logs, elsewhere one line for each phase. Follows the
 * log as an appender, which logback calls from any thread, one at a time.
 */
final class BootProgress extends AppenderBase<ILoggingEvent>
{
    private static final long REDRAW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final String CLEAR_LINE = "\r\u001b[K";

    private final PrintWriter out;
    private final boolean terminal;
    private final String title;
    private final long startNanos = System.nanoTime();

    private BootPhase phase = BootPhase.CONFIGURATION;
    private long drawnNanos = startNanos;

    BootProgress(final PrintWriter out, final boolean terminal, final String title)
    {
        this.out = out;
        this.terminal = terminal;
        this.title = title;
        setName("boot-progress");
    }

    /** Draws the first line and follows the log from here on. */
    void begin()
    {
        if (LoggerFactory.getILoggerFactory() instanceof final LoggerContext context)
        {
            setContext(context);
            start();
            context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).addAppender(this);
        }
        if (!terminal)
        {
            out.println(title);
        }
        draw();
    }

    /** Stops following and takes the line away again. */
    void end()
    {
        if (isStarted())
        {
            final Logger root = ((LoggerContext)getContext()).getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
            root.detachAppender(this);
            stop();
        }
        if (terminal)
        {
            out.print(CLEAR_LINE);
        }
        out.flush();
    }

    long elapsedNanos()
    {
        return System.nanoTime() - startNanos;
    }

    @Override
    protected void append(final ILoggingEvent event)
    {
        final BootPhase next = phase.after(event.getLoggerName());
        final boolean due = terminal && System.nanoTime() - drawnNanos > REDRAW_NANOS;
        if (next != phase || due)
        {
            phase = next;
            draw();
        }
    }

    private void draw()
    {
        drawnNanos = System.nanoTime();
        final String words = phase.words() + ", " + TimeUnit.NANOSECONDS.toSeconds(elapsedNanos()) + " s";
        if (terminal)
        {
            out.print(CLEAR_LINE + title + ": " + words);
        }
        else
        {
            out.println("  " + words);
        }
        out.flush();
    }
}
