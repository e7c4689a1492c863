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
package io.sluice.bench.soak;

import static io.sluice.conformance.RawRequests.int32;

import io.sluice.bench.soak.GoodSession.Expectation;
import io.sluice.conformance.RawAnswer;
import io.sluice.conformance.RawClient;
import io.sluice.conformance.RawRequests;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Uses the node as it should be used, in one version, compression and with or without TLS after the other, and knows
 * what every answer must be. Confined to its thread.
 */
final class GoodClient implements Runnable
{
    /** Also the number of keys that are set aside for a client. */
    static final int KEYS_PER_CLIENT = 10_000;

    private static final int SMALL_KEYS = 64;
    private static final int LARGE_KEYS = 2;
    private static final int WIDE_KEYS = 12;
    private static final int SMALL_BYTES = 2_000;
    private static final int LARGEST_BYTES = 6 << 20;
    private static final int WIDE_BYTES = 400;
    private static final int GROUP = 32;
    private static final long LARGE_EVERY_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final int SHORTEST_SECONDS = 3;
    private static final int LONGEST_SECONDS = 15;

    private final String name;
    private final SoakTarget target;
    private final Ledger ledger;
    private final SoakStop stop;
    private final Content content;
    private final SplittableRandom random;
    private final double ratePerSecond;
    private final GoodKeys small;
    private final GoodKeys large;
    private final GoodKeys wide;
    private GoodSession session;
    private RawRequests requests;
    private RawAnswer insert;
    private RawAnswer select;
    private RawAnswer insertWide;
    private long lastLargeNanos = System.nanoTime();

    GoodClient(final int index, final Soak soak, final double ratePerSecond)
    {
        name = "good-" + index;
        target = soak.target();
        ledger = soak.ledger();
        stop = soak.stop();
        content = soak.content();
        random = soak.random(name);
        this.ratePerSecond = ratePerSecond;
        final int first = index * KEYS_PER_CLIENT;
        small = new GoodKeys(first, SMALL_KEYS);
        large = new GoodKeys(first + SMALL_KEYS, LARGE_KEYS);
        wide = new GoodKeys(first, WIDE_KEYS);
    }

    @Override
    public void run()
    {
        while (!stop.isAsked())
        {
            try (RawClient client = target.ready(target.any(random)))
            {
                ledger.acted("good.connection");
                ledger.outcome("good.connection", client.label());
                serve(client);
            }
            catch (final IOException e)
            {
                ledger.fault(name, String.valueOf(e.getMessage()));
                stop.await(1_000);
            }
        }
    }

    private void serve(final RawClient client) throws IOException
    {
        try (GoodSession opened = new GoodSession(name, client, ledger, random))
        {
            session = opened;
            requests = client.requests();
            insert = prepare(SoakSchema.INSERT);
            select = prepare(SoakSchema.SELECT);
            insertWide = prepare(SoakSchema.INSERT_WIDE);
            final long start = System.nanoTime();
            final long length = TimeUnit.SECONDS.toNanos(
                SHORTEST_SECONDS + random.nextInt(LONGEST_SECONDS - SHORTEST_SECONDS));
            long groups = 0;
            while (!stop.isAsked() && System.nanoTime() - start < length)
            {
                for (int i = 0; i < GROUP; i++)
                {
                    askSomething();
                }
                opened.flush();
                groups++;
                final double dueMillis = groups * GROUP * 1e3 / ratePerSecond;
                final long aheadMillis = (long)dueMillis - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
                if (aheadMillis > 0)
                {
                    stop.await(aheadMillis);
                }
            }
            opened.drain();
            // Two more in a row show that nothing is said twice and nothing is left over.
            opened.askAndWait("good.options", named("SUPPORTED"), requests::options);
            opened.askAndWait("good.options", named("SUPPORTED"), requests::options);
        }
    }

