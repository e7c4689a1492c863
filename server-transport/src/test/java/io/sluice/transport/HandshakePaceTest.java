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
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslHandler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.Test;

/** One step of a handshake a turn, turn by turn. */
final class HandshakePaceTest
{
    private final ArrayDeque<Runnable> nextTurn = new ArrayDeque<>();
    private final List<String> done = new ArrayList<>();
    private final HandshakePace pace = new HandshakePace(nextTurn::add);

    /** What the loop has taken up for its next turn; what is added meanwhile is for the one after it. */
    private void turn()
    {
        for (int i = nextTurn.size(); i > 0; i--)
        {
            nextTurn.remove().run();
        }
    }

    private void step(final String name)
    {
        pace.begin(() -> done.add(name));
    }

    @Test
    void firstOfATurnIsDoneAtOnceAndOthersOneATurn()
    {
        step("a");
        step("b");
        step("c");
        assertEquals(List.of("a"), done);
        turn();
        assertEquals(List.of("a", "b"), done);
        turn();
        assertEquals(List.of("a", "b", "c"), done);
        assertEquals(0, pace.waiting());
    }

    /** One that has waited for nearly as long as its client does is of no use any more; the newest may be. */
    @Test
    void oldestAndNewestAreBegunInTurns()
    {
        for (final String name : List.of("a", "b", "c", "d", "e", "f"))
        {
            step(name);
        }
        for (int i = 0; i < 5; i++)
        {
            turn();
        }
        assertEquals(List.of("a", "b", "f", "c", "e", "d"), done);
    }

    @Test
    void thoseThatHaveBegunGoFirst()
    {
        step("a");
        step("b");
        pace.goOn(() -> done.add("further"));
        pace.goOn(() -> done.add("further still"));
        turn();
        turn();
        turn();
        assertEquals(List.of("a", "further", "further still", "b"), done);
    }

    @Test
    void whoHasLeftTakesNobodysTurn()
    {
        step("a");
        for (int i = 0; i < 1000; i++)
        {
            pace.begin(() -> false);
        }
        pace.goOn(() -> false);
        step("b");
        turn();
        assertEquals(List.of("a", "b"), done);
        turn();
        turn();
        assertEquals(0, pace.waiting() + nextTurn.size());
    }

    @Test
    void restsWhenNothingWaits()
    {
        for (int round = 0; round < 3; round++)
        {
            done.clear();
            step("a");
            assertEquals(List.of("a"), done);
            turn();
            assertEquals(0, nextTurn.size());
        }
    }

    @Test
    void stepThatBringsAnotherDoesNotHoldTheTurn()
    {
        pace.begin(() ->
        {
            step("b");
            return true;
        });
        assertEquals(List.of(), done);
        turn();
        assertEquals(List.of("b"), done);
    }

    @Test
    void whileBytesWaitForTheirTurnNoMoreAreRead() throws Exception
    {
        final SSLEngine engine = SSLContext.getDefault().createSSLEngine();
        engine.setUseClientMode(false);
        final SslHandler tls = new SslHandler(engine);
        final AtomicInteger reads = new AtomicInteger();
        final EmbeddedChannel channel = new EmbeddedChannel(new ChannelOutboundHandlerAdapter()
        {
            @Override
            public void read(final ChannelHandlerContext ctx)
            {
                reads.incrementAndGet();
            }
        }, new PacedHandshake(pace, tls), tls);
        step("a");
        reads.set(0);
        // The beginning of a record.
        channel.writeInbound(Unpooled.wrappedBuffer(new byte[]{22, 3}));
        assertEquals(0, reads.get());
        turn();
        assertTrue(channel.config().isAutoRead() && reads.get() > 0, "reads on");
        channel.finishAndReleaseAll();
    }

    /** A byte at a time is many steps: no more of them than an ordinary handshake has go past others. */
    @Test
    void whoTricklesIsLetPastOthersTwice() throws Exception
    {
        final SSLEngine engine = SSLContext.getDefault().createSSLEngine();
        engine.setUseClientMode(false);
        final SslHandler tls = new SslHandler(engine);
        final EmbeddedChannel channel = new EmbeddedChannel(new PacedHandshake(pace, tls), tls);
        step("a");
        // Of a record that never ends.
        channel.writeInbound(Unpooled.wrappedBuffer(new byte[]{22, 3, 3, 16, 0}));
        turn();
        step("b");
        for (int trickled = 0; trickled < 2; trickled++)
        {
            channel.writeInbound(Unpooled.wrappedBuffer(new byte[1]));
            turn();
            assertEquals(List.of("a"), done, "past the other");
        }
        channel.writeInbound(Unpooled.wrappedBuffer(new byte[1]));
        step("c");
        turn();
        assertEquals(2, done.size(), "not past the others any more");
        turn();
        turn();
        assertEquals(List.of("a", "b", "c"), done.stream().sorted().toList());
        channel.finishAndReleaseAll();
    }

    @Test
    void stepThatFailsStopsNobodyElse()
    {
        step("a");
        pace.begin(() ->
        {
            throw new IllegalStateException("on purpose");
        });
        step("c");
        try
        {
            turn();
        }
        catch (final IllegalStateException e)
        {
            done.add(e.getMessage());
        }
        turn();
        assertEquals(List.of("a", "on purpose", "c"), done);
    }
}
