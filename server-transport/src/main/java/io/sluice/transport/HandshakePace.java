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
package io.sluice.transport;

import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Lets TLS handshakes of one event loop go on one step a turn: a step costs as much as a hundred requests, and a storm
 * of new clients would otherwise have the loop to itself for as long as it lasts. In between, the loop serves whoever
 * is ready. A lone handshake waits for nothing.
 * <p>
 * Handshakes that have begun go first: what they have cost so far would be lost with a client that gives up. Of the
 * others the oldest and the newest are begun in turns. Confined to the event loop.
 */
final class HandshakePace
{
    /** One step of a handshake. */
    interface Step
    {
        /** Does it; false if its client has left, so that there was nothing to do. */
        boolean run();
    }

    private final Executor nextTurn;
    private final ArrayDeque<Step> begun = new ArrayDeque<>();
    private final BothEnds<Step> waiting = new BothEnds<>();
    private boolean taken;

    /** @param nextTurn runs a command once the loop has looked at its sockets again */
    HandshakePace(final Executor nextTurn)
    {
        this.nextTurn = nextTurn;
    }

    static HandshakePace of(final EventLoop loop)
    {
        // A loop takes up what is due once a turn, and what comes meanwhile in the next.
        return new HandshakePace(command -> loop.schedule(command, 0, TimeUnit.NANOSECONDS));
    }

    /** Runs the first step of a handshake, or one of too many: now, if it is the first of this turn, or in its turn. */
    void begin(final Step step)
    {
        take(waiting::add, step);
    }

    /** The same for a further step. */
    void goOn(final Step step)
    {
        take(begun::add, step);
    }

    private void take(final Consumer<Step> queue, final Step step)
    {
        if (taken)
        {
            queue.accept(step);
            return;
        }
        taken = true;
        nextTurn.execute(this::turn);
        step.run();
    }

    private void turn()
    {
        Step step = next();
        if (step == null)
        {
            taken = false;
            return;
        }
        nextTurn.execute(this::turn);
        // Those whose clients have left take nobody's turn.
        while (step != null && !step.run())
        {
            step = next();
        }
    }

    private Step next()
    {
        return begun.isEmpty() ? waiting.next() : begun.poll();
    }

    /** Steps that wait for their turn. */
    int waiting()
    {
        return begun.size() + waiting.size();
    }
}
