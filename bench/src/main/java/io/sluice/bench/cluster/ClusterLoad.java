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

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Writes and reads at QUORUM through one driver session, at a steady rate, one request at a time per worker. What was
 * acknowledged must be there whenever it is read. Started and closed by one thread, counts from any.
 */
final class ClusterLoad implements AutoCloseable
{
    static final String KEYSPACE = "mixed";

    private static final int WORKERS = 8;
    private static final int KEYS_PER_WORKER = 1_000_000;
    private static final int NODES = 3;
    private static final int MOST_FAULTS = 20;

    private final CqlSession session;
    private final long pauseNanos;
    private final AtomicInteger[] acknowledged = new AtomicInteger[WORKERS];
    private final List<Thread> threads = new ArrayList<>();
    /** Written before the workers start. */
    private PreparedStatement insert;
    /** Written before the workers start. */
    private PreparedStatement select;
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final Map<String, AtomicLong> retried = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<String> faults = new ConcurrentLinkedQueue<>();
    private volatile boolean over;

    /** @param ratePerSecond of all workers together, if the cluster is fast enough */
    ClusterLoad(final List<InetSocketAddress> nodes, final int ratePerSecond)
    {
        pauseNanos = TimeUnit.SECONDS.toNanos(WORKERS) / ratePerSecond;
        session = ClusterSessions.builder(false)
            .addContactPoints(nodes)
            .addRequestTracker(new RetryCounter(retried))
            .build();
    }

    /** Makes the tables and begins. */
    void begin() throws IOException, InterruptedException
    {
        // The driver asks only nodes that it knows to be up whether they agree on the schema.
        Until.holds("the driver reaches all nodes", this::reachesAll);
        createTable("kv");
        insert = session.prepare(quorum("INSERT INTO " + KEYSPACE + ".kv (k, v) VALUES (?, ?)"));
        select = session.prepare(quorum("SELECT v FROM " + KEYSPACE + ".kv WHERE k = ?"));
        for (int i = 0; i < WORKERS; i++)
        {
            final int worker = i;
            acknowledged[i] = new AtomicInteger();
            threads.add(new Thread(() -> work(worker), "load-" + i));
        }
        threads.forEach(Thread::start);
    }

    private static SimpleStatement quorum(final String query)
    {
        // Idempotent: so that the driver may send it to another node if one goes away.
        return SimpleStatement.builder(query)
            .setConsistencyLevel(ConsistencyLevel.QUORUM)
            .setIdempotence(true)
            .build();
    }

    /** Announced to every driver that listens. */
    void createTable(final String name) throws IOException, InterruptedException
    {
        session.execute("CREATE KEYSPACE IF NOT EXISTS " + KEYSPACE +
            " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': " + NODES + "}");
        session.execute("CREATE TABLE " + KEYSPACE + "." + name + " (k int PRIMARY KEY, v text)");
        Until.holds("the nodes agree on the schema", session::checkSchemaAgreement);
    }

    private void work(final int worker)
    {
        int key = 0;
        while (!over)
        {
            final int id = worker * KEYS_PER_WORKER + key;
            if (ask(() -> session.execute(insert.bind(id, "v" + id))))
            {
                acknowledged[worker].set(++key);
            }
            if (key > 0)
            {
                final int known = worker * KEYS_PER_WORKER + (int)(requests.get() % key);
                ask(() -> check(known));
            }
            LockSupport.parkNanos(2 * pauseNanos);
        }
    }

    private boolean ask(final Runnable request)
    {
        try
        {
            request.run();
            return true;
        }
        catch (final RuntimeException e)
        {
            failed.incrementAndGet();
            fault("failed: " + e);
            return false;
        }
        finally
        {
            requests.incrementAndGet();
        }
    }

    private void check(final int key)
    {
        final Row row = session.execute(select.bind(key)).one();
        if (row == null || !("v" + key).equals(row.getString(0)))
        {
            lost(key);
        }
    }

    private void lost(final int key)
    {
        fault("lost: the acknowledged row " + key);
    }

    private void fault(final String text)
    {
        if (faults.size() < MOST_FAULTS)
        {
            faults.add(text);
        }
    }

    long requests()
    {
        return requests.get();
    }

    long failed()
    {
        return failed.get();
    }

    /** What the driver did again elsewhere, by the name of the error. */
    Map<String, Long> retried()
    {
        final Map<String, Long> counts = new TreeMap<>();
        retried.forEach((name, count) -> counts.put(name, count.get()));
        return counts;
    }

    /** The first things that must not be. */
    List<String> faults()
    {
        return List.copyOf(faults);
    }

    /** True while the session has connections to every node. */
    boolean reachesAll()
    {
        final List<Node> up = session.getMetadata()
            .getNodes()
            .values()
            .stream()
            .filter(node -> node.getState() == NodeState.UP && node.getOpenConnections() > 0)
            .toList();
        return up.size() == NODES;
    }

    /** Ends the load, then reads back all that was ever acknowledged. Returns how many rows. */
    long verify() throws InterruptedException
    {
        over = true;
        for (final Thread thread : threads)
        {
            thread.join();
        }
        long rows = 0;
        for (int worker = 0; worker < WORKERS; worker++)
        {
            for (int key = 0; key < acknowledged[worker].get(); key++)
            {
                check(worker * KEYS_PER_WORKER + key);
                rows++;
            }
        }
        return rows;
    }

    @Override
    public void close()
    {
        over = true;
        session.close();
    }
}
