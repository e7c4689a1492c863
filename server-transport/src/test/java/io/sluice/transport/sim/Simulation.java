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
package io.sluice.transport.sim;

import io.sluice.framing.EventType;
import io.sluice.framing.response.StatusChangeEvent;
import io.sluice.transport.ClientConnection;
import io.sluice.transport.CloseReason;
import io.sluice.transport.CompressionPolicy;
import io.sluice.transport.NativeTransport;
import io.sluice.transport.NativeTransportBuilder;
import io.sluice.transport.SimulationProbe;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One run of the whole transport from one seed: first everything happens, then tricks end and time passes until all
 * is quiet, then everybody is asked whether he is still there, then it ends. Broken rules are failures.
 */
final class Simulation
{
    private static final int TRACE_LINES = 400;
    private static final int UNANSWERED_LINES = 30;
    private static final long MILLI = 1_000_000L;
    private static final long HORIZON_NANOS = 6_000 * MILLI;
    /** So many things without a pause mean that there will never be one. */
    private static final int MOST_STEPS = 3_000_000;
    private static final int FIRST_PORT = 10_000;
    /** Answers to the last questions may be held back, some after the others. */
    private static final int FLUSH_WINDOWS = 10;

    private final long seed;
    private final boolean tracing;
    private final ArrayDeque<String> trace = new ArrayDeque<>();
    private final Dice dice;
    private final Sabotage.Once sabotage;
    private final SimPlan plan;
    private final SimClock clock;
    private final SimThreads threads;
    private final SimLoopGroup loops;
    private final SimExecutor requestExecutor;
    private final SimExecutor loginExecutor;
    private final SimEngine engine;
    private final SimPool pool;
    private final SimListener listener;
    private final NativeTransport transport;
    private final SimServerChannel[] listening = new SimServerChannel[1];
    private final List<SimClient> clients = new ArrayList<>();
    private final Map<SimClient, CloseReason> closed = new HashMap<>();
    private final Map<CloseReason, Integer> reasons = new EnumMap<>(CloseReason.class);
    private CompletableFuture<Boolean> drained;
    private Throwable failure;
    private int nonces;
    private int events;
    private long steps;
    private boolean settling;
    private boolean probing;
    private boolean ending;
    private boolean closedAtOnce;
    private boolean preempting;

    Simulation(final long seed, final boolean tracing)
    {
        this(seed, tracing, Sabotage.NONE);
    }

    Simulation(final long seed, final boolean tracing, final Sabotage fault)
    {
        sabotage = new Sabotage.Once(fault, seed);
        this.seed = seed;
        this.tracing = tracing;
        dice = new Dice(seed);
        plan = new SimPlan(dice);
        clock = new SimClock(dice.of(0L, dice.next(), Long.MAX_VALUE - 500 * MILLI));
        threads = new SimThreads(clock);
        loops = new SimLoopGroup(threads, plan.loops, sabotage);
        requestExecutor = new SimExecutor(threads, dice, sabotage, plan.inlineHandler, plan.rejects);
        loginExecutor = new SimExecutor(threads, dice, sabotage, plan.inlineLogin, plan.rejects);
        engine = new SimEngine(threads, dice);
        pool = new SimPool(clock::transportNanos, dice, plan.memoryRefusedOneIn, plan.poison);
        listener = new SimListener(this);
        final NativeTransportBuilder builder = NativeTransport.builder(engine);
        if (plan.inlineExecutes)
        {
            builder.inlineExecute(engine::tryExecute);
        }
        transport = SimulationProbe.build(builder
            .bindTo(new InetSocketAddress(address(0), 0))
            .requestExecutor(requestExecutor)
            .authExecutor(loginExecutor)
            .authenticator(new SimAuthenticator(plan.loginNeeded))
            .listener(listener)
            .lifecycle(listener)
            .limits(plan.limits)
            .compression(new CompressionPolicy(plan.compressFrom, plan.leastSaving, plan.probeEvery))
            .flushPolicy(plan.flushPolicy)
            .clock(this::transportNanos)
            .errorInspector(this::inspect)
            .eventLoops(loops), this::listen, pool);
        for (int i = 0; i < plan.clients; i++)
        {
            clients.add(new SimClient(this, i, dice));
        }
    }

