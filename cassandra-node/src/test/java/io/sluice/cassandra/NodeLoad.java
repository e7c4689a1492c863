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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.framing.Opcode;
import io.sluice.transport.testkit.Await;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.WireBytes;
import io.sluice.transport.testkit.WireClient;
import io.sluice.transport.testkit.WireEnvelope;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Clients of all versions, each of which writes a row by a prepared statement and reads it back, over and over, until
 * this is closed. Each has one request under way, and must get one answer to each, which must be right.
 */
public final class NodeLoad implements AutoCloseable
{
    /** So many of them. */
    public static final int CLIENTS = 4;

    private static final String TABLE = "load.counts";
    private static final int WRITE_TIMEOUT = 0x1100;
    private static final int VOID = 1;
    private static final int ROWS = 2;
    private static final int ONE = 1;
    private static final int VALUES = 1;
    /** What a client gets before the load is taken to go on: more than was under way. */
    private static final int MORE = 4;
    private static final int STREAMS = 0x4000;

    private final List<Client> clients = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final AtomicLong refused = new AtomicLong();
    private final Set<Integer> mayFail;
    private volatile boolean stopping;

    /**
     * Returns once all are at work.
     *
     * @param mayFail codes of the errors that are right answers too
     */
    public NodeLoad(final TestNode node, final Set<Integer> mayFail) throws IOException
    {
        this.mayFail = mayFail;
        add(node, 3, null);
        add(node, 4, "lz4");
        add(node, 5, null);
        add(node, 5, "lz4");
        assertEquals(CLIENTS, clients.size());
        for (final Client client : clients)
        {
            final Thread thread = new Thread(client, "load");
            threads.add(thread);
            thread.start();
        }
        awaitMore();
    }

    private void add(final TestNode node, final int version, final String compression) throws IOException
    {
        clients.add(new Client(WireClient.ready(node.address(), version, compression), clients.size()));
    }

    /** Makes its table. */
    public static void define(final WireClient client) throws IOException
    {
        ask(client, "CREATE KEYSPACE load WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
        ask(client, "CREATE TABLE " + TABLE + " (k int PRIMARY KEY, v int)");
    }

    /** Drops it. */
    public static void drop(final WireClient client) throws IOException
    {
        ask(client, "DROP KEYSPACE load");
    }

    /** A statement that must succeed. */
    public static void ask(final WireClient client, final String cql) throws IOException
    {
        final WireEnvelope answer = client.ask(Requests.query(client.version(), 1, cql));
        assertEquals(Opcode.RESULT, answer.type(), () -> cql + ": " + answer);
    }

    /** Returns once each client has got answers to requests that it sends from now on. */
    public void awaitMore()
    {
        final long[] before = clients.stream().mapToLong(client -> client.answered).toArray();
        Await.until("the load goes on", () -> !failures.isEmpty() || clients.stream()
            .allMatch(client -> client.answered >= before[client.key] + MORE));
        check();
    }

    /** Answers so far. */
    public long answered()
    {
        return clients.stream().mapToLong(client -> client.answered).sum();
    }

    /** Those of them that were errors. */
    public long refused()
    {
        return refused.get();
    }

    private void check()
    {
        if (!failures.isEmpty())
        {
            throw new AssertionError("a request of the load got a wrong answer or none", failures.peek());
        }
    }

    /** Returns once all clients have got their last answer and their connections have ended in order. */
    @Override
    public void close()
    {
        stopping = true;
        try
        {
            for (final Thread thread : threads)
            {
                thread.join();
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
        check();
    }

    private final class Client implements Runnable
    {
        private final WireClient wire;
        private final int key;
        private final byte[] insert;
        /** What may be read: what was written last, and whatever had timed out since; the later, the larger. */
        private final TreeSet<Integer> possible = new TreeSet<>();
        private volatile long answered;

        Client(final WireClient wire, final int key) throws IOException
        {
            this.wire = wire;
            this.key = key;
            final WireEnvelope prepared = wire.ask(Requests.prepare(wire.version(), 1, "INSERT INTO " + TABLE +
                " (k, v) VALUES (?, ?)"));
            assertEquals(Opcode.RESULT, prepared.type(), prepared::toString);
            final int idBegin = 6;
            insert = Arrays.copyOfRange(prepared.body(), idBegin, idBegin + (prepared.intAt(4) >>> 16));
            final WireEnvelope written = wire.ask(write(0));
            assertEquals(Opcode.RESULT, written.type(), written::toString);
            possible.add(0);
        }

        private byte[] write(final int value)
        {
            final WireBytes body = new WireBytes().shortBytes(insert);
            if (wire.version() >= 5)
            {
                body.shortBytes(new byte[16]);
            }
            Requests.flags(wire.version(), body.u16(ONE), VALUES)
                .u16(2)
                .value(TwoRoads.number(key))
                .value(TwoRoads.number(value));
            return Requests.envelope(wire.version(), 0, value % STREAMS, Opcode.EXECUTE.code(), body.toArray());
        }

        @Override
        public void run()
        {
            try (wire)
            {
                int last = 0;
                while (!stopping)
                {
                    last++;
                    writeAndCheck(last);
                    count();
                    readAndCheck(last);
                    count();
                }
                // An answer too many would come before this one, or before the end.
                assertEquals(Opcode.SUPPORTED, wire.ask(Requests.options(wire.version(), STREAMS)).type());
                wire.shutOutput();
                wire.expectEnd();
            }
            catch (final Throwable t)
            {
                failures.add(t);
            }
        }

        /** By its own thread alone. */
        @SuppressWarnings("NonAtomicVolatileUpdate")
        private void count()
        {
            answered++;
        }

        private void writeAndCheck(final int value) throws IOException
        {
            final WireEnvelope answer = wire.ask(write(value));
            if (isRefused(answer))
            {
                if (TwoRoads.error(answer) == WRITE_TIMEOUT)
                {
                    possible.add(value);
                }
                return;
            }
            assertEquals(VOID, ByteBuffer.wrap(TwoRoads.withoutWarnings(answer)).getInt(), answer::toString);
            possible.clear();
            possible.add(value);
        }

        private void readAndCheck(final int stream) throws IOException
        {
            final WireEnvelope answer = wire.ask(Requests.query(wire.version(), stream % STREAMS, "SELECT v FROM " +
                TABLE + " WHERE k = " + key));
            if (isRefused(answer))
            {
                return;
            }
            final ByteBuffer body = ByteBuffer.wrap(TwoRoads.withoutWarnings(answer));
            assertEquals(ROWS, body.getInt(0), answer::toString);
            // One row of one cell of four bytes is what it ends with.
            final int end = body.limit();
            assertEquals("1 4", body.getInt(end - 12) + " " + body.getInt(end - 8));
            final int value = body.getInt(end - 4);
            assertTrue(possible.contains(value), () -> "read " + value + " (expected: one of " + possible + ")");
            possible.headSet(value).clear();
        }

        /** False if it is a result. */
        private boolean isRefused(final WireEnvelope answer)
        {
            if (answer.type() == Opcode.RESULT)
            {
                return false;
            }
            assertTrue(mayFail.contains(TwoRoads.error(answer)), answer::toString);
            refused.incrementAndGet();
            return true;
        }
    }
}
