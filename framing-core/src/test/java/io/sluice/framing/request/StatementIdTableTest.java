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
package io.sluice.framing.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

@SuppressWarnings("ReferenceEquality")
class StatementIdTableTest
{
    private static final long SEED = Long.getLong("sluice.seed", new Random().nextLong());

    private static byte[] id(final long number)
    {
        final byte[] bytes = new byte[16];
        new UnsafeBuffer(bytes).putLong(0, number * 0x9E3779B97F4A7C15L, ByteOrder.BIG_ENDIAN);
        new UnsafeBuffer(bytes).putLong(8, number, ByteOrder.BIG_ENDIAN);
        return bytes;
    }

    private static StatementId intern(final StatementIdTable table, final byte[] id)
    {
        return table.intern(Bodies.direct(id), Bodies.offset(), id.length);
    }

    @Test
    void findsWhatItLearned()
    {
        final StatementIdTable table = new StatementIdTable();
        final StatementId learned = table.learn(Bodies.ID);
        assertSame(learned, table.learn(Bodies.ID.clone()));
        assertSame(learned, intern(table, Bodies.ID));
        assertEquals(1, table.size());
        assertTrue(table.forget(Bodies.ID));
        assertFalse(table.forget(Bodies.ID));
        assertNotSame(learned, intern(table, Bodies.ID));
        assertEquals(learned, intern(table, Bodies.ID));
        assertEquals(0, table.size());
    }

    @Test
    void copiesTheIdThatItLearns()
    {
        final StatementIdTable table = new StatementIdTable();
        final byte[] id = Bodies.ID.clone();
        final StatementId learned = table.learn(id);
        id[0] ^= 1;
        assertSame(learned, intern(table, Bodies.ID));
        assertFalse(table.forget(id));
    }

    @Test
    void takesIdsOfEveryLength()
    {
        final StatementIdTable table = new StatementIdTable();
        final List<StatementId> learned = new ArrayList<>();
        for (int length = 0; length < 40; length++)
        {
            learned.add(table.learn(new byte[length]));
        }
        for (int length = 0; length < 40; length++)
        {
            assertSame(learned.get(length), intern(table, new byte[length]));
        }
        assertTrue(table.forget(new byte[0]));
        assertNull(table.find(new UnsafeBuffer(new byte[1]), 0, 0));
    }

    @Test
    void doesNotGrowByUnknownIds()
    {
        final StatementIdTable table = new StatementIdTable();
        final StatementId known = table.learn(Bodies.ID);
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[16]);
        final Random random = new Random(SEED);
        for (int i = 0; i < 10_000_000; i++)
        {
            buffer.putLong(0, random.nextLong());
            buffer.putLong(8, i);
            if (table.intern(buffer, 0, 16) == known)
            {
                throw new AssertionError("seed " + SEED + ": an unknown id taken for a known one");
            }
        }
        assertEquals(1, table.size());
        assertSame(known, intern(table, Bodies.ID));
    }

    @Test
    void replacesOneWhenFull()
    {
        final StatementIdTable table = new StatementIdTable(100);
        for (int i = 0; i < 10_000; i++)
        {
            final StatementId learned = table.learn(id(i));
            assertSame(learned, intern(table, id(i)));
            assertEquals(Math.min(i + 1, 100), table.size());
        }
        int found = 0;
        for (int i = 0; i < 10_000; i++)
        {
            found += table.find(new UnsafeBuffer(id(i)), 0, 16) != null ? 1 : 0;
        }
        assertEquals(100, found);
    }

    @Test
    void agreesWithAMapThroughAnyHistory()
    {
        final Random random = new Random(SEED);
        final StatementIdTable table = new StatementIdTable(4096);
        final Map<Integer, StatementId> model = new HashMap<>();
        for (int i = 0; i < 200_000; i++)
        {
            final int number = random.nextInt(2000);
            if (random.nextInt(3) == 0)
            {
                assertEquals(model.remove(number) != null, table.forget(id(number)), "seed " + SEED);
            }
            else
            {
                final StatementId learned = table.learn(id(number));
                final StatementId before = model.putIfAbsent(number, learned);
                assertTrue(before == null || before == learned, "seed " + SEED);
            }
        }
        assertEquals(model.size(), table.size(), "seed " + SEED);
        for (int number = 0; number < 2000; number++)
        {
            assertSame(model.get(number), table.find(new UnsafeBuffer(id(number)), 0, 16), "seed " + SEED);
        }
    }

    @Test
    void allocatesNothingForKnownIds()
    {
        final StatementIdTable table = new StatementIdTable();
        for (int i = 0; i < 1000; i++)
        {
            table.learn(id(i));
        }
        final UnsafeBuffer buffer = Bodies.direct(id(500));
        final StatementId[] last = new StatementId[1];
        assertEquals(0, Allocation.bytesPerRun(() -> last[0] = table.intern(buffer, Bodies.offset(), 16)));
        assertEquals(new StatementId(id(500)), last[0]);
    }

    /** Readers without a lock see only whole, right ids, and never run in circles, whatever writers do. */
    @Test
    void servesReadersWhileItChanges() throws InterruptedException
    {
        final StatementIdTable table = new StatementIdTable(64);
        final AtomicBoolean stop = new AtomicBoolean();
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        final CountDownLatch running = new CountDownLatch(2);
        final List<Thread> readers = new ArrayList<>();
        for (int r = 0; r < 2; r++)
        {
            final Thread reader = new Thread(() ->
            {
                final UnsafeBuffer buffer = new UnsafeBuffer(new byte[16]);
                long number = 0;
                while (!stop.get())
                {
                    number = (number + 1) % 256;
                    buffer.putBytes(0, id(number));
                    final StatementId found = table.intern(buffer, 0, 16);
                    if (!found.equals(new StatementId(id(number))))
                    {
                        failure.compareAndSet(null, new AssertionError("id " + number + ": " + found));
                    }
                    running.countDown();
                }
            });
            reader.setUncaughtExceptionHandler((thread, error) -> failure.compareAndSet(null, error));
            reader.start();
            readers.add(reader);
        }
        running.await();
        final Random random = new Random(SEED);
        for (int i = 0; i < 300_000; i++)
        {
            final byte[] id = id(random.nextInt(256));
            if (random.nextBoolean())
            {
                table.learn(id);
            }
            else
            {
                table.forget(id);
            }
        }
        stop.set(true);
        for (final Thread reader : readers)
        {
            reader.join();
        }
        assertNull(failure.get(), "seed " + SEED);
    }

    @Test
    void checksItsCapacity()
    {
        assertThrows(IllegalArgumentException.class, () -> new StatementIdTable(0));
        assertThrows(IllegalArgumentException.class, () -> new StatementIdTable((1 << 20) + 1));
    }

    @Test
    void unsharedIdsAreNewEachTime()
    {
        final UnsafeBuffer buffer = Bodies.direct(Bodies.ID);
        final StatementId first = StatementIds.UNSHARED.intern(buffer, Bodies.offset(), 16);
        assertEquals(first, StatementIds.UNSHARED.intern(buffer, Bodies.offset(), 16));
        assertNotSame(first, StatementIds.UNSHARED.intern(buffer, Bodies.offset(), 16));
    }
}
