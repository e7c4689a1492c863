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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.memory.BufferPool;
import io.sluice.transport.testkit.ScriptedEngine;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;

final class AnswerBudgetTest
{
    private static final int RESERVE = AnswerBudget.RESERVE_BYTES;
    private static final int BUDGET = 4 * RESERVE;

    private final BufferPool pool = new BufferPool(SystemNanoClock.INSTANCE, 1 << 20, true);
    private final TransportControl control = new TransportControl(limits(limits -> limits),
        CompressionPolicy.defaults(), FlushPolicy.defaults());
    private final TransportContext context = new TransportContext(NativeTransport.builder(new ScriptedEngine()), pool,
        control);
    private final AddressTable.Entry here = context.addresses.open(InetAddress.getLoopbackAddress());

    private static TransportLimits limits(final UnaryOperator<TransportLimitsBuilder> change)
    {
        return change.apply(TransportLimits.defaults()
            .with()
            .answerBytes(BUDGET)
            .answerBytesPerAddress(BUDGET)
            .answerBytesPerConnection(10 * BUDGET)
            .answerBytesHardLimit(20 * BUDGET)).build();
    }

    @Test
    void countsTheReserveForItsConnectionAloneAndTheRestForAll()
    {
        final AnswerBudget budget = new AnswerBudget(context, here);
        assertEquals(RESERVE, budget.charge(RESERVE));
        assertEquals(0, context.answerBytes.get());
        assertEquals(RESERVE + 7, budget.charge(7));
        assertEquals(7, context.answerBytes.get());
        assertEquals(7, here.answerBytes().get());
        budget.release(RESERVE + 6);
        assertEquals(0, context.answerBytes.get());
        assertEquals(1, budget.unreadBytes());
    }

    @Test
    void sharedBudgetsStopWhoeverIsOverHisReserveAndNobodyElse()
    {
        final AnswerBudget stalled = new AnswerBudget(context, here);
        final AnswerBudget reading = new AnswerBudget(context, here);
        stalled.charge(BUDGET + RESERVE);
        assertTrue(stalled.isExhausted());
        assertFalse(reading.isExhausted());
        reading.charge(RESERVE - 1);
        assertFalse(reading.isExhausted());
        reading.charge(1);
        assertTrue(reading.isExhausted());
        reading.release(1);
        assertFalse(reading.isExhausted());
        stalled.release(BUDGET + RESERVE);
        reading.charge(RESERVE);
        assertFalse(reading.isExhausted());
    }

    @Test
    void budgetOfOneAddressDoesNotStopAnother() throws Exception
    {
        control.limits(limits(limits -> limits.answerBytes(100 * BUDGET)));
        final AddressTable.Entry there = context.addresses.open(InetAddress.getByAddress(new byte[]{10, 0, 0, 1}));
        final AnswerBudget stalled = new AnswerBudget(context, here);
        final AnswerBudget neighbour = new AnswerBudget(context, here);
        final AnswerBudget other = new AnswerBudget(context, there);
        stalled.charge(BUDGET + RESERVE);
        neighbour.charge(2 * RESERVE);
        other.charge(2 * RESERVE);
        assertTrue(neighbour.isExhausted());
        assertFalse(other.isExhausted());
        control.limits(limits(limits -> limits.answerBytes(2 * RESERVE)));
        assertTrue(other.isExhausted(), "the transport's budget, lowered");
    }

    @Test
    void ownBudgetHoldsWithinTheReserveToo()
    {
        control.limits(limits(limits -> limits.answerBytesPerConnection(100)));
        final AnswerBudget budget = new AnswerBudget(context, here);
        budget.charge(99);
        assertFalse(budget.isExhausted());
        budget.charge(1);
        assertTrue(budget.isExhausted());
    }

    @Test
    void nothingIsLeftWhateverTheThreadsDo() throws InterruptedException
    {
        final AnswerBudget budget = new AnswerBudget(context, here);
        final List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++)
        {
            final Random random = new Random(i);
            threads.add(new Thread(() ->
            {
                for (int round = 0; round < 20_000; round++)
                {
                    final int bytes = random.nextInt(RESERVE);
                    budget.charge(bytes);
                    budget.release(bytes);
                }
            }));
        }
        threads.forEach(Thread::start);
        for (final Thread thread : threads)
        {
            thread.join();
        }
        assertEquals(0, budget.unreadBytes());
        assertEquals(0, here.answerBytes().get());
        assertEquals(0, context.answerBytes.get());
    }
}
