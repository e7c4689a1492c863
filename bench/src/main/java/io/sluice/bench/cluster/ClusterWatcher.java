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
package io.sluice.bench.cluster;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.driver.api.core.metadata.NodeStateListenerBase;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.SchemaChangeListenerBase;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A driver that talks to one node alone: what it knows of the others it has from that node's events. Counts from any
 * thread.
 */
final class ClusterWatcher implements AutoCloseable
{
    /** Its pool and its control connection. */
    private static final int CONNECTIONS = 2;

    private final InetSocketAddress address;
    private final CqlSession session;
    private final Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();

    ClusterWatcher(final InetSocketAddress address)
    {
        this.address = address;
        session = ClusterSessions.builder(true)
            .addContactPoint(address)
            .withNodeDistanceEvaluator((node, datacenter) -> address.equals(node.getEndPoint().resolve())
                ? null
                : NodeDistance.IGNORED)
            .withNodeStateListener(new NodeStateListenerBase()
            {
                @Override
                public void onAdd(final Node node)
                {
                    count("NEW_NODE", name(node));
                }

                @Override
                public void onUp(final Node node)
                {
                    count("UP", name(node));
                }

                @Override
                public void onDown(final Node node)
                {
                    count("DOWN", name(node));
                }

                @Override
                public void close()
                {
                    // Nothing is held.
                }
            })
            .withSchemaChangeListener(new SchemaChangeListenerBase()
            {
                @Override
                public void onKeyspaceCreated(final KeyspaceMetadata keyspace)
                {
                    count("CREATED", keyspace.getName().asInternal());
                }

                @Override
                public void onTableCreated(final TableMetadata table)
                {
                    count("CREATED", table.getName().asInternal());
                }

                @Override
                public void close()
                {
                    // Nothing is held.
                }
            })
            .build();
    }

    private static String name(final Node node)
    {
        return ((InetSocketAddress)node.getEndPoint().resolve()).getAddress().getHostAddress();
    }

    private void count(final String event, final String subject)
    {
        counts.computeIfAbsent(event + " " + subject, key -> new AtomicInteger()).incrementAndGet();
    }

    String name()
    {
        return address.getAddress().getHostAddress();
    }

    /** How often it has heard of this event of this node or table. */
    int heard(final String event, final String subject)
    {
        final AtomicInteger count = counts.get(event + " " + subject);
        return count == null ? 0 : count.get();
    }

    /** Everything of this kind that it has heard of. */
    int heard(final String event)
    {
        return counts.entrySet()
            .stream()
            .filter(entry -> entry.getKey().startsWith(event + " "))
            .mapToInt(entry -> entry.getValue().get())
            .sum();
    }

    /** True while its own node serves it. */
    boolean isConnected()
    {
        return session.getMetadata()
            .getNodes()
            .values()
            .stream()
            .anyMatch(node -> address.equals(node.getEndPoint().resolve()) && node.getState() == NodeState.UP &&
                node.getOpenConnections() >= CONNECTIONS);
    }

    @Override
    public void close()
    {
        session.close();
    }
}