    private RawAnswer prepare(final String cql) throws IOException
    {
        return session.askAndWait("good.prepare", named("PREPARED"), stream -> requests.prepare(stream, cql));
    }

    private static Expectation named(final String expected)
    {
        return answer -> answer.is(expected) ? null : "expected " + expected;
    }

    private void askSomething() throws IOException
    {
        if (System.nanoTime() - lastLargeNanos > LARGE_EVERY_NANOS)
        {
            lastLargeNanos = System.nanoTime();
            askLarge();
            return;
        }
        final int chance = random.nextInt(100);
        if (chance < 40)
        {
            write(chance < 20);
        }
        else if (chance < 75)
        {
            read(chance < 60);
        }
        else if (chance < 82)
        {
            batch();
        }
        else if (chance < 88)
        {
            pages();
        }
        else
        {
            askOddly(chance);
        }
    }

    private void askOddly(final int chance) throws IOException
    {
        if (chance < 92)
        {
            session.ask("good.options", named("SUPPORTED"), requests::options);
        }
        else if (chance < 95)
        {
            final byte[] id = new byte[16];
            random.nextBytes(id);
            session.ask("good.unknown-id", answer -> answer.is("ERROR-2500") && Arrays.equals(id, answer.unpreparedId())
                ? null
                : "expected UNPREPARED of its own id", stream -> requests.execute(stream, id, id, int32(1)));
        }
        else if (chance < 98)
        {
            final String word = "nonsense_" + random.nextInt(1 << 30);
            session.ask("good.syntax-error", answer -> answer.is("ERROR-2000") && answer.text().contains(word)
                ? null
                : "expected SYNTAX_ERROR about " + word, stream -> requests.query(stream, word));
        }
        else
        {
            final byte[] id = select.preparedId();
            session.ask("good.prepare", answer -> Arrays.equals(id, answer.preparedId())
                ? null
                : "expected the same id as before", stream -> requests.prepare(stream, SoakSchema.SELECT));
        }
    }

    private void write(final boolean prepared) throws IOException
    {
        final int index = small.take(random);
        if (index >= 0)
        {
            final int generation = small.nextGeneration(index);
            write(prepared ? "good.write-execute" : "good.write-query", small, index,
                smallValue(small.key(index), generation), prepared);
        }
    }

    private void write(final String kind,
        final GoodKeys keys,
        final int index,
        final byte[] value,
        final boolean prepared) throws IOException
    {
        final byte[] key = int32(keys.key(index));
        session.ask(kind, freeing(keys, index, named("VOID")), stream -> prepared
            ? requests.execute(stream, insert.preparedId(), insert.metadataId(), key, value)
            : requests.query(stream, SoakSchema.INSERT, key, value));
    }

    private void read(final boolean prepared) throws IOException
    {
        final int index = small.take(random);
        if (index >= 0)
        {
            final int generation = small.generation(index);
            read(prepared ? "good.read-execute" : "good.read-query", small, index,
                generation == 0 ? null : smallValue(small.key(index), generation), prepared);
        }
    }

    private void read(final String kind,
        final GoodKeys keys,
        final int index,
        final byte[] value,
        final boolean prepared) throws IOException
    {
        final byte[] key = int32(keys.key(index));
        session.ask(kind, freeing(keys, index, answer -> cellFault(answer, key, value)), stream -> prepared
            ? requests.execute(stream, select.preparedId(), select.metadataId(), key)
            : requests.query(stream, SoakSchema.SELECT, key));
    }

    private static String cellFault(final RawAnswer answer, final byte[] key, final byte[] value)
    {
        if (!answer.is("ROWS") || answer.rows().size() != (value == null ? 0 : 1))
        {
            return "expected " + (value == null ? 0 : 1) + " row, not " + answer.rows().size();
        }
        if (value == null)
        {
            return null;
        }
        final List<byte[]> row = answer.rows().get(0);
        if (!Arrays.equals(row.get(0), key))
        {
            return "the row of another key";
        }
        return Arrays.equals(row.get(1), value) ? null : "another value than was written";
    }

