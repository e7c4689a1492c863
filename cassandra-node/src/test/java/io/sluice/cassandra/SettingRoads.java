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

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.transport.NativeTransportMXBean;
import io.sluice.transport.SettingRow;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.JMX;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * What can be set over JMX in a node: in Cassandra's MBeans for what concerns its transport, and in Sluice's. Keeps
 * which of these roads were taken, and puts everything back.
 */
public final class SettingRoads
{
    public static final String STORAGE = "org.apache.cassandra.db:type=StorageService";
    public static final String PROXY = "org.apache.cassandra.db:type=StorageProxy";
    public static final String REQUESTS = "org.apache.cassandra.transport:type=Native-Transport-Requests";
    public static final String LOGINS = "org.apache.cassandra.transport:type=Native-Transport-Auth-Requests";
    public static final String PLANS = "io.sluice:type=WritePlans";

    private static final MBeanServer BEANS = ManagementFactory.getPlatformMBeanServer();
    private static final String TRANSPORT = "NativeTransport";

    private final NativeTransportMXBean bean;
    private final Map<String, String> settingsBefore;
    private final Map<Place, Object> attributesBefore;
    private final Set<String> taken = new TreeSet<>();

    /** All that is set is remembered as it is now. */
    public SettingRoads() throws JMException
    {
        bean = JMX.newMXBeanProxy(BEANS, BEANS.queryNames(new ObjectName("io.sluice:type=" + TRANSPORT + ",*"), null)
            .iterator()
            .next(), NativeTransportMXBean.class);
        settingsBefore = settings();
        attributesBefore = attributes();
    }

    private record Place(ObjectName bean, String attribute)
    {
        @Override
        public String toString()
        {
            return road(bean, attribute);
        }
    }

    private static String road(final ObjectName bean, final String what)
    {
        return bean.getKeyProperty("type") + "." + what;
    }

    /** All of them, as {@code type.attribute}, {@code type.operation} or, of the transport's MBean, the setting. */
    public static Set<String> all() throws JMException
    {
        final Set<String> all = new TreeSet<>();
        attributes().keySet().forEach(place -> all.add(place.toString()));
        for (final String name : new String[]{STORAGE, PROXY})
        {
            for (final MBeanOperationInfo operation : BEANS.getMBeanInfo(new ObjectName(name)).getOperations())
            {
                if (operation.getName().matches("(set|enable|disable).*Native.*"))
                {
                    all.add(road(new ObjectName(name), operation.getName()));
                }
            }
        }
        NodeSettings.all().forEach(setting -> all.add(TRANSPORT + "." + setting.name()));
        return all;
    }

    /** All attributes that can be set, with their values; the transport's own settings are not attributes here. */
    private static Map<Place, Object> attributes() throws JMException
    {
        final Map<Place, Object> values = new HashMap<>();
        for (final String name : new String[]{STORAGE, PROXY})
        {
            addAttributes(new ObjectName(name), ".*Native.*", values);
        }
        addAttributes(new ObjectName(REQUESTS), ".*", values);
        addAttributes(new ObjectName(LOGINS), ".*", values);
        for (final ObjectName name : BEANS.queryNames(new ObjectName("io.sluice*:*"), null))
        {
            if (!TRANSPORT.equals(name.getKeyProperty("type")))
            {
                addAttributes(name, ".*", values);
            }
        }
        return values;
    }

    private static void addAttributes(final ObjectName bean, final String names, final Map<Place, Object> values)
        throws JMException
    {
        for (final MBeanAttributeInfo attribute : BEANS.getMBeanInfo(bean).getAttributes())
        {
            if (attribute.isWritable() && attribute.getName().matches(names))
            {
                values.put(new Place(bean, attribute.getName()), BEANS.getAttribute(bean, attribute.getName()));
            }
        }
    }

    /** The transport's MBean. */
    public NativeTransportMXBean bean()
    {
        return bean;
    }

    private Map<String, String> settings()
    {
        final Map<String, String> values = new LinkedHashMap<>();
        bean.getSettings().forEach((name, row) -> values.put(name, row.getValue()));
        return values;
    }

    /** Sets something so that what another setting does can be seen. */
    public void prepare(final String assignments)
    {
        bean.setAll(assignments);
    }

    /** The same in one of Cassandra's MBeans. */
    public void prepare(final String mbean, final String attribute, final Object value) throws JMException
    {
        final ObjectName name = new ObjectName(mbean);
        attributesBefore.putIfAbsent(new Place(name, attribute), BEANS.getAttribute(name, attribute));
        BEANS.setAttribute(name, new Attribute(attribute, value));
    }

    /** Takes the road of the transport's MBean. */
    public void set(final String setting, final String value)
    {
        bean.set(setting, value);
        final SettingRow row = bean.getSettings().get(setting);
        assertEquals(value + " jmx", row.getValue() + " " + row.getSource());
        taken.add(TRANSPORT + "." + setting);
    }

    /** Takes the road of this attribute. */
    public void set(final String mbean, final String attribute, final Object value) throws JMException
    {
        final ObjectName name = new ObjectName(mbean);
        BEANS.setAttribute(name, new Attribute(attribute, value));
        taken.add(road(name, attribute));
    }

    /** Takes the road of this operation, all of whose parameters are long. */
    public void invoke(final String mbean, final String operation, final Long... values) throws JMException
    {
        final ObjectName name = new ObjectName(mbean);
        final String[] types = new String[values.length];
        Arrays.fill(types, "long");
        BEANS.invoke(name, operation, values, types);
        taken.add(road(name, operation));
    }

    /** The value in force, whatever was set last over there included. */
    public String value(final String setting)
    {
        return bean.getSettings().get(setting).getValue();
    }

    /** The roads that were taken. */
    public Set<String> taken()
    {
        return taken;
    }

    /** From here on all is as it was. */
    public void putBack() throws JMException
    {
        bean.setEach(settingsBefore);
        for (final Map.Entry<Place, Object> before : attributesBefore.entrySet())
        {
            final Place place = before.getKey();
            if (!Objects.equals(before.getValue(), BEANS.getAttribute(place.bean, place.attribute)))
            {
                BEANS.setAttribute(place.bean, new Attribute(place.attribute, before.getValue()));
            }
        }
        assertEquals(settingsBefore, settings());
    }
}
