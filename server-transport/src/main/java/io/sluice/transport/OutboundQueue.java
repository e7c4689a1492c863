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

/**
 * Takes answers from any thread to their event loop: many producers, one consumer.
 * <p>
 * A stack of the answers themselves: offering is one compare-and-set and allocates nothing. Whoever finds it empty
 * wakes the loop, so that the loop is woken once per drain and not once per answer. The drain takes the whole stack,
 * turns it round into the order of completion, hands each answer to its connection and flushes each connection once.
 */
final class OutboundQueue implements Runnable
{
    private static final VarHandle HEAD;
    static
    {
        try
        {
            HEAD = MethodHandles.lookup().findVarHandle(OutboundQueue.class, "head", PendingResponse.class);
        }
        catch (final ReflectiveOperationException e)
        {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final EventLoop loop;
    /** Written by any completing thread, emptied by the loop. */
    @SuppressWarnings("UnusedVariable")
    private volatile PendingResponse head;
    /** Connections with something to flush. Confined to the loop. */
    private Connection dirty;
    private boolean flushing;

    OutboundQueue(final EventLoop loop)
    {
        this.loop = loop;
    }

    /** Any thread. */
    void offer(final PendingResponse response)
    {
        PendingResponse previous;
        do
        {
            previous = (PendingResponse)HEAD.getVolatile(this);
            response.nextOffered = previous;
        }
        while (!HEAD.compareAndSet(this, previous, response));
        if (previous == null)
        {
            wake();
        }
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
            final PendingResponse next = response.nextOffered;
            response.nextOffered = null;
            response.connection.discard(response);
            response = next;
        }
    }

    /** On the loop: true if nothing is offered and nothing waits for a flush. */
    boolean isEmpty()
    {
        return head == null && dirty == null;
    }

    /** On the loop: hands on what was offered, then flushes. */
    @Override
    public void run()
    {
        take();
        flushDirty();
    }

    private void take()
    {
        PendingResponse response = reverse((PendingResponse)HEAD.getAndSet(this, (PendingResponse)null));
        while (response != null)
        {
            final PendingResponse next = response.nextOffered;
            response.nextOffered = null;
            response.connection.take(response);
            response = next;
        }
    }

    private static PendingResponse reverse(final PendingResponse newestFirst)
    {
        PendingResponse oldestFirst = null;
        PendingResponse response = newestFirst;
        while (response != null)
        {
            final PendingResponse next = response.nextOffered;
            response.nextOffered = oldestFirst;
            oldestFirst = response;
            response = next;
        }
        return oldestFirst;
    }

    /** On the loop: this connection has something in its outbox; the next {@link #flushDirty} writes it. */
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

    /** On the loop: one flush for each connection that has something. */
    void flushDirty()
    {
        assert loop.inEventLoop();
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
            }
        }
        finally
        {
            flushing = false;
        }
    }

    /** On the loop, in a callback of a write: what was marked is flushed when the socket's own code has returned. */
    void flushSoon()
    {
        assert loop.inEventLoop();
        if (dirty != null && !flushing)
        {
            wake();
        }
    }
}
