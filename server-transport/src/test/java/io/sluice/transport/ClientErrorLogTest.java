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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ClientErrorLogTest
{
    private static final long START = Long.MAX_VALUE - 1;

    private long nanos = START;
    private final ClientErrorLog log = new ClientErrorLog(() -> nanos);

    private static IllegalStateException here()
    {
        return new IllegalStateException("here");
    }

    private static IllegalStateException there()
    {
        return new IllegalStateException("there");
    }

    @Test
    void theSameFailureIsLoggedOnceAMinute()
    {
        try (ClientErrorLines lines = new ClientErrorLines())
        {
            for (int i = 0; i < 1_000; i++)
            {
                log.unexpected("a request failed", null, here());
            }
            assertEquals(List.of("a request failed"), lines.seen());
            log.unexpected("a request failed", null, there());
            assertEquals(2, lines.seen().size(), "from elsewhere");
            log.unexpected("a listener failed", null, here());
            assertEquals(3, lines.seen().size(), "another kind");
            nanos += TimeUnit.MINUTES.toNanos(1) - 1;
            log.unexpected("a request failed", null, here());
            assertEquals(3, lines.seen().size(), "not yet");
            nanos++;
            log.unexpected("a request failed", null, here());
            assertEquals("a request failed (1000 more since the last such line; debug shows all)",
                lines.seen().get(3));
        }
    }

    @Test
    void overflowingStacksAreOneFailureWhereverTheyOverflow()
    {
        try (ClientErrorLines lines = new ClientErrorLines())
        {
            final List<StackTraceElement> places = new ArrayList<>();
            for (int i = 0; i < 500; i++)
            {
                places.add(new StackTraceElement("Parser", "rule" + i, "Parser.java", i));
                final Error error = new StackOverflowError();
                error.setStackTrace(places.subList(i, i + 1).toArray(new StackTraceElement[0]));
                log.unexpected("a request failed", null, error);
            }
            assertEquals(1, lines.seen().size());
        }
    }

    @Test
    void anyNumberOfPlacesIsBounded()
    {
        try (ClientErrorLines lines = new ClientErrorLines())
        {
            for (int i = 0; i < 10_000; i++)
            {
                final Exception error = new IllegalStateException();
                error.setStackTrace(new StackTraceElement[]{new StackTraceElement("Code", "m" + i, "Code.java", i)});
                log.unexpected("a request failed", null, error);
            }
            assertTrue(lines.seen().size() <= 257, () -> "lines: " + lines.seen().size());
            assertTrue(lines.seen().size() > 200, () -> "lines: " + lines.seen().size());
        }
    }

    @Test
    void withoutAnExceptionTheWordsTell()
    {
        try (ClientErrorLines lines = new ClientErrorLines())
        {
            log.unexpected("a request was never completed", null, null);
            log.unexpected("a request was never completed", null, null);
            assertEquals(List.of("a request was never completed"), lines.seen());
        }
    }
}
