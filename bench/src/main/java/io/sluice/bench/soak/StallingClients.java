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

import io.sluice.conformance.RawAnswer;
import io.sluice.conformance.RawClient;
import io.sluice.conformance.RawRequests;
import java.io.IOException;
import java.util.List;

/**
 * Clients that are there and do nothing, or next to nothing, until the server's deadlines close them: handshake 30 s,
 * stall 60 s. Each waits far beyond its deadline before it calls the server to account. Stateless.
 */
final class StallingClients
{
    /** Of each kind, as each is at it for a minute or more. */
    private static final int STALLERS = 3;
    private static final int HANDSHAKE_SECONDS = 75;
    private static final int STALL_SECONDS = 130;
    private static final int UNREAD = 40;
    private static final int SMALL_BUFFER = 8 << 10;
    private static final int DRIP_MILLIS = 700;

    private StallingClients()
    {
    }

    static List<HostileKind> kinds()
    {
        return List.of(
            new HostileKind("dying.connect-only", STALLERS, 500, StallingClients::connectOnly),
            new HostileKind("dying.half-a-startup", STALLERS, 500, StallingClients::halfStartup),
            new HostileKind("dying.slow-loris", STALLERS, 500, StallingClients::slowLoris),
            new HostileKind("dying.slow-request", STALLERS, 500, StallingClients::slowRequest),
            new HostileKind("dying.stalled-request", STALLERS, 500, StallingClients::stalledRequest),
            new HostileKind("dying.unread-answers", STALLERS, 500, StallingClients::unreadAnswers),
            new HostileKind("dying.slow-reader", STALLERS, 500, StallingClients::slowReader));
    }

    private static String connectOnly(final HostileContext context) throws IOException
    {
        try (RawClient client = new RawClient(context.target().connect(0), 4, "none"))
        {
            context.acted();
            if (context.random().nextInt(3) == 0)
            {
                context.stop().await(context.random().nextInt(5_000));
                return "left";
            }
            return context.ending(client, HANDSHAKE_SECONDS);
        }
    }

    private static String halfStartup(final HostileContext context) throws IOException
    {
        try (RawClient client = new RawClient(context.target().connect(0), context.version(), "none"))
        {
            final byte[] startup = client.startup(1);
            client.socket().getOutputStream().write(startup, 0, 1 + context.random().nextInt(startup.length - 1));
            context.acted();
            return context.ending(client, HANDSHAKE_SECONDS);
        }
    }

    /** STARTUP, a byte now and then: it must not reset the deadline. */
    private static String slowLoris(final HostileContext context) throws IOException
    {
        try (RawClient client = new RawClient(context.target().connect(0), 4, "none"))
        {
            context.acted();
            final byte[] startup = RawRequests.claiming(4, 0, 1, 1, 10_000, new byte[0]);
            final long deadline = System.nanoTime() + HANDSHAKE_SECONDS * 1_000_000_000L;
            for (int i = 0; System.nanoTime() - deadline < 0; i++)
            {
                client.socket().getOutputStream().write(i < startup.length ? startup[i] : 0);
                final RawAnswer answer = client.receive(DRIP_MILLIS);
                if (answer == null && client.end() != RawClient.End.SILENT)
                {
                    return client.end() == RawClient.End.CLOSED ? "closed" : "reset";
                }
                if (context.stop().isAsked())
                {
                    return "left at the end";
                }
            }
            throw new IllegalStateException("still open after " + HANDSHAKE_SECONDS + " s");
        }
        catch (final IOException e)
        {
            // A write on a connection that the server has ended.
            return "closed";
        }
    }

    /** A request that comes byte by byte for a while and is then given up. */
    private static String slowRequest(final HostileContext context) throws IOException
    {
        try (RawClient client = context.ready(context.version()))
        {
            final byte[] wire = client.wrap(client.requests()
                .query(1, SoakSchema.INSERT, RawRequests.int32(-3), context.junk(500)));
            context.acted();
            for (int i = 0; i < 40 && !context.stop().await(DRIP_MILLIS); i++)
            {
                client.socket().getOutputStream().write(wire[i]);
            }
            return "left";
        }
    }

    private static String stalledRequest(final HostileContext context) throws IOException
    {
        try (RawClient client = context.ready(context.version()))
        {
            final byte[] wire = client.wrap(client.requests()
                .query(1, SoakSchema.INSERT, RawRequests.int32(-3), context.junk(300_000)));
            client.socket().getOutputStream().write(wire, 0, 1 + context.random().nextInt(wire.length - 1));
            context.acted();
            return context.ending(client, STALL_SECONDS);
        }
    }

    /** Reads nothing; what comes when it looks again is at most what was on its way, and then the end. */
    private static String unreadAnswers(final HostileContext context) throws IOException
    {
        try (RawClient client = context.ready(context.version(), SMALL_BUFFER))
        {
            for (int i = 0; i < UNREAD; i++)
            {
                client.send(client.wrap(context.bigRequest(client, i)));
            }
            context.acted();
            if (context.stop().await(STALL_SECONDS * 1_000L))
            {
                return "left at the end";
            }
            int answers = 0;
            while (client.receive(SoakTarget.PATIENCE_MILLIS) != null)
            {
                answers++;
            }
            if (client.end() == RawClient.End.SILENT || answers == UNREAD)
            {
                throw new IllegalStateException(
                    answers + " answers after " + STALL_SECONDS + " s unread, then " + client.end());
            }
            return "closed by the server";
        }
    }

    /** Reads, but slowly: it must get everything in the end. */
    private static String slowReader(final HostileContext context) throws IOException
    {
        try (RawClient client = context.ready(context.version(), SMALL_BUFFER))
        {
            final int requests = 10;
            for (int i = 0; i < requests; i++)
            {
                client.send(client.wrap(context.bigRequest(client, i)));
            }
            context.acted();
            int answers = 0;
            while (answers < requests)
            {
                if (context.stop().await(1_500))
                {
                    return "left at the end";
                }
                final RawAnswer answer = client.receive(SoakTarget.PATIENCE_MILLIS);
                if (answer == null || !answer.is("ROWS"))
                {
                    throw new IllegalStateException("slow reader, " + answers + " of " + requests + " answers, then " +
                        (answer == null ? client.end() : answer.describe()));
                }
                answers++;
            }
            return "all answers";
        }
    }
}
