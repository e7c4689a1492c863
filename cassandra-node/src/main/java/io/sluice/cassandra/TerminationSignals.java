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

import java.lang.reflect.Proxy;

/**
 * Turns SIGINT and SIGTERM into a call instead of the JVM's own exit with a status above 128. The JDK offers this in
 * {@code sun.misc} alone, which compiles with a warning that nothing can silence: hence by reflection. Stateless.
 */
final class TerminationSignals
{
    private TerminationSignals()
    {
    }

    /** @param action runs at each signal, on a thread of the JVM's */
    static void handle(final Runnable action)
    {
        try
        {
            final Class<?> signal = Class.forName("sun.misc.Signal");
            final Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
            final Object handler = Proxy.newProxyInstance(handlerType.getClassLoader(), new Class<?>[]{handlerType},
                (proxy, method, arguments) ->
                {
                    if ("handle".equals(method.getName()))
                    {
                        action.run();
                    }
                    return null;
                });
            for (final String name : new String[]{"INT", "TERM"})
            {
                signal.getMethod("handle", signal, handlerType)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), handler);
            }
        }
        catch (final ReflectiveOperationException e)
        {
            throw new IllegalStateException("signals: not available in this JVM", e);
        }
    }
}
