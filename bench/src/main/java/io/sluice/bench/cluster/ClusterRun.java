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

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A cluster's day: it grows to three nodes, is taken to Sluice node by node, loses one and gets it back, and is taken
 * back to stock. After each step the cluster must be whole again, and drivers must have heard of what happened.
 * Confined to one thread.
 */
final class ClusterRun implements AutoCloseable
{
    private static final int NODES = 3;
    private static final int STEADY_REQUESTS = 400;
    private static final double NANOS_PER_SECOND = 1e9;

    /** Something that is done to the cluster. */
    private interface Step
    {
        void run() throws IOException, InterruptedException;
    }

    private final PrintWriter out;
    private final List<ClusterNode> nodes = new ArrayList<>();
    private final List<ClusterWatcher> watchers = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();
    private final int ratePerSecond;
    private ClusterLoad load;

    ClusterRun(final Path folder,
        final ClusterPorts ports,
        final ClusterJvm jvm,
        final int ratePerSecond,
        final PrintWriter out) throws IOException
    {
        this.out = out;
        this.ratePerSecond = ratePerSecond;
        for (int i = 0; i < NODES; i++)
        {
            nodes.add(new ClusterNode(i, folder.resolve("node" + (i + 1)), ports, jvm));
        }
    }

    /**
     * Runs all of it, saying each step.
     *
     * @return what should not have been; empty if all is well
     */
    List<String> run() throws IOException, InterruptedException
    {
        say(String.format(Locale.ROOT, "%-40s %-24s %8s %9s %7s  %s", "step", "nodes then", "seconds", "requests",
            "failed",
            "retried by the driver"));
        grow();
        steady("steady, mixed");
        restart(0, Transport.SLUICE);
        restart(2, Transport.SLUICE);
        schema("all_sluice");
        steady("steady, all Sluice");
        killAndBringBack(1);
        for (int i = 0; i < NODES; i++)
        {
            restart(i, Transport.STOCK);
        }
        schema("all_stock");
        steady("steady, all stock");
        final long rows = load.verify();
        faults.addAll(load.faults());
        say("");
        final boolean isLost = load.faults().stream().anyMatch(text -> text.startsWith("lost"));
        say(rows + " rows were acknowledged; " +
            (isLost ? "not all are there" : "all of them are there, read at QUORUM"));
        for (final ClusterWatcher watcher : watchers)
        {
            say("driver of " + watcher.name() + " heard: NEW_NODE " + watcher.heard("NEW_NODE") + ", UP " +
                watcher.heard("UP") + ", DOWN " + watcher.heard("DOWN") + ", CREATED " + watcher.heard("CREATED"));
        }
        for (final ClusterNode node : nodes)
        {
            node.errors().forEach(line -> faults.add("log of " + node.name() + ": " + line));
        }
        return faults;
    }

    private void say(final String line)
    {
        out.println(line);
        out.flush();
    }

    /** Two nodes, a driver at each, then the third: both must hear of it, from stock as from Sluice. */
    private void grow() throws IOException, InterruptedException
    {
        nodes.get(0).start(Transport.STOCK);
        nodes.get(1).start(Transport.SLUICE);
        awaitLive(2);
        watchers.add(new ClusterWatcher(nodes.get(0).address()));
        watchers.add(new ClusterWatcher(nodes.get(1).address()));
        nodes.get(2).start(Transport.STOCK);
        awaitLive(NODES);
        for (final ClusterWatcher watcher : watchers)
        {
            awaitHeard(watcher, "NEW_NODE", nodes.get(2).name(), 1);
        }
        watchers.add(new ClusterWatcher(nodes.get(2).address()));
        load = new ClusterLoad(nodes.stream().map(ClusterNode::address).toList(), ratePerSecond);
        load.begin();
        // A new keyspace and its first table reach a driver at once, and it tells of the keyspace alone.
        schemaHeard(ClusterLoad.KEYSPACE);
        schema("mixed_transports");
    }

