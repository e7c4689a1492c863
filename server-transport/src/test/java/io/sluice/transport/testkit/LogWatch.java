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
package io.sluice.transport.testkit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.netty.util.ResourceLeakDetector;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/**
 * Fails a test that logs at WARN or above, and any test that leaks a buffer: Netty's leak detector speaks through the
 * log, but only after a garbage collection. Tests that make the server warn say so with {@link Warns}.
 */
public final class LogWatch implements BeforeEachCallback, AfterEachCallback
{
    /** This test makes the server warn on purpose; leaks still fail it. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.METHOD, ElementType.TYPE})
    public @interface Warns
    {
    }

    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(LogWatch.class);

    @Override
    public void beforeEach(final ExtensionContext context)
    {
        if (ResourceLeakDetector.getLevel() != ResourceLeakDetector.Level.PARANOID)
        {
            throw new IllegalStateException("io.netty.leakDetection.level: " + ResourceLeakDetector.getLevel() +
                " (expected: PARANOID)");
        }
        final Recorder recorder = new Recorder();
        recorder.setContext(root().getLoggerContext());
        recorder.start();
        root().addAppender(recorder);
        context.getStore(NAMESPACE).put(Recorder.class, recorder);
    }

    @Override
    public void afterEach(final ExtensionContext context)
    {
        System.gc();
        // The detector looks at what was collected when it tracks the next buffer.
        io.netty.buffer.PooledByteBufAllocator.DEFAULT.directBuffer(1).release();
        io.netty.buffer.UnpooledByteBufAllocator.DEFAULT.directBuffer(1).release();
        final Recorder recorder = context.getStore(NAMESPACE).remove(Recorder.class, Recorder.class);
        root().detachAppender(recorder);
        recorder.stop();
        final boolean warns = context.getRequiredTestMethod().isAnnotationPresent(Warns.class) ||
            context.getRequiredTestClass().isAnnotationPresent(Warns.class);
        for (final ILoggingEvent event : recorder.events)
        {
            if (!warns || event.getFormattedMessage().contains("LEAK:"))
            {
                throw new AssertionError(event.getLevel() + " " + event.getLoggerName() + ": " +
                    event.getFormattedMessage() + (event.getThrowableProxy() == null
                        ? ""
                        : ch.qos.logback.classic.spi.ThrowableProxyUtil.asString(event.getThrowableProxy())));
            }
        }
    }

    private static Logger root()
    {
        return (Logger)LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
    }

    /** Keeps what is bad enough. */
    private static final class Recorder extends AppenderBase<ILoggingEvent>
    {
        private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();

        @Override
        protected void append(final ILoggingEvent event)
        {
            // The server's own and Netty's; what a driver thinks of a toy node is its own affair.
            if (event.getLevel().isGreaterOrEqual(Level.WARN) && !event.getLoggerName().startsWith("com.datastax"))
            {
                events.add(event);
            }
        }
    }
}
