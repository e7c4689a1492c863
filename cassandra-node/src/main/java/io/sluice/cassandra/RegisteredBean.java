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

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A bean in the platform's MBean server, until it is closed. A name that is taken is logged, no more. Any thread. */
final class RegisteredBean implements AutoCloseable
{
    private static final Logger LOG = LoggerFactory.getLogger(RegisteredBean.class);

    /** Null if it was not registered. */
    private final ObjectName name;

    private RegisteredBean(final ObjectName name)
    {
        this.name = name;
    }

    static RegisteredBean of(final String name, final Object bean)
    {
        try
        {
            final ObjectName registered = new ObjectName(name);
            ManagementFactory.getPlatformMBeanServer().registerMBean(bean, registered);
            return new RegisteredBean(registered);
        }
        catch (final JMException e)
        {
            LOG.warn("{} cannot be registered in JMX", name, e);
            return new RegisteredBean(null);
        }
    }

    @Override
    public void close()
    {
        if (name == null)
        {
            return;
        }
        try
        {
            ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
        }
        catch (final JMException e)
        {
            LOG.warn("{} was not registered in JMX any more", name, e);
        }
    }
}