    private void askLarge() throws IOException
    {
        final int index = large.take(random);
        if (index < 0)
        {
            return;
        }
        if (large.generation(index) > 0 && random.nextBoolean())
        {
            read("good.large-read", large, index, largeValue(large.key(index), large.generation(index)), true);
        }
        else
        {
            write("good.large-write", large, index, largeValue(large.key(index), large.nextGeneration(index)), true);
        }
    }

    private byte[] smallValue(final int key, final int generation)
    {
        return content.value(key, generation, Math.floorMod(key * 31 + generation * 17, SMALL_BYTES));
    }

    private byte[] largeValue(final int key, final int generation)
    {
        final int most = LARGEST_BYTES - (1 << 20);
        return content.value(key, generation, (1 << 20) + Math.floorMod(key * 7_919 + generation * 104_729 * 31, most));
    }

    private void batch() throws IOException
    {
        final int index = wide.take(random);
        if (index < 0)
        {
            return;
        }
        final int key = wide.key(index);
        final int generation = wide.nextGeneration(index);
        final List<byte[]> statements = new ArrayList<>();
        for (int c = 0; c < rowsOf(key); c++)
        {
            final byte[] value = wideValue(key, c, generation);
            statements.add(c % 2 == 0
                ? RawRequests.inBatch(insertWide.preparedId(), int32(key), int32(c), value)
                : RawRequests.inBatch(SoakSchema.INSERT_WIDE, int32(key), int32(c), value));
        }
        session.ask("good.batch", freeing(wide, index, named("VOID")), stream -> requests.batch(stream, statements));
    }

    private static int rowsOf(final int key)
    {
        return 3 + key % 17;
    }

    private byte[] wideValue(final int key, final int c, final int generation)
    {
        return content.value(key * 100 + c, generation, WIDE_BYTES);
    }

    /** Page after page of a whole partition, while other requests are in work. */
    private void pages() throws IOException
    {
        final int index = wide.take(random);
        if (index < 0)
        {
            return;
        }
        final int key = wide.key(index);
        final int generation = wide.generation(index);
        final int size = 1 + random.nextInt(6);
        final List<List<byte[]>> rows = new ArrayList<>();
        byte[] state = null;
        do
        {
            final byte[] from = state;
            final RawAnswer answer = session.askAndWait("good.page", page -> page.is("ROWS") && page.rows()
                .size() <= size
                    ? null
                    : "expected at most " + size + " rows",
                stream -> requests.page(stream, SoakSchema.SELECT_WIDE,
                    size, from, int32(key)));
            rows.addAll(answer.rows());
            state = answer.pagingState();
        }
        while (state != null && rows.size() < KEYS_PER_CLIENT);
        final String fault = pagesFault(rows, key, generation);
        if (fault != null)
        {
            ledger.fault(name, "pages of key " + key + ": " + fault);
        }
        wide.giveBack(index);
    }

    private String pagesFault(final List<List<byte[]>> rows, final int key, final int generation)
    {
        final int expected = generation == 0 ? 0 : rowsOf(key);
        if (rows.size() != expected)
        {
            return rows.size() + " rows (expected: " + expected + ")";
        }
        for (int c = 0; c < expected; c++)
        {
            final List<byte[]> row = rows.get(c);
            if (!Arrays.equals(row.get(0), int32(key)) || !Arrays.equals(row.get(1), int32(c)) ||
                !Arrays.equals(row.get(2), wideValue(key, c, generation)))
            {
                return "row " + c + " is another one";
            }
        }
        return null;
    }

    private static Expectation freeing(final GoodKeys keys, final int index, final Expectation expectation)
    {
        return answer ->
        {
            final String fault = expectation.fault(answer);
            keys.giveBack(index);
            return fault;
        };
    }
}