    private void awaitLive(final int count) throws IOException, InterruptedException
    {
        for (final ClusterNode node : nodes.subList(0, count))
        {
            Until.holds(node.name() + " sees " + count + " nodes", () -> node.liveNodes() == count);
        }
    }

    private static void awaitHeard(final ClusterWatcher watcher,
        final String event,
        final String subject,
        final int times) throws IOException, InterruptedException
    {
        Until.holds("the driver of " + watcher.name() + " hears " + event + " of " + subject,
            () -> watcher.heard(event, subject) >= times);
    }

    private void steady(final String name) throws IOException, InterruptedException
    {
        phase(name, null, this::awaitSteady);
    }

    private void awaitSteady() throws IOException, InterruptedException
    {
        final long from = load.requests();
        Until.holds("requests go on", () -> load.requests() >= from + STEADY_REQUESTS);
    }

    private void schema(final String table) throws IOException, InterruptedException
    {
        load.createTable(table);
        schemaHeard(table);
    }

    private void schemaHeard(final String table) throws IOException, InterruptedException
    {
        for (final ClusterWatcher watcher : watchers)
        {
            awaitHeard(watcher, "CREATED", table, 1);
        }
    }

    private void restart(final int index, final Transport next) throws IOException, InterruptedException
    {
        final ClusterNode node = nodes.get(index);
        final Transport before = node.transport();
        phase("restart " + node.name() + ", " + word(before) + " to " + word(next), before,
            () -> bounce(index, next, node::stop));
    }

    private void killAndBringBack(final int index) throws IOException, InterruptedException
    {
        final ClusterNode node = nodes.get(index);
        final Transport before = node.transport();
        phase("kill -9 " + node.name() + " (" + word(before) + "), bring back", null,
            () -> bounce(index, before, node::kill));
    }

    private void bounce(final int index, final Transport next, final Step down)
        throws IOException, InterruptedException
    {
        final ClusterNode node = nodes.get(index);
        final int[] heardUp = watchers.stream().mapToInt(watcher -> watcher.heard("UP", node.name())).toArray();
        final int[] heardDown = watchers.stream().mapToInt(watcher -> watcher.heard("DOWN", node.name())).toArray();
        down.run();
        for (int i = 0; i < NODES; i++)
        {
            if (i != index)
            {
                awaitHeard(watchers.get(i), "DOWN", node.name(), heardDown[i] + 1);
            }
        }
        node.start(next);
        for (int i = 0; i < NODES; i++)
        {
            if (i != index)
            {
                awaitHeard(watchers.get(i), "UP", node.name(), heardUp[i] + 1);
            }
        }
        final ClusterWatcher own = watchers.get(index);
        Until.holds("the driver of " + node.name() + " is back", own::isConnected);
        awaitLive(NODES);
        Until.holds("the load reaches all nodes again", load::reachesAll);
        awaitSteady();
    }

    private void phase(final String name, final Transport stopped, final Step step)
        throws IOException, InterruptedException
    {
        final long start = System.nanoTime();
        final long requests = load.requests();
        final long failed = load.failed();
        final Map<String, Long> retried = load.retried();
        step.run();
        final Map<String, Long> more = new TreeMap<>();
        load.retried().forEach((error, count) ->
        {
            final long now = count - retried.getOrDefault(error, 0L);
            if (now > 0)
            {
                more.put(error, now);
            }
        });
        report(new ClusterPhase(name, stopped, (System.nanoTime() - start) / NANOS_PER_SECOND,
            load.requests() - requests, load.failed() - failed, more));
    }

    private void report(final ClusterPhase phase)
    {
        final List<String> served = nodes.stream().map(node -> word(node.transport())).toList();
        say(String.format(Locale.ROOT, "%-40s %-24s %8.1f %9d %7d  %s", phase.name(), served, phase.seconds(),
            phase.requests(), phase.failed(),
            phase.retried().isEmpty() ? "-" : phase.retried()));
    }

    private static String word(final Transport transport)
    {
        return transport.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public void close()
    {
        watchers.forEach(ClusterWatcher::close);
        if (load != null)
        {
            load.close();
        }
        nodes.forEach(ClusterNode::close);
    }
}
