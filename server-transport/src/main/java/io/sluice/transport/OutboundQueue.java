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
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Takes answers from any thread to their event loop: many producers, one consumer.
 * <p>
 * A stack of the answers themselves: offering is one compare-and-set and allocates nothing. Whoever finds it empty
 * wakes the loop, so that the loop is woken once per drain and not once per answer. The drain takes the whole stack,
 * turns it round into the order of completion, hands each answer to its connection and flushes each connection once.
 * <p>
 * While the loop holds answers back, a window of {@link FlushPolicy} is open: then nobody wakes the loop but the one
 * whose answer fills the window, or a large one. A timer closes it at the latest.
 */
final class OutboundQueue implements Runnable
{
    private static final long ONE_OFFER = 1L << Integer.SIZE;
    private static final long BYTES_OFFERED = ONE_OFFER - 1;
    private static final VarHandle HEAD;
    private static final VarHandle OFFERED;
    static
    {
        try
        {
            final MethodHandles.Lookup lookup = MethodHandles.lookup();
            HEAD = lookup.findVarHandle(OutboundQueue.class, "head", PendingResponse.class);
            OFFERED = lookup.findVarHandle(OutboundQueue.class, "offered", long.class);
        }
        catch (final ReflectiveOperationException e)
        {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final LoopContext context;
    private final EventLoop loop;
    private final Runnable timer = this::onTimer;
    private final AnswerGap gap;
    private final LoopCount windows = new LoopCount();
    private final LoopCount filled = new LoopCount();
    private final LoopCount expired = new LoopCount();
    private final LoopCount broken = new LoopCount();
    /** Written by any completing thread, emptied by the loop. */
    @SuppressWarnings("UnusedVariable")
    private volatile PendingResponse head;
    /** True while answers are held back: producers need not wake the loop. Written by the loop. */
    private volatile boolean holding;
    /** How many offers wake the loop while it holds. Written by the loop before {@link #holding}. */
    private int wakeAt;
    /** How many bytes do. Written by the loop before {@link #holding}. */
    private long wakeAtBytes;
    /** Offers since the window opened, and in the lower half their bytes. Any completing thread; reset by the loop. */
    @SuppressWarnings("UnusedVariable")
    private volatile long offered;

    // Confined to the loop.

    /** Connections with something to flush. */
    private Connection dirty;
    /** Connections that have had their turn and are not done: their next one comes after everybody else's. */
    private Connection again;
    private boolean flushing;
    /** Answers in outboxes that came over the queue and were not flushed. */
    private int waiting;
    private long waitingBytes;
    private long waitingSinceNanos;
    /** Something in an outbox does not wait. */
    private boolean urgent;
    /** A timer is set, for {@link #timerNanos} or earlier. */
    private boolean timerSet;
    private long timerNanos;
    /** Which flush the timer that was set last is to bring about, by number. */
    private int timerFlush;
    private int flushNumber;
    /** The timer of this window has come: it is over, whatever the clock says. */
    private boolean overdue;
    private boolean stopped;

    OutboundQueue(final LoopContext context)
    {
        this.context = context;
        this.loop = context.loop;
        this.gap = new AnswerGap(context.context.clock.nanoTime());
    }

    /** Any thread. */
    void offer(final PendingResponse response)
    {
        // Not read after the offer: then it belongs to the loop.
        final int bytes = response.answerBytes;
        PendingResponse previous;
        do
        {
            previous = (PendingResponse)HEAD.getVolatile(this);
            response.next = previous;
        }
        while (!HEAD.compareAndSet(this, previous, response));
        if (!holding)
        {
            if (previous == null)
            {
                wake();
            }
        }
        else if (bytes >= policy().largeBytes() || fills(bytes))
        {
            wake();
        }
    }

    /** True for the one offer that makes as many answers, or as many bytes, as close the window. */
    private boolean fills(final int bytes)
    {
        final long before = (long)OFFERED.getAndAdd(this, ONE_OFFER + bytes);
        final long bytesBefore = before & BYTES_OFFERED;
        return (before >>> Integer.SIZE) + 1 == wakeAt || bytesBefore < wakeAtBytes &&
            bytesBefore + bytes >= wakeAtBytes;
    }

    private FlushPolicy policy()
    {
        return context.context.control.flushPolicy();
    }

    private void wake()
    {
        try
        {
            loop.execute(this);
        }
        catch (final RejectedExecutionException e)
        {
            // The loop is gone, and with it every connection: only the memory is left to give back.
            discardAll();
        }
    }

    private void discardAll()
    {
        PendingResponse response = (PendingResponse)HEAD.getAndSet(this, (PendingResponse)null);
        while (response != null)
        {
            final PendingResponse next = response.next;
            response.next = null;
            response.connection.discard(response);
            response = next;
        }
    }

    /** On the loop: true if nothing is offered and nothing waits for a flush. */
    boolean isEmpty()
    {
        return head == null && dirty == null;
    }

    /** On the loop: hands on what was offered, then flushes or holds. */
    @Override
    public void run()
    {
        final boolean held = holding;
        // Before the look at what is there: whoever comes after it wakes the loop again.
        holding = false;
        take();
        if (!mayHold(held))
        {
            flushAll();
        }
    }

    private void take()
    {
        PendingResponse response = reverse((PendingResponse)HEAD.getAndSet(this, (PendingResponse)null));
        if (response == null)
        {
            return;
        }
        final long nowNanos = context.context.clock.nanoTime();
        final int largeBytes = policy().largeBytes();
        if (waiting == 0)
        {
            waitingSinceNanos = nowNanos;
        }
        boolean smallWaits = waiting > 0;
        int count = 0;
        while (response != null)
        {
            final PendingResponse next = response.next;
            response.next = null;
            final int bytes = response.answerBytes;
            if (bytes < largeBytes)
            {
                smallWaits = true;
            }
            else
            {
                if (smallWaits)
                {
                    // What waits goes out ahead of it and not behind it.
                    flushAll();
                    smallWaits = false;
                }
                urgent = true;
            }
            response.connection.takeOffered(response);
            waitingBytes += bytes;
            count++;
            response = next;
        }
        waiting += count;
        gap.onAnswers(count, nowNanos);
    }

    private static PendingResponse reverse(final PendingResponse newestFirst)
    {
        PendingResponse oldestFirst = null;
        PendingResponse response = newestFirst;
        while (response != null)
        {
            final PendingResponse next = response.next;
            response.next = oldestFirst;
            oldestFirst = response;
            response = next;
        }
        return oldestFirst;
    }

    /** True if what waits goes on waiting: somebody or the timer will come back to it. */
    private boolean mayHold(final boolean held)
    {
        if (waiting == 0)
        {
            return false;
        }
        final FlushPolicy policy = policy();
        final int inFlight = context.requestsInService() + waiting;
        if (urgent || stopped)
        {
            return close(held, broken);
        }
        final int fill = policy.fill(inFlight);
        if (waiting >= fill || waitingBytes >= policy.fillBytes())
        {
            return close(held, filled);
        }
        final long hold = policy.holdNanos(inFlight, gap.meanNanos());
        if (hold == 0 || overdue || !setTimer(waitingSinceNanos + hold))
        {
            return close(held, expired);
        }
        if (!held)
        {
            windows.increment();
        }
        OFFERED.setOpaque(this, 0L);
        wakeAt = fill - waiting;
        wakeAtBytes = policy.fillBytes() - waitingBytes;
        holding = true;
        return true;
    }

    private static boolean close(final boolean held, final LoopCount reason)
    {
        if (held)
        {
            reason.increment();
        }
        return false;
    }

    /**
     * Sees to it that there is a timer for this moment; one that is set for an earlier one finds that it is too early,
     * and is set again. False if the moment is past or no timer can be set.
     */
    private boolean setTimer(final long deadlineNanos)
    {
        final long left = deadlineNanos - context.context.clock.nanoTime();
        if (left <= 0)
        {
            return false;
        }
        if (!timerSet || deadlineNanos - timerNanos < 0)
        {
            try
            {
                loop.schedule(timer, left, TimeUnit.NANOSECONDS);
            }
            catch (final RejectedExecutionException e)
            {
                return false;
            }
            timerSet = true;
            timerNanos = deadlineNanos;
            timerFlush = flushNumber;
        }
        return true;
    }

    private void onTimer()
    {
        timerSet = false;
        if (holding)
        {
            overdue = timerFlush == flushNumber;
            run();
            overdue = false;
        }
    }

    /** On the loop: this connection has something in its outbox that does not wait. */
    void markUrgent(final Connection connection)
    {
        urgent = true;
        markDirty(connection);
    }

    /** On the loop: this connection has something in its outbox; a flush to come writes it. */
    void markDirty(final Connection connection)
    {
        assert loop.inEventLoop();
        if (!connection.dirty)
        {
            connection.dirty = true;
            connection.nextDirty = dirty;
            dirty = connection;
        }
    }

    /** On the loop: one flush for each connection that has something, unless all of it may wait. */
    void flushDirty()
    {
        assert loop.inEventLoop();
        if (urgent && holding)
        {
            run();
        }
        else if (urgent)
        {
            flushAll();
        }
    }

    /** On the loop: nothing is held back from now on, since the loop or the transport ends. */
    void stop()
    {
        stopped = true;
        run();
    }

    private void flushAll()
    {
        if (flushing)
        {
            // The call further up goes on until nothing is left.
            return;
        }
        flushing = true;
        try
        {
            while (dirty != null)
            {
                final Connection connection = dirty;
                dirty = connection.nextDirty;
                connection.nextDirty = null;
                connection.dirty = false;
                connection.flush();
                if (connection.hasMoreToWrite() && !connection.dirty)
                {
                    connection.dirty = true;
                    connection.nextDirty = again;
                    again = connection;
                }
            }
            flushNumber++;
            urgent = again != null;
            waiting = 0;
            waitingBytes = 0;
            if (urgent)
            {
                dirty = again;
                again = null;
                takeNextTurn();
            }
        }
        finally
        {
            flushing = false;
        }
    }

    /**
     * Not as an ordinary task: the loop would run many of those, each of them a turn of up to a megabyte, before it
     * looks at what clients have sent meanwhile.
     */
    private void takeNextTurn()
    {
        try
        {
            loop.schedule(this, 0, TimeUnit.NANOSECONDS);
        }
        catch (final RejectedExecutionException e)
        {
            discardAll();
        }
    }

    /** On the loop, in a callback of a write: what was marked is flushed when the socket's own code has returned. */
    void flushSoon()
    {
        assert loop.inEventLoop();
        if (dirty != null && urgent && !flushing)
        {
            wake();
        }
    }

    /** Any thread. */
    FlushCounts counts()
    {
        return new FlushCounts(windows.get(), filled.get(), expired.get(), broken.get(), gap.meanNanos());
    }
}
