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
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** Whose turn it is on the authentication executor, and that nobody is forgotten. */
final class LoginQueueTest
{
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private final List<String> done = new ArrayList<>();
    private final LoginQueue queue = new LoginQueue(tasks::add);

    private final class Named implements LoginQueue.Login
    {
        private final String name;
        private final boolean hasLeft;

        Named(final String name, final boolean hasLeft)
        {
            this.name = name;
            this.hasLeft = hasLeft;
        }

        @Override
        public boolean run()
        {
            done.add(hasLeft ? name + " has left" : name);
            return !hasLeft;
        }

        @Override
        public void refuse()
        {
            done.add(name + " refused");
        }
    }

    private final class Failing implements LoginQueue.Login
    {
        @Override
        public boolean run()
        {
            done.add("failed");
            throw new IllegalStateException("on purpose");
        }

        @Override
        public void refuse()
        {
            done.add("failing one refused");
        }
    }

    private Named login(final String name)
    {
        return new Named(name, false);
    }

    private void runAll()
    {
        while (!tasks.isEmpty())
        {
            tasks.remove().run();
        }
    }

    @Test
    void oldestAndNewestHaveTheirTurnAlternately()
    {
        for (final String name : List.of("a", "b", "c", "d", "e"))
        {
            queue.execute(login(name));
        }
        runAll();
        assertEquals(List.of("a", "e", "b", "d", "c"), done);
    }

    @Test
    void whoHasLeftTakesNobodysTurn()
    {
        queue.execute(new Named("a", true));
        queue.execute(login("b"));
        queue.execute(new Named("c", true));
        queue.execute(login("d"));
        tasks.remove().run();
        assertEquals(List.of("a has left", "d"), done);
        runAll();
        assertEquals(List.of("a has left", "d", "b", "c has left"), done, "all of them once");
    }

    @Test
    void oneThatTheExecutorDoesNotTakeIsRefused()
    {
        final LoginQueue closed = new LoginQueue(command ->
        {
            throw new RejectedExecutionException("closed");
        });
        closed.execute(login("a"));
        closed.execute(login("b"));
        assertEquals(List.of("a refused", "b refused"), done);
    }

    /** The newest is run by the task of the older one, and its own is then not taken: the older one is left. */
    @Test
    void whoIsLeftWithoutATaskIsRefused()
    {
        final LoginQueue[] closing = new LoginQueue[1];
        closing[0] = new LoginQueue(command ->
        {
            if (tasks.size() == 2)
            {
                tasks.remove().run();
                tasks.remove().run();
                throw new RejectedExecutionException("closed");
            }
            tasks.add(command);
        });
        closing[0].execute(login("a"));
        closing[0].execute(login("b"));
        closing[0].execute(login("c"));
        assertEquals(List.of("a", "c", "b refused"), done);
    }

    @Test
    void errorOfTheExecutorIsTheCallers()
    {
        final LoginQueue broken = new LoginQueue(command ->
        {
            throw new OutOfMemoryError("no more threads");
        });
        assertThrows(OutOfMemoryError.class, () -> broken.execute(login("a")));
        assertEquals(List.of("a refused"), done);
    }

    /** With an executor of the caller's own thread: the others keep their turns. */
    @Test
    void loginThatFailsCostsNobodyElseTheirs()
    {
        final boolean[] inline = new boolean[1];
        final LoginQueue mixed = new LoginQueue(command ->
        {
            if (inline[0])
            {
                command.run();
            }
            else
            {
                tasks.add(command);
            }
        });
        mixed.execute(new Failing());
        mixed.execute(login("a"));
        inline[0] = true;
        assertThrows(IllegalStateException.class, () -> mixed.execute(login("b")));
        assertEquals(List.of("failed"), done);
        runAll();
        assertEquals(List.of("failed", "b", "a"), done);
    }

    /** Executors that start threads may fail when they have queued a task already. */
    @Test
    void taskThatWasTakenAllTheSameRunsNothingMore()
    {
        final boolean[] failing = {true};
        final LoginQueue starved = new LoginQueue(command ->
        {
            tasks.add(command);
            if (failing[0])
            {
                throw new OutOfMemoryError("no more threads");
            }
        });
        assertThrows(OutOfMemoryError.class, () -> starved.execute(login("a")));
        failing[0] = false;
        starved.execute(login("b"));
        starved.execute(login("c"));
        tasks.remove().run();
        assertEquals(List.of("a refused"), done);
        runAll();
        assertEquals(List.of("a refused", "b", "c"), done);
    }
}
