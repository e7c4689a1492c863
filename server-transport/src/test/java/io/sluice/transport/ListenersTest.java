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

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whatever stands between the transport and a listener passes on every call, those that are new as well. */
class ListenersTest
{
    private final List<String> heard = new ArrayList<>();

    private TransportListener recording(final String name)
    {
        return (TransportListener)Proxy.newProxyInstance(TransportListener.class.getClassLoader(),
            new Class<?>[]{TransportListener.class}, (proxy, method, arguments) ->
            {
                heard.add(name + " " + method.getName());
                return null;
            });
    }

    private static Object anything(final Class<?> type)
    {
        if (type == int.class)
        {
            return 0;
        }
        if (type == long.class)
        {
            return 0L;
        }
        return type == boolean.class ? (Object)false : null;
    }

    private static void callAll(final TransportListener listener) throws ReflectiveOperationException
    {
        for (final Method method : TransportListener.class.getMethods())
        {
            if (method.getReturnType() == void.class)
            {
                final Object[] arguments = new Object[method.getParameterCount()];
                for (int i = 0; i < arguments.length; i++)
                {
                    arguments[i] = anything(method.getParameterTypes()[i]);
                }
                method.invoke(listener, arguments);
            }
        }
    }

    @Test
    void aGuardAndAPairPassOnEveryCall() throws ReflectiveOperationException
    {
        callAll(recording("one"));
        final List<String> direct = List.copyOf(heard);
        assertTrue(direct.size() > 15, direct::toString);
        heard.clear();
        callAll(new GuardedListener(recording("one"), null));
        assertEquals(direct, heard);
        heard.clear();
        callAll(new ListenerPair(recording("one"), recording("two")));
        final List<String> both = new ArrayList<>();
        for (final String call : direct)
        {
            both.add(call);
            both.add(call.replace("one ", "two "));
        }
        assertEquals(both, heard);
    }
}
