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

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One client: what it sends comes from its dice, and everything that it gets is held against what it asked. Good
 * clients, bad ones and dying ones are all this class; the plan of the seed decides.
 */
final class SimClient
{
    /** How far it is. */
    enum Stage
    {
        UNCONNECTED, CONNECTED, STARTING, AUTHENTICATING, READY, GONE
    }

    /** What it does to its socket, once, in the middle of its requests. */
    enum Turn
    {
        NONE, STOPS_READING, STOPS_READING_FOR_GOOD, HALF_CLOSES, RESETS, CLOSES, TRUNCATES, SAYS_NOTHING
    }

    private static final int EVENT_STREAM = -1;

    final int index;
    final Simulation simulation;
    final Dice dice;
    final int version;
    final String compression;
    final boolean throwsOnOverload;
    final SimRequests requests;
    final Turn turn;
    final boolean eager;
    private final int most;
    private final int depth;
    private final int turnAt;
    private final int damageAt;
    private final boolean closesOnEnd;
    private final ByteQueue out = new ByteQueue();
    private final Map<Integer, Ask> open = new HashMap<>();
    private final List<Ask> all = new ArrayList<>();
    private final Set<Integer> events = new HashSet<>();
    private final ArrayDeque<Integer> freeStreams = new ArrayDeque<>();
    private final AnswerParser parser = new AnswerParser(this::receive);
    private long generated;
    private int made;
    private boolean turned;
    private int nextStream = 1;
    private int loginStep;
    private int wrongLogins;

    SimSocket socket;
    Stage stage = Stage.UNCONNECTED;
    boolean segmentsIn;
    boolean legacy;
    boolean reads = true;
    boolean registered;
    boolean fatalSent;
    boolean wild;
    boolean truncated;
    boolean halfClosed;
    boolean sawEnd;
    boolean sawReset;
    boolean everStopped;
    boolean closedItself;
    boolean finalErrorSeen;
    boolean answered;
    int withheld;

    SimClient(final Simulation simulation, final int index, final Dice dice)
    {
        this.simulation = simulation;
        this.index = index;
        this.dice = dice;
        version = dice.of(3, 4, 4, 5, 5, 5);
        compression = dice.oneIn(2) ? null : version == 5 ? "lz4" : dice.of("lz4", "snappy");
        throwsOnOverload = dice.oneIn(5);
        most = dice.of(3, 10, 40);
        depth = dice.of(1, 4, 30);
        turn = dice.oneIn(2) ? Turn.NONE : dice.of(Turn.values());
        turnAt = dice.below(most);
        damageAt = dice.oneIn(3) ? dice.below(most) : -1;
        eager = dice.oneIn(4);
        closesOnEnd = !dice.oneIn(5);
        requests = new SimRequests(this, dice);
    }

    String name()
    {
        return "client " + index + " v" + version + (compression == null ? "" : ' ' + compression);
    }

    // ---- what the simulation drives

    /** Does one thing, or returns false if there is nothing to do. */
    boolean act()
    {
        return switch (stage)
        {
            case UNCONNECTED -> connect();
            case GONE -> false;
            default -> dice.oneIn(2) ? readSome() || write() : write() || readSome();
        };
    }

    private boolean connect()
    {
        if (simulation.isSettling())
        {
            return false;
        }
        socket = simulation.connect(this);
        if (socket == null)
        {
            stage = Stage.GONE;
            return true;
        }
        stage = Stage.CONNECTED;
        if (turn != Turn.SAYS_NOTHING)
        {
            requests.startUp();
        }
        return true;
    }

    private boolean write()
    {
        return sendSome() || generate();
    }

    private boolean sendSome()
    {
        if (out.size() <= withheld)
        {
            return false;
        }
        final int length = dice.cut(out.size() - withheld);
        socket.send(out.take(length), 0, length);
        return true;
    }

    private boolean mayAsk()
    {
        return stage == Stage.READY || eager && stage == Stage.STARTING && !simulation.plan().loginNeeded &&
            requests.isStarted();
    }

    private boolean generate()
    {
        if (!mayAsk() || simulation.isSettling() ||
            made >= most || fatalSent || halfClosed || truncated || open.size() >= depth || simulation.isProbing())
        {
            return false;
        }
        if (made >= turnAt && turn != Turn.NONE && takeTurn())
        {
            return true;
        }
        made++;
        if (damageAt >= 0 && made > damageAt)
        {
            requests.damage();
        }
        else
        {
            requests.good();
        }
        return true;
    }

