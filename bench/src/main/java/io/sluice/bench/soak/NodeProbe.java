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
package io.sluice.bench.soak;

import io.sluice.bench.ResidentMemory;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.RuntimeMXBean;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Looks into the node over JMX, and at its process if that is on this machine. One thread at a time. */
final class NodeProbe implements AutoCloseable
{
    private static final List<String> TIMEOUTS = List.of("RpcTimeout", "ReadRpcTimeout", "RangeRpcTimeout",
        "WriteRpcTimeout", "TruncateRpcTimeout", "CasContentionTimeout", "CounterWriteRpcTimeout",
        "NativeTransportTimeoutMillis");
    private static final String STORAGE = "org.apache.cassandra.db:type=StorageService";

    private final JMXConnector connector;
    private final MBeanServerConnection server;
    private final long pid;

    /** Connects to the JMX port of a node on this machine. */
    @SuppressWarnings("BanJNDI") // the address is the operator's own
    NodeProbe(final String host, final int port) throws IOException
    {
        connector = JMXConnectorFactory.connect(
            new JMXServiceURL("service:jmx:rmi:///jndi/rmi://" + host + ":" + port + "/jmxrmi"));
        server = connector.getMBeanServerConnection();
        pid = ManagementFactory.newPlatformMXBeanProxy(server, ManagementFactory.RUNTIME_MXBEAN_NAME,
            RuntimeMXBean.class).getPid();
    }

    /** So that a slow machine makes the engine slow and not wrong, nor a request that waits for its reader too old. */
    void bePatient(final long millis) throws IOException
    {
        try
        {
            for (final String timeout : TIMEOUTS)
            {
                server.setAttribute(new ObjectName(STORAGE), new Attribute(timeout, millis));
            }
        }
        catch (final JMException e)
        {
            throw new IOException("timeouts: " + e, e);
        }
    }

    /** All that Sluice and its request pools hold at this moment, by name; each is 0 when no client is there. */
    Map<String, Long> gauges() throws IOException
    {
        final Map<String, Long> gauges = new LinkedHashMap<>();
        try
        {
            final ObjectName transport = only("io.sluice:type=NativeTransport,name=*");
            for (final String name : List.of("Connections", "InFlightBytes", "WaitingConnections",
                "OutstandingLeases"))
            {
                gauges.put(name, number(transport, name));
            }
            for (final String name : List.of("connections", "in-flight-bytes", "answer-bytes", "pre-login-bytes",
                "held-bytes", "leases", "leased-bytes", "waiting-connections", "client-addresses"))
            {
                gauges.put("sluice.transport." + name,
                    number(new ObjectName("io.sluice:name=sluice.transport." + name + ",type=gauges"), "Value"));
            }
            for (final String pool : List.of("Native-Transport-Requests", "Native-Transport-Auth-Requests"))
            {
                for (final String name : List.of("ActiveTasks", "PendingTasks"))
                {
                    gauges.put(pool + "." + name, number(new ObjectName(
                        "org.apache.cassandra.metrics:type=ThreadPools,path=transport,scope=" + pool + ",name=" + name),
                        "Value"));
                }
            }
            gauges.put("Client.connectedNativeClients", number(new ObjectName(
                "org.apache.cassandra.metrics:type=Client,name=connectedNativeClients"), "Value"));
            gauges.put("opened less closed", balance());
        }
        catch (final JMException e)
        {
            throw new IOException("gauges: " + e, e);
        }
        return gauges;
    }

    private long balance() throws JMException, IOException
    {
        final Map<String, Long> counts = counters();
        long balance = counts.getOrDefault("connections.opened", 0L);
        for (final Map.Entry<String, Long> count : counts.entrySet())
        {
            balance -= count.getKey().startsWith("connections.closed.") ? count.getValue() : 0;
        }
        return balance;
    }

    /** What Sluice counted since the node's start, without its prefix. */
    Map<String, Long> counters() throws IOException
    {
        final Map<String, Long> counts = new TreeMap<>();
        try
        {
            final String prefix = "sluice.transport.";
            for (final ObjectName name : server.queryNames(new ObjectName("io.sluice:type=counters,*"), null))
            {
                final String key = name.getKeyProperty("name");
                counts.put(key.startsWith(prefix) ? key.substring(prefix.length()) : key, number(name, "Count"));
            }
        }
        catch (final JMException e)
        {
            throw new IOException("counters: " + e, e);
        }
        return counts;
    }

    /** Writes the soak's tables to disk and collects all garbage, then looks. */
    MemorySample sample(final double seconds) throws IOException
    {
        try
        {
            server.invoke(new ObjectName(STORAGE), "forceKeyspaceFlush",
                new Object[]{SoakSchema.KEYSPACE, new String[0]},
                new String[]{String.class.getName(), String[].class.getName()});
            final MemoryMXBean memory = ManagementFactory.newPlatformMXBeanProxy(server,
                ManagementFactory.MEMORY_MXBEAN_NAME, MemoryMXBean.class);
            memory.gc();
            return new MemorySample(seconds, memory.getHeapMemoryUsage().getUsed(),
                number(new ObjectName("java.nio:type=BufferPool,name=direct"), "MemoryUsed"),
                number(only("io.sluice:type=NativeTransport,name=*"), "BufferBytes"), ResidentMemory.ofProcess(pid));
        }
        catch (final JMException e)
        {
            throw new IOException("sample: " + e, e);
        }
    }

    private ObjectName only(final String pattern) throws JMException, IOException
    {
        final Set<ObjectName> names = server.queryNames(new ObjectName(pattern), null);
        if (names.size() != 1)
        {
            throw new IOException(pattern + ": " + names.size() + " MBeans (expected: 1; is it a node behind Sluice?)");
        }
        return names.iterator().next();
    }

    private long number(final ObjectName name, final String attribute) throws JMException, IOException
    {
        return ((Number)server.getAttribute(name, attribute)).longValue();
    }

    @Override
    public void close() throws IOException
    {
        connector.close();
    }
}
