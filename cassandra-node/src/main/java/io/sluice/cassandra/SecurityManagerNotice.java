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

import java.lang.reflect.Field;
import java.util.Map;

import org.apache.cassandra.security.ThreadAwareSecurityManager;

/**
 * Keeps JDK 17 from printing, at every start, four lines about Cassandra's use of a security manager that nobody who
 * reads them can act on. The JDK prints them once for each calling class; this tells it that it has. Stateless.
 */
final class SecurityManagerNotice
{
    private SecurityManagerNotice()
    {
    }

    /** Harmless where the JDK does not let itself be told: then the lines appear. */
    @SuppressWarnings("unchecked")
    static void silence()
    {
        try
        {
            final Field callers = Class.forName("java.lang.System$CallersHolder").getDeclaredField("callers");
            callers.setAccessible(true);
            ((Map<Class<?>, Boolean>)callers.get(null)).put(ThreadAwareSecurityManager.class, Boolean.TRUE);
        }
        catch (final ReflectiveOperationException | RuntimeException ignored)
        {
            // a JDK built otherwise, or one that keeps java.lang closed
        }
    }
}