    private static InetAddress address(final int last)
    {
        try
        {
            return InetAddress.getByAddress(new byte[]{10, 0, 0, (byte)last});
        }
        catch (final UnknownHostException e)
        {
            throw new IllegalStateException(e);
        }
    }

    private SimServerChannel listen()
    {
        listening[0] = new SimServerChannel();
        return listening[0];
    }

    private long transportNanos()
    {
        preempt();
        return clock.transportNanos();
    }

    // ---- what the parts ask

    SimPlan plan()
    {
        return plan;
    }

    SimEngine engine()
    {
        return engine;
    }

    long nanos()
    {
        return clock.loopNanos();
    }

    Sabotage.Once sabotage()
    {
        return sabotage;
    }

    /** Another client that is connected, or null. */
    SimClient neighbourOf(final SimClient client)
    {
        for (final SimClient other : clients)
        {
            if (other != client && other.stage == SimClient.Stage.READY && !other.wild)
            {
                return other;
            }
        }
        return null;
    }

    int nextNonce()
    {
        nonces++;
        return nonces;
    }

    boolean isSettling()
    {
        return settling;
    }

    boolean isProbing()
    {
        return probing;
    }

    /** True once the transport is drained or closed. */
    boolean isEnding()
    {
        return ending;
    }

    /** True if the server has begun to close this client's connection, or has closed it. */
    boolean isClosing(final SimClient client)
    {
        final ClientConnection connection = connectionOf(client);
        return connection == null || !connection.isOpen();
    }

    private ClientConnection connectionOf(final SimClient client)
    {
        for (final ClientConnection connection : transport.connections())
        {
            if (clientOf(connection) == client)
            {
                return connection;
            }
        }
        return null;
    }

    SimClient clientOf(final ClientConnection connection)
    {
        return clients.get(connection.remoteAddress().getPort() - FIRST_PORT);
    }

    void closed(final SimClient client, final CloseReason reason)
    {
        reasons.merge(reason, 1, Integer::sum);
        if (closed.put(client, reason) != null)
        {
            fail(new SimulationFailure("closed twice: " + client.name()));
        }
    }

    private void inspect(final Throwable error)
    {
        if (!(error instanceof InjectedFailure) && !(error instanceof InjectedError))
        {
            fail(error);
        }
    }

    void fail(final Throwable error)
    {
        if (failure == null)
        {
            failure = error;
        }
    }

    private void throwIfFailed()
    {
        if (failure instanceof SimulationFailure broken)
        {
            throw broken;
        }
        if (failure != null)
        {
            throw new SimulationFailure("something unforeseen in the server", failure);
        }
    }

    /** A client's connection, or null if nobody listens. */
    SimSocket connect(final SimClient client)
    {
        if (!listening[0].isOpen())
        {
            return null;
        }
        final int capacity = plan.largestAnswer > 20_000 ? dice.of(8_000, 100_000) : dice.of(300, 4_000, 70_000);
        final SimSocket socket = new SimSocket(capacity);
        final InetSocketAddress remote = new InetSocketAddress(address(1 + dice.below(plan.addresses)), FIRST_PORT +
            client.index);
        final SimChannel channel = new SimChannel(listening[0], socket, remote, dice, plan.endAlwaysSeen);
        if (dice.oneIn(4))
        {
            channel.pipeline().addLast(new SimSplitter(dice));
        }
        threads.on(loops.listening(), () -> listening[0].accept(channel));
        return socket;
    }

