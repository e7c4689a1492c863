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
package io.sluice.bench;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Good clients beside hostile ones: some connections of version 4 with one request at a time each. In a closed loop
 * every answer is followed by a request; at a rate requests are due at regular moments, and latency counts from when
 * one was due. Confined to one thread.
 */
public final class SteadyClients implements AutoCloseable
{
    /**
     * What a stretch of time brought. Immutable.
     *
     * @param ratePerSecond of answers
     * @param p99Micros latency that one in a hundred answers exceeded
     */
    public record Stretch(double ratePerSecond, double p99Micros)
    {
    }

    /** One connection. */
    private static final class Client
    {
        private final SocketChannel channel;
        private final ByteBuffer in = ByteBuffer.allocateDirect(READ_BYTES);
        private final ByteBuffer out;
        private long dueNanos;

        Client(final SocketChannel channel, final byte[] request)
        {
            this.channel = channel;
            out = ByteBuffer.allocateDirect(request.length).put(request);
        }

        void send(final long due) throws IOException
        {
            dueNanos = due;
            out.flip();
            while (out.hasRemaining())
            {
                channel.write(out);
            }
        }

        /** Blocking still: it comes in one or two reads. */
        void awaitAnswer() throws IOException
        {
            boolean isThere = false;
            while (!isThere)
            {
                isThere = receive();
            }
        }

        /** True if an answer is there; it is dropped. */
        boolean receive() throws IOException
        {
            if (channel.read(in) < 0)
            {
                throw new EOFException("a good client was closed by the server");
            }
            if (in.position() < HEADER_BYTES)
            {
                return false;
            }
            final int length = HEADER_BYTES + in.getInt(LENGTH_OFFSET);
            if (length > READ_BYTES)
            {
                throw new IOException("a good client got opcode " + in.get(OPCODE_OFFSET) + " of " + length + " bytes");
            }
            if (in.position() < length)
            {
                return false;
            }
            if (in.get(OPCODE_OFFSET) == 0)
            {
                final byte[] text = new byte[in.getShort(ERROR_TEXT_OFFSET)];
                in.get(ERROR_TEXT_OFFSET + Short.BYTES, text);
                throw new IOException("a good client got an error: " + new String(text, StandardCharsets.UTF_8));
            }
            in.clear();
            return true;
        }
    }

    private static final int VERSION = 4;
    private static final int READ_BYTES = 16 << 10;
    private static final int HEADER_BYTES = 9;
    private static final int OPCODE_OFFSET = 4;
    private static final int LENGTH_OFFSET = 5;
    private static final int ERROR_TEXT_OFFSET = HEADER_BYTES + Integer.BYTES;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final long PATIENCE_NANOS = 20_000_000_000L;
    private static final long HIGHEST_NANOS = 600_000_000_000L;

    private final Selector selector = Selector.open();
    private final List<Client> clients = new ArrayList<>();
    private final Deque<Client> idle = new ArrayDeque<>();

    /** Connects that many, each with that one request. */
    SteadyClients(final InetSocketAddress server, final int connections, final byte[] request) throws IOException
    {
        this(server, connections, request, null);
    }

    /** Connects that many to a node that asks them to log in, with this query. */
    public static SteadyClients loggedIn(final InetSocketAddress server,
        final int connections,
        final String query,
        final byte[] token) throws IOException
    {
        return new SteadyClients(server, connections, RequestBytes.query(VERSION, query),
            RequestBytes.authResponse(VERSION, token));
    }

    private SteadyClients(final InetSocketAddress server,
        final int connections,
        final byte[] request,
        final byte[] login) throws IOException
    {
        try
        {
            for (int i = 0; i < connections; i++)
            {
                connect(server, request, login);
            }
        }
        catch (final IOException e)
        {
            close();
            throw e;
        }
    }

    private void connect(final InetSocketAddress server, final byte[] request, final byte[] login) throws IOException
    {
        final SocketChannel channel = SocketChannel.open(server);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        final Client client = new Client(channel, request);
        clients.add(client);
        final ByteBuffer startup = ByteBuffer.allocate(1 << 10)
            .put(RequestBytes.startup(VERSION, Map.of()))
            .flip();
        channel.write(startup);
        client.awaitAnswer();
        if (login != null)
        {
            channel.write(ByteBuffer.allocate(login.length).put(login).flip());
            client.awaitAnswer();
        }
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ, client);
        idle.add(client);
    }

    /** @param ratePerSecond of all together; 0 for a closed loop */
    public Stretch run(final double seconds, final double ratePerSecond) throws IOException
    {
        final Histogram latencies = new Histogram(HIGHEST_NANOS, 3);
        final long start = System.nanoTime();
        final long length = (long)(seconds * NANOS_PER_SECOND);
        long sent = 0;
        long now = start;
        while (now - start < length)
        {
            while (!idle.isEmpty())
            {
                final long due = ratePerSecond == 0 ? now : start + (long)(sent * NANOS_PER_SECOND / ratePerSecond);
                if (due > now)
                {
                    break;
                }
                idle.remove().send(due);
                sent++;
            }
            receive(latencies);
            now = System.nanoTime();
        }
        final double rate = latencies.getTotalCount() * NANOS_PER_SECOND / (now - start);
        while (idle.size() < clients.size())
        {
            receive(latencies);
            if (System.nanoTime() - now > PATIENCE_NANOS)
            {
                throw new IOException((clients.size() - idle.size()) + " good requests got no answer in 20 s");
            }
        }
        return new Stretch(rate, latencies.getValueAtPercentile(99) / NANOS_PER_MICRO);
    }

    private void receive(final Histogram latencies) throws IOException
    {
        selector.select(1);
        final long now = System.nanoTime();
        for (final SelectionKey key : selector.selectedKeys())
        {
            final Client client = (Client)key.attachment();
            if (client.receive())
            {
                latencies.recordValue(Math.min(HIGHEST_NANOS, Math.max(0, now - client.dueNanos)));
                idle.add(client);
            }
        }
        selector.selectedKeys().clear();
    }

    @Override
    public void close() throws IOException
    {
        for (final Client client : clients)
        {
            client.channel.close();
        }
        selector.close();
    }
}
