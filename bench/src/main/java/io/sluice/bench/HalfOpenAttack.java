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

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Thousands of connections that never log in: half of them silent, half with a STARTUP cut in half, and some that send
 * a byte now and then. Who is closed comes again at once. Runs on a thread of its own; counted from any.
 */
final class HalfOpenAttack implements AutoCloseable
{
    private static final long DRIP_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final int SELECT_MILLIS = 50;
    private static final int STARTUP_BYTES = 90_000;
    private static final long CONNECT_SECONDS = 120;

    private final HostileServer server;
    private final int halfOpen;
    private final int all;
    private final Selector selector = Selector.open();
    private final List<SocketChannel> dripping = new ArrayList<>();
    private final AtomicLong made = new AtomicLong();
    private final CountDownLatch connected = new CountDownLatch(1);
    private final ByteBuffer sink = ByteBuffer.allocateDirect(1 << 10);
    private final byte[] startup = RequestBytes.startup(HostileServer.VERSION,
        Map.of("DRIVER_NAME", "x".repeat(200)));
    private final Thread thread = new Thread(this::attack, "half-open");
    private volatile boolean over;
    private volatile IOException failure;

    /** Returns when all are connected. */
    HalfOpenAttack(final HostileServer server, final int halfOpen, final int slow)
        throws IOException, InterruptedException
    {
        this.server = server;
        this.halfOpen = halfOpen;
        this.all = halfOpen + slow;
        thread.setDaemon(true);
        thread.start();
        if (!connected.await(CONNECT_SECONDS, TimeUnit.SECONDS) || failure != null)
        {
            close();
            throw new IOException("connected: " + made.get() + " (expected: " + all +
                "; are enough files allowed, ulimit -n?)", failure);
        }
    }

    /** Connections made until now. */
    long made()
    {
        return made.get();
    }

    private void attack()
    {
        try
        {
            for (int i = 0; i < all && !over; i++)
            {
                connect(i);
            }
            connected.countDown();
            long nextDrip = System.nanoTime();
            while (!over)
            {
                selector.select(SELECT_MILLIS);
                reconnect();
                if (System.nanoTime() - nextDrip > 0)
                {
                    nextDrip += DRIP_NANOS;
                    drip();
                }
            }
        }
        catch (final IOException e)
        {
            failure = e;
        }
        finally
        {
            connected.countDown();
            closeAll();
        }
    }

    private void connect(final int index) throws IOException
    {
        final SocketChannel channel = SocketChannel.open(server.address());
        made.incrementAndGet();
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        if (index >= halfOpen)
        {
            // The header of a STARTUP that is allowed, and whose bytes never come to an end in time.
            channel.write(ByteBuffer.allocate(9)
                .put((byte)HostileServer.VERSION)
                .put((byte)0)
                .putShort((short)1)
                .put((byte)1)
                .putInt(STARTUP_BYTES)
                .flip());
            dripping.add(channel);
        }
        else if (index % 2 == 1)
        {
            channel.write(ByteBuffer.allocate(startup.length).put(startup, 0, startup.length / 2).flip());
        }
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ, index);
    }

    private void reconnect() throws IOException
    {
        final List<Integer> gone = new ArrayList<>();
        for (final SelectionKey key : selector.selectedKeys())
        {
            final SocketChannel channel = (SocketChannel)key.channel();
            sink.clear();
            boolean ended;
            try
            {
                ended = channel.read(sink) < 0;
            }
            catch (final IOException e)
            {
                ended = true;
            }
            if (ended)
            {
                gone.add((Integer)key.attachment());
                key.cancel();
                channel.close();
            }
        }
        selector.selectedKeys().clear();
        for (final int index : gone)
        {
            connect(index);
        }
    }

    private void drip()
    {
        dripping.removeIf(channel ->
        {
            try
            {
                channel.write(ByteBuffer.allocate(1));
                return false;
            }
            catch (final IOException e)
            {
                return true;
            }
        });
    }

    private void closeAll()
    {
        for (final SelectionKey key : selector.keys())
        {
            try
            {
                key.channel().close();
            }
            catch (final IOException e)
            {
                // It is closed either way.
                key.cancel();
            }
        }
    }

    @Override
    public void close() throws IOException
    {
        over = true;
        selector.wakeup();
        try
        {
            thread.join(TimeUnit.SECONDS.toMillis(CONNECT_SECONDS));
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        selector.close();
    }
}
