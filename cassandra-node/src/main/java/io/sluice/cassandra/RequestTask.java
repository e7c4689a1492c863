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
package io.sluice.cassandra;

import io.sluice.transport.Exchange;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.apache.cassandra.concurrent.DebuggableTask;
import org.apache.cassandra.concurrent.ExecutionFailure;
import org.apache.cassandra.concurrent.FutureTask;
import org.apache.cassandra.utils.MonotonicClock;

/**
 * A request as Cassandra's pools know it: with its age and a description. A {@link FutureTask} since the pools ask no
 * other for the age of what waits; nobody waits for its result, and it has none, so it can serve one request after
 * another.
 * <p>
 * Views look at it from any thread and at any time: what they see may already be the next request.
 */
final class RequestTask extends FutureTask<Void> implements DebuggableTask.RunnableDebuggableTask
{
    private static final VarHandle COMMAND;
    private static final VarHandle DEBUGGABLE;
    static
    {
        try
        {
            final MethodHandles.Lookup own = MethodHandles.lookup();
            COMMAND = own.findVarHandle(RequestTask.class, "command", Runnable.class);
            DEBUGGABLE = MethodHandles.privateLookupIn(FutureTask.class, own)
                .findVarHandle(FutureTask.class, "debuggable", DebuggableTask.class);
        }
        catch (final ReflectiveOperationException e)
        {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Null once it has run. */
    private Runnable command;
    /** Of a step of a login; a request knows its own. */
    private long createdNanos;

    RequestTask()
    {
        super((Runnable)null);
        DEBUGGABLE.set(this, this);
    }

    /** By the thread that queues it, while nobody else has it. */
    void prepare(final Runnable newCommand)
    {
        createdNanos = newCommand instanceof Exchange ? 0 : MonotonicClock.Global.preciseTime.now();
        COMMAND.set(this, newCommand);
    }

    /** Any thread: true once it has run and can be prepared again. */
    boolean isFree()
    {
        return command() == null;
    }

    private Runnable command()
    {
        return (Runnable)COMMAND.getAcquire(this);
    }

    @Override
    public void run()
    {
        try
        {
            command.run();
        }
        catch (final Throwable t)
        {
            ExecutionFailure.handle(t);
        }
        finally
        {
            COMMAND.setRelease(this, null);
        }
    }

    /** In nanoseconds of {@link System#nanoTime}: when the last byte was read. */
    @Override
    public long creationTimeNanos()
    {
        final Runnable current = command();
        if (current == null)
        {
            return MonotonicClock.Global.approxTime.now();
        }
        return current instanceof Exchange exchange ? exchange.receivedNanos() : createdNanos;
    }

    /** In nanoseconds of {@link System#nanoTime}; not above 0 before the handler has got it. */
    @Override
    public long startTimeNanos()
    {
        return command() instanceof Exchange exchange ? exchange.startedNanos() : createdNanos;
    }

    @Override
    public String description()
    {
        return command() instanceof Exchange exchange ? RequestDescription.of(exchange.request()) : "AUTH_RESPONSE";
    }

    @Override
    public String toString()
    {
        return description();
    }
}