    /** Another thread cuts in here, perhaps. */
    void preempt()
    {
        if (plan.preemptOneIn == 0 || preempting || !dice.oneIn(plan.preemptOneIn))
        {
            return;
        }
        preempting = true;
        try
        {
            final SimLoop other = loops.loops().get(dice.below(plan.loops));
            switch (dice.below(4))
            {
                case 0 -> engine.completeOne();
                case 1 -> requestExecutor.runOne();
                case 2 -> loginExecutor.runOne();
                default ->
                {
                    if (other != threads.current() && other.hasTask())
                    {
                        other.runOne();
                    }
                }
            }
        }
        finally
        {
            preempting = false;
        }
    }

    // ---- the run

    /** The whole of it. */
    SimReport run()
    {
        try
        {
            transport.start();
            pool.arm(true);
            happen();
            settle();
            probe();
            end();
        }
        catch (final SimulationFailure e)
        {
            throw e;
        }
        catch (final RuntimeException | Error e)
        {
            throw new SimulationFailure("something unforeseen", e);
        }
        finally
        {
            pool.close();
        }
        return new SimReport(steps, nonces, pool.refusals(), transport.flushCounts(), reasons);
    }

    private void happen()
    {
        final int endsAt = plan.ends ? dice.below(plan.steps) : -1;
        for (int i = 0; i < plan.steps; i++)
        {
            if (i == endsAt)
            {
                endTransport(dice.oneIn(3));
            }
            if (dice.oneIn(40))
            {
                publish();
            }
            if (dice.oneIn(500))
            {
                operate();
            }
            harm();
            if (!step() || dice.oneIn(20))
            {
                advance(dice.of(100_000L, MILLI, 5 * MILLI));
            }
            throwIfFailed();
        }
    }

    /** What an operator does: closes a connection, changes a limit. */
    private void operate()
    {
        if (dice.oneIn(3))
        {
            for (final ClientConnection connection : transport.connections())
            {
                if (dice.oneIn(4))
                {
                    threads.on(null, () -> connection.close(CloseReason.FORCED));
                }
            }
            return;
        }
        transport.control()
            .limits(plan.limits.with()
                .requestsPerConnection(dice.of(1, 3, 1_000))
                .inFlightBytes(plan.limits.inFlightBytes() * dice.of(1, 2))
                .inFlightBytesPerAddress(plan.limits.inFlightBytesPerAddress() * dice.of(1, 3))
                .answerBytes(plan.limits.answerBytes() * dice.of(1, 2))
                .maxConnections(dice.of(-1, -1, 3))
                .requestsPerSecond(dice.of(0, 2_000))
                .build());
    }

    private void harm()
    {
        if (pool.outstandingLeases() > 0 && sabotage.strikes(Sabotage.LEAK_LEASE))
        {
            pool.arm(false);
            pool.claim(1, "sabotage");
            pool.arm(true);
        }
        for (final SimClient client : clients)
        {
            final ClientConnection connection = client.stage == SimClient.Stage.READY && !client.registered && client
                .isWell() ? connectionOf(client) : null;
            if (connection != null && sabotage.strikes(Sabotage.UNASKED_EVENT))
            {
                threads.on(null, () -> connection.push(new StatusChangeEvent(StatusChangeEvent.Change.UP, address(9),
                    -1)));
            }
        }
    }

    private void publish()
    {
        events++;
        final StatusChangeEvent event = new StatusChangeEvent(StatusChangeEvent.Change.UP, address(9), events);
        threads.on(null, () -> transport.publish(EventType.STATUS_CHANGE, event));
    }

    /** Somebody does one thing; false if nobody has anything to do. */
    private boolean step()
    {
        steps++;
        final int actors = 2 * plan.clients + plan.loops + 3;
        final int first = dice.below(actors);
        for (int i = 0; i < actors; i++)
        {
            if (act((first + i) % actors))
            {
                return true;
            }
        }
        return false;
    }

