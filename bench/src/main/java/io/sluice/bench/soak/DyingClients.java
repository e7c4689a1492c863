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
import java.io.InputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** Clients that leave in every bad way and at every bad moment. Stateless. */
final class DyingClients
{
    private static final int REQUESTS = 20;
    private static final int PATIENCE_SECONDS = 90;
    private static final int HALF_CLOSE_STREAM = 100;

    private DyingClients()
    {
    }

    static List<HostileKind> kinds(final boolean tls)
    {
        final List<HostileKind> kinds = new ArrayList<>(List.of(
            new HostileKind("dying.reset-in-request", 1, 200, DyingClients::resetInRequest),
            new HostileKind("dying.reset-in-answer", 1, 700, DyingClients::resetInAnswer),
            new HostileKind("dying.reset-in-login", 1, 200, DyingClients::resetInLogin),
            new HostileKind("dying.reset-behind-a-flood", 1, 1_000, DyingClients::flood),
            new HostileKind("dying.closed-unread", 1, 200, DyingClients::closedUnread),
            new HostileKind("dying.half-close", 1, 200, DyingClients::halfClose),
            new HostileKind("dying.registered", 1, 500, DyingClients::registered)));
        if (tls)
        {
            kinds.add(new HostileKind("dying.tls-garbage", 1, 400, DyingClients::tlsGarbage));
            kinds.add(new HostileKind("dying.tls-reset", 1, 400, DyingClients::tlsReset));
        }
        return kinds;
    }

    static HostileKind loginFailure()
    {
        return new HostileKind("bad.login", 1, 500, DyingClients::wrongPassword);
    }

    private static String resetInRequest(final HostileContext context) throws IOException
    {
        try (RawClient client = context.ready(context.version()))
        {
            final byte[] wire = client.wrap(client.requests()
                .query(1, SoakSchema.INSERT, RawRequests.int32(-2), context.junk(1 + context.random()
                    .nextInt(1 << 20))));
            client.socket().getOutputStream().write(wire, 0, context.random().nextInt(wire.length));
            context.acted();
            client.reset();
            return "gone";
        }
    }

    private static String resetInAnswer(final HostileContext context) throws IOException
    {
        try (RawClient client = context.ready(context.version()))
        {
            for (int i = 0; i < 6; i++)
            {
                client.send(client.wrap(context.bigRequest(client, i)));
            }
            final InputStream in = client.socket().getInputStream();
            client.socket().setSoTimeout(SoakTarget.PATIENCE_MILLIS);
            in.readNBytes(1 + context.random().nextInt(3 << 20));
            context.acted();
            client.reset();
            return "gone";
        }
    }

    private static String resetInLogin(final HostileContext context) throws IOException
    {
        try (RawClient client = context.target().any(context.random()))
        {
            final byte[] startup = client.startup(3);
            client.socket().getOutputStream().write(startup, 0, context.random().nextInt(startup.length + 1));
            context.acted();
            if (context.random().nextBoolean())
            {
                client.reset();
                return "gone";
            }
        }
        return "left";
    }

    private static String flood(final HostileContext context) throws IOException
    {
        try (RawClient client = context.ready(context.version()))
        {
            final byte[][] requests = new byte[400][];
            for (int i = 0; i < requests.length; i++)
            {
                requests[i] = context.goodRequest(client, i);
            }
            client.send(client.wrap(requests));
            context.acted();
            client.reset();
            return "gone";
        }
    }

    private static String closedUnread(final HostileContext context) throws IOException
    {
        try (RawClient client = context.target().ready(context.target().any(context.random())))
        {
            for (int i = 0; i < REQUESTS; i++)
            {
                client.send(client.wrap(context.goodRequest(client, i)));
            }
            context.acted();
        }
        return "left";
    }

    /** Who says no more may still hear: all answers must come, each once, and then an orderly end. */
    private static String halfClose(final HostileContext context) throws IOException
    {
        try (RawClient client = context.ready(context.version()))
        {
            final List<Integer> open = new ArrayList<>();
            for (int i = 0; i < REQUESTS; i++)
            {
                open.add(HALF_CLOSE_STREAM + i);
                client.send(client.wrap(i % 7 == 3
                    ? context.bigRequest(client, HALF_CLOSE_STREAM + i)
                    : context.goodRequest(client, HALF_CLOSE_STREAM + i)));
            }
            client.socket().shutdownOutput();
            context.acted();
            while (true)
            {
                final RawAnswer answer = client.receive(SoakTarget.PATIENCE_MILLIS);
                if (answer == null)
                {
                    break;
                }
                if (!answer.is("ROWS") || !open.remove((Integer)answer.stream()))
                {
                    throw new IllegalStateException("unasked " + answer.describe());
                }
            }
            if (!open.isEmpty() || client.end() != RawClient.End.CLOSED)
            {
                throw new IllegalStateException(open.size() + " answers missing, then " + client.end());
            }
            return "all answers, then closed";
        }
    }

    private static String registered(final HostileContext context) throws IOException
    {
        try (RawClient client = context.ready(context.version()))
        {
            client.send(client.wrap(client.requests().register(1)));
            context.acted();
            context.stop().await(context.random().nextInt(8_000));
            if (context.random().nextBoolean())
            {
                client.reset();
                return "gone";
            }
        }
        return "left";
    }

    private static String wrongPassword(final HostileContext context) throws IOException
    {
        final SoakTarget target = context.target();
        try (RawClient client = target.of(context.version(), context.random(), 0))
        {
            RawAnswer answer = client.start(target.user(), "not " + target.password(), SoakTarget.PATIENCE_MILLIS);
            int refused = 0;
            while (answer != null && answer.is("ERROR-0100"))
            {
                context.acted();
                refused++;
                answer = client.logIn("nobody" + context.random().nextInt(5), "x", SoakTarget.PATIENCE_MILLIS);
            }
            if (answer != null)
            {
                throw new IllegalStateException("after " + refused + " failures: " + answer.describe());
            }
            if (client.end() == RawClient.End.SILENT)
            {
                throw new IllegalStateException("no answer to login number " + (refused + 1));
            }
            return "closed after " + refused;
        }
    }

    /** Begins like TLS and goes on with junk: an alert and the end, or only the end. */
    private static String tlsGarbage(final HostileContext context) throws IOException
    {
        try (Socket socket = context.target().connect(0))
        {
            final byte[] junk = context.junk(200);
            final byte[] head = {0x16, 3, 1, 0, (byte)150, 1};
            System.arraycopy(head, 0, junk, 0, head.length);
            socket.getOutputStream().write(junk);
            context.acted();
            socket.setSoTimeout(PATIENCE_SECONDS * 1_000);
            try
            {
                socket.getInputStream().readAllBytes();
                return "closed";
            }
            catch (final java.net.SocketTimeoutException e)
            {
                throw new IllegalStateException("the server did not close within " + PATIENCE_SECONDS + " s", e);
            }
        }
    }

    private static String tlsReset(final HostileContext context) throws IOException
    {
        final RawClient client = new RawClient(context.target().connectTls(), context.version(), "none");
        try (client)
        {
            client.send(client.startup(1));
            context.acted();
            if (context.random().nextBoolean())
            {
                // Without the farewell that TLS asks for.
                client.reset();
                return "gone";
            }
        }
        return "left";
    }
}