    private boolean takeTurn()
    {
        if (turned)
        {
            return false;
        }
        turned = true;
        switch (turn)
        {
            case STOPS_READING, STOPS_READING_FOR_GOOD -> stopReading();
            case HALF_CLOSES -> halfClose();
            case RESETS -> leave(true);
            case CLOSES -> leave(false);
            case TRUNCATES -> requests.truncate();
            default ->
            {
                return false;
            }
        }
        return true;
    }

    private void stopReading()
    {
        reads = false;
        everStopped = true;
    }

    /** Everything that was made is sent first. */
    private void halfClose()
    {
        halfClosed = true;
        final int length = out.size();
        socket.send(out.take(length), 0, length);
        socket.clientEnded = true;
    }

    /** Sends no more and is gone. */
    void leave(final boolean reset)
    {
        closedItself = true;
        socket.closeByClient(reset);
        stage = Stage.GONE;
    }

    private boolean readSome()
    {
        if (socket.serverReset)
        {
            sawReset = true;
            stage = Stage.GONE;
            return true;
        }
        if (!reads)
        {
            if (turn == Turn.STOPS_READING && dice.oneIn(50))
            {
                reads = true;
            }
            return false;
        }
        if (!socket.toClient.isEmpty())
        {
            final byte[] bytes = socket.toClient.take(dice.cut(socket.toClient.size()));
            if (segmentsIn && simulation.sabotage().strikes(Sabotage.FLIP_BIT))
            {
                bytes[simulation.sabotage().below(bytes.length)] ^= 1;
            }
            parser.accept(bytes);
            return true;
        }
        return socket.serverEnded && end();
    }

    private boolean end()
    {
        if (!sawEnd)
        {
            sawEnd = true;
        }
        if (closesOnEnd || simulation.isEnding() || dice.oneIn(200))
        {
            leave(false);
            return true;
        }
        return false;
    }

    /** The time for tricks is over. */
    void settle()
    {
        reads |= turn != Turn.STOPS_READING_FOR_GOOD;
    }

    // ---- what it sends

    void append(final byte[] bytes)
    {
        out.put(bytes);
        generated += bytes.length;
    }

    long generated()
    {
        return generated;
    }

    boolean isSent(final Ask ask)
    {
        return ask.endOffset <= generated - out.size();
    }

    Ask ask(final int opcode, final Ask.Kind kind)
    {
        final Integer stream = freeStreams.isEmpty() ? Integer.valueOf(nextStream) : freeStreams.poll();
        if (stream == nextStream)
        {
            nextStream = nextStream == 7 && dice.oneIn(2) ? 32_000 : nextStream + 1;
        }
        final Ask ask = new Ask(this, simulation.nextNonce(), stream, opcode, kind);
        ask.askedNanos = simulation.nanos();
        all.add(ask);
        open.put(stream, ask);
        if (kind == Ask.Kind.GOOD && ask.isForNode())
        {
            simulation.engine().expect(ask);
        }
        return ask;
    }

    List<Ask> all()
    {
        return all;
    }

    /** True if it does what a client should, so that it must be served. */
    boolean isWell()
    {
        return reads && !wild && !fatalSent && !halfClosed && !truncated && turn != Turn.SAYS_NOTHING;
    }

    int outstanding()
    {
        return open.size();
    }

    /** Bytes that are no whole answer. */
    int unread()
    {
        return parser.unread();
    }

    boolean isQuiet()
    {
        return out.size() <= withheld;
    }

    // ---- what it gets

    /** From the parser, unless somebody meddles with it. */
    private void receive(final Answer answer)
    {
        final Sabotage.Once sabotage = simulation.sabotage();
        final SimClient neighbour = answer.opcode == Answer.RESULT ? simulation.neighbourOf(this) : null;
        if (answer.opcode != Answer.RESULT || wild)
        {
            onAnswer(answer);
        }
        else if (sabotage.strikes(Sabotage.DROP_ANSWER))
        {
            simulation.trace(this, "nothing instead of " + answer);
        }
        else if (sabotage.strikes(Sabotage.DOUBLE_ANSWER))
        {
            onAnswer(answer);
            onAnswer(answer);
        }
        else if (sabotage.strikes(Sabotage.CROSS_STREAMS))
        {
            answer.stream ^= 1;
            onAnswer(answer);
        }
        else if (neighbour != null && sabotage.strikes(Sabotage.CROSS_CLIENTS))
        {
            neighbour.onAnswer(answer);
        }
        else
        {
            onAnswer(answer);
        }
    }