    private boolean act(final int actor)
    {
        if (actor < plan.clients)
        {
            return clients.get(actor).act();
        }
        if (actor < 2 * plan.clients)
        {
            return socketEvent(clients.get(actor - plan.clients));
        }
        final int loop = actor - 2 * plan.clients;
        if (loop < plan.loops)
        {
            return runTask(loops.loops().get(loop));
        }
        return switch (loop - plan.loops)
        {
            case 0 -> requestExecutor.runOne();
            case 1 -> loginExecutor.runOne();
            default -> engine.completeOne();
        };
    }

    private boolean socketEvent(final SimClient client)
    {
        final SimChannel channel = client.socket == null ? null : client.socket.channel;
        if (channel == null)
        {
            return false;
        }
        final boolean reads = channel.canRead();
        if (!reads && !channel.canWrite())
        {
            return false;
        }
        if (reads && (!channel.canWrite() || dice.oneIn(2)))
        {
            threads.on(channel.loop(), channel::onReadable);
        }
        else
        {
            threads.on(channel.loop(), channel::onWritable);
        }
        if (channel.writeError() != null)
        {
            fail(channel.writeError());
        }
        return true;
    }

    private static boolean runTask(final SimLoop loop)
    {
        if (loop.hasTask())
        {
            loop.runOne();
            return true;
        }
        return false;
    }

    private void advance(final long nanos)
    {
        clock.advance(nanos);
        for (final SimLoop loop : loops.loops())
        {
            loop.takeDue();
        }
    }

    /** Tricks end, and time passes until nothing more comes of it. */
    private void settle()
    {
        settling = true;
        pool.arm(false);
        clients.forEach(SimClient::settle);
        passTime();
    }

    private void passTime()
    {
        final long until = clock.loopNanos() + HORIZON_NANOS;
        untilIdle();
        long next = nextTimerNanos();
        while (next >= 0 && clock.loopNanos() + next <= until)
        {
            advance(Math.max(1, next));
            untilIdle();
            next = nextTimerNanos();
        }
    }

    private void untilIdle()
    {
        int count = 0;
        while (step())
        {
            throwIfFailed();
            count++;
            if (count > MOST_STEPS)
            {
                throw new SimulationFailure("no quiet state after " + count + " steps");
            }
        }
        throwIfFailed();
    }

    private long nextTimerNanos()
    {
        long next = -1;
        for (final SimLoop loop : loops.loops())
        {
            final long nanos = loop.nextTimerNanos();
            next = next < 0 ? nanos : nanos < 0 ? next : Math.min(next, nanos);
        }
        return next;
    }

    /** Whoever is still connected must be served. */
    private void probe()
    {
        clients.forEach(this::verify);
        checkRest();
        probing = true;
        final List<Ask> probes = new ArrayList<>();
        for (final SimClient client : clients)
        {
            if (client.stage == SimClient.Stage.READY && client.isWell() && !isClosing(client))
            {
                probes.add(client.requests.probe());
            }
        }
        untilIdle();
        for (int i = 0; i < FLUSH_WINDOWS; i++)
        {
            advance(plan.flushPolicy.longestHold().toNanos() + 1);
            untilIdle();
        }
        for (final Ask ask : probes)
        {
            if (ask.answers != 1 && closed.get(ask.client) != CloseReason.ANSWER_LIMIT)
            {
                throw new SimulationFailure("not answered any more: " + ask);
            }
        }
        checkRest();
    }

    private void checkRest()
    {
        final List<String> found = SimulationProbe.restlessness(transport);
        if (!found.isEmpty())
        {
            throw new SimulationFailure("not at rest: " + found + ", oldest lease " + leaseOwner());
        }
        if (listener.paused() > 0)
        {
            throw new SimulationFailure("still paused: " + listener.paused());
        }
    }

    private String leaseOwner()
    {
        return pool.oldestLease() == null ? "none" : pool.oldestLease().owner();
    }

