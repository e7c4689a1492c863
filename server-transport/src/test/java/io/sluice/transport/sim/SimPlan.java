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

import io.sluice.transport.FlushPolicy;
import io.sluice.transport.OverloadAction;
import io.sluice.transport.TransportLimits;
import java.time.Duration;

/** What one seed decides before anything happens: how large, how tight, how hostile. Immutable. */
final class SimPlan
{
    final int loops;
    final int clients;
    final int steps;
    final boolean inlineHandler;
    final boolean inlineLogin;
    final boolean loginNeeded;
    final boolean rejects;
    final int memoryRefusedOneIn;
    final boolean poison;
    final boolean tightAnswers;
    final boolean sheds;
    final boolean endAlwaysSeen;
    final int preemptOneIn;
    final int largestRequest;
    final int largestAnswer;
    final boolean ends;
    final int addresses;
    final int compressFrom;
    final TransportLimits limits;
    final boolean inlineExecutes;
    final FlushPolicy flushPolicy;
    final int leastSaving;
    final int probeEvery;

    SimPlan(final Dice dice)
    {
        loops = dice.between(1, 3);
        clients = dice.between(1, 6);
        steps = dice.oneIn(10) ? 6_000 : dice.between(200, 1_500);
        inlineHandler = dice.oneIn(4);
        inlineLogin = dice.oneIn(4);
        loginNeeded = dice.oneIn(3);
        rejects = dice.oneIn(8);
        memoryRefusedOneIn = dice.oneIn(6) ? dice.of(10, 50, 200) : 0;
        poison = dice.oneIn(2);
        tightAnswers = dice.oneIn(4);
        sheds = dice.oneIn(4);
        endAlwaysSeen = dice.oneIn(2);
        preemptOneIn = dice.of(0, 3, 10);
        ends = dice.oneIn(4);
        addresses = dice.between(1, 3);
        compressFrom = dice.of(0, 64, 1024);
        final boolean large = dice.oneIn(8);
        largestRequest = large ? dice.of(70_000, 140_000, 300_000) : dice.of(1_024, 2_000, 6_000);
        largestAnswer = large ? dice.of(70_000, 140_000, 300_000) : dice.of(100, 2_000, 9_000);
        limits = limits(dice);
        inlineExecutes = dice.oneIn(3);
        flushPolicy = flushPolicy(dice);
        leastSaving = dice.of(0, 50, 1_000);
        probeEvery = dice.of(1, 2, 32);
    }

    private static FlushPolicy flushPolicy(final Dice dice)
    {
        final Duration longest = Duration.ofNanos(dice.of(0, 500_000, 20_000_000));
        return new FlushPolicy(longest, longest.dividedBy(dice.of(1, 4)), dice.of(0, 4, 16), dice.of(1, 500, 1 << 20),
            dice.of(1, 64, 1_000, 1 << 20));
    }

    private TransportLimits limits(final Dice dice)
    {
        final int connection = largestRequest * dice.of(1, 1, 2, 20);
        final int address = largestRequest * dice.of(1, 2, 3, 50);
        final int global = largestRequest * dice.of(1, 2, 4, 100);
        final long answers = tightAnswers ? dice.of(1, 1_000, 20_000) : dice.of(10_000, 1 << 20);
        return TransportLimits.defaults()
            .with()
            .maxFrameBytes(largestRequest)
            .maxMessageBytes(largestRequest)
            .inFlightBytes(global)
            .inFlightBytesPerAddress(address)
            .inFlightBytesPerConnection(connection)
            .requestsPerConnection(dice.of(1, 2, 5, 1024))
            .answerBytes(tightAnswers ? dice.of(1, 10_000, 100_000) : dice.of(60_000, 1 << 20, 1 << 30))
            .answerBytesPerAddress(tightAnswers ? dice.of(1, 10_000, 100_000) : dice.of(30_000, 1 << 20, 1 << 30))
            .answerBytesPerConnection(answers)
            .answerBytesHardLimit(tightAnswers ? answers + dice.of(100, 100_000) : 1L << 30)
            .maxConnections(dice.oneIn(8) ? 2 : -1)
            .maxConnectionsPerAddress(dice.oneIn(8) ? 2 : -1)
            .overloadAction(sheds ? OverloadAction.SHED : OverloadAction.PAUSE)
            .preLoginMessageBytes(dice.of(1_024, 100_000))
            .handshakeTimeout(Duration.ofMillis(dice.of(500, 900)))
            .loginAttempts(dice.of(1, 3))
            .idleTimeout(Duration.ofMillis(dice.of(0, 0, 800)))
            .stallTimeout(Duration.ofMillis(dice.of(300, 700)))
            .closeTimeout(Duration.ofMillis(dice.of(0, 250)))
            .lingerTimeout(Duration.ofMillis(dice.of(0, 150)))
            .exchangeTimeout(Duration.ofMillis(dice.of(350, 600)))
            .requestsPerSecond(dice.oneIn(5) ? dice.of(500, 5_000, 100_000) : 0)
            .requestBurst(Duration.ofMillis(dice.of(0, 5, 1_000)))
            .queueAge(Duration.ofMillis(dice.oneIn(5) ? dice.of(1, 20) : 0))
            .queueBackoffLeast(Duration.ofMillis(dice.of(1, 10)))
            .queueBackoffMost(Duration.ofMillis(dice.of(10, 50)))
            .build();
    }
}
