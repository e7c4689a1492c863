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
package io.sluice.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.MetricRegistry;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** There is a test with a known answer for every metric that docs/operations.md lists. */
class MetricCoverageTest
{
    private static final List<Class<?>> TESTS = List.of(TransportMetricsIT.class, KnownMetricsIT.class);
    private static final String PREFIX = DropwizardTransportListener.DEFAULT_PREFIX + ".";
    /** Families that are shown whole: a part that nobody has seen count may be one that never does. */
    private static final List<String> WHOLE = List.of("connections.closed.", "connections.refused.", "errors.",
        "logins.", "paused.", "shed.", "stages.");
    /** These causes make requests wait whatever is asked for, so that there is nothing to count. */
    private static final Set<String> NEVER = Set.of("shed.requests-in-service", "shed.unread-answers");

    private final MetricRegistry registry = new MetricRegistry();
    private final Set<String> shown = new TreeSet<>();

    MetricCoverageTest()
    {
        DropwizardTransportListener.register(registry);
        for (final Class<?> tests : TESTS)
        {
            for (final Method test : tests.getDeclaredMethods())
            {
                final Shows shows = test.getAnnotation(Shows.class);
                if (shows != null)
                {
                    shown.addAll(MetricAnswers.names(registry, shows));
                }
            }
        }
    }

    @Test
    void everyRowOfThePageIsShown() throws IOException
    {
        final Set<String> missing = new TreeSet<>();
        for (final String row : OperationsPageTest.names())
        {
            if (shown.stream().noneMatch(name -> name.matches(OperationsPageTest.pattern(row))))
            {
                missing.add(row);
            }
        }
        assertEquals(Set.of(), missing, "no test with a known answer");
    }

    @Test
    void everyReasonCauseAndCodeIsShown()
    {
        final Set<String> missing = new TreeSet<>();
        for (final String full : registry.getNames())
        {
            final String name = full.substring(PREFIX.length());
            if (WHOLE.stream().anyMatch(name::startsWith) && !shown.contains(name) && !NEVER.contains(name))
            {
                missing.add(name);
            }
        }
        assertEquals(Set.of(), missing, "no test with a known answer");
    }

    @Test
    void nothingIsShownThatIsNotThere()
    {
        shown.forEach(name -> assertTrue(registry.getNames().contains(PREFIX + name), name));
        NEVER.forEach(name -> assertTrue(!shown.contains(name), name));
    }
}
