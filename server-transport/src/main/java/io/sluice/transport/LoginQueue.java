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

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Steps of logins that wait for the authentication executor. Passwords are dear to check, so that a storm of logins has
 * most of its clients wait for longer than they are ready to: whose turn it is, {@link BothEnds} says, and who has left
 * takes nobody's. Thread-safe.
 */
final class LoginQueue
{
    /** One step of a login. */
    interface Login
    {
        /** Does it, on the authentication executor; false if its client has left, so that there was nothing to do. */
        boolean run();

        /** Tells its client that it will not be done. Any thread. */
        void refuse();
    }

    private final Executor executor;
    private final BothEnds<Login> waiting = new BothEnds<>();

    LoginQueue(final Executor executor)
    {
        this.executor = executor;
    }

    /**
     * Has a step done, here or by another thread. If the executor does not take it, one login is left without a turn,
     * this or another whose turn this one had: it is refused. What else the executor throws is thrown.
     */
    void execute(final Login login)
    {
        try
        {
            add(login);
        }
        catch (final Error e)
        {
            login.refuse();
            throw e;
        }
        final Turn turn = new Turn();
        try
        {
            executor.execute(turn);
        }
        catch (final RuntimeException | Error e)
        {
            final Login undone = turn.cancel(login);
            if (undone != null)
            {
                undone.refuse();
            }
            if (!(e instanceof RejectedExecutionException))
            {
                throw e;
            }
        }
    }

    private void add(final Login login)
    {
        synchronized (waiting)
        {
            waiting.add(login);
        }
    }

    private Login next()
    {
        synchronized (waiting)
        {
            return waiting.next();
        }
    }

    /** As many as logins that wait: each runs one of them, or is cancelled with one. */
    private final class Turn implements Runnable
    {
        /** Guarded by what waits. */
        private boolean over;

        @Override
        public void run()
        {
            Login login = first();
            while (login != null && !login.run())
            {
                login = next();
            }
        }

        private Login first()
        {
            synchronized (waiting)
            {
                if (over)
                {
                    // The executor failed once it had taken it.
                    return null;
                }
                over = true;
                return waiting.next();
            }
        }

        /** Whose turn there will not be, rather this one's; null if it was used, and it was the login that failed. */
        Login cancel(final Login rather)
        {
            synchronized (waiting)
            {
                if (over)
                {
                    return null;
                }
                over = true;
                return waiting.remove(rather) ? rather : waiting.next();
            }
        }
    }
}
