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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.EventLoop;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.transport.testkit.LogWatch;
import io.sluice.transport.testkit.Requests;
import io.sluice.transport.testkit.ScriptedEngine;
import io.sluice.transport.testkit.TestServer;
import io.sluice.transport.testkit.WireClient;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One connection with much to read or to write leaves its event loop to the others after a bounded turn. */
@ExtendWith(LogWatch.class)
final class FairnessIT
{
    @Test
    void aReadTurnIsFourBuffersHoweverMuchThereIs()
    {
        final ByteBuf buffer = Unpooled.directBuffer(LoopContext.READ_BYTES, LoopContext.READ_BYTES);
        final EmbeddedChannel channel = new EmbeddedChannel();
        @SuppressWarnings("deprecation")
        final RecvByteBufAllocator.Handle handle = new LoopReadAllocator(buffer).newHandle();
        for (int turn = 0; turn < 3; turn++)
        {
            handle.reset(channel.config());
            int reads = 0;
            do
            {
                handle.allocate(UnpooledByteBufAllocator.DEFAULT).release();
                handle.attemptedBytesRead(LoopContext.READ_BYTES);
                handle.lastBytesRead(LoopContext.READ_BYTES);
                handle.incMessagesRead(1);
                reads++;
            }
            while (handle.continueReading());
            assertEquals(4, reads);
        }
        channel.finish();
        buffer.release();
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5})
    void aWriteTurnIsAboutAMebibyteHoweverManyAnswersThereAre(final int version) throws Exception
    {
        final List<InetSocketAddress> flushed = Collections.synchronizedList(new ArrayList<>());
        final int answers = 24;
        try (TestServer server = oneLoop(new TransportListener()
        {
            @Override
            public void onFlush(final ClientConnection connection,
                final int envelopes,
                final int segments,
                final long payloadBytes,
                final int bytes)
            {
                flushed.add(connection.remoteAddress());
            }
        }); WireClient big = server.ready(version); WireClient small = server.ready(version))
        {
            final List<Exchange> exchanges = new ArrayList<>();
            for (int i = 0; i < answers; i++)
            {
                big.request(Requests.query(version, i, "park"));
                exchanges.add(server.engine().nextParked());
            }
            small.request(Requests.query(version, 1, "park"));
            final Exchange quick = server.engine().nextParked();
            final EventLoop loop = quick.connection().channel().eventLoop();
            final CountDownLatch held = new CountDownLatch(1);
            loop.execute(() -> awaitQuietly(held));
            for (final Exchange exchange : exchanges)
            {
                exchange.respond(ScriptedEngine.rows(500_000));
            }
            quick.respond(ScriptedEngine.rows(10));
            flushed.clear();
            held.countDown();
            small.readEnvelope();
            assertEquals(answers, big.readEnvelopes(answers).size());
            final InetSocketAddress ofSmall = (InetSocketAddress)small.socket().getLocalSocketAddress();
            final int turn = flushed.indexOf(ofSmall);
            assertTrue(turn >= 0 && turn <= 1, () -> "after one turn of the other at most: " + flushed);
            assertTrue(flushed.size() >= answers / 3, "three answers a turn: " + flushed.size());
            assertFalse(flushed.size() > answers + 2, "no more than one for each: " + flushed.size());
        }
    }

    @Test
    void whatOthersSentIsReadBetweenTheTurnsOfAWriter() throws Exception
    {
        final List<String> events = Collections.synchronizedList(new ArrayList<>());
        final int answers = 24;
        try (TestServer server = oneLoop(new TransportListener()
        {
            @Override
            public void onFlush(final ClientConnection connection,
                final int envelopes,
                final int segments,
                final long payloadBytes,
                final int bytes)
            {
                events.add("flush " + envelopes);
            }

            @Override
            public void onBytesRead(final ClientConnection connection, final int bytes)
            {
                events.add("read");
            }
        }); WireClient big = server.ready(5); WireClient small = server.ready(5))
        {
            final List<Exchange> exchanges = new ArrayList<>();
            for (int i = 0; i < answers; i++)
            {
                big.request(Requests.query(5, i, "park"));
                exchanges.add(server.engine().nextParked());
            }
            final EventLoop loop = exchanges.get(0).connection().channel().eventLoop();
            final CountDownLatch held = new CountDownLatch(1);
            loop.execute(() -> awaitQuietly(held));
            for (final Exchange exchange : exchanges)
            {
                exchange.respond(ScriptedEngine.rows(200_000));
            }
            // Lies in the socket's buffer before the loop goes on.
            small.request(Requests.options(5, 1));
            events.clear();
            held.countDown();
            small.readEnvelope();
            assertEquals(answers, big.readEnvelopes(answers).size());
            final int read = events.indexOf("read");
            assertTrue(read >= 0 && read <= 2, () -> "behind two turns of the writer at most: " + events);
            assertTrue(events.size() > 4, () -> "several turns: " + events);
        }
    }

    /** Everybody on one event loop, and room for all answers. */
    private static TestServer oneLoop(final TransportListener listener)
    {
        return TestServer.start(TestServer.Sockets.EPOLL, builder -> builder.eventLoopThreads(1)
            .limits(TransportLimits.defaults()
                .with()
                .answerBytesPerConnection(1L << 30)
                .answerBytesHardLimit(1L << 30)
                .answerBytesPerAddress(1L << 30)
                .answerBytes(1L << 30)
                .build())
            .listener(listener));
    }

    private static void awaitQuietly(final CountDownLatch latch)
    {
        try
        {
            latch.await();
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }
}
