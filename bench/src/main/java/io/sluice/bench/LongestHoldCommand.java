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
package io.sluice.bench;

import io.sluice.bench.server.ServerControl;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * Turns coalescing off and on again over the transport's own MBean: {@code hold off} and {@code hold on}; says how many
 * transports have such a setting. Confined to the control thread.
 */
final class LongestHoldCommand implements ServerControl.Command
{
    private static final String ATTRIBUTE = "FlushLongestHoldMicros";

    private final Map<ObjectName, Object> before = new HashMap<>();

    @Override
    public String run(final String arguments) throws JMException
    {
        final MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        int changed = 0;
        for (final ObjectName name : beans.queryNames(new ObjectName("*:type=NativeTransport,*"), null))
        {
            if (!hasAttribute(beans, name))
            {
                continue;
            }
            before.putIfAbsent(name, beans.getAttribute(name, ATTRIBUTE));
            beans.setAttribute(name, new Attribute(ATTRIBUTE, "off".equals(arguments) ? 0L : before.get(name)));
            changed++;
        }
        return Integer.toString(changed);
    }

    private static boolean hasAttribute(final MBeanServer beans, final ObjectName name) throws JMException
    {
        return Arrays.stream(beans.getMBeanInfo(name).getAttributes())
            .anyMatch(attribute -> ATTRIBUTE.equals(attribute.getName()));
    }
}
