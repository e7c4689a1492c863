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

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** All clients of a run, each on a thread of its own. Started and stopped by one thread. */
final class SoakClients
{
    private static final List<String> GOOD_KINDS = List.of("good.connection", "good.prepare", "good.options",
        "good.unknown-id", "good.syntax-error", "good.write-query", "good.write-execute", "good.read-query",
        "good.read-execute", "good.batch", "good.page", "good.large-write", "driver.session", "driver.write",
        "driver.read", "driver.batch", "driver.pages", "driver.large", "schema.change", "event.heard");
    private static final int END_SECONDS = 240;
    private static final int GOOD_CLIENTS = 8;
    private static final int DRIVERS = 2;
    private static final int[] WATCHED_VERSIONS = {3, 4, 5};

    private final Soak soak;
    private final double ratePerSecond;
    private final List<Thread> threads = new ArrayList<>();
    private final List<Thread> watcherThreads = new ArrayList<>();
    private final List<EventWatcher> watchers = new ArrayList<>();
    private final SchemaChanger changer;
    private Thread changerThread;

    /** @param ratePerSecond of all good raw clients together */
    SoakClients(final Soak soak, final double ratePerSecond)
    {
        this.soak = soak;
        this.ratePerSecond = ratePerSecond;
        changer = new SchemaChanger(soak);
    }

    /** Watchers first: they must not miss a change. */
    void start() throws InterruptedException
    {
        GOOD_KINDS.forEach(soak.ledger()::expect);
        for (final int version : WATCHED_VERSIONS)
        {
            final EventWatcher watcher = new EventWatcher(soak, version);
            watchers.add(watcher);
            watcherThreads.add(start("watcher-" + version, watcher));
            watcher.awaitRegistered();
        }
        changerThread = start("schema-changer", changer);
        for (int i = 1; i <= GOOD_CLIENTS; i++)
        {
            threads.add(start("good-" + i, new GoodClient(i, soak, ratePerSecond / GOOD_CLIENTS)));
        }
        for (int i = 0; i < DRIVERS; i++)
        {
            threads.add(start("driver-" + i, new DriverClient(i, soak)));
        }
        final List<HostileKind> kinds = new ArrayList<>(BadClients.kinds());
        kinds.addAll(DyingClients.kinds(soak.target().tls() != null));
        kinds.addAll(StallingClients.kinds());
        if (soak.target().user() != null)
        {
            kinds.add(DyingClients.loginFailure());
        }
        for (final HostileKind kind : kinds)
        {
            for (int i = 1; i <= kind.clients(); i++)
            {
                threads.add(start(kind.name() + "-" + i, new HostileClient(kind, i, soak)));
            }
        }
    }

    private Thread start(final String name, final Runnable client)
    {
        final Thread thread = new Thread(client, name);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((ended, error) -> soak.ledger().fault(name, "ended by " + error));
        thread.start();
        return thread;
    }

    /** Asks all to end and waits; who does not end is a fault. */
    void end() throws InterruptedException
    {
        soak.stop().ask();
        final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(END_SECONDS);
        join(changerThread, deadline);
        watchers.forEach(watcher -> watcher.finish(changer.events()));
        for (final Thread thread : threads)
        {
            join(thread, deadline);
        }
        for (final Thread thread : watcherThreads)
        {
            join(thread, deadline);
        }
    }

    private void join(final Thread thread, final long deadline) throws InterruptedException
    {
        thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
        if (thread.isAlive())
        {
            soak.ledger().fault(thread.getName(), "did not end");
        }
    }
}
