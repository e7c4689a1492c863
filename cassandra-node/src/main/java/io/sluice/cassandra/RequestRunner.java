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

import io.netty.util.concurrent.FastThreadLocal;
import io.sluice.transport.Exchange;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Callable;
import org.apache.cassandra.concurrent.DebuggableTask;
import org.apache.cassandra.concurrent.ExecutionFailure;
import org.apache.cassandra.concurrent.FutureTask;
import org.apache.cassandra.utils.MonotonicClock;

/**
 * A task of Cassandra's pool that runs requests. A {@link FutureTask} since the pools ask no other
 * what it is about: that is the request at hand, or nothing. Nobody waits for its result, and it has none.
 */
final class RequestRunner extends FutureTask<Void>
{
    private static final VarHandle DEBUGGABLE;
    static
    {
        try
        {
            DEBUGGABLE = MethodHandles.privateLookupIn(FutureTask.class, MethodHandles.lookup())
                .findVarHandle(FutureTask.class, "debuggable", DebuggableTask.class);
        }
        catch (final ReflectiveOperationException e)
        {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final FastThreadLocal<RequestRunner> CURRENT = new FastThreadLocal<>();

    /** True while its thread does the work of one of Cassandra's stages; confined to it. */
    boolean isInStage;
    /** Of late it has run so many requests that took no time worth speaking of, at most; confined to its thread. */
    int quickOnes;

    private final RequestPool pool;
    private final View view = new View();

    RequestRunner(final RequestPool pool)
    {
        super((Callable<Void>)null);
        this.pool = pool;
    }

    /** The one whose thread is the calling one, or null. */
    static RequestRunner current()
    {
        return CURRENT.getIfExists();
    }

    @Override
    public void run()
    {
        CURRENT.set(this);
        try
        {
            pool.runCalled(this);
        }
        finally
        {
            CURRENT.remove();
        }
    }

    /** Runs a request; whatever it throws is Cassandra's to handle. */
    void runOne(final Runnable command)
    {
        view.show(command);
        DEBUGGABLE.setRelease(this, view);
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
            DEBUGGABLE.setOpaque(this, null);
            view.show(null);
        }
    }

    /** What the pool's views see. Any thread, at any time: it may be the next request already, or over. */
    private static final class View implements DebuggableTask
    {
        /** Of a step of a login, which does not know its own age; written before the command. */
        private long begunNanos;
        private volatile Runnable command;

        void show(final Runnable newCommand)
        {
            if (newCommand != null && !(newCommand instanceof Exchange))
            {
                begunNanos = MonotonicClock.Global.preciseTime.now();
            }
            command = newCommand;
        }

        /** In nanoseconds of {@link System#nanoTime}: when it began to wait for a thread; of a login, to run. */
        @Override
        public long creationTimeNanos()
        {
            return command instanceof Exchange exchange ? exchange.submittedNanos() : begunNanos;
        }

        /** In nanoseconds of {@link System#nanoTime}; not above 0 before the handler has got it. */
        @Override
        public long startTimeNanos()
        {
            return command instanceof Exchange exchange ? exchange.startedNanos() : begunNanos;
        }

        @Override
        public String description()
        {
            return command instanceof Exchange exchange ? RequestDescription.of(exchange.request()) : "AUTH_RESPONSE";
        }
    }
}