    private void onAnswer(final Answer answer)
    {
        simulation.trace(this, answer);
        answered = true;
        if (wild)
        {
            return;
        }
        if (finalErrorSeen)
        {
            throw new SimulationFailure(name() + ": " + answer + " after the last error");
        }
        if (answer.version <= 2 && legacy)
        {
            finalErrorSeen = true;
            return;
        }
        if (answer.stream == EVENT_STREAM)
        {
            onEvent(answer);
            return;
        }
        if (answer.inSegment != segmentsIn)
        {
            throw new SimulationFailure(name() + ": segment before the switch");
        }
        final Ask ask = open.get(answer.stream);
        if (truncated && ask != null && ask.kind == Ask.Kind.VOID && AnswerCheck.isOverload(ask, answer))
        {
            // Shed as soon as its header was there.
            open.remove(answer.stream);
            return;
        }
        if (ask == null || ask.kind == Ask.Kind.VOID)
        {
            if (fatalSent && answer.opcode == Answer.ERROR && answer.stream == 0)
            {
                finalErrorSeen = true;
                return;
            }
            throw new SimulationFailure(name() + ": " + answer + " that was never asked for: " + ask);
        }
        if (!isSent(ask) && ask.kind == Ask.Kind.GOOD && !isOutOfMemory(answer))
        {
            throw new SimulationFailure(name() + ": " + answer + " before its request was sent: " + ask);
        }
        ask.answers++;
        open.remove(answer.stream);
        AnswerCheck.check(ask, answer);
        if (ask.kind == Ask.Kind.FATAL)
        {
            finalErrorSeen = true;
        }
        else
        {
            freeStreams.add(answer.stream);
            onAnswered(ask, answer);
        }
    }

    private boolean isOutOfMemory(final Answer answer)
    {
        return answer.opcode == Answer.ERROR && simulation.plan().memoryRefusedOneIn > 0;
    }

    private void onEvent(final Answer answer)
    {
        final AnswerBody body = new AnswerBody(answer.body);
        if (answer.opcode != Answer.EVENT || !registered || !"STATUS_CHANGE".equals(body.string()))
        {
            throw new SimulationFailure(name() + ": event that was not asked for: " + answer);
        }
        body.string();
        body.raw(body.byteOf());
        if (!events.add(body.intOf()))
        {
            throw new SimulationFailure(name() + ": event came twice");
        }
    }

    private void onAnswered(final Ask ask, final Answer answer)
    {
        switch (ask.opcode)
        {
            case Ask.STARTUP -> onStarted(ask, answer);
            case Ask.AUTH_RESPONSE -> onLogin(answer);
            case Ask.REGISTER -> registered |= answer.opcode == Answer.READY;
            default ->
            {
                // Nothing follows from it.
            }
        }
    }

    private void onStarted(final Ask ask, final Answer answer)
    {
        if (answer.opcode == Answer.ERROR)
        {
            // What went out behind it, taking it for granted, is read as something else now.
            wild |= eager && requests.isStarted() && ask.kind == Ask.Kind.GOOD;
            if (!fatalSent && stage == Stage.STARTING)
            {
                stage = Stage.CONNECTED;
                requests.startUpAgain();
            }
            return;
        }
        requests.started();
        if (version == 5)
        {
            parser.switchToSegments(compression != null);
            segmentsIn = true;
        }
        else
        {
            parser.compressBodies(compression);
        }
        if (answer.opcode == Answer.READY)
        {
            stage = Stage.READY;
        }
        else
        {
            stage = Stage.AUTHENTICATING;
            if (!requests.isLoginSent())
            {
                requests.logIn(0);
            }
        }
    }

    private void onLogin(final Answer answer)
    {
        switch (answer.opcode)
        {
            case Answer.AUTH_SUCCESS -> stage = Stage.READY;
            case Answer.AUTH_CHALLENGE -> requests.logIn(++loginStep);
            default ->
            {
                wrongLogins++;
                if (stage == Stage.AUTHENTICATING && wrongLogins < simulation.plan().limits.loginAttempts())
                {
                    loginStep = 0;
                    requests.logIn(loginStep);
                }
            }
        }
    }

    boolean damagesHandshake()
    {
        return damageAt == 0;
    }

    int wrongLogins()
    {
        return wrongLogins;
    }
}