    /** What a client was promised, now that nothing more happens. */
    private void verify(final SimClient client)
    {
        if (client.wild || client.socket == null)
        {
            return;
        }
        final CloseReason reason = closed.get(client);
        SimVerdict.check(client, reason, closedAtOnce);
        if (reason == null && client.reads && client.stage != SimClient.Stage.READY)
        {
            throw new SimulationFailure(client.name() + " is neither ready nor closed: " + client.stage);
        }
    }

    private void end()
    {
        if (!ending && dice.oneIn(2))
        {
            for (final SimClient client : clients)
            {
                if (client.socket != null && client.stage != SimClient.Stage.GONE)
                {
                    client.leave(dice.oneIn(2));
                }
            }
            passTime();
            expectNobody();
        }
        if (!ending)
        {
            endTransport(dice.oneIn(2));
        }
        passTime();
        awaitDrained();
        closeTransport();
        if (dice.oneIn(2))
        {
            // The loops end before the last requests do.
            loops.loops().forEach(SimLoop::shut);
        }
        passTime();
        expectNobody();
        for (final SimLoop loop : loops.loops())
        {
            if (loop.nextTimerNanos() >= 0)
            {
                throw new SimulationFailure("timer left on " + loop);
            }
        }
        for (final Ask ask : engine.asks())
        {
            SimVerdict.checkAbandonment(ask);
        }
    }

    private void awaitDrained()
    {
        try
        {
            if (drained != null)
            {
                // Completed on a thread of the JVM's own, so that whoever waits may close the transport.
                drained.get(1, TimeUnit.MINUTES);
            }
        }
        catch (final InterruptedException | ExecutionException | TimeoutException e)
        {
            throw new SimulationFailure("drain: never completed", e);
        }
    }

    private void expectNobody()
    {
        checkRest();
        if (!transport.connections().isEmpty() || transport.clientAddresses() != 0 || listener.opened() != 0)
        {
            throw new SimulationFailure("connections left: " + transport.connections() + ", addresses " +
                transport.clientAddresses() + ", listened to " + listener.opened());
        }
    }

    private void endTransport(final boolean atOnce)
    {
        ending = true;
        if (atOnce)
        {
            closeTransport();
        }
        else
        {
            final int millis = dice.of(0, 50, 5_000);
            closedAtOnce = millis < 5_000;
            threads.on(null, () -> drained = transport.drain(Duration.ofMillis(millis)));
        }
    }

    private void closeTransport()
    {
        closedAtOnce = true;
        for (final SimLoop loop : loops.loops())
        {
            loop.immediate(true);
        }
        threads.on(null, transport::close);
        for (final SimLoop loop : loops.loops())
        {
            loop.immediate(false);
        }
    }

    // ---- the trace

    void trace(final String what, final ClientConnection connection, final Object detail)
    {
        if (tracing)
        {
            line((connection == null ? "nobody" : clientOf(connection).name()) + ": " + what + ' ' + detail);
        }
    }

    void trace(final SimClient client, final Object got)
    {
        if (tracing)
        {
            line(client.name() + " got " + got);
        }
    }

    void line(final String text)
    {
        if (trace.size() == TRACE_LINES)
        {
            trace.removeFirst();
        }
        trace.add(String.format("%9.3f ms %-14s %s", clock.loopNanos() / 1e6, threads.current() == null
            ? "other thread"
            : threads.current(), text));
    }

    /** What happened last, what was left unanswered, and how connections ended. */
    String traceText()
    {
        final StringBuilder text = new StringBuilder("seed ").append(seed).append('\n');
        trace.forEach(line -> text.append(line).append('\n'));
        clients.stream()
            .flatMap(client -> client.all().stream())
            .filter(ask -> ask.answers != 1)
            .limit(UNANSWERED_LINES)
            .forEach(ask -> text.append("  ").append(ask).append('\n'));
        closed.forEach((client, reason) -> text.append(client.name()).append(": ").append(reason).append('\n'));
        return text.toString();
    }
}
