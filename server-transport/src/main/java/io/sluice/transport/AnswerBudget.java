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

import java.util.concurrent.atomic.AtomicLong;

/**
 * One connection's unread answers and events: encoded, and not taken by the socket yet.
 * <p>
 * Up to {@value #RESERVE_BYTES} bytes are the connection's own; what is above them counts for its client address and
 * for the transport as well. So a client that reads never depends on those that do not: with the shared budgets full,
 * it goes on within its reserve. And nobody waits for another's answers: who is over a shared budget has unread
 * answers of his own, and looks again whenever the socket has taken some. Clients that never read give everything back
 * by the stall timeout. Any thread.
 */
final class AnswerBudget
{
    /** More than most ticks' answers, and little enough for thousands of connections. */
    static final int RESERVE_BYTES = 16 * 1024;

    private final TransportContext context;
    /** Written by the loop, before anything is charged. */
    private AtomicLong ofAddress;
    private final AtomicLong own = new AtomicLong();

    AnswerBudget(final TransportContext context, final AddressTable.Entry address)
    {
        this.context = context;
        this.ofAddress = address.answerBytes();
    }

    /** On the loop, before anything was charged: the client turns out to be another. */
    void belongTo(final AddressTable.Entry address)
    {
        assert own.get() == 0 : "unreadBytes: " + own.get() + " (expected: 0)";
        ofAddress = address.answerBytes();
    }

    /** In bytes. */
    long unreadBytes()
    {
        return own.get();
    }

    /** True if this client has to read before anything more is done for it. */
    boolean isExhausted()
    {
        final TransportLimits limits = context.control.limits();
        final long unread = own.get();
        if (unread < RESERVE_BYTES)
        {
            return unread >= limits.answerBytesPerConnection();
        }
        return unread >= limits.answerBytesPerConnection() ||
            ofAddress.get() >= limits.answerBytesPerAddress() ||
            context.answerBytes.get() >= limits.answerBytes();
    }

    /** Counts an answer that exists, over the limits if need be; returns what is unread now. */
    long charge(final int bytes)
    {
        final long after = own.addAndGet(bytes);
        share(shared(after) - shared(after - bytes));
        return after;
    }

    /** The socket took it, or never will. */
    void release(final long bytes)
    {
        final long after = own.addAndGet(-bytes);
        assert after >= 0 : "unreadBytes: " + after + " (expected: >= 0)";
        share(shared(after) - shared(after + bytes));
    }

    private static long shared(final long unread)
    {
        return Math.max(0, unread - RESERVE_BYTES);
    }

    /** The parts add up to what is above the reserve, in whichever order threads come here. */
    private void share(final long change)
    {
        if (change != 0)
        {
            ofAddress.addAndGet(change);
            context.answerBytes.addAndGet(change);
        }
    }
}
